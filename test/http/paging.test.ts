/**
 * Pages of a collection: both styles, their links, their limits (spec, Paging rules; decisions, section 3). That links
 * visit every document once, either way: property/paging.
 */
import { describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { faultsOf } from '../support/faults.ts';
import { explain, planOf } from '../support/plan.ts';

const TOTAL = 45;

const client = await Client.create();
const ids = await crowd(client, 'things', TOTAL);

const get = (query: string) => client.get(`/resources/things?${query}`);
const listed = ({ body }: Reply) => body.data.map(({ id }) => id);

/** The pages that the links name, as pairs of values in the style of the request. */
function pages({ body }: Reply) {
  const others = Object.entries(body.links).filter(([name]) => name !== 'self');
  const values = others.map(([name, link]) => {
    if (link === null) return [name, null];
    const page = [...new URL(link).searchParams].filter(([parameter]) => parameter.startsWith('page['));
    return [name, page.map(([, value]) => Number(value))];
  });
  return Object.fromEntries(values) as unknown;
}

describe('without paging', () => {
  test('a list begins at offset 0 and has at most 20 documents', async () => {
    const list = await get('');
    expect(listed(list)).toEqual(ids.slice(0, 20));
    expect(list.body.meta.count).toBe(TOTAL);
    expect(pages(list)).toEqual({ first: [0, 20], last: [40, 20], prev: null, next: [20, 20] });
  });
});

describe('by offset and limit, and by number and size from page 1', () => {
  test.each([
    ['page[limit]=10', 0, 10, { first: [0, 10], last: [40, 10], prev: null, next: [10, 10] }],
    ['page[offset]=10', 10, 30, { first: [0, 20], last: [40, 20], prev: [0, 20], next: [30, 20] }],
    [
      'page[offset]=40&page[limit]=10',
      40,
      45,
      { first: [0, 10], last: [40, 10], prev: [30, 10], next: null },
    ],
    ['page[limit]=1000', 0, 45, { first: [0, 1000], last: [0, 1000], prev: null, next: null }],
    ['page[number]=1', 0, 20, { first: [1, 20], last: [3, 20], prev: null, next: [2, 20] }],
    ['page[number]=2&page[size]=15', 15, 30, { first: [1, 15], last: [3, 15], prev: [1, 15], next: [3, 15] }],
    ['page[number]=3&page[size]=15', 30, 45, { first: [1, 15], last: [3, 15], prev: [2, 15], next: null }],
  ])('%s', async (query, from, to, links) => {
    const list = await get(query);
    expect(listed(list)).toEqual(ids.slice(from, to));
    expect(list.body.meta.count).toBe(TOTAL);
    expect(pages(list)).toEqual(links);
  });
});

describe('page[count]=false: there is no count and no last, and the pages are the same', () => {
  test.each([
    [
      'page[offset]=30&page[limit]=10',
      30,
      40,
      { first: [0, 10], last: null, prev: [20, 10], next: [40, 10] },
    ],
    ['page[offset]=60', 45, 45, { first: [0, 20], last: null, prev: [40, 20], next: null }],
    ['page[number]=2&page[size]=15', 15, 30, { first: [1, 15], last: null, prev: [1, 15], next: [3, 15] }],
    ['filter[nothing]=1', 0, 0, { first: null, last: null, prev: null, next: null }],
    ['filter[nothing]=1&page[after]=', 0, 0, { first: null, last: null, prev: null, next: null }],
  ])('%s', async (query, from, to, links) => {
    const list = await get(`${query}&page[count]=false`);
    expect(listed(list)).toEqual(ids.slice(from, to));
    expect(list.body).not.toHaveProperty('meta.count');
    for (const link of Object.values(list.body.links)) {
      if (link !== null) expect(new URL(link).searchParams.get('page[count]')).toBe('false');
    }
    const shown = Object.entries(pages(list) as Record<string, readonly number[] | null>);
    // The last of each is `page[count]`, which is no number.
    expect(Object.fromEntries(shown.map(([name, page]) => [name, page && page.slice(0, -1)]))).toEqual(links);
  });

  test.each(['page[limit]=7', 'page[size]=7', 'page[after]=&page[size]=7'])(
    '%s: followed from first by next, they visit all',
    async (query) => {
      const visited: string[] = [];
      let next = (await get(`${query}&page[count]=false`)).body.links.first;
      while (next !== null) {
        const page = await client.get(next);
        expect(page.body.links.last).toBeNull();
        visited.push(...listed(page));
        next = page.body.links.next;
      }
      expect(visited).toEqual(ids);
    },
  );

  test('page[count]=true is as without it', async () => {
    const { body } = await get('page[count]=true&page[limit]=5');
    const without = (await get('page[limit]=5')).body;
    expect(body).toEqual({ ...without, links: { ...without.links, self: body.links.self } });
  });

  test('a list does not look behind its page', async () => {
    const looked = async (query: string) =>
      planOf(await explain(client, `/resources/things?${query}`))['documents-visited'];
    const filter = 'filter[unknown]={"$exists":false}&page[limit]=3';
    expect(await looked(`${filter}&page[count]=false`)).toBeLessThanOrEqual(4);
    expect(await looked(filter)).toBe(TOTAL);
  });
});

describe('beyond the end', () => {
  test.each([
    'page[offset]=45',
    'page[offset]=1000000',
    'page[offset]=999999999999999',
    'page[number]=4',
    'page[number]=999999999999999&page[size]=1000',
  ])('%s answers no documents, the count, and a way back', async (query) => {
    const list = await get(query);
    expect(list.status).toBe(200);
    expect(listed(list)).toEqual([]);
    expect(list.body.meta.count).toBe(TOTAL);
    expect(list.body.links.next).toBeNull();
    const previous = await client.get(list.body.links.prev ?? '');
    expect(listed(previous).at(-1)).toBe(ids.at(-1));
  });
});

describe('zero matches', () => {
  test.each(['', 'page[offset]=5', 'page[number]=2'])(
    '%s: no data, and all four links null',
    async (query) => {
      const list = await client.get(`/resources/nothing?${query}`);
      expect(list.body).toEqual({
        meta: { count: 0, warnings: [expect.objectContaining({ code: 'no-documents' })] },
        data: [],
        links: { self: list.body.links.self, first: null, last: null, prev: null, next: null },
      });
    },
  );
});

describe('links', () => {
  test('keep the other parameters, encoded', async () => {
    const list = await get('fields[things]=a%26b,c&include=x%2Cy&page[size]=5');
    const next = new URL(list.body.links.next ?? '');
    expect([...next.searchParams]).toEqual([
      ['fields[things]', 'a&b,c'],
      ['include', 'x,y'],
      ['page[number]', '2'],
      ['page[size]', '5'],
    ]);
    expect(next.search).not.toMatch(/[[\]]/);
    expect((await client.get(next.href)).status).toBe(200);
  });

  test('keep a filter that matches everything', async () => {
    const filter = '{}';
    const list = await get(`filter[*]=${encodeURIComponent(filter)}&page[limit]=5`);
    const next = new URL(list.body.links.next ?? '');
    expect(next.searchParams.get('filter[*]')).toBe(filter);
  });
});

describe('is refused:', () => {
  test.each([
    ['page[offset]=-1', '?page[offset]'],
    ['page[offset]=1.5', '?page[offset]'],
    ['page[offset]=x', '?page[offset]'],
    ['page[offset]=', '?page[offset]'],
    ['page[offset]=1e3', '?page[offset]'],
    ['page[offset]=9999999999999999999', '?page[offset]'],
    ['page[limit]=0', '?page[limit]'],
    ['page[limit]=-1', '?page[limit]'],
    ['page[limit]=1001', '?page[limit]'],
    ['page[number]=0', '?page[number]'],
    ['page[number]=-1', '?page[number]'],
    ['page[number]=1.0', '?page[number]'],
    ['page[size]=0', '?page[size]'],
    ['page[size]=1001', '?page[size]'],
    ['page[size]=+5', '?page[size]'],
    ['page[size]=5&page[size]=6', '?page[size]'],
    ['page[offset]=0&page[number]=1', '?page[offset]'],
    ['page[count]=no', '?page[count]'],
    ['page[count]=', '?page[count]'],
    ['page[count]=false&page[count]=false', '?page[count]'],
    ['page[limit]=5&page[size]=5', '?page[limit]'],
    ['page[number]=1&page[limit]=5', '?page[limit]'],
  ])('%s', async (query, place) => {
    expect(faultsOf(await get(query))).toEqual([`400 invalid-parameter ${place}`]);
  });
});
