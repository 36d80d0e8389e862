/** Passwords: who is shown the hash, and that nothing else tells anything of it (decisions, sections 4 and 5). */
import { describe, expect, test } from 'vitest';
import { defined, define, outputsPath } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, grant, makeUser, may, underAcl } from '../support/people.ts';

let hash = '';

/** Lets both read every user, and themselves as before. */
const client = await Client.create();
/** A client whose every permission has ACL on. */
const web = await underAcl(client);
const [ada, bob] = [await makeUser(client, 'ada'), await makeUser(client, 'bob')];
const list = { 'document-access-list': [ada.link] };
/** The same, of a key that exempts ada from rights on documents. */
const exempting = await client.withPermissions([
  may(EVERY_METHOD, '/.*', { acl: { active: true, ...list } }),
]);
for (const { link } of [ada, bob]) await grant(client, `/users/core.user/${link.id}`, { read: '*' });
hash = String((await client.get(`/users/core.user/${bob.link.id}`)).body.data.attributes?.['password']);
const author = { data: bob.link };
const made = await client.create('/resources/notes', { relationships: { author } });
await grant(client, `/resources/notes/${made.body.data.id}`, { read: '*' });

function asAda(path: string): Promise<Reply> {
  return web.get(path, ada.headers);
}

const usersPath = (query: Readonly<Record<string, string>>) =>
  `/users/core.user?${new URLSearchParams(query).toString()}`;

describe.each([
  ['a viewer under ACL', () => web],
  // Who needs no rights is a user still.
  ['a viewer under ACL who is exempt from rights on documents', () => exempting],
])('%s', (_viewer, keyed) => {
  const asAda = (path: string) => keyed().get(path, ada.headers);

  test('is shown its own hash, and nobody else’s', async () => {
    expect((await asAda('/users/core.user/me')).body.data.attributes?.['password']).toMatch(/^\$scrypt\$/);
    const other = await asAda(`/users/core.user/${bob.link.id}`);
    expect(other.body.data.attributes?.['username']).toBe('bob');
    for (const path of [
      `/users/core.user/${bob.link.id}`,
      `/users/core.user/${bob.link.id}?fields[core.user]=password`,
      '/users/core.user',
      '/resources/notes?include=author',
    ]) {
      const reply = await asAda(path);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(hash);
    }
  });

  test.each([
    ['equality', () => ({ password: hash }), 0],
    ['what is not there', () => ({ password: { $exists: false } }), 2],
    ['null', () => ({ password: null }), 2],
    [
      'a negation within an alternative',
      () => ({ $or: [{ $nor: [{ password: { $not: { $eq: hash } } }] }] }),
      0,
    ],
    ['full text', () => ({ $text: { $search: 'scrypt' } }), 0],
  ])('whose filter asks by %s finds what it would without passwords', async (_what, filter, total) => {
    const reply = await asAda(usersPath({ 'filter[*]': JSON.stringify(filter()) }));
    expect(reply.status).toBe(200);
    expect(reply.body.meta['count']).toBe(total);
  });

  test('sorts by passwords as if there were none', async () => {
    for (const sort of ['password', '-password']) {
      const reply = await asAda(usersPath({ sort }));
      expect(reply.body.data.map(({ id }: { id: string }) => id)).toEqual([ada.link.id, bob.link.id]);
    }
  });
});

test('whom a permission exempts needs no rights, but counts by what he is shown', async () => {
  const closed = { data: { type: 'core.user.acl', id: bob.link.id, attributes: { read: [] } } };
  await client.patch(`/users/core.user.acl/${bob.link.id}`, closed);
  const filter = { 'filter[password]': JSON.stringify(hash) };
  const counts = [];
  // What one is told is remembered for those alone who would be told the same.
  for (const [by, auth] of [[client], [exempting, ada.headers], [client]] as const) {
    counts.push((await by.get(usersPath(filter), auth)).body.meta['count']);
  }
  expect(counts).toEqual([1, 0, 1]);
  expect((await exempting.get(`/users/core.user/${bob.link.id}`, ada.headers)).status).toBe(200);
  closed.data.attributes.read = '*' as never;
  await client.patch(`/users/core.user.acl/${bob.link.id}`, closed);
});

describe('a tag of one who is not shown a password', () => {
  const one = () => `/users/core.user/${bob.link.id}`;
  const asks: readonly [string, () => Promise<Reply>][] = [
    ['the document', () => web.get(one(), ada.headers)],
    ['the document, without rights', () => exempting.get(one(), ada.headers)],
    ['a list', () => web.get('/users/core.user', ada.headers)],
    ['an include', () => web.get('/resources/notes?include=author', ada.headers)],
    ['the relationship', () => web.get(`${one()}?include=friends`, ada.headers)],
  ];

  test.each(asks)('confirms no answer that shows it: %s', async (_what, ask) => {
    const { etag } = await ask();
    expect((await client.get(one(), { 'if-none-match': etag })).status).toBe(200);
    expect((await web.get(one(), { ...bob.headers, 'if-none-match': etag })).status).toBe(200);
    const trusted = (await client.get(one())).etag;
    for (const by of [web, exempting]) {
      const reply = await by.get(one(), { ...ada.headers, 'if-none-match': trusted });
      expect([reply.status, reply.text.includes('scrypt')]).toEqual([200, false]);
    }
  });

  test('confirms the same answer to the same one, from the list, too', async () => {
    for (const ask of asks) {
      const by = ask[0].includes('without') ? exempting : web;
      const { etag } = await ask[1]();
      expect((await by.get(one(), { ...ada.headers, 'if-none-match': etag })).status).toBe(304);
    }
    const { etag } = await client.get('/users/core.user');
    expect((await client.get(one(), { 'if-none-match': etag })).status).toBe(304);
  });

  // A change ends bob's tokens.
  test('is good for a change by whomever', async () => {
    for (const [what, ask] of asks) {
      const { etag } = await ask();
      const data = { type: 'core.user', id: bob.link.id, attributes: { what } };
      const changed = await client.patch(one(), { data }, { 'if-match': etag });
      expect(changed.status).toBe(204);
      const again = await client.get(one(), { 'if-none-match': changed.etag });
      expect(again.status).toBe(304);
    }
    const data = { type: 'core.user', id: bob.link.id, attributes: { what: 'by ada' } };
    const changed = await exempting.patch(one(), { data }, ada.headers);
    expect([changed.status, changed.text.includes('scrypt')]).toEqual([200, false]);
  });
});

