/** Declared inverses: the documents that link to one, read as a relationship of it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, link, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, EVERY_METHOD, grant, makeUser, may, underAcl, type Person } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';

const comments: string[] = [];

const client = await Client.create();
const inverses = {
  comments: { type: 'comments', through: 'post' },
  none: { type: 'unused', through: 'x' },
};
const made = await settle(client, { name: 'posts', inverses });
expect(made.status, made.text).toBe(201);
const post = link(await client.make('posts', { title: 'p' }));
const other = link(await client.make('posts', { title: 'o' }));
const path = `/resources/posts/${post.id}`;
const person = link(await client.make('people', { name: 'Ann' }));
const comment = async (text: string, to: unknown) => {
  const { id } = await client.make('comments', { text }, { post: { data: to }, by: { data: person } });
  comments.push(id);
};
await comment('a', post);
await comment('b', other);
await comment('c', [other, post]);
await comment('d', post);
// What looks like a link to the post, of another type.
await client.make('comments', { text: 'e' }, { post: { data: person } });

function texts({ body }: Reply): readonly unknown[] {
  return body.data.map(({ attributes }) => attributes?.['text']);
}

describe('An inverse is read', () => {
  test.each<[string, string, readonly string[], number]>([
    ['as related documents', '', ['a', 'c', 'd'], 3],
    ['in pages', '?page[offset]=1&page[limit]=1', ['c'], 3],
    ['sorted', '?sort=-text', ['d', 'c', 'a'], 3],
    ['filtered', '?filter[text]={"$gt":"a"}&page[limit]=1', ['c'], 2],
    ['filtered by what is linked', '?filter[by.name]=Ann', ['a', 'c', 'd'], 3],
    ['filtered by nothing that is linked', '?filter[by.name]=Bob', [], 0],
  ])('%s', async (_, query, expected, count) => {
    const reply = await client.get(`${path}/comments${query}`);
    expect(reply.status, reply.text).toBe(200);
    expect([texts(reply), reply.body.meta.count]).toEqual([expected, count]);
  });

  test('as links, with their count', async () => {
    const reply = await client.get(`${path}/relationships/comments?page[limit]=2`);
    expect(reply.body.data).toEqual([0, 2].map((at) => ({ type: 'comments', id: comments[at] })));
    expect(reply.body.meta).toEqual({ count: 3 });
    expect(reply.body.links).toMatchObject({ related: `${client.url}${path}/comments`, prev: null });
  });

  test('by cursor, which is valid for no other list', async () => {
    const first = await client.get(`${path}/comments?page[after]=&page[size]=2&sort=text`);
    const next = await client.get(String(first.body.links.next));
    expect([texts(first), texts(next)]).toEqual([['a', 'c'], ['d']]);
    const elsewhere = String(first.body.links.next).replace(post.id, other.id);
    expect(faultsOf(await client.get(elsewhere))).toEqual(['400 invalid-parameter ?page[after]']);
  });

  test('by include, and on from there', async () => {
    const one = await client.get(`${path}?include=comments.by`);
    const types = one.body.included.map(({ type }) => type).sort();
    expect(types).toEqual(['comments', 'comments', 'comments', 'people']);
    const all = await client.get('/resources/posts?include=comments');
    expect(all.body.included.map(({ id }) => id).sort()).toEqual([...comments].sort());
    expect(one.body.data.relationships).toBeUndefined();
  });

  test('by include, with the links of each in its meta: they are no relationships', async () => {
    const inversesOf = (document: object) =>
      (Reflect.get(document, 'meta') as { readonly inverses?: unknown } | undefined)?.inverses;
    const linksAt = (...at: readonly number[]) =>
      at.map((each) => ({ type: 'comments', id: comments[each] }));
    const links = linksAt(0, 2, 3);
    const one = await client.get(`${path}?include=comments,none`);
    expect(inversesOf(one.body.data)).toEqual({ comments: links, none: [] });
    expect(
      inversesOf((await client.get(`${path}?include=comments&fields[posts]=title`)).body.data),
    ).toBeUndefined();
    expect(inversesOf((await client.get(path)).body.data)).toBeUndefined();
    const all = await client.get('/resources/posts?include=comments&fields[posts]=comments');
    const told = all.body.data.map((each) => [each.id, inversesOf(each)]);
    expect(told).toContainEqual([post.id, { comments: links }]);
    expect(told).toContainEqual([other.id, { comments: linksAt(1, 2) }]);
    const from = await client.get(`/resources/comments/${comments[0] ?? ''}?include=post.comments`);
    expect(from.body.included.map((each) => [each.id, inversesOf(each)])).toContainEqual([
      post.id,
      { comments: links },
    ]);
  });

  test('where nothing links, as an empty list', async () => {
    const reply = await client.get(`${path}/none`);
    expect([reply.status, reply.body.data, reply.body.meta.count]).toEqual([200, [], 0]);
    expect((await client.get(`${path}?include=none`)).body.included).toEqual([]);
  });

  test('of a name that is none: 404', async () => {
    expect(faultsOf(await client.get(`${path}/toString`))).toEqual(['404 relationship-not-found']);
    expect(faultsOf(await client.get(`${path}/relationships/likes`))).toEqual(['404 relationship-not-found']);
  });
});

test('A tag of an answer with an inverse ends when a document links here, or no more', async () => {
  const { id } = await client.make('posts');
  const link = { post: { data: { type: 'posts', id } } };
  for (const address of [`?include=comments`, '/comments', '/relationships/comments']) {
    const at = `/resources/posts/${id}${address}`;
    const { etag } = await client.get(at);
    const tagged = { 'if-none-match': etag };
    expect((await client.get(at, tagged)).status).toBe(304);
    const made = await client.make('comments', {}, link);
    const with1 = await client.get(at, tagged);
    expect(with1.status).toBe(200);
    await client.delete(`/resources/comments/${made.id}`);
    expect((await client.get(at, { 'if-none-match': with1.etag })).status).toBe(200);
  }
});

test.each<[string, string, object]>([
  ['begins', 'empty', { answers: { type: 'replies', through: 'to' }, empty: { type: 'none', through: 'x' } }],
  ['leads elsewhere', 'answers', { answers: { type: 'replies', through: 'about' } }],
  ['ends', 'answers', {}],
])(
  'A tag of an answer ends when an inverse that it includes %s: no document changes',
  async (_, name, now) => {
    const own = await Client.create();
    await settle(own, { name: 'asked', inverses: { answers: { type: 'replies', through: 'to' } } });
    const asked = link(await own.make('asked'));
    await own.make('replies', {}, { to: { data: asked } });
    const addresses = [`/resources/asked?include=${name}`, `/resources/replies?include=to.${name}`];
    const tagged = await Promise.all(addresses.map(async (at) => [at, (await own.get(at)).etag] as const));
    const statuses = () =>
      Promise.all(tagged.map(async ([at, etag]) => (await own.get(at, { 'if-none-match': etag })).status));
    expect(await statuses()).toEqual([304, 304]);
    await resettle(own, 'asked', { inverses: now });
    expect(await statuses()).toEqual([200, 200]);
  },
);

test.each<[string, string, number, number]>([
  ['links of an inverse is for no change: they are no documents', '/relationships/comments', 412, 412],
  ['an inverse is for a change of its documents', '/comments', 412, 200],
  ['a document with an inverse is for both', '?include=comments', 200, 200],
])('The tag of %s', async (_, address, ...statuses) => {
  const { id } = await client.make('posts');
  const made = await client.make('comments', {}, { post: { data: { type: 'posts', id } } });
  const tag = { 'if-match': (await client.get(`/resources/posts/${id}${address}`)).etag };
  const headers = { ...tag, prefer: 'return=representation' };
  const changes = [`/resources/posts/${id}`, `/resources/comments/${made.id}`].map((at) =>
    client.update(at, { attributes: { n: 1 } }, headers),
  );
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(statuses);
});

describe('An inverse is not written', () => {
  test.each<[string, string, (id: string) => string, unknown]>([
    ['links set', 'PATCH', (id) => `/${id}/relationships/comments`, { data: [] }],
    ['links added', 'POST', (id) => `/${id}/relationships/comments`, { data: [] }],
    [
      'a new document',
      'POST',
      () => '',
      { data: { type: 'posts', relationships: { comments: { data: [] } } } },
    ],
    ['an attribute', 'POST', () => '', { data: { type: 'posts', attributes: { comments: 1 } } }],
  ])('%s: 409 with a hint', async (_, method, address, body) => {
    const reply = await client.send(method, `/resources/posts${address(post.id)}`, { body });
    expect([reply.status, reply.body.errors[0]?.code]).toEqual([409, 'field-conflict']);
    expect(reply.body.errors[0]?.detail).toContain(
      'Change the relationship post of documents of type comments.',
    );
  });

  test('The links of a stored relationship take no filter and no sort', async () => {
    const address = `/resources/comments/${comments[0] ?? ''}/relationships/post`;
    expect(faultsOf(await client.get(`${address}?filter[a]=1&sort=a`))).toEqual([
      '400 invalid-parameter ?filter',
      '400 invalid-parameter ?sort',
    ]);
  });
});

describe('Only what could be read at its own address is shown', () => {
  let user: Person;
  const open = may('get', '/resources/posts.*');

  beforeAll(async () => {
    user = await makeUser(client, 'user');
    await grant(client, `/resources/comments/${comments[2] ?? ''}`, { read: [user.link] });
  });

  test.each<[string, readonly object[], readonly string[]]>([
    ['by rights', [open, may(EVERY_METHOD, '/.*', ACL)], ['c']],
    ['by permissions', [open], []],
    ['by rules', [open, may('get', '/resources/comments/.*', { where: { text: 'd' } })], ['d']],
    [
      'by fields that rules show',
      [open, may('get', '/resources/comments/.*', { fields: { read: ['text'] } })],
      [],
    ],
  ])('%s', async (_, permissions, expected) => {
    const by = await client.withPermissions(permissions);
    const related = await by.get(`${path}/comments`, user.headers);
    expect([texts(related), related.body.meta.count]).toEqual([expected, expected.length]);
    const links = await by.get(`${path}/relationships/comments`, user.headers);
    expect([links.body.data.length, links.body.meta.count]).toEqual([expected.length, expected.length]);
    const included = await by.get(`${path}?include=comments`, user.headers);
    expect(included.body.included.map(({ attributes }) => attributes?.['text'])).toEqual(expected);
  });

  test('where a rule shows other fields of the post, there is no inverse', async () => {
    const by = await client.withPermissions([
      { ...open, fields: { read: ['title'] } },
      may('get', '/resources/comments/.*'),
    ]);
    expect(faultsOf(await by.get(`${path}/comments`))).toEqual(['404 relationship-not-found']);
    expect((await by.get(`${path}?include=comments`)).body.included).toEqual([]);
  });

  test('and the post itself must be readable', async () => {
    const by = await underAcl(client);
    expect(faultsOf(await by.get(`${path}/comments`, user.headers))).toEqual(['403 forbidden']);
  });
});
