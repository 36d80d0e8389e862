// The cells that stand for geometries in an index, and what an index is asked for.
import { describe, expect, it } from 'vitest';
import { childrenOf, coarseness, FACES, parentOf, rangeOf } from '../../src/query/geo/cells.ts';
import { cellsOf, coveringOf, ringAround, QUERY_CELLS, STORED_CELLS } from '../../src/query/geo/covering.ts';
import type { Lookup } from '../../src/query/geo/covering.ts';
import { box, line, point, points, polygon, ring, shapeOf } from '../support/geo-shapes.ts';

function answers(lookup: Lookup, cell: number): boolean {
  return lookup.ranges.some(([min, max]) => min <= cell && cell <= max) || lookup.ancestors.includes(cell);
}

describe('cells are plain numbers', () => {
  it('a cell holds its four parts, whose parent it is, down to the finest level', () => {
    for (const face of FACES) {
      let cell = face;
      for (let level = 24; level > 0; level -= 1) {
        expect(coarseness(cell)).toBe(level);
        const parts = childrenOf(cell);
        expect(parts.map(parentOf)).toEqual([cell, cell, cell, cell]);
        const [min, max] = rangeOf(cell);
        expect(parts.map(rangeOf).flat()).toEqual(
          expect.arrayContaining([min, max].map((end) => expect.closeTo(end, 0) as unknown)),
        );
        cell = parts[level % 4] ?? cell;
      }
      expect(childrenOf(cell)).toEqual([]);
      expect(rangeOf(cell)).toEqual([cell, cell]);
      expect(parentOf(face)).toBeUndefined();
      expect(Number.isSafeInteger(cell)).toBe(true);
    }
  });
});

describe('a geometry is stored in few cells', () => {
  it.each([
    ['a point', point(10, 20), 1],
    ['three points', points([1, 1], [50, 50], [-100, 3]), 3],
    ['a point at the pole', point(0, 90), 1],
    ['a long line', line([-170, -80], [0, 0], [170, 80]), STORED_CELLS],
    ['a square', polygon(box(0, 0, 1, 1)), STORED_CELLS],
    ['a tiny square', polygon(box(0, 0, 1e-7, 1e-7)), 4],
    ['half of the Earth', polygon(ring([0, 0], [120, 0], [-120, 0])), STORED_CELLS],
  ])('%s', (_name, geometry, most) => {
    const cells = cellsOf(shapeOf(geometry));
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.length).toBeLessThanOrEqual(most);
    const lookup = coveringOf(shapeOf(geometry));
    expect(lookup.ranges.length).toBeLessThanOrEqual(QUERY_CELLS);
    // Every stored cell is found by the geometry's own covering.
    expect(cells.filter((cell) => !answers(lookup, cell))).toEqual([]);
  });

  it('the cells of a country-sized square leave most of the Earth out', () => {
    const lookup = coveringOf(shapeOf(polygon(box(10, 45, 15, 50))));
    const covered = lookup.ranges.reduce((sum, [min, max]) => sum + (max - min) / 2 + 1, 0);
    expect(covered / (6 * 4 ** 24)).toBeLessThan(0.002);
  });
});

describe('the covering of a ring around a point', () => {
  const here = shapeOf(point(10, 45));
  const at = (longitude: number, latitude: number) => cellsOf(shapeOf(point(longitude, latitude)))[0] ?? 0;
  it('holds what is within the greatest distance', () => {
    expect(answers(ringAround(here, 0, 1000), at(10.005, 45.005))).toBe(true);
    expect(answers(ringAround(here, 0, 1000), at(11, 46))).toBe(false);
  });
  it('leaves out what is well within the least distance', () => {
    expect(answers(ringAround(here, 800_000, 1_000_000), at(10, 45))).toBe(false);
    expect(answers(ringAround(here, 800_000, 1_000_000), at(10, 53))).toBe(true);
  });
  it('is everything without a greatest distance', () => {
    expect(ringAround(here, 0, Infinity)).toMatchObject({ ranges: [[1, 6 * 2 ** 49 - 1]], ancestors: [] });
  });
  it('is nothing when no distance is both', () => {
    expect(ringAround(here, 30_000_000, 10)).toMatchObject({ ranges: [], ancestors: [] });
  });
  it('finds what is stored in cells larger than its own', () => {
    const country = cellsOf(shapeOf(polygon(box(5, 40, 15, 50))));
    expect(country.some((cell) => answers(ringAround(here, 0, 1), cell))).toBe(true);
  });
});
