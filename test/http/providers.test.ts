/** Logins at identity providers (docs/accounts.md#identity-providers), against a real one of OpenID Connect. */
import type { JWTPayload } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { begin, mailsTo, redeem, signUp } from '../support/accounts.ts';
import type { Reply } from '../support/client.ts';
import { logIn, tokenOf } from '../support/people.ts';
import { useSites, type Begun, type Site } from '../support/providers.ts';
import { codes } from '../support/rules.ts';
import { newIssuer, newServer } from '../support/scope.ts';

const sites = useSites();
let site: Site;
beforeEach(() => {
  site = sites.site();
});

test('a stranger becomes a user, in the groups of the settings, and comes back as the same', async () => {
  const first = await site.enter('ada');
  expect([first.status, first.body.data.type]).toEqual([201, 'core.user.token']);
  const user = await site.me(first);
  expect(user.attributes).toMatchObject({ username: 'ada', 'confirmed-email': 'ada@shop.example' });
  const members = await site.client.get(`/users/core.user-group/${site.group}/relationships/users`);
  expect(members.text).toContain(user.id);
  expect((await site.me(await site.enter('ada'))).id).toBe(user.id);
  expect((await site.me(await site.enter('grace'))).id).not.toBe(user.id);
});

test('an account joins whose address both sides have confirmed, and no other', async () => {
  const people = ['ada', 'unverified-eve'].map((username) => ({
    username,
    email: `${username}@shop.example`,
  }));
  for (const { username, email } of people) {
    await signUp(site.web, { username, email, password: 'a long difference' });
    const [mail] = await mailsTo(site.client, email, 1);
    expect((await redeem(site.web, mail?.action ?? '', { code: mail?.code })).status).toBe(204);
  }
  const own = async (username: string) =>
    (await site.me(await logIn(site.web, username, 'a long difference'))).id;
  expect((await site.me(await site.enter('ada'))).id).toBe(await own('ada'));
  // The provider has not seen that the address is theirs.
  const other = await site.me(await site.enter('unverified-eve'));
  expect(other.id).not.toBe(await own('unverified-eve'));
  expect(other.attributes?.['confirmed-email']).toBeUndefined();
});

test('a claimed address that nobody has confirmed here joins nobody', async () => {
  await signUp(site.web, { username: 'squatter', email: 'ada@shop.example', password: 'a long difference' });
  const user = await site.me(await site.enter('ada'));
  expect(user.attributes?.['username']).toBe('ada');
});

test('a user who is logged in adds an identity, sees it, and removes it', async () => {
  const first = await site.enter('ada');
  const headers = tokenOf(first);
  const { id } = await site.me(first);
  expect((await site.me(await site.enter('unverified-ada', headers))).id).toBe(id);
  const listed = await site.web.get('/users/core.identity', headers);
  expect(listed.body.data.map(({ attributes }) => attributes)).toEqual(
    [1, 2].map(() => ({ provider: 'site', user: id, created: expect.any(String) as string })),
  );
  expect(
    (await site.web.get('/users/core.identity', tokenOf(await site.enter('grace')))).body.meta.count,
  ).toBe(1);
  const [, second] = listed.body.data;
  expect(
    (await site.web.send('DELETE', `/users/core.identity/${second?.id ?? ''}`, { headers })).status,
  ).toBe(204);
  expect((await site.me(await site.enter('unverified-ada'))).id).not.toBe(id);
});

test('nobody takes the identity of somebody else', async () => {
  await site.enter('ada');
  const grace = tokenOf(await site.enter('grace'));
  expect(codes(await site.enter('ada', grace))).toEqual(['invalid-code']);
});

test('where sign-up is closed, only who is known comes in', async () => {
  const known = await site.me(await site.enter('ada'));
  const [settings] = (await site.client.get('/users/core.account-settings')).body.data;
  const attributes = { 'sign-up': 'closed' };
  await site.client.patch(`/users/core.account-settings/${settings?.id ?? ''}`, {
    data: { type: 'core.account-settings', id: settings?.id, attributes },
  });
  expect((await site.me(await site.enter('ada'))).id).toBe(known.id);
  expect((await site.enter('grace')).status).toBe(403);
  expect((await site.client.get('/users/core.user')).body.meta.count).toBe(1);
});

