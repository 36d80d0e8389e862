/** What stands at the top of every body beside its content: `jsonapi` and `links.self` (JSON:API, Top Level). */
import { describe, expect, test } from 'vitest';
import { Client, MEDIA_TYPE, NO_ID, type Reply } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { logIn, makeUser, PASSWORD } from '../support/people.ts';

const client = await Client.create();
const ada = (await client.make('people', { name: 'Ada' })).id;
const by = { data: { type: 'people', id: ada } };
const note = (await client.make('notes', { n: 1 }, { by, readers: { data: [by.data] } })).id;

/** The members of the top, without data. */
function topOf({ text }: Reply): Readonly<Record<string, unknown>> {
  const members = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return Object.fromEntries(members.filter(([name]) => name !== 'data'));
}

const version = { version: '1.1' };

describe('links.self is the address of what a read shows', () => {
  test.each([
    ['a document', () => `/resources/notes/${note}`],
    ['a document with a query', () => `/resources/notes/${note}?include=by&fields%5Bnotes%5D=n%2Cby`],
    ['a list', () => '/resources/notes?filter%5Bn%5D=%7B%22%24gt%22%3A0%7D&sort=-n'],
    ['an empty list', () => '/resources/nothing'],
    ['related documents', () => `/resources/notes/${note}/by`],
    ['a page of related documents', () => `/resources/notes/${note}/readers?page%5Blimit%5D=1`],
    ['a relationship', () => `/resources/notes/${note}/relationships/readers`],
    ['an ACL', () => `/resources/notes.acl/${note}`],
  ])('%s', async (_, address) => {
    const reply = await client.get(address());
    expect(reply.status, reply.text).toBe(200);
    expect(topOf(reply)['jsonapi']).toEqual(version);
    expect(reply.body.links.self).toBe(`${client.url}${address()}`);
    expect((await client.get(reply.body.links.self ?? '')).text).toBe(reply.text);
  });

  test('of me, that of the user', async () => {
    const user = await makeUser(client, 'ada');
    const self = `${client.url}/users/core.user/${user.link.id}`;
    const me = await client.get('/users/core.user/me', user.headers);
    expect(me.body.links).toEqual({ self });
  });

  test('of a document that was deleted', async () => {
    const { id, links } = await client.make('notes');
    await client.delete(`/resources/notes/${id}`);
    const reply = await client.get(`/resources/notes/${id}`);
    expect(JSON.parse(reply.text)).toEqual({ data: null, links, jsonapi: version });
  });
});

describe('After a write it is the address of the document', () => {
  test('that was created, with the query', async () => {
    const made = await client.post('/resources/notes?fields[notes]=n', {
      data: { type: 'notes', attributes: { n: 2, m: 3 } },
    });
    const self = `${made.headers.get('location') ?? ''}?fields%5Bnotes%5D=n`;
    expect(topOf(made)).toEqual({ links: { self }, jsonapi: version });
    expect((await client.get(self)).text).toBe(made.text);
  });

  test('that was changed', async () => {
    const { id, links } = await client.make('notes', { n: 1 });
    const changed = await client.update(`/resources/notes/${id}`, {});
    expect(topOf(changed)).toEqual({ links, jsonapi: version });
  });

  test('and there is none where nothing can be read', async () => {
    await makeUser(client, 'bob');
    expect(topOf(await logIn(client, 'bob', PASSWORD))).toEqual({ jsonapi: version });
  });
});

test.each([
  ['an unknown document', () => client.get(`/resources/notes/${NO_ID}`)],
  ['an unknown path', () => client.get('/nowhere')],
  ['a malformed query', () => client.get('/resources/notes?page[x]=1')],
  ['no credentials', () => client.get('/resources/notes', { 'api-key': '' })],
  ['a wrong method', () => client.send('PUT', '/resources/notes')],
  ['a malformed body', () => client.post('/resources/notes', '{')],
])('An error has the version and no address: %s', async (_, send) => {
  const reply = await send();
  expect(Object.keys(JSON.parse(reply.text) as object)).toEqual(['errors', 'jsonapi']);
  expect(topOf(reply)['jsonapi']).toEqual(version);
});

describe('What is applied is named', () => {
  test('a profile, also with the link', async () => {
    const profile = `${client.url}/profiles/extended-json`;
    const type = `${MEDIA_TYPE};profile="${profile}"`;
    const reply = await client.get(`/resources/notes/${note}`, { accept: type });
    const href = `${client.url}/resources/notes/${note}`;
    expect(topOf(reply)).toEqual({
      links: { self: { href, type } },
      jsonapi: { ...version, profile: [profile] },
    });
  });

  test('an extension', async () => {
    const operations = [{ op: 'add', data: { type: 'notes' } }];
    const reply = await operate(client, operations);
    const { jsonapi, links } = topOf(reply);
    expect(jsonapi).toEqual({ ...version, ext: ['https://jsonapi.org/ext/atomic'] });
    expect(links).toBeUndefined();
  });

  test('the front page has the version', async () => {
    expect(topOf(await client.get('/'))['jsonapi']).toEqual(version);
  });
});
