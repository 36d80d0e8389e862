/** The work of tests of geometries: a document's shape is made once, the work is counted, others run in between. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WorkBudget } from '../../src/domain/work/work.ts';
import type { Fields, Value } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { excessOf } from '../../src/operators/query/patterns.ts';
import { nameOfCells } from '../../src/query/index/cells.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const apart = (count: number) => ({
  $or: Array.from({ length: count }, (_, n) => ({
    at: { $geoIntersects: { $geometry: { type: 'Point', coordinates: [90 + n / 10, 0] } } },
  })),
});

/** A ring of so many corners about a place. */
function ring(corners: number, east = 0): number[][] {
  const places = Array.from({ length: corners }, (_, n) => {
    const angle = (2 * Math.PI * n) / corners;
    return [east + Math.cos(angle), Math.sin(angle)];
  });
  return [...places, [east + 1, 0]];
}

const polygon = (corners: number, east = 0): Fields => ({
  type: 'Polygon',
  coordinates: [ring(corners, east)],
});

describe('the tests of a document', () => {
  test('make a shape once, however many they are', () => {
    let read = 0;
    const at = {
      type: 'LineString',
      get coordinates(): Value {
        read += 1;
        return ring(9_000);
      },
    };
    expect(compileMatcher(conditionOf(apart(40)))({ at })).toBe(false);
    expect(read).toBe(1);
  });

  test.each([
    ['a large geometry, and many tests', [polygon(9_990)], 100, false],
    ['many geometries, and one test', Array.from({ length: 15 }, (_, n) => polygon(9_990, 2 * n)), 1, false],
    ['many geometries, and many tests', [0, 2, 4].map((east) => polygon(9_990, east)), 100, true],
  ])('%s', (_what, at, tests, refused) => {
    const budget = new WorkBudget(Infinity);
    expect(compileMatcher(conditionOf(apart(tests)), { budget, bounded: true })({ at })).toBe(false);
    expect(budget.exceeded).toBe(refused);
    if (refused)
      expect(excessOf(budget, 'this collection')).toContain('2000000 items of arrays in one document');
  });
});

describe('nearest first', () => {
  let collection: LocalCollection;
  beforeEach(() => {
    collection = new LocalCollection();
  });
  afterEach(() => {
    collection.close();
  });

  test.each([
    ['without an index', false],
    ['with one', true],
  ])('others are let in between large geometries, %s', async (_what, isIndexed) => {
    if (isIndexed) collection.learn(nameOfCells(['at']));
    const ids = Array.from({ length: 100 }, (_, n) => collection.create({ at: polygon(500, n) }));
    if (isIndexed) collection.build();
    let pauses = 0;
    const near = { $geometry: { type: 'Point', coordinates: [-30, 0] } };
    const { documents, total } = await collection.list(
      conditionOf({ at: { $near: near } }),
      { offset: 0, limit: 100 },
      { pause: () => (pauses += 1) },
    );
    expect(documents.map(({ id }) => id)).toEqual(ids);
    expect(total).toBe(100);
    expect(pauses).toBeGreaterThanOrEqual(10);
  });
});
