/** Users and their tokens (spec, Users module): names and passwords, logging in and out, `me`. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import {
  EVERY_METHOD,
  logIn,
  makeExternalUser,
  makeUser,
  may,
  PASSWORD,
  tokenOf,
} from '../support/people.ts';

const client = await Client.create();

function create(attributes: unknown): Promise<Reply> {
  return client.create('/users/core.user', { attributes });
}

function change(id: string, attributes: unknown): Promise<Reply> {
  return client.update(`/users/core.user/${id}`, { attributes });
}

describe('a user', () => {
  test('is created with further attributes; the password is shown as a hash, never as sent', async () => {
    const made = await create({ username: 'ada', password: PASSWORD, email: 'ada@example.com' });
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({ username: 'ada', email: 'ada@example.com' });
    const hash = made.body.data.attributes?.['password'];
    expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(made.text).not.toContain(PASSWORD);
    expect(
      (await client.get(`/users/core.user/${made.body.data.id}`)).body.data.attributes?.['password'],
    ).toBe(hash);
  });

  const named = (username: unknown) => ({ username, password: PASSWORD });
  const keyed = (password: unknown) => ({ username: 'abc', password });
  test.each<[string, unknown, ...string[]]>([
    ['no attributes', undefined, 'missing-attribute username', 'missing-attribute password'],
    ['a username of two characters', named('ab'), 'invalid-attribute username'],
    ['a username with a space', named('a b'), 'invalid-attribute username'],
    ['a username with a colon', named('a:bc'), 'invalid-attribute username'],
    ['a username with an umlaut', named('jürgen'), 'invalid-attribute username'],
    ['a username that is no string', named(12345), 'invalid-attribute username'],
    ['a password of five characters', keyed('12345'), 'invalid-attribute password'],
    ['a password beyond 1,024 bytes', keyed('ü'.repeat(513)), 'invalid-attribute password'],
    ['a password that is no string', keyed(123456), 'invalid-attribute password'],
  ])('with %s is 422', async (_name, attributes, ...faults) => {
    expect(faultsOf(await create(attributes))).toEqual(
      faults.map((fault) => `422 ${fault.replace(' ', ' /data/attributes/')}`),
    );
  });

  test.each(['abc', 'a-b', 'A.b_c@d', '123'])('may be called %s', async (username) => {
    expect((await create({ username, password: '123456' })).status).toBe(201);
  });

  test('has a name that nobody else has: 409, on create and on change, and free again afterwards', async () => {
    const taken = await create({ username: 'taken', password: PASSWORD });
    const second = await create({ username: 'second', password: PASSWORD });
    for (const reply of [
      await create({ username: 'taken', password: PASSWORD }),
      await change(second.body.data.id, { username: 'taken' }),
    ]) {
      expect([reply.status, reply.body.errors[0]?.code, reply.body.errors[0]?.source]).toEqual([
        409,
        'value-taken',
        { pointer: '/data/attributes/username' },
      ]);
    }
    await client.delete(`/users/core.user/${taken.body.data.id}`);
    expect((await change(second.body.data.id, { username: 'taken' })).status).toBe(200);
    expect((await create({ username: 'second', password: PASSWORD })).status).toBe(201);
    // Another application has names of its own.
    expect((await makeUser(await Client.create(), 'taken')).link.type).toBe('core.user');
  });

  test('of ten made at once with one name, one is', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => create({ username: 'crowd', password: PASSWORD })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });
});

describe('logging in', () => {
  test('gives a token with its creation and its user, which is good for requests', async () => {
    const user = await makeUser(client, 'login');
    const login = await logIn(client, 'login', PASSWORD);
    expect(login.status).toBe(201);
    expect(login.body.data).toMatchObject({
      type: 'core.user.token',
      attributes: { created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown },
      relationships: { user: { data: user.link } },
    });
    expect(Object.keys(login.body.data.attributes ?? {}).sort()).toEqual(['created', 'token']);
    expect((await client.get('/users/core.user/me', tokenOf(login))).body.data.id).toBe(user.link.id);
  });

  test.each([
    ...['with:colons:in it', 'pässwörd', '日本語日本語', ' spaces around ', '"quotes" & <marks>'],
    'ü'.repeat(512),
  ])('takes the password %j as it is', async (password) => {
    const username = `pw-${Math.random().toString(36).slice(2)}`;
    expect((await create({ username, password })).status).toBe(201);
    expect((await logIn(client, username, password)).status).toBe(201);
  });

  test('is refused after ten failures for one name, the right password too, and says when to come back', async () => {
    await makeUser(client, 'guessed');
    const attempt = (password: string) =>
      logIn(client, 'guessed', password, { 'cf-connecting-ip': '192.0.2.2' });
    for (let failures = 0; failures < 10; failures += 1)
      expect((await attempt('wrong-secret')).status).toBe(401);
    const refused = await attempt(PASSWORD);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    // Others are not held up.
    await makeUser(client, 'innocent');
  });
});

describe('me', () => {
  let keyed: Client;
  const ID = '[0-9a-f]{24}';
  beforeAll(async () => {
    keyed = await client.withPermissions([may(EVERY_METHOD, `/users/core\\.user/(${ID}|me)`)]);
  });

  test('is the user behind the token: read, changed, deleted', async () => {
    const user = await makeUser(client, 'myself');
    const path = '/users/core.user/me';
    const read = await keyed.get(path, user.headers);
    expect(read.body.data.links.self).toMatch(new RegExp(`/users/core\\.user/${user.link.id}$`));
    const data = { ...user.link, attributes: { nick: 'I' } };
    expect((await keyed.patch(path, { data }, user.headers)).body.data.attributes).toMatchObject({
      nick: 'I',
    });
    const again = tokenOf(await logIn(client, 'myself', PASSWORD));
    expect((await keyed.delete(path, undefined, again)).status).toBe(204);
    expect((await client.get(`/users/core.user/${user.link.id}`)).body.data).toBeNull();
  });

  test('needs a token that stands, of a holder of the type', async () => {
    expect((await keyed.get('/users/core.user/me')).status).toBe(401);
    expect((await keyed.get('/users/core.user/me', { authorization: 'Token x' })).status).toBe(401);
    const external = await makeExternalUser(client);
    expect((await keyed.get('/users/core.user/me', external.headers)).status).toBe(403);
  });
});

describe('logging out', () => {
  test('ends the token by its id or as me, and no other', async () => {
    await makeUser(client, 'leaver');
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => logIn(client, 'leaver', PASSWORD)));
    const isGood = async (login: Reply | undefined) =>
      login !== undefined && (await client.get('/users/core.user/me', tokenOf(login))).status === 200;
    expect((await client.delete(`/users/core.user.token/${one?.body.data.id ?? ''}`)).status).toBe(204);
    expect(await Promise.all([one, two, three].map(isGood))).toEqual([false, true, true]);
    expect((await client.delete('/users/core.user.token/me', undefined, two && tokenOf(two))).status).toBe(
      204,
    );
    expect(await Promise.all([one, two, three].map(isGood))).toEqual([false, false, true]);
    expect((await client.delete(`/users/core.user.token/${NO_ID}`)).status).toBe(404);
  });

  test('a change of the ACL alone ends no token', async () => {
    const user = await makeUser(client, 'acl-changed');
    const data = { type: 'core.user.acl', id: user.link.id, attributes: { read: '*' } };
    expect((await client.patch(`/users/core.user.acl/${user.link.id}`, { data })).status).toBe(200);
    expect((await client.get('/users/core.user/me', user.headers)).status).toBe(200);
  });
});
