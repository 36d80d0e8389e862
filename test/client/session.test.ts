/** Logging in and out through the client, and what it stores of it (docs/client.md). */
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { Client, operator } from '../support/client.ts';
import { CLIENT } from '../support/issuer.ts';
import { EVERY_METHOD, may } from '../support/people.ts';
import { newIssuer } from '../support/scope.ts';

const ADA = { username: 'ada', password: 'difference engine' };
const OWN = { acl: { active: true } };
const permissions = [
  may('post', '/users/core\\.user'),
  may('post', '/users/core\\.(external-)?user\\.token'),
  may('get patch delete', '/users/core\\.(external-)?user(\\.token)?/(me|[0-9a-f]{24})', OWN),
  may(EVERY_METHOD, '/resources/.*', OWN),
];

const issuer = await newIssuer();
const whole = await Client.create();
await operator().change(whole.application, { oidc: { issuer: issuer.url, audience: CLIENT } });
const page = await whole.withPermissions(permissions);

function open(token?: string | null) {
  const told: (string | null)[] = [];
  const { url, application, key } = page;
  const db = connect({ url, application, key, token, onToken: (each) => told.push(each) });
  return { db, told };
}

describe('a user', () => {
  test('signs up, is logged in, and out again', async () => {
    const { db, told } = open();
    expect(await db.me()).toBeNull();
    const user = await db.signUp({ ...ADA, name: 'Ada Lövelace' });
    expect(await db.me()).toMatchObject({ ...user, username: 'ada', name: 'Ada Lövelace' });
    expect(told).toEqual([db.token]);
    await db.logout();
    expect(told.at(-1)).toBeNull();
    expect([db.token, await db.me()]).toEqual([null, null]);
    await expect(db.list('notes').all()).rejects.toMatchObject({ status: 401, code: 'token-required' });
  });

  test('stays logged in with the token of an earlier login', async () => {
    const { db, told } = open();
    await db.signUp({ username: 'Zoë@ünïcode'.replace(/[^a-z@]/gi, ''), password: 'pässwörd 日本' });
    const [token] = told;
    const later = open(token);
    expect(await later.db.me()).toMatchObject({ username: 'Zo@ncode' });
    expect(later.told).toEqual([]);
    await later.db.logout();
    // The service has ended the token, so the first page learns it with its next request.
    await expect(db.me()).rejects.toMatchObject({ code: 'token-required' });
    expect([db.token, told.at(-1)]).toEqual([null, null]);
  });

  test('with a wrong password is not logged in, and what was before stays', async () => {
    const { db } = open();
    await db.signUp({ username: 'bob', password: 'a password' });
    const { token } = db;
    await expect(db.login({ username: 'bob', password: 'wrong' })).rejects.toMatchObject({
      code: 'invalid-login',
    });
    expect(db.token).toBe(token);
  });

  test('stays logged in when a request with another token is refused', async () => {
    const { db, told } = open();
    await db.signUp({ username: 'cleo', password: 'a password' });
    const headers = { authorization: 'Token strange' };
    const refused = db.request('GET', '/users/core.user/me', { headers });
    await expect(refused).rejects.toMatchObject({ code: 'token-required' });
    expect([told.length, await db.me()]).toMatchObject([1, { username: 'cleo' }]);
  });

  test('gives rights with a create and later', async () => {
    const { db } = open();
    const eve = await db.signUp({ username: 'eve', password: 'a password' });
    const { db: other } = open();
    const friend = await other.signUp({ username: 'friend', password: 'a password' });
    const note = await db.create('notes', { text: 'hi' }, { acl: { read: [(await other.me()) ?? friend] } });
    expect(await other.get('notes', note.id)).toMatchObject({ text: 'hi' });
    expect(await db.rights(note)).toMatchObject({
      read: expect.arrayContaining([eve, friend]) as unknown,
      update: [eve],
    });
    await db.setRights(note, { read: '*', update: [eve, friend] });
    expect(await db.rights(note)).toEqual({ read: '*', update: [eve, friend], delete: [eve] });
    expect(await other.update({ type: 'notes', id: note.id }, { text: 'hello' })).toMatchObject({
      text: 'hello',
    });
    await expect(other.delete({ type: 'notes', id: note.id })).rejects.toMatchObject({ status: 403 });
  });
});

describe('a user of another service', () => {
  test('logs in with an id token, and stays logged in with the token', async () => {
    const { db } = open();
    const user = await db.login({ idToken: await issuer.login('ada') });
    expect(user.type).toBe('core.external-user');
    expect(await db.me()).toMatchObject({ ...user, name: 'Name of ada' });
    const later = open(db.token).db;
    expect(await later.me()).toMatchObject(user);
    await later.logout();
    await expect(db.me()).rejects.toMatchObject({ code: 'token-required' });
  });

  test('is logged in by a server that knows the id, and logs out with a token from before', async () => {
    const { url, application, key } = whole;
    const db = connect({ url, application, key });
    const { id } = await db.create('core.external-user', { name: 'Grace' });
    expect(await db.login({ externalUser: id })).toEqual({ type: 'core.external-user', id });
    const again = connect({ url, application, key, token: db.token });
    await again.logout();
    await expect(open(db.token).db.me()).rejects.toMatchObject({ code: 'token-required' });
  });
});
