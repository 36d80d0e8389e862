// Relations between sets of grid cells, where everything touches and the right answer is plain arithmetic.
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Position } from '../../src/query/geo/geometry.ts';
import { intersects } from '../../src/query/geo/relations.ts';
import { within } from '../../src/query/geo/within.ts';
import { check } from '../support/geo-samples.ts';
import { polygon, polygons, shapeOf } from '../support/geo-shapes.ts';

describe('cells of a grid of degrees', () => {
  const WIDE = 5;
  const cell = ([x, y]: readonly [number, number], [west, south]: Position): Position[] => {
    const [l, p] = [(west ?? 0) + x, (south ?? 0) + y];
    return [l, l + 1, l + 1, l, l].map((at, index) => [
      at > 180 ? at - 360 : at,
      index < 2 || index > 3 ? p : p + 1,
    ]);
  };
  /** The border of a block of cells, with a position wherever cells meet on it, so that it runs along theirs. */
  const border = (width: number, height: number, [west, south]: Position): Position[] => {
    const places: [number, number][] = [];
    for (let x = 0; x < width; x += 1) places.push([x, 0]);
    for (let y = 0; y < height; y += 1) places.push([width, y]);
    for (let x = width; x > 0; x -= 1) places.push([x, height]);
    for (let y = height; y >= 0; y -= 1) places.push([0, y]);
    return places.map((at) => cell(at, [west ?? 0, south ?? 0])[0] ?? []);
  };
  const corner = fc.oneof(
    fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 85 })),
    fc.constantFrom<[number, number]>([178, 0], [178, 85], [0, -90], [-3, -2]),
  );
  const cells = fc.uniqueArray(fc.nat(WIDE * WIDE - 1), { minLength: 1, maxLength: WIDE * WIDE });
  const at = (index: number) => [index % WIDE, Math.floor(index / WIDE)] as const;

  it('a set of cells is within another that holds all of them, and meets one that touches it', () => {
    check(
      200,
      fc.property(corner, cells, cells, (origin, few, many) => {
        // The cells at a pole have a side of no length, and all touch there.
        const isPolar = origin[1] === -90 || origin[1] === 85;
        const [inner, outer] = [few.slice(0, 6), many].map((set) =>
          shapeOf(polygons(...set.map((index) => [cell(at(index), origin)]))),
        );
        if (inner === undefined || outer === undefined) return;
        const kept = few.slice(0, 6);
        expect(within(inner, outer)).toBe(kept.every((index) => many.includes(index)));
        const touch = kept.some((one) =>
          many.some(
            (other) => Math.abs(at(one)[0] - at(other)[0]) < 2 && Math.abs(at(one)[1] - at(other)[1]) < 2,
          ),
        );
        if (!isPolar) expect(intersects(inner, outer)).toBe(touch);
      }),
    );
  });

  it('a block of cells is within a set of cells that leaves none of it out', () => {
    const side = fc.integer({ min: 1, max: WIDE });
    check(
      200,
      fc.property(
        corner,
        side,
        side,
        fc.option(fc.nat(WIDE * WIDE - 1)),
        (origin, width, height, missing) => {
          const all = Array.from({ length: WIDE * WIDE }, (_, index) => index).filter(
            (index) => index !== missing,
          );
          const outer = shapeOf(polygons(...all.map((index) => [cell(at(index), origin)])));
          const isHeld = missing === null || at(missing)[0] >= width || at(missing)[1] >= height;
          expect(within(shapeOf(polygon(border(width, height, origin))), outer)).toBe(isHeld);
        },
      ),
    );
  });
});
