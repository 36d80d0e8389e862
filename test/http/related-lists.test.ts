/** Filters, sorts and pages of the documents that a relationship leads to. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client, link, type Body, type Link, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, grant, makeGroup, makeUser, may, type Person } from '../support/people.ts';

/** In the order of the links, which is neither that of their creation nor of their titles. */
const songs: Link[] = [];

const client = await Client.create();
const ada = link(await client.make('people', { name: 'Ada' }));
for (const [title, length] of [
  ['c', 5],
  ['a', 3],
  ['d', 1],
  ['b', 3],
  ['Dracula', 9],
] as const) {
  const at = { type: 'Point', coordinates: [length, 0] };
  songs.unshift(
    link(await client.make('songs', { title, length, at }, { by: { data: title === 'b' ? null : ada } })),
  );
}
await client.make('songs', { title: 'z', length: 3 });
const film = link(await client.make('films', { title: 'f', length: 3 }));
const list = link(
  await client.make(
    'lists',
    {},
    {
      songs: { data: songs },
      one: { data: songs[0] },
      none: { data: [] },
      mixed: { data: [film, ...songs] },
    },
  ),
);
const path = `/resources/lists/${list.id}`;

function titles({ body }: Reply): readonly unknown[] {
  return body.data.map(({ attributes }) => attributes?.['title']);
}

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

describe('The linked documents are', () => {
  test.each<[string, string, readonly string[], number | undefined]>([
    ['filtered by a word without quotes', 'filter[title]=Dracula', ['Dracula'], undefined],
    ['sorted, filtered and paged', 'sort=-title&filter[length]=3&page[limit]=1', ['b'], 2],
    [
      'sorted and filtered by what they link to',
      'filter[by.name]=Ada&sort=title&page[limit]=3',
      ['Dracula', 'a', 'c'],
      4,
    ],
    [
      'ordered by distance',
      `filter[at]=${json({ $near: { $geometry: { type: 'Point', coordinates: [4.9, 0] } } })}`,
      ['c', 'b', 'a', 'd', 'Dracula'],
      undefined,
    ],
    ['searched for words', `filter[*]=${json({ $text: { $search: 'dracula' } })}`, ['Dracula'], undefined],
  ])('%s', async (_, query, expected, count) => {
    const reply = await client.get(`${path}/songs?${query}`);
    expect(reply.status, reply.text).toBe(200);
    // Songs of one length are equally far away: their order is that of their ids.
    expect([...titles(reply)].sort()).toEqual([...expected].sort());
    if (!query.includes('near')) expect(titles(reply)).toEqual(expected);
    const { meta } = reply.body as Partial<Body>;
    expect(meta?.count).toBe(count);
    expect(reply.body.links.self).toBe(`${client.url}${path}/songs?${normal(query)}`);
  });

  const normal = (query: string) =>
    query
      .split('&')
      .map((pair) =>
        pair
          .split('=')
          .map((part) => encodeURIComponent(decodeURIComponent(part)))
          .join('='),
      )
      .join('&');

  test('ordered by distance', async () => {
    const near = json({ $near: { $geometry: { type: 'Point', coordinates: [1.2, 0] } } });
    const reply = await client.get(`${path}/songs?filter[at]=${near}&fields[songs]=title,$distance`);
    expect([titles(reply)[0], titles(reply).at(-1)]).toEqual(['d', 'Dracula']);
    expect(reply.body.data.every((each) => 'meta' in each)).toBe(true);
  });

  test('filtered where the relationship is to-one, or empty', async () => {
    expect(titles(await client.get(`${path}/one?filter[title]=Dracula`))).toEqual(['Dracula']);
    expect(titles(await client.get(`${path}/one?filter[title]=c&sort=title`))).toEqual([]);
    const none = await client.get(`${path}/none?filter[title]=c&sort=title&page[limit]=1`);
    expect([none.body.data, none.body.meta.count, none.body.links.first]).toEqual([[], 0, null]);
  });

  test('filtered where they are of several types, which have no common order', async () => {
    expect(titles(await client.get(`${path}/mixed?filter[length]=3`))).toEqual(['f', 'b', 'a']);
    const paged = await client.get(`${path}/mixed?filter[length]=3&page[limit]=2`);
    expect([titles(paged), paged.body.meta.count]).toEqual([['f', 'b'], 3]);
    expect(faultsOf(await client.get(`${path}/mixed?sort=title`))).toEqual(['400 invalid-parameter ?sort']);
  });

  test('shown with fields and include', async () => {
    const reply = await client.get(
      `${path}/songs?sort=title&filter[length]=3&include=by&fields[songs]=title,by`,
    );
    expect(reply.body.data.map(({ attributes }) => attributes)).toEqual([{ title: 'a' }, { title: 'b' }]);
    expect(reply.body.included.map(({ id }) => id)).toEqual([ada.id]);
  });

  test('refused with a fault in the filter or the sort', async () => {
    for (const [query, fault] of [
      ['filter[a]={', '400 invalid-filter ?filter[a]'],
      ['filter[a]={"$nothing":1}', '400 invalid-filter ?filter[a]'],
      ['sort=', '400 invalid-parameter ?sort'],
      ['sort=$distance', '400 invalid-parameter ?sort'],
    ] as const) {
      expect(faultsOf(await client.get(`${path}/songs?${query}`))).toEqual([fault]);
    }
  });
});

