/** The order that a live list keeps is that of the list with the same `sort`, for values of all kinds. */
import { expect, test } from 'vitest';
import { connect, Decimal, ObjectId } from '../../src/client/index.ts';
import { live } from '../../src/client/live.ts';
import { Client } from '../support/client.ts';

const VALUES: readonly unknown[] = [
  null,
  0,
  -1.5,
  7,
  2n ** 60n,
  2n ** 60n + 1n,
  new Decimal('6.5'),
  new Decimal('-1E+3'),
  '',
  'a',
  'B',
  'Z',
  'é',
  '\uffee',
  '😀',
  'a b',
  {},
  { b: 1 },
  { a: 2 },
  { a: 1, b: 1 },
  { a: '1' },
  [],
  [3, 'x'],
  [[1]],
  ['y', null],
  new ObjectId('0123456789abcdef01234567'),
  false,
  true,
  new Date(0),
  new Date(-1),
];

const { url, application, key } = await Client.create();
const db = connect({ url, application, key });
const author = await db.create('authors', { name: 'Bram' });
await db.batch((tx) => {
  for (const [at, value] of VALUES.entries()) {
    tx.create('values', { v: value, n: at % 3, deep: { list: [{ v: value }, { v: at }] } });
  }
  tx.create('values', { n: 1 });
  tx.create('values', { n: 2, author });
});

test.each([
  [undefined],
  ['v'],
  ['-v'],
  ['n,-v'],
  ['-n'],
  ['deep.list.v'],
  ['-deep.list.v'],
  ['deep.list.1.v,-id'],
  ['v.a'],
  ['author'],
  ['-id'],
  ['$created,-n'],
])('%s', async (sort) => {
  const query = { sort, fields: ['v', 'n', 'deep', 'author', '$created'], include: 'author' } as const;
  const list = live(db, 'values', query as object);
  await list.refresh();
  list.stop();
  const expected = await db.list('values', query).all();
  expect(expected).toHaveLength(VALUES.length + 2);
  expect(list.array.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
});
