/** Whom a key's decisions are told, and which questions are none. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { ask, keyed, question, told } from '../support/key-decisions.ts';
import { grant, makeGroup, makeUser, may, underAcl } from '../support/people.ts';

const trusted = await Client.create('decisions told');
const ada = await makeUser(trusted, 'ada');
const team = await makeGroup(trusted, [ada]);
const note = await trusted.make('notes', { text: 'for the team' });
await grant(trusted, `/resources/notes/${note.id}`, { read: [team] });

const acl = { active: true };

describe('a decision tells nothing that its asker could not read', () => {
  let id = '';
  beforeAll(async () => {
    ({ id } = await keyed(trusted, [may('get', '/resources/.*', { acl })]));
  });
  const decisions = { path: String.raw`/api-keys/core\.api-key/[0-9a-f]{24}/decision`, methods: ['post'] };
  const key = { path: String.raw`/api-keys/core\.api-key/[0-9a-f]{24}`, methods: ['get'] };
  const users = may('get', '/users/[^/]*(/[0-9a-f]{24})?');
  const notes = may('get', '/resources/notes/[0-9a-f]{24}');
  const rights = { path: String.raw`/resources/notes\.acl/[0-9a-f]{24}`, methods: ['get'] };
  const about = () => question('GET', `/resources/notes/${note.id}`, ada);

  test.each<readonly [sentence: string, permissions: readonly unknown[], answer: unknown]>([
    ['who may not GET the key is refused', [decisions, users], 403],
    ['nor who is not shown its permissions', [decisions, users, { ...key, fields: { read: ['name'] } }], 403],
    ['nor who may not see it by a rule', [decisions, users, { ...key, where: { name: 'another' } }], 403],
    ['who may not read users cannot ask about one', [decisions, key], 403],
    ['nor who is shown some users alone', [decisions, key, { ...users, where: { username: 'ada' } }], 403],
    ['who may not read a document is not told of its rights', [decisions, key, users, rights], null],
    ['nor who may not read its rights', [decisions, key, users, notes], null],
    ['who may read both is told', [decisions, key, users, notes, rights], true],
  ])('%s', async (_, permissions, answer) => {
    const client = await trusted.withPermissions(permissions);
    const reply = await ask(client, id, about());
    if (answer === 403) expect(reply.status, reply.text).toBe(403);
    else expect(told(reply).document?.granted).toBe(answer);
  });

  test('a user under ACL asks about the keys that they may read', async () => {
    const client = await underAcl(trusted);
    const asked = () =>
      client.post(`/api-keys/core.api-key/${id}/decision`, question('GET', '/resources/notes'), ada.headers);
    expect((await asked()).status).toBe(403);
    await grant(trusted, `/api-keys/core.api-key/${id}`, { read: [ada.link] });
    expect(told(await asked()).admitted).toBe(false);
  });

  test('a key of another application is not there', async () => {
    const other = await Client.create('another');
    expect((await ask(other, id, question('GET', '/resources/notes'))).status).toBe(404);
  });
});

describe('a question that is none is refused, and says why', () => {
  let id = '';
  beforeAll(async () => {
    ({ id } = await keyed(trusted, []));
  });
  test.each<readonly [sentence: string, meta: unknown, pointer: string, detail?: string]>([
    ['no meta', undefined, '/meta'],
    ['no method', { path: '/resources/notes' }, '/meta/method'],
    ['a method that no endpoint has', { method: 'PUT', path: '/resources/notes' }, '/meta/method'],
    ['no path', { method: 'GET' }, '/meta/path'],
    ['a whole address', { method: 'GET', path: 'https://example.org/resources/notes' }, '/meta/path'],
    ['a path with a query', { method: 'GET', path: '/resources/notes?sort=a' }, '/meta/path'],
    [
      'a path not encoded well',
      { method: 'GET', path: '/resources/%ff' },
      '/meta/path',
      'not percent-encoded',
    ],
    [
      'a path beyond its length',
      { method: 'GET', path: `/${'a'.repeat(5000)}` },
      '/meta/path',
      'at most 2048',
    ],
    ['a path of the operator', { method: 'GET', path: '/applications/core.application' }, '/meta/path'],
    ['a user that is a group', { method: 'GET', path: '/resources/notes', user: 'group' }, '/meta/user'],
  ])('%s', async (_, sent, pointer, detail = '') => {
    const meta = typeof sent === 'object' && sent !== null && 'user' in sent ? { ...sent, user: team } : sent;
    const reply = await ask(trusted, id, { meta });
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]?.source).toEqual({ pointer });
    expect(reply.body.errors[0]?.detail).toContain(detail);
  });

  test('a user who is not there', async () => {
    const user = { type: 'core.user', id: NO_ID };
    const reply = await ask(trusted, id, { meta: { method: 'GET', path: '/resources/notes', user } });
    expect(reply.status).toBe(404);
    expect(reply.body.errors[0]?.source).toEqual({ pointer: '/meta/user' });
  });
});