describe('Pages by cursor', () => {
  test.each(['filter[length]={"$lt":9}', 'sort=title&filter[length]={"$lt":9}', 'sort=-length'])(
    '%s: they visit all once, in order',
    async (query) => {
      const all = titles(await client.get(`${path}/songs?${query}`));
      const visited: unknown[] = [];
      let next: string | null = `${path}/songs?${query}&page[after]=&page[size]=2`;
      while (next !== null) {
        const page = await client.get(next);
        expect(page.body.meta.count).toBe(all.length);
        visited.push(...titles(page));
        ({ next } = page.body.links);
      }
      expect(visited).toEqual(all);
    },
  );

  test.each<[string, (next: string) => string]>([
    ['another filter', (next) => next.replace('%3A9', '%3A8')],
    ['another sort', (next) => next.replace('sort=title', 'sort=-title')],
    ['another document', (next) => next.replace(list.id, other.id)],
    ['another relationship', (next) => next.replace('/songs?', '/mixed?')],
    ['the type itself', (next) => next.replace(/\/resources\/lists\/.*\?/, '/resources/songs?')],
  ])('are no cursors of %s', async (_, elsewhere) => {
    const query = 'sort=title&filter[length]={"$lt":9}&page[after]=&page[size]=1';
    const first = await client.get(`${path}/songs?${query}`);
    const [fault] = faultsOf(await client.get(elsewhere(first.body.links.next ?? '')));
    expect(fault).toMatch(/^400 invalid-parameter \?(page\[after\]|sort)/);
  });

  let other: Link;
  beforeAll(async () => {
    other = link(await client.make('lists', {}, { songs: { data: songs } }));
  });
});

describe('A tag ends', () => {
  test.each(['filter[n]=1', 'sort=n', 'filter[n]=1&page[limit]=5'])(
    'of %s when documents begin or cease to be found, change, or links go',
    async (query) => {
      const [one, two] = [await client.make('things', { n: 1 }), await client.make('things', { n: 2 })];
      const owner = await client.make('owners', {}, { all: { data: [link(one), link(two)] } });
      const address = `/resources/owners/${owner.id}/all?${query}`;
      const set = (id: string, n: number) => client.update(`/resources/things/${id}`, { attributes: { n } });
      const changes = [
        () => set(two.id, 1),
        () => set(two.id, 3),
        () => set(one.id, 1),
        () => client.patch(`/resources/owners/${owner.id}/relationships/all`, { data: [link(one)] }),
        () => client.delete(`/resources/things/${one.id}`),
      ];
      let seen = 0;
      for (const change of changes) {
        const before = await client.get(address);
        const again = { 'if-none-match': before.etag };
        expect((await client.get(address, again)).status).toBe(304);
        await change();
        const after = await client.get(address);
        if (after.text === before.text) continue;
        seen += 1;
        expect((await client.get(address, again)).status).toBe(200);
      }
      expect(seen).toBeGreaterThanOrEqual(3);
    },
  );
});

