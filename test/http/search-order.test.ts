/** Sort, the cursor, and links from page to page. That they visit every document once: property/paging and cursors. */
import { describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';

/** In MongoDB's order of kinds, least first; each is its own name. */
const KINDS = [
  'null',
  '-5',
  '{"$numberDecimal":"0.1"}',
  '1',
  '{"$numberLong":"2"}',
  '9007199254740993',
  '"A"',
  '"a"',
  '"\\uFF61"',
  '"\\uD83D\\uDE00"',
  '{"x":1}',
  '[1e300]',
  '{"$oid":"0123456789abcdef01234567"}',
  'false',
  'true',
  '{"$date":0}',
];

const client = await Client.create();
const ids = await crowd(
  client,
  'things',
  Array.from(
    { length: 57 },
    (_, index) => `{"n":${index},"group":${index % 3},"name":"n${String(index % 10)}"}`,
  ),
);

function positions(reply: Reply): readonly number[] {
  return reply.body.data.map(({ id }) => ids.indexOf(id));
}

describe('sort', () => {
  test.each([
    ['n', [0, 1, 2]],
    ['-n', [56, 55, 54]],
    ['group,-n', [54, 51, 48]],
    ['missing', [0, 1, 2]],
  ])('%s', async (sort, first) => {
    const reply = await client.get(searchPath('things', {}, { sort, 'page[limit]': '3' }));
    expect(positions(reply)).toEqual(first);
  });

  test('values of different kinds sort in the order of kinds', async () => {
    const shuffled = KINDS.map((kind, index) => [kind, (index * 7) % KINDS.length] as const);
    const inOrder = [...shuffled].sort((a, b) => a[1] - b[1]).map(([kind]) => kind);
    const made = await crowd(
      client,
      'kinds',
      inOrder.map((kind) => `{"v":${kind}}`),
    );
    // The array of one number sorts as its number: it belongs behind the other numbers.
    const expected = KINDS.filter((kind) => kind !== '[1e300]');
    expected.splice(expected.indexOf('9007199254740993') + 1, 0, '[1e300]');
    const up = await client.get('/resources/kinds?sort=v');
    expect(up.body.data.map(({ id }) => inOrder[made.indexOf(id)])).toEqual(expected);
    const down = await client.get('/resources/kinds?sort=-v');
    expect(down.body.data.map(({ id }) => inOrder[made.indexOf(id)])).toEqual(expected.toReversed());
  });

  test('an array sorts by its least element up, by its greatest down; an empty one before null', async () => {
    const made = await crowd(client, 'arrays', ['{"v":[5,1]}', '{"v":[]}', '{"v":3}', '{}', '{"v":[2,9]}']);
    const order = async (sort: string) =>
      (await client.get(`/resources/arrays?sort=${sort}`)).body.data.map(({ id }) => made.indexOf(id));
    expect(await order('v')).toEqual([1, 3, 0, 4, 2]);
    expect(await order('-v')).toEqual([4, 0, 2, 3, 1]);
  });

  const MANY = Array.from({ length: 17 }, (_, index) => `f${index}`).join(',');
  test.each(['', 'a,,b', '-', 'a..b', '$a', 'a,a', MANY])('a sort of %j is refused', async (sort) => {
    const reply = await client.get(`/resources/things?sort=${encodeURIComponent(sort)}`);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]).toMatchObject({ code: 'invalid-parameter', source: { parameter: 'sort' } });
  });
});

describe('the cursor', () => {
  test('stays where it was when documents come and go before it', async () => {
    const made = await crowd(client, 'moving', ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
    const first = await client.get('/resources/moving?page[after]=&page[size]=2&sort=n');
    await client.delete(`/resources/moving/${made[1] ?? ''}`);
    await client.make('moving', { n: 0 });
    const second = await client.get(first.body.links.next ?? '');
    expect(second.body.data.map(({ attributes }) => attributes?.['n'])).toEqual([3, 4]);
    expect(second.body.links).toMatchObject({ next: null, prev: null, last: null });
  });

  test.each(['page[after]=&page[offset]=1', 'page[after]=&page[number]=1', 'page[after]=&page[limit]=1'])(
    'does not go with %s',
    async (query) => {
      expect((await client.get(`/resources/things?${query}`)).status).toBe(400);
    },
  );
});
