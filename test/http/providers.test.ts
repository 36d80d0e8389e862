/** Logins at identity providers (docs/accounts.md#identity-providers), against a real one of OpenID Connect. */
import { Operator } from '../../scripts/operator.ts';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, mailsTo, redeem, setAccounts, signUp } from '../support/accounts.ts';
import { Client, type Reply } from '../support/client.ts';
import { CALLBACK, CLIENT, Issuer, listen } from '../support/issuer.ts';
import { OwnService, SECRETS } from '../support/own-service.ts';
import { logIn, tokenOf } from '../support/people.ts';
import { codes } from '../support/rules.ts';

const KEY = [
  ...ACCOUNTS_KEY,
  { path: '/users/core\\.identity(/[0-9a-f]{24})?', methods: ['get', 'delete'], acl: { active: true } },
];

let service: OwnService;
let issuer: Issuer;
let stop: () => Promise<void>;
beforeAll(async () => {
  service = await OwnService.start({
    settings: {
      ...{ MAILBOX: 'yes', WEBHOOKS_TO_PRIVATE: 'yes' },
      ...{ LOGIN_FAILURES_BY_USER: '100', LOGIN_FAILURES_BY_ADDRESS: '1000' },
    },
  });
  ({ issuer, stop } = await Issuer.start());
});
afterAll(async () => {
  await service.stop();
  await stop();
});

let client: Client;
let web: Client;
let group: string;

async function addProvider(attributes: object = {}): Promise<Reply> {
  const all = { name: 'site', issuer: issuer.url, 'client-id': CLIENT, ...attributes };
  return client.post('/users/core.identity-provider', {
    data: { type: 'core.identity-provider', attributes: all },
  });
}

interface Begun {
  readonly id: string;
  readonly code: string;
  readonly location: string;
}

async function start(headers: Record<string, string> = {}, provider = 'site'): Promise<Begun> {
  const data = { type: 'core.account-action', attributes: { kind: 'log-in-provider', provider } };
  const { status, body } = await web.post('/users/core.account-action', { data }, headers);
  expect(status).toBe(201);
  const { code, location } = body.data.attributes as Readonly<Record<'code' | 'location', string>>;
  return { id: body.data.id, code, location };
}

const back = async ({ location }: Begun, subject: string) =>
  (await issuer.browse(`${location}&login_hint=${subject}`)).search;

/** Somebody goes to the provider and comes back. */
async function enter(subject: string, headers: Record<string, string> = {}): Promise<Reply> {
  const begun = await start(headers);
  const callback = await back(begun, subject);
  return web.post(
    `/users/core.account-action/${begun.id}/redemption`,
    { meta: { code: begun.code, callback } },
    headers,
  );
}

const me = async (reply: Reply) => (await web.get('/users/core.user/me', tokenOf(reply))).body.data;

beforeEach(async () => {
  const { id, apiKey } = await new Operator(service.url, SECRETS.OPERATOR_SECRET).create('providers');
  client = new Client(service.url, id, apiKey);
  web = await client.withPermissions(KEY);
  group = (await client.post('/users/core.user-group', { data: { type: 'core.user-group' } })).body.data.id;
  await setAccounts(client, { 'sign-up': 'open', 'return-to': [CALLBACK] }, [group]);
  expect((await addProvider()).status).toBe(201);
});

test('a stranger becomes a user, in the groups of the settings, and comes back as the same', async () => {
  const first = await enter('ada');
  expect([first.status, first.body.data.type]).toEqual([201, 'core.user.token']);
  const user = await me(first);
  expect(user.attributes).toMatchObject({ username: 'ada', 'confirmed-email': 'ada@shop.example' });
  const members = await client.get(`/users/core.user-group/${group}/relationships/users`);
  expect(members.text).toContain(user.id);
  expect((await me(await enter('ada'))).id).toBe(user.id);
  expect((await me(await enter('grace'))).id).not.toBe(user.id);
});

