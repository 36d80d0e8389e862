/** Filters nest up to 100 levels: SQLite is asked as deep as it goes, and the matcher decides the rest. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { nameOfPath } from '../../src/query/index/paths.ts';
import { LocalCollection } from '../support/local-collection.ts';

const collection = new LocalCollection();
const DOCUMENTS = 300;
let last = '';

beforeAll(() => {
  collection.learn(nameOfPath(['n']));
  for (let n = 0; n < DOCUMENTS; n += 1) last = collection.create({ n, tag: n % 2 === 0 ? 'even' : 'odd' });
  collection.build();
});
afterAll(() => {
  collection.close();
});

function nested(open: string, inside: string, close: string, levels: number): string {
  return open.repeat(levels) + inside + close.repeat(levels);
}

const half = '{"tag":"even"}';

test.each([
  ['49 levels of $and', () => nested('{"$and":[', half, ']}', 49), 150],
  ['49 levels of $or', () => nested('{"$or":[', half, ']}', 49), 150],
  ['an odd number of $nor', () => nested('{"$nor":[', half, ']}', 49), 150],
  ['an even number of $nor', () => nested('{"$nor":[', '{"n":1}', ']}', 48), 1],
  ['28 levels of $nor', () => nested('{"$nor":[', '{"n":1}', ']}', 28), 1],
  ['97 levels of $not', () => `{"n":${nested('{"$not":', '{"$eq":1}', '}', 97)}}`, DOCUMENTS - 1],
  ['alternatives within alternatives', () => nested('{"$or":[{"n":1},', '{"n":2}', ']}', 49), 2],
  [
    'ids and alternatives in turn',
    () => nested(`{"$or":[{"id":{"$oid":"${last}"}},{"$and":[{"tag":"even"},`, '{"n":2}', ']}]}', 24),
    2,
  ],
  ['negations of two', () => nested('{"$nor":[{"n":-1},', half, ']}', 49), 150],
])('%s', async (_what, text, total) => {
  const filter = parseFilter([{ field: null, text: text() }]);
  if (!filter.ok) throw new Error(JSON.stringify(filter));
  const found = await collection.list(filter.value, { offset: 0, limit: 5 });
  expect(found.total).toBe(total);
});

test('101 levels are refused', () => {
  expect(parseFilter([{ field: 'n', text: nested('{"$not":', '{"$eq":1}', '}', 99) }]).ok).toBe(true);
  expect(parseFilter([{ field: 'n', text: nested('{"$not":', '{"$eq":1}', '}', 100) }]).ok).toBe(false);
});
