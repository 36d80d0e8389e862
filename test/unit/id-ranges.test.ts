/** Ranges of ids: the primary key has the order of the answer, and searches look at nothing outside of the range. */
import { afterAll, describe, expect, test } from 'vitest';
import type { SortField } from '../../src/query/order/sort.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const SIZE = 2_000;
const collection = new LocalCollection();
const ids = Array.from({ length: SIZE }, (_, at) => collection.create({ even: at % 2 === 0, n: -at }));

afterAll(() => {
  collection.close();
});

const at = (index: number) => ({ $oid: ids[index] });
const by = (name: string, direction: SortField['direction']): readonly SortField[] => [
  { path: [name], direction },
];
const ORDERS = {
  none: [],
  id: by('id', 'ascending'),
  '-id': by('id', 'descending'),
} as const;

async function pageOf(filter: object, sort: readonly SortField[], counted = true, offset = 0) {
  const found = await collection.list(conditionOf(filter), { offset, limit: 10, counted }, { sort });
  return { places: found.documents.map(({ id }) => ids.indexOf(id)), total: found.total, ...found.plan };
}

describe('a range of ids is read from the primary key: no document is looked at', () => {
  const bounds: readonly (readonly [string, object, number, number])[] = [
    ['$gt, few', { $gt: at(1_989) }, 1_990, 2_000],
    ['$gt, many', { $gt: at(499) }, 500, 2_000],
    ['$gte', { $gte: at(500) }, 500, 2_000],
    ['$lt', { $lt: at(1_500) }, 0, 1_500],
    ['$lte', { $lte: at(1_499) }, 0, 1_500],
    ['both bounds', { $gt: at(499), $lte: at(1_499) }, 500, 1_500],
    ['bounds that exclude each other', { $gt: at(1_500), $lt: at(500) }, 0, 0],
  ];
  describe.each(bounds)('%s', (_name, filter, from, to) => {
    test.each(['none', 'id', '-id'] as const)('in the order of %s', async (order) => {
      const sorted = Array.from({ length: to - from }, (_, index) => from + index);
      if (order === '-id') sorted.reverse();
      const { places, total, scan, visited, decoded, rows } = await pageOf({ id: filter }, ORDERS[order]);
      expect({ places, total, scan, visited, decoded }).toEqual({
        places: sorted.slice(0, 10),
        total: to - from,
        scan: false,
        visited: 0,
        decoded: 0,
      });
      expect(rows).toBeLessThan(30);
      const deep = await pageOf({ id: filter }, ORDERS[order], false, 300);
      expect(deep).toMatchObject({ places: sorted.slice(300, 310), visited: 0, decoded: 0 });
    });
  });
});

describe('what else is asked is looked for in the range alone', () => {
  const filter = { id: { $gte: at(1_000), $lt: at(1_300) }, even: true };

  test.each([
    ['without an order, where nobody counts', [], false, 1_000, 2],
    ['by another field', by('n', 'ascending'), true, 1_298, -2],
  ] as const)('%s', async (_name, sort, counted, first, step) => {
    const { places, visited } = await pageOf(filter, sort, counted);
    expect(places).toEqual(Array.from({ length: 10 }, (_, index) => first + step * index));
    expect(visited).toBeLessThanOrEqual(300);
  });

  test('backwards, where nobody counts', async () => {
    const { places, way, rows } = await pageOf({ ...filter, even: 'neither' }, ORDERS['-id'], false);
    expect(places).toEqual([]);
    expect({ way, few: rows <= 650 }).toEqual({ way: 'few-candidates', few: true });
  });

  test('a range of much of the collection', async () => {
    const most = { id: { $gte: at(100), $lt: at(1_900) }, even: 'neither' };
    const { places, visited } = await pageOf(most, by('n', 'ascending'));
    expect(places).toEqual([]);
    expect(visited).toBeLessThanOrEqual(1_800);
  });
});