test('a user who is erased is a stranger again', async () => {
  const user = await site.me(await site.enter('ada'));
  await site.client.send('DELETE', `/users/core.user/${user.id}`);
  expect((await site.me(await site.enter('ada'))).id).not.toBe(user.id);
});

test('who somebody is belongs to the issuer, whatever becomes of the provider', async () => {
  // No address joins them.
  const subject = 'unverified-ada';
  const user = await site.me(await site.enter(subject));
  const path = '/users/core.identity-provider';
  const [provider] = (await site.client.get(path)).body.data;
  await site.client.send('DELETE', `${path}/${provider?.id ?? ''}`);
  const { id } = (await site.addProvider()).body.data;
  expect((await site.me(await site.enter(subject))).id).toBe(user.id);
  // The same name at another issuer is somebody else.
  const other = await newIssuer();
  const data = { type: 'core.identity-provider', id, attributes: { issuer: other.url } };
  expect((await site.client.patch(`${path}/${id}`, { data })).status).toBe(200);
  const begun = await site.start();
  const callback = (await other.browse(`${begun.location}&login_hint=${subject}`)).search;
  const entered = await redeem(site.web, begun.id, { code: begun.code, callback });
  expect((await site.me(entered)).id).not.toBe(user.id);
});

describe('an id token', () => {
  /** A provider that gives everybody a token with the claims of each login, and what it says where it is asked. */
  async function careless(asked?: JWTPayload, more: object = {}) {
    let token = '';
    const server = await newServer((request, response) => {
      const at = (path: string) => `${server.url}/${path}`;
      const published = {
        issuer: server.url,
        authorization_endpoint: at('auth'),
        token_endpoint: at('token'),
        ...(asked !== undefined && { userinfo_endpoint: at('asked') }),
        ...more,
      };
      const answers: Readonly<Record<string, object | undefined>> = {
        '/token': { id_token: token, access_token: 'a token' },
        '/asked': asked,
      };
      response.setHeader('content-type', 'application/json');
      const answer = answers[request.url ?? ''] ?? { ...published, jwks_uri: `${site.issuer.url}/jwks` };
      response.end(JSON.stringify(answer));
    });
    await site.addProvider({ name: 'careless', issuer: server.url, claims: { 'full-name': 'name' } });
    return async (claims: (right: JWTPayload) => JWTPayload): Promise<Reply> => {
      const begun = await site.start({}, 'careless');
      const nonce = new URL(begun.location).searchParams.get('nonce');
      token = await site.issuer.sign(claims({ ...site.issuer.claims('ada'), iss: server.url, nonce }));
      const callback = `?code=any&state=${begun.id}`;
      return await redeem(site.web, begun.id, { code: begun.code, callback });
    };
  }

  const enterWith = async (
    claims: (right: JWTPayload) => JWTPayload,
    ...published: Parameters<typeof careless>
  ): Promise<Reply> => (await careless(...published))(claims);

  test('with all that was asked for logs in', async () => {
    expect((await enterWith((right) => right)).status).toBe(201);
  });

  test.each<[string, Record<string, unknown>]>([
    ['another nonce', { nonce: 'x' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another-site' }],
    ['another issuer', { iss: 'https://mallory.example' }],
    ['its end behind it', { exp: 1 }],
    ['no subject', { sub: undefined }],
  ])('with %s is refused', async (_, claims) => {
    expect(codes(await enterWith((right) => ({ ...right, ...claims })))).toEqual(['invalid-code']);
  });

  const VERIFIED = { email: 'b@shop.example', email_verified: true };

  const IN_THE_OPEN = 'http://shop.example/asked';

  test.each<[string, JWTPayload, string | null, number]>([
    ['all, of an issuer that cannot be asked safely', { ...VERIFIED, name: 'Bo' }, IN_THE_OPEN, 201],
    ['not all, of an issuer that cannot be asked safely', VERIFIED, IN_THE_OPEN, 403],
    ['not all, of an issuer that says that it is not asked', VERIFIED, null, 201],
  ])('with %s', async (_, said, at, status) => {
    const entered = await enterWith((right) => ({ ...right, ...said }), undefined, { userinfo_endpoint: at });
    expect(entered.status).toBe(status);
  });

  test.each<[string, JWTPayload, JWTPayload, number, string?]>([
    ['an address that is verified only there', { email: 'a@shop.example' }, { email_verified: true }, 201],
    ['another one that is', { email: 'a@shop.example' }, VERIFIED, 201, 'b@shop.example'],
    ['one there', {}, VERIFIED, 201, 'b@shop.example'],
    ['one of somebody else there', {}, { ...VERIFIED, sub: 'eve' }, 403],
    ['nobody there', {}, { ...VERIFIED, sub: '' }, 403],
  ])('beside %s', async (_, said, asked, status, email) => {
    const entered = await enterWith((right) => ({ ...right, ...said }), { sub: 'ada', ...asked });
    expect(entered.status).toBe(status);
    if (status === 201) expect((await site.me(entered)).attributes?.['confirmed-email']).toBe(email);
  });

  test('of who is known logs in, whatever the issuer says where it is asked', async () => {
    const asked: JWTPayload = { ...VERIFIED, sub: 'ada' };
    const enter = await careless(asked);
    const { id } = await site.me(await enter((right) => right));
    asked.sub = 'nobody';
    expect((await site.me(await enter((right) => right))).id).toBe(id);
    expect(codes(await enter((right) => ({ ...right, sub: 'eve' })))).toEqual(['invalid-code']);
    // Whose account is gone is a stranger, of whom all is asked.
    await site.client.delete(`/users/core.user/${id}`);
    expect(codes(await enter((right) => right))).toEqual(['invalid-code']);
  });
});

test('an issuer that says who somebody is only where it is asked, is asked', async () => {
  const other = await newIssuer({ asked: true });
  await site.addProvider({ name: 'asked', issuer: other.url, claims: { 'full-name': 'name' } });
  const begun = await site.start({}, 'asked');
  const callback = (await other.browse(`${begun.location}&login_hint=ada`)).search;
  const entered = await redeem(site.web, begun.id, { code: begun.code, callback });
  expect((await site.me(entered)).attributes).toMatchObject({
    ...{ username: 'ada', 'confirmed-email': 'ada@shop.example', 'full-name': 'Name of ada' },
  });
});

test('an issuer that takes the secret by Basic alone gets it so', async () => {
  const other = await newIssuer({ secret: 'a+b c%' });
  await site.addProvider({ name: 'basic', issuer: other.url, 'client-secret': 'a+b c%' });
  const begun = await site.start({}, 'basic');
  const callback = (await other.browse(`${begun.location}&login_hint=ada`)).search;
  expect((await redeem(site.web, begun.id, { code: begun.code, callback })).status).toBe(201);
});

describe('refused is', () => {
  test('a callback of half an hour ago', async () => {
    const begun = await site.start();
    const callback = await site.back(begun, 'ada');
    try {
      await sites.setClock(31 * 60_000);
      expect(codes(await redeem(site.web, begun.id, { code: begun.code, callback }))).toEqual([
        'invalid-code',
      ]);
    } finally {
      await sites.setClock(0);
    }
  });

  test('a login that one user has begun, to another', async () => {
    const [ada, grace] = [tokenOf(await site.enter('ada')), tokenOf(await site.enter('grace'))];
    const begun = await site.start(ada);
    const meta = { code: begun.code, callback: await site.back(begun, 'unverified-ada') };
    const path = `/users/core.account-action/${begun.id}/redemption`;
    expect(codes(await site.web.post(path, { meta }, grace))).toEqual(['invalid-code']);
  });

  test('a login that a user has begun, for who is logged in no more', async () => {
    const begun = await site.start(tokenOf(await site.enter('ada')));
    const meta = { code: begun.code, callback: await site.back(begun, 'unverified-ada') };
    expect(codes(await redeem(site.web, begun.id, meta))).toEqual(['invalid-code']);
  });

  test('a callback that was used, and of many at once all but one', async () => {
    const begun = await site.start();
    const meta = { code: begun.code, callback: await site.back(begun, 'ada') };
    const all = await Promise.all(Array.from({ length: 6 }, () => redeem(site.web, begun.id, meta)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(codes(await redeem(site.web, begun.id, meta))).toEqual(['invalid-code']);
    expect((await site.client.get('/users/core.user')).body.meta.count).toBe(1);
  });

  test.each<[string, (mine: Begun, callback: string) => Promise<object> | object]>([
    ['a callback in a browser that has not begun', (_, callback) => ({ code: 'x', callback })],
    ['the code of another login', async (_, callback) => ({ code: (await site.start()).code, callback })],
    [
      'the callback of another login',
      async ({ code }) => ({ code, callback: await site.back(await site.start(), 'eve') }),
    ],
    [
      'another state',
      ({ code }, callback) => ({ code, callback: callback.replace(/state=[^&]*/, 'state=0') }),
    ],
    ['no code', ({ code }, callback) => ({ code, callback: callback.replace(/code=[^&]*/, '') })],
    [
      'another issuer',
      ({ code }, callback) => ({
        code,
        callback: `${callback.replace(/&iss=[^&]*/, '')}&iss=https%3A%2F%2Fmallory.example`,
      }),
    ],
    [
      'no issuer, where the provider names itself',
      ({ code }, callback) => ({
        code,
        callback: callback.replace(/&iss=[^&]*/, ''),
      }),
    ],
    ['an error of the provider', ({ code, id }) => ({ code, callback: `?error=access_denied&state=${id}` })],
  ])('%s', async (_, meta) => {
    const begun = await site.start();
    const callback = await site.back(begun, 'ada');
    expect(codes(await redeem(site.web, begun.id, await meta(begun, callback)))).toEqual(['invalid-code']);
    // It has ended.
    expect((await redeem(site.web, begun.id, { code: begun.code, callback })).status).toBe(403);
  });

  test.each([
    ['no provider', { provider: undefined }, 'missing-attribute'],
    ['an unknown provider', { provider: 'other' }, 'invalid-attribute'],
    ['a provider that is no text', { provider: 5 }, 'invalid-attribute'],
    ['more than that', { username: 'ada' }, 'invalid-attribute'],
    ['an address of somebody else', { 'return-to': 'https://mallory.example/' }, 'invalid-attribute'],
  ])('a beginning with %s', async (_, attributes, code) => {
    const reply = await begin(site.web, { kind: 'log-in-provider', provider: 'site', ...attributes });
    expect([reply.status, codes(reply)]).toEqual([422, [code]]);
  });

  test.each([
    [{ name: 'No Slug' }],
    [{ issuer: 'http://issuer.example' }],
    [{ issuer: 'https://issuer.example/?x' }],
    [{ issuer: 'https://user:secret@issuer.example' }],
    [{ issuer: undefined }],
    [{ 'client-id': '' }],
    [{ scopes: 'openid' }],
    [{ colour: 'red' }],
  ])('a provider of %j', async (attributes) => {
    expect((await site.addProvider({ name: 'other', ...attributes })).status).toBe(422);
  });
});

test('an issuer that is another, or does not answer, is 503', async () => {
  const strange = await newServer((_, response) =>
    response.end(JSON.stringify({ issuer: 'https://mallory.example' })),
  );
  await site.addProvider({ name: 'strange', issuer: strange.url });
  await site.addProvider({ name: 'silent', issuer: 'http://127.0.0.1:9' });
  for (const provider of ['strange', 'silent']) {
    expect((await begin(site.web, { kind: 'log-in-provider', provider })).status).toBe(503);
  }
});