test('an account joins whose address both sides have confirmed, and no other', async () => {
  const people = ['ada', 'unverified-eve'].map((username) => ({
    username,
    email: `${username}@shop.example`,
  }));
  for (const { username, email } of people) {
    await signUp(web, { username, email, password: 'a long difference' });
    const [mail] = await mailsTo(client, email, 1);
    expect((await redeem(web, mail?.action ?? '', { code: mail?.code })).status).toBe(204);
  }
  const own = async (username: string) => (await me(await logIn(web, username, 'a long difference'))).id;
  expect((await me(await enter('ada'))).id).toBe(await own('ada'));
  // The provider has not seen that the address is theirs.
  const other = await me(await enter('unverified-eve'));
  expect(other.id).not.toBe(await own('unverified-eve'));
  expect(other.attributes?.['confirmed-email']).toBeUndefined();
});

test('a claimed address that nobody has confirmed here joins nobody', async () => {
  await signUp(web, { username: 'squatter', email: 'ada@shop.example', password: 'a long difference' });
  const user = await me(await enter('ada'));
  expect(user.attributes?.['username']).toBe('ada');
});

test('a user who is logged in adds an identity, sees it, and removes it', async () => {
  const first = await enter('ada');
  const headers = tokenOf(first);
  const { id } = await me(first);
  expect((await me(await enter('unverified-ada', headers))).id).toBe(id);
  const listed = await web.get('/users/core.identity', headers);
  expect(listed.body.data.map(({ attributes }) => attributes)).toEqual(
    [1, 2].map(() => ({ provider: 'site', user: id, created: expect.any(String) as string })),
  );
  expect((await web.get('/users/core.identity', tokenOf(await enter('grace')))).body.meta.count).toBe(1);
  const [, second] = listed.body.data;
  expect((await web.send('DELETE', `/users/core.identity/${second?.id ?? ''}`, { headers })).status).toBe(
    204,
  );
  expect((await me(await enter('unverified-ada'))).id).not.toBe(id);
});

test('nobody takes the identity of somebody else', async () => {
  await enter('ada');
  const grace = tokenOf(await enter('grace'));
  expect(codes(await enter('ada', grace))).toEqual(['invalid-code']);
});

test('where sign-up is closed, only who is known comes in', async () => {
  const known = await me(await enter('ada'));
  const [settings] = (await client.get('/users/core.account-settings')).body.data;
  const attributes = { 'sign-up': 'closed' };
  await client.patch(`/users/core.account-settings/${settings?.id ?? ''}`, {
    data: { type: 'core.account-settings', id: settings?.id, attributes },
  });
  expect((await me(await enter('ada'))).id).toBe(known.id);
  expect((await enter('grace')).status).toBe(403);
  expect((await client.get('/users/core.user')).body.meta.count).toBe(1);
});

test('a user who is erased is a stranger again', async () => {
  const user = await me(await enter('ada'));
  await client.send('DELETE', `/users/core.user/${user.id}`);
  expect((await me(await enter('ada'))).id).not.toBe(user.id);
});

test('who somebody is belongs to the issuer, whatever becomes of the provider', async () => {
  // No address joins them.
  const subject = 'unverified-ada';
  const user = await me(await enter(subject));
  const path = '/users/core.identity-provider';
  const [provider] = (await client.get(path)).body.data;
  await client.send('DELETE', `${path}/${provider?.id ?? ''}`);
  const { id } = (await addProvider()).body.data;
  expect((await me(await enter(subject))).id).toBe(user.id);
  // The same name at another issuer is somebody else.
  const other = await Issuer.start();
  const data = { type: 'core.identity-provider', id, attributes: { issuer: other.issuer.url } };
  expect((await client.patch(`${path}/${id}`, { data })).status).toBe(200);
  const begun = await start();
  const callback = (await other.issuer.browse(`${begun.location}&login_hint=${subject}`)).search;
  const entered = await redeem(web, begun.id, { code: begun.code, callback });
  expect((await me(entered)).id).not.toBe(user.id);
  await other.stop();
});

