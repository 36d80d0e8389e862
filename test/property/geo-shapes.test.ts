// Relations between random shapes, against a second opinion (test/support/geo-oracle.ts).
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { cellsOf, coveringOf, ringAround } from '../../src/query/geo/covering.ts';
import type { Lookup } from '../../src/query/geo/covering.ts';
import type { Position } from '../../src/query/geo/geometry.ts';
import { distance, intersects } from '../../src/query/geo/relations.ts';
import type { Shape } from '../../src/query/geo/shape.ts';
import { within } from '../../src/query/geo/within.ts';
import * as oracle from '../support/geo-oracle.ts';
import type { Figure, Ring } from '../support/geo-oracle.ts';
import { between, check, CLOSE, degrees, place, radius, shares, star } from '../support/geo-samples.ts';
import { line, point, polygon, polygons, shapeOf } from '../support/geo-shapes.ts';
import { scaled } from '../support/long.ts';

/** A place that is likely near the figure, on either side of its boundary. */
const beside = (figure: Figure, far: number): fc.Arbitrary<Position> =>
  fc
    .tuple(degrees(Math.PI), between(0, 1.3))
    .map(([direction, part]) => oracle.travel(figure.center, direction, part * far));

const reach = (figure: Figure) =>
  Math.max(...figure.ring.map((corner) => oracle.angle(figure.center, corner)));