test('a key without ACL is shown hashes, and its filters see them', async () => {
  const found = await client.get(usersPath({ 'filter[password]': JSON.stringify(hash) }));
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([bob.link.id]);
  expect(found.text).toContain(hash);
  const text = JSON.stringify({ $text: { $search: 'scrypt' } });
  const fields = { read: ['username', 'password'] };
  const ruled = await client.withPermissions([may(['get'], '/users/.*', { fields })]);
  for (const by of [client, ruled]) {
    expect((await by.get(usersPath({ 'filter[*]': text }))).body.meta['count']).toBe(0);
  }
});

describe('an aggregate over users', () => {
  test('reads what the viewer may read', async () => {
    await defined(client, 'names', 'core.user', [{ sort: 'username' }, { project: { id: '$username' } }]);
    const names = async (reply: Promise<Reply>) =>
      (await reply).body.data.map(({ id }: { id: string }) => id);
    expect(await names(client.get(outputsPath('names')))).toEqual(['ada', 'bob']);
    await client.update(`/users/core.user.acl/${bob.link.id}`, { attributes: { read: [] } });
    expect(await names(asAda(outputsPath('names')))).toEqual(['ada']);
    await client.update(`/users/core.user.acl/${bob.link.id}`, { attributes: { read: '*' } });
    expect(await names(asAda(outputsPath('names')))).toEqual(['ada', 'bob']);
  });

  test.each([
    ['as it is', [{ project: { password: 1 } }]],
    ['whole', [{ project: { all: '$$ROOT' } }]],
    ['by its fields', [{ project: { all: { $objectToArray: '$$ROOT' } } }]],
    [
      'by a computed name',
      [{ project: { it: { $getField: { field: { $concat: ['pass', 'word'] }, input: '$$ROOT' } } } }],
    ],
    ['in groups', [{ group: { id: '$password', all: { $push: '$$ROOT' } } }]],
    ['unchanged', [{ skip: 0 }]],
  ])('never shows passwords: %s', async (what, pipeline) => {
    const name = `shown-${what.replaceAll(' ', '-')}`;
    await defined(client, name, 'core.user', pipeline);
    for (const reply of [await client.get(outputsPath(name)), await asAda(outputsPath(name))]) {
      expect(reply.status).toBe(200);
      expect(reply.text).not.toMatch(/scrypt/);
    }
  });

  test.each([
    ['a filter first', [{ filter: { password: { $exists: true } } }, { group: { n: { $sum: 1 } } }]],
    ['a filter later', [{ skip: 0 }, { filter: { password: { $gt: '' } } }, { group: { n: { $sum: 1 } } }]],
    ['full text', [{ filter: { $text: { $search: 'scrypt' } } }, { group: { n: { $sum: 1 } } }]],
  ])('takes passwords for missing: %s', async (what, pipeline) => {
    const name = `missing-${what.replaceAll(' ', '-')}`;
    await defined(client, name, 'core.user', pipeline);
    for (const reply of [await client.get(outputsPath(name)), await asAda(outputsPath(name))]) {
      expect(reply.body.meta['count']).toBe(0);
    }
  });

  test('sorts by passwords as if there were none', async () => {
    await defined(client, 'sorted', 'core.user', [{ sort: '-password,id' }, { project: { username: 1 } }]);
    const reply = await client.get(outputsPath('sorted'));
    expect(reply.body.data.map(({ attributes }) => attributes?.['username'])).toEqual(['ada', 'bob']);
  });

  test.each(['core.external-user', 'core.user-group'])('reads %s too', async (type) => {
    const made = await client.create(`/users/${type}`, { attributes: { name: 'x', password: 'y' } });
    expect(made.status).toBe(201);
    const name = `of.${type.slice(5)}`;
    await defined(client, name, type, [{ project: { name: 1, password: 1 } }]);
    const reply = await client.get(outputsPath(name));
    expect(reply.body.data.map(({ attributes }) => attributes)).toEqual([{ name: 'x' }]);
  });

  test.each([
    'core.user.token',
    'core.external-user.token',
    'core.api-key',
    'core.aggregate',
    'core.application',
    'core.user.acl',
    'agt.names',
    'things.acl',
  ])('over %s is refused when written', async (type) => {
    const reply = await define(client, {
      'input-type': type,
      'output-type': 'agt.refused',
      pipeline: [{ limit: 1 }],
    });
    expect(reply.status).toBe(422);
    expect(faultsOf(reply)).toEqual(['422 invalid-attribute /data/attributes/input-type']);
  });
});