describe('an id token', () => {
  /** A provider that gives everybody a token with these claims. */
  async function enterWith(claims: (right: JWTPayload) => JWTPayload): Promise<Reply> {
    let token = '';
    const careless = await listen((request, response) => {
      const at = (path: string) => `${careless.url}/${path}`;
      const published = {
        issuer: careless.url,
        authorization_endpoint: at('auth'),
        token_endpoint: at('token'),
      };
      const isToken = request.url === '/token';
      response.end(
        JSON.stringify(isToken ? { id_token: token } : { ...published, jwks_uri: `${issuer.url}/jwks` }),
      );
    });
    try {
      await addProvider({ name: 'careless', issuer: careless.url });
      const begun = await start({}, 'careless');
      const nonce = new URL(begun.location).searchParams.get('nonce');
      token = await issuer.sign(claims({ ...issuer.claims('ada'), iss: careless.url, nonce }));
      const callback = `?code=any&state=${begun.id}`;
      return await redeem(web, begun.id, { code: begun.code, callback });
    } finally {
      await careless.stop();
    }
  }

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
});

describe('refused is', () => {
  test('a login that a user has begun, for who is logged in no more', async () => {
    const begun = await start(tokenOf(await enter('ada')));
    const meta = { code: begun.code, callback: await back(begun, 'unverified-ada') };
    expect(codes(await redeem(web, begun.id, meta))).toEqual(['invalid-code']);
  });

  test('a callback that was used, and of many at once all but one', async () => {
    const begun = await start();
    const meta = { code: begun.code, callback: await back(begun, 'ada') };
    const all = await Promise.all(Array.from({ length: 6 }, () => redeem(web, begun.id, meta)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(codes(await redeem(web, begun.id, meta))).toEqual(['invalid-code']);
    expect((await client.get('/users/core.user')).body.meta.count).toBe(1);
  });

  test.each<[string, (mine: Begun, callback: string) => Promise<object> | object]>([
    ['a callback in a browser that has not begun', (_, callback) => ({ code: 'x', callback })],
    ['the code of another login', async (_, callback) => ({ code: (await start()).code, callback })],
    [
      'the callback of another login',
      async ({ code }) => ({ code, callback: await back(await start(), 'eve') }),
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
    const begun = await start();
    const callback = await back(begun, 'ada');
    expect(codes(await redeem(web, begun.id, await meta(begun, callback)))).toEqual(['invalid-code']);
    // It has ended.
    expect((await redeem(web, begun.id, { code: begun.code, callback })).status).toBe(403);
  });

  test.each([
    ['no provider', { provider: undefined }, 'missing-attribute'],
    ['an unknown provider', { provider: 'other' }, 'invalid-attribute'],
    ['a provider that is no text', { provider: 5 }, 'invalid-attribute'],
    ['more than that', { username: 'ada' }, 'invalid-attribute'],
    ['an address of somebody else', { 'return-to': 'https://mallory.example/' }, 'invalid-attribute'],
  ])('a beginning with %s', async (_, attributes, code) => {
    const reply = await begin(web, { kind: 'log-in-provider', provider: 'site', ...attributes });
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
    expect((await addProvider({ name: 'other', ...attributes })).status).toBe(422);
  });
});

test('the secret of a provider is never shown, and users see no providers', async () => {
  const made = await addProvider({ name: 'other', 'client-secret': 'hush-hush' });
  expect([made.status, made.text.includes('hush-hush')]).toEqual([201, false]);
  expect((await client.get('/users/core.identity-provider')).text).not.toContain('hush-hush');
  expect((await web.get('/users/core.identity-provider')).status).toBe(403);
  // Nor is it found by guessing.
  const guess = 'filter[client-secret]={"$regex":"^hush"}';
  expect((await client.get(`/users/core.identity-provider?${guess}`)).body.data).toEqual([]);
  const sorted = await client.get('/users/core.identity-provider?sort=client-secret');
  expect(sorted.text).toContain('no-such-field');
});

test('an issuer that is another, or does not answer, is 503', async () => {
  const strange = await listen((_, response) =>
    response.end(JSON.stringify({ issuer: 'https://mallory.example' })),
  );
  await addProvider({ name: 'strange', issuer: strange.url });
  await addProvider({ name: 'silent', issuer: 'http://127.0.0.1:9' });
  for (const provider of ['strange', 'silent']) {
    expect((await begin(web, { kind: 'log-in-provider', provider })).status).toBe(503);
  }
  await strange.stop();
});
