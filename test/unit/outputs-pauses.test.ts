/** Lists of many outputs are filtered and sorted in steps between which others are let in. */
import { afterAll, expect, test } from 'vitest';
import { encodeText } from '../../src/domain/values/codec.ts';
import { ok } from '../../src/domain/problems.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { parseSort } from '../../src/query/order/sort.ts';
import { CachedCollection } from '../support/cached-collection.ts';

const MANY = 6_000;

const cached = new CachedCollection();
for (let n = 0; n < MANY; n += 1) cached.collection.create({ n, of: n % 7 });
afterAll(() => {
  cached.collection.close();
});

/** A list of outputs that are there already: the numbers of its page, its count, and its pauses. */
async function listed(filter: object, sort: string, offset = 0, limit = 3) {
  const condition = parseFilter([{ field: null, text: JSON.stringify(filter) }]);
  const order = sort === '' ? ok([]) : parseSort(sort);
  if (!condition.ok || !order.ok) expect.fail();
  const select = {
    condition: encodeText(condition.value),
    sort: order.value,
    page: { offset, limit },
  };
  const read = (pause?: () => void) => cached.read([{ project: { n: 1, of: 1 } }], pause, { select });
  await read();
  let pauses = 0;
  const page = await read(() => (pauses += 1));
  if (typeof page === 'string') throw new Error(page);
  return {
    numbers: page.documents.bodies.map((body) => /"n":(\d+)/.exec(body)?.[1]),
    total: page.total,
    pauses,
  };
}

const absent = (count: number) => ({
  $or: [{ n: { $gte: 0 } }, ...Array.from({ length: count }, (_, n) => ({ x: { $gt: n } }))].reverse(),
});

test.each([
  ['a filter', { of: 3 }, '', 0, ['3', '10', '17'], 857, 10],
  ['a filter of many tests', absent(150), '', 0, ['0', '1', '2'], MANY, 200],
  ['an order, in which equal ones stay as they were', {}, '-of', 855, ['5991', '5998', '5'], MANY, 20],
])('%s', async (_what, filter, sort, offset, numbers, total, pauses) => {
  const found = await listed(filter, sort, offset);
  expect(found).toMatchObject({ numbers, total });
  expect(found.pauses).toBeGreaterThanOrEqual(pauses);
});

test('all that is sorted in steps is in order', async () => {
  const { numbers } = await listed({}, '-of', 0, MANY);
  const all = Array.from({ length: MANY }, (_, n) => n).sort((one, other) => (other % 7) - (one % 7));
  expect(numbers).toEqual(all.map(String));
});
