/** A range and an order of the same field: the walk over the index begins and ends with the range, both ways. */
import { afterAll, describe, expect, test } from 'vitest';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const SIZE = 2_000;
const collection = new LocalCollection();
for (let at = 0; at < SIZE; at += 1) collection.create({ n: (at * 7) % SIZE, even: at % 2 === 0 });
collection.learn('n');
collection.build();

afterAll(() => {
  collection.close();
});

async function pageOf(filter: string, direction: 'ascending' | 'descending', offset = 0) {
  const found = await collection.list(
    conditionOf(filter),
    { offset, limit: 10 },
    { sort: [{ path: ['n'], direction }] },
  );
  const values = found.documents.map(({ body }) => (JSON.parse(body) as { readonly n: number }).n);
  return { values, total: found.total, way: found.plan.way, rows: found.plan.rows };
}

describe('a range of the field that is sorted by', () => {
  test.each([
    ['ascending, at the end', '{"n":{"$gt":999}}', 'ascending', 1_000, 1],
    ['descending, at the start', '{"n":{"$lt":1000}}', 'descending', 999, -1],
    ['ascending, in the middle', '{"n":{"$gte":500,"$lt":1500}}', 'ascending', 500, 1],
    ['descending, in the middle', '{"n":{"$gte":500,"$lt":1500}}', 'descending', 1_499, -1],
  ] as const)('%s: only keys of the page are read', async (_where, filter, direction, first, step) => {
    const { values, rows, ...found } = await pageOf(filter, direction);
    expect(found).toEqual({ total: 1_000, way: 'order-of-an-index' });
    expect(values).toEqual(Array.from({ length: 10 }, (_, at) => first + step * at));
    // Rows of the walk and of the page, and one each for what is counted.
    expect(rows).toBeLessThan(30);
  });

  test.each([
    ['ascending', [1_990, 1_999], 10],
    ['descending', [1_969, 1_960], 30],
  ] as const)('ends with the range: %s', async (direction, [first, last], offset) => {
    const { values } = await pageOf(
      '{"n":{"$gte":1960}}',
      direction,
      direction === 'ascending' ? 30 : offset,
    );
    expect([values[0], values.at(-1)]).toEqual([first, last]);
  });

  test('other conditions are looked at within the range alone', async () => {
    const { values, total } = await pageOf('{"n":{"$gte":1900},"even":true}', 'ascending');
    expect(values[0]).toBeGreaterThanOrEqual(1_900);
    expect(total).toBe(50);
  });
});
