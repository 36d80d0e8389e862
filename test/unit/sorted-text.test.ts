/** Full-text searches in the order of another field: their cost grows with the matches, not with the collection. */
import { afterAll, describe, expect, test } from 'vitest';
import type { SortField } from '../../src/query/order/sort.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const SIZE = 3_000;
const documents = Array.from({ length: SIZE }, (_, at) => ({
  title: at % 6 === 0 ? 'cotton chair' : at % 2 === 0 ? 'wooden chair' : 'steel lamp',
  price: (at * 7) % SIZE,
  weight: -at,
  even: at % 4 === 0,
}));
const chairs = documents.filter(({ title }) => title.endsWith('chair'));
const cotton = documents.filter(({ title }) => title.startsWith('cotton'));
const collection = new LocalCollection();

for (const each of documents) collection.create(each);
for (const name of ['price', 'even']) collection.learn(name);
collection.build();
await collection.buildWords();

afterAll(() => {
  collection.close();
});

type Sorted = 'price' | 'weight';

async function pageOf(filter: object, path: Sorted, direction: SortField['direction'], counted = true) {
  const page = { offset: 5, limit: 10, counted };
  const found = await collection.list(conditionOf(filter), page, { sort: [{ path: [path], direction }] });
  const values = found.documents.map(({ body }) => (JSON.parse(body) as Record<Sorted, number>)[path]);
  return { values, total: found.total, ...found.plan };
}

function expected(among: typeof documents, path: Sorted, direction: SortField['direction']) {
  const sign = direction === 'ascending' ? 1 : -1;
  const values = among.map((each) => each[path]).sort((one, other) => sign * (one - other));
  return values.slice(5, 15);
}

const text = ($search: string) => ({ $text: { $search } });

describe.each([
  ['many matches', text('chair'), chairs],
  ['a phrase', text('"cotton chair"'), cotton],
  [
    'words, and another condition with an index',
    { ...text('cotton'), even: true },
    cotton.filter(({ even }) => even),
  ],
] as const)('%s', (_name, filter, among) => {
  test.each([
    ['ascending', true],
    ['descending', true],
    ['ascending', false],
  ] as const)(
    '%s by a field with an index, counted: %s; no document is looked at',
    async (direction, counted) => {
      const { values, total, ...plan } = await pageOf(filter, 'price', direction, counted);
      expect(values).toEqual(expected(among, 'price', direction));
      expect(total).toBe(counted ? among.length : null);
      expect(plan).toMatchObject({ scan: false, visited: 0, decoded: 0 });
    },
  );

  test('by a field without an index: the matches are looked at, and no others', async () => {
    const { values, total, visited } = await pageOf(filter, 'weight', 'ascending');
    expect(values).toEqual(expected(among, 'weight', 'ascending'));
    expect({ total, visited }).toEqual({ total: among.length, visited: among.length });
  });
});