describe('The modules of the service have it, too', () => {
  test('members of a group', async () => {
    const members = [await makeUser(client, 'zoe'), await makeUser(client, 'abe')];
    const group = await makeGroup(client, members);
    const address = `/users/core.user-group/${group.id}/users`;
    const names = (reply: Reply) => reply.body.data.map(({ attributes }) => attributes?.['username']);
    expect(names(await client.get(`${address}?sort=username`))).toEqual(['abe', 'zoe']);
    expect(names(await client.get(`${address}?filter[username]=zoe`))).toEqual(['zoe']);
  });

  test('outputs of aggregates', async () => {
    await defined(client, 'lists', 'lists', [
      { project: { songs: '$songs' } },
      { output: { relationships: ['songs'], attributes: [] } },
    ]);
    const address = `/aggregates/agt.lists/${list.id}/songs`;
    expect(titles(await client.get(`${address}?sort=title&filter[length]=3`))).toEqual(['a', 'b']);
    expect(titles(await client.get(`${address}?sort=title&page[limit]=2`))).toEqual(['Dracula', 'a']);
    expect(titles(await client.get(`${address}?filter[length]=3`))).toEqual(['b', 'a']);
  });
});

describe('Nothing is found that could not be read at its own address', () => {
  let user: Person;
  const open = may('get', '/resources/lists/.*');
  const acl = { active: true };

  beforeAll(async () => {
    user = await makeUser(client, 'user');
    // c and b.
    for (const at of [4, 1])
      await grant(client, `/resources/songs/${songs[at]?.id ?? ''}`, { read: [user.link] });
  });

  const rights = [open, may(EVERY_METHOD, '/.*', { acl })];
  const fields = [open, may('get', '/resources/songs/.*', { fields: { read: ['title'] } })];

  test.each<[string, readonly object[], string, readonly string[]]>([
    ['by rights: what is linked', rights, 'filter[by.name]={"$exists":true}', []],
    ['by permissions', [open], 'filter[length]={"$gt":0}', []],
    ['by fields: what a hidden one links to', fields, 'filter[by.name]=Ada', []],
    ['by fields: words in a hidden one', fields, `filter[*]=${json({ $text: { $search: 'ada' } })}`, []],
  ])('%s', async (_, permissions, query, expected) => {
    const by = await client.withPermissions(permissions);
    const reply = await by.get(`${path}/songs?${query}`, user.headers);
    expect(reply.status, reply.text).toBe(200);
    expect(titles(reply)).toEqual(expected);
    const paged = await by.get(`${path}/songs?${query}&page[limit]=1`, user.headers);
    expect([titles(paged), paged.body.meta.count]).toEqual([expected.slice(0, 1), expected.length]);
  });

  test('a password is found by nobody under ACL', async () => {
    const other = await makeUser(client, 'other');
    const group = await makeGroup(client, [user, other]);
    for (const {
      link: { id },
    } of [user, other])
      await grant(client, `/users/core.user/${id}`, { read: [user.link] });
    await grant(client, `/users/core.user-group/${group.id}`, { read: [user.link] });
    const by = await client.withPermissions([may(EVERY_METHOD, '/.*', { acl })]);
    const address = `/users/core.user-group/${group.id}/users`;
    expect((await by.get(address, user.headers)).body.data).toHaveLength(2);
    for (const query of [
      'filter[password]={"$regex":"^.scrypt"}',
      'filter[password]={"$exists":true}&sort=username',
    ]) {
      const reply = await by.get(`${address}?${query}`, user.headers);
      expect([reply.status, reply.body.data]).toEqual([200, []]);
    }
    const exempt = { ...acl, 'document-access-list-flavor': 'white', 'document-access-list': [user.link] };
    const without = await client.withPermissions([may(EVERY_METHOD, '/.*', { acl: exempt })]);
    const reply = await without.get(`${address}?filter[password]={"$exists":true}`, user.headers);
    expect([reply.status, reply.body.data]).toEqual([200, []]);
  });

  test('where permissions tell documents apart by their ids, each counts as it would alone', async () => {
    const secret = songs[1]?.id ?? '';
    const by = await client.withPermissions([
      open,
      may('get', `/resources/songs/${secret}`, { fields: { read: ['length'] } }),
      may('get', '/resources/songs/.*'),
    ]);
    expect(titles(await by.get(`${path}/songs?filter[title]={"$gte":"b"}`))).toEqual(['d', 'c']);
    expect(faultsOf(await by.get(`${path}/songs?sort=title`))).toEqual(['400 invalid-parameter ?sort']);
  });
});