describe('random shapes', () => {
  const starAndPlaces = star.chain((figure) =>
    fc.tuple(fc.constant(figure), fc.array(beside(figure, reach(figure)), { minLength: 20, maxLength: 20 })),
  );

  it('a place is in a star, and at a distance from it, as the oracle says', () => {
    check(
      scaled(400),
      fc.property(starAndPlaces, ([figure, places]) => {
        const shape = shapeOf(polygon([...figure.ring].reverse()));
        for (const at of places) {
          const off = oracle.angleToLine(at, figure.ring);
          if (off < CLOSE) continue;
          const isIn = oracle.isInside(figure, at);
          const here = shapeOf(point(...at));
          expect([intersects(here, shape), within(here, shape)]).toEqual([isIn, isIn]);
          const expected = isIn ? 0 : off * oracle.RADIUS;
          expect(Math.abs(distance(here, shape) - expected)).toBeLessThan(1e-6 + expected * 1e-8);
        }
      }),
    );
  });

  it('a place in the hole of a star is not in it', () => {
    check(
      scaled(200),
      fc.property(starAndPlaces, ([figure, places]) => {
        // A hole of less than the least share of the radius is within the star.
        const hole = oracle.star(figure.center, reach(figure) * 0.1, [1, 0.5, 0.8, 1, 0.6]);
        const shape = shapeOf(polygon([...figure.ring], [...hole.ring]));
        for (const at of [
          figure.center,
          ...places,
          ...places.map((p): Position => [p[0] ?? 0, figure.center[1] ?? 0]),
        ]) {
          if (Math.min(oracle.angleToLine(at, figure.ring), oracle.angleToLine(at, hole.ring)) < CLOSE)
            continue;
          const isIn = oracle.isInside(figure, at) && !oracle.isInside(hole, at);
          expect(intersects(shapeOf(point(...at)), shape)).toBe(isIn);
        }
      }),
    );
  });

  /** Two stars that are as likely to meet as not. */
  const twoStars = star.chain((one) => {
    const far = reach(one);
    const other = fc
      .tuple(beside(one, far * 1.5), between(0.1, 1.2), shares)
      .map(([center, part, corners]) =>
        oracle.star(center, Math.max(1e-6, Math.min(1, far * part)), corners),
      );
    return fc.tuple(fc.constant(one), other);
  });

  /** What the oracle says of two figures, or null when they all but touch. */
  function relationOf(one: Figure, other: Figure): { meet: boolean; inside: boolean } | null {
    if (oracle.clearance(one.ring, other.ring) < CLOSE) return null;
    const cross = oracle.linesCross(one.ring, other.ring);
    const [inOne, inOther] = [
      oracle.isInside(one, other.ring[0] ?? []),
      oracle.isInside(other, one.ring[0] ?? []),
    ];
    return { meet: cross || inOne || inOther, inside: !cross && inOther };
  }

  it('polygons meet and lie within as the oracle says, and coverings miss none that meet', () => {
    const seen = { meet: 0, inside: 0, apart: 0 };
    check(
      scaled(600),
      fc.property(twoStars, ([other, one]) => {
        const expected = relationOf(one, other);
        if (expected === null) return;
        const [first, second] = [shapeOf(polygon([...one.ring])), shapeOf(polygon([...other.ring]))];
        seen[expected.inside ? 'inside' : expected.meet ? 'meet' : 'apart'] += 1;
        expect(intersects(first, second)).toBe(expected.meet);
        expect(intersects(second, first)).toBe(expected.meet);
        expect(within(first, second)).toBe(expected.inside);
        if (expected.meet) {
          expect(isFound(coveringOf(first), second)).toBe(true);
          expect(isFound(coveringOf(second), first)).toBe(true);
        }
      }),
    );
    expect(
      Object.values(seen).filter((count) => count < scaled(20)),
      JSON.stringify(seen),
    ).toEqual([]);
  });

  function isFound({ ranges, ancestors }: Lookup, stored: Shape): boolean {
    return cellsOf(stored).some(
      (cell) => ranges.some(([min, max]) => min <= cell && cell <= max) || ancestors.includes(cell),
    );
  }

  it('the covering of a ring around a place holds all that is in the ring', () => {
    // Most places are near the borders of the ring.
    const share = fc.oneof(between(0, 1), between(0, 0.01), between(0.99, 1));
    const ways = fc.array(fc.tuple(share, degrees(Math.PI)), { minLength: 10, maxLength: 10 });
    check(
      scaled(1500),
      fc.property(place, radius, between(0, 1), ways, (from, most, part, places) => {
        const least = most * part;
        const ring = ringAround(shapeOf(point(...from)), least * oracle.RADIUS, most * oracle.RADIUS);
        for (const [where, way] of places) {
          const at = oracle.travel(from, way, least + (most - least) * where);
          const angle = oracle.angle(from, at);
          if (angle < least + CLOSE || angle > most - CLOSE) continue;
          expect(isFound(ring, shapeOf(point(...at)))).toBe(true);
        }
      }),
    );
  });

  it('lines meet lines and polygons, and lie within, as the oracle says, and coverings miss none', () => {
    const seen = { meet: 0, inside: 0, apart: 0 };
    check(
      scaled(500),
      fc.property(
        star.chain((figure) =>
          fc.tuple(
            fc.constant(figure),
            fc.array(beside(figure, reach(figure)), { minLength: 2, maxLength: 4 }),
          ),
        ),
        ([figure, way]) => {
          if (oracle.clearance(way, figure.ring) < CLOSE) return;
          const legs = way.slice(1).map((to, index) => oracle.angle(way[index] ?? to, to));
          if (Math.min(...legs) < CLOSE) return;
          const ring: Ring = figure.ring;
          const [path, round, area] = [line(...way), line(...ring), polygon([...ring])].map(shapeOf);
          if (path === undefined || round === undefined || area === undefined) return;
          const cross = oracle.linesCross(way, ring);
          const starts = oracle.isInside(figure, way[0] ?? []);
          seen[cross ? 'meet' : starts ? 'inside' : 'apart'] += 1;
          expect(intersects(path, round)).toBe(cross);
          expect(intersects(area, path)).toBe(cross || starts);
          expect(within(path, area)).toBe(starts && !cross);
          if (cross) {
            expect(isFound(coveringOf(path), round)).toBe(true);
            expect(isFound(coveringOf(round), path)).toBe(true);
          }
          if (cross || starts) expect(isFound(coveringOf(area), path)).toBe(true);
        },
      ),
    );
    expect(
      Object.values(seen).filter((count) => count < scaled(20)),
      JSON.stringify(seen),
    ).toEqual([]);
  });

  it('what is within a star is within it when it is cut into wedges', () => {
    check(
      scaled(150),
      fc.property(twoStars, ([other, one]) => {
        const expected = relationOf(one, other);
        if (expected === null || oracle.angleToLine(other.center, one.ring) < CLOSE) return;
        const wedges = other.ring.slice(1).map((corner, index) => {
          const before = other.ring[index] ?? corner;
          return [[other.center, before, corner, other.center]];
        });
        const union = shapeOf(polygons(...wedges));
        expect(within(shapeOf(polygon([...one.ring])), union)).toBe(expected.inside);
        expect(within(shapeOf(line(...one.ring)), union)).toBe(expected.inside);
      }),
    );
  });
});
