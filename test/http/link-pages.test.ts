/** Pages of a to-many relationship, and of the documents that it leads to. */
import { describe, expect, test } from 'vitest';
import { Client, type Link, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

/** In the order of the links, which is not that of their creation. */
const songs: Link[] = [];

const client = await Client.create();
for (const title of ['a', 'b', 'c', 'd', 'e']) {
  const { type, id } = await client.make('songs', { title });
  songs.unshift({ type, id });
}
const { type, id } = await client.make('lists', {}, { songs: { data: songs }, first: { data: songs[0] } });
const list = { type, id };
const path = `/resources/lists/${id}`;

function ids({ body }: Reply): readonly string[] {
  return body.data.map(({ id }) => id);
}

describe.each([
  ['the links', () => `${path}/relationships/songs`],
  ['the related documents', () => `${path}/songs`],
])('A page of %s', (_, addressOf) => {
  test.each<[string, readonly number[], Readonly<Record<string, string | null>>]>([
    [
      'page[offset]=0&page[limit]=2',
      [0, 1],
      { prev: null, next: 'page[offset]=2&page[limit]=2', last: 'page[offset]=4&page[limit]=2' },
    ],
    ['page[offset]=3&page[limit]=2', [3, 4], { prev: 'page[offset]=1&page[limit]=2', next: null }],
    [
      'page[number]=2&page[size]=3',
      [3, 4],
      { first: 'page[number]=1&page[size]=3', prev: 'page[number]=1&page[size]=3', next: null },
    ],
  ])('%s', async (query, places, links) => {
    const reply = await client.get(`${addressOf()}?${query}`);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.meta).toEqual({ count: 5 });
    expect(ids(reply)).toEqual(places.map((place) => songs[place]?.id));
    for (const [name, target] of Object.entries(links)) {
      const link = reply.body.links[name as 'next'];
      expect([name, link && decodeURIComponent(new URL(link).search)]).toEqual([
        name,
        target && `?${target}`,
      ]);
    }
  });

  test('by cursor, while links come and go', async () => {
    const own = await client.make('lists', {}, { songs: { data: songs } });
    const address = addressOf().replace(list.id, own.id);
    const first = await client.get(`${address}?page[after]=&page[size]=2`);
    expect(ids(first)).toEqual(songs.slice(0, 2).map(({ id }) => id));
    const links = `/resources/lists/${own.id}/relationships/songs`;
    await client.delete(links, { data: [songs[0]] });
    const second = await client.get(String(first.body.links.next));
    expect(ids(second)).toEqual(songs.slice(2, 4).map(({ id }) => id));
    expect(second.body.meta.count).toBe(4);
    const third = await client.get(String(second.body.links.next));
    expect([ids(third), third.body.links.next]).toEqual([[songs[4]?.id], null]);
    const elsewhere = String(first.body.links.next).replace(own.id, list.id);
    expect(faultsOf(await client.get(elsewhere))).toEqual(['400 invalid-parameter ?page[after]']);
  });

  test('has a tag of its own, which a change of the links ends', async () => {
    const own = await client.make('lists', {}, { songs: { data: songs } });
    const address = addressOf().replace(list.id, own.id);
    const first = await client.get(`${address}?page[limit]=2`);
    const again = { 'if-none-match': first.etag };
    expect((await client.get(`${address}?page[limit]=2`, again)).status).toBe(304);
    expect((await client.get(`${address}?page[limit]=2&page[offset]=2`, again)).status).toBe(200);
    await client.delete(`/resources/lists/${own.id}/relationships/songs`, { data: [songs[4]] });
    expect((await client.get(`${address}?page[limit]=2`, again)).status).toBe(200);
  });

  test('a page of two styles, or beyond the limits, is refused', async () => {
    for (const query of [
      'page[offset]=1&page[size]=1',
      'page[limit]=0',
      'page[limit]=1001',
      'page[after]=x',
    ]) {
      const [fault] = faultsOf(await client.get(`${addressOf()}?${query}`));
      expect(fault).toMatch(/^400 invalid-parameter/);
    }
  });
});

test('Without page parameters all links come, as before', async () => {
  const reply = await client.get(`${path}/relationships/songs`);
  expect(Object.keys(reply.body).sort()).toEqual(['data', 'links']);
  expect(Object.keys(reply.body.links).sort()).toEqual(['related', 'self']);
  expect(ids(reply)).toHaveLength(5);
});

test('A page of links keeps the addresses of the relationship', async () => {
  const { body } = await client.get(`${path}/relationships/songs?page[limit]=1`);
  expect(body.links).toMatchObject({
    self: `${client.url}${path}/relationships/songs`,
    related: `${client.url}${path}/songs`,
  });
});

test('A to-one relationship has no pages', async () => {
  expect(faultsOf(await client.get(`${path}/relationships/first?page[limit]=1`))).toEqual([
    '400 invalid-parameter ?page',
  ]);
  const related = await client.get(`${path}/first?page[limit]=1`);
  expect([ids(related), related.body.meta.count]).toEqual([[songs[0]?.id], 1]);
});

describe('Documents that were deleted', () => {
  test('are on no page of related documents, and not counted', async () => {
    const { type, id } = await client.make('songs');
    const own = await client.make('lists', {}, { songs: { data: [{ type, id }, songs[0], songs[1]] } });
    await client.delete(`/resources/songs/${id}`);
    const reply = await client.get(`/resources/lists/${own.id}/songs?page[limit]=1`);
    expect([ids(reply), reply.body.meta.count]).toEqual([[songs[0]?.id], 2]);
    // A link says that its target was there, and nothing more.
    const links = await client.get(`/resources/lists/${own.id}/relationships/songs?page[limit]=1`);
    expect([ids(links), links.body.meta.count]).toEqual([[id], 3]);
  });

  test('include goes on from the page', async () => {
    const author = await client.make('people', { name: 'A' });
    const song = await client.make('songs', {}, { by: { data: { type: 'people', id: author.id } } });
    const data = [songs[0], { type: 'songs', id: song.id }];
    const own = await client.make('lists', {}, { songs: { data } });
    const reply = await client.get(`/resources/lists/${own.id}/songs?page[limit]=1&include=by`);
    expect(reply.body.included).toEqual([]);
    const next = await client.get(String(reply.body.links.next));
    expect(next.body.included.map(({ id }) => id)).toEqual([author.id]);
  });
});
