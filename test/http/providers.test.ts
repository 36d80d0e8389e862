/** Logins at identity providers (docs/accounts.md#identity-providers), against a real one of OpenID Connect. */
import { TOTP, URI } from 'otpauth';
import { Operator } from '../../scripts/operator.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
    entry: join(import.meta.dirname, '../support/clock-worker.ts'),
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

const setClock = (ahead: number) => fetch(`${service.url}/test/clock?ahead=${ahead}`, { method: 'POST' });

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
  await setAccounts(client, { 'sign-up': 'open', 'second-factor': 'allowed', 'return-to': [CALLBACK] }, [
    group,
  ]);
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

describe('a provider of OAuth 2.0, as GitHub is', () => {
  interface Told {
    readonly user?: object;
    readonly emails?: object;
    readonly token?: object;
  }

  /** Answers as GitHub does: JSON to who asks for it, with a name and the token that it gave for the code and its verifier. */
  async function enterAt({ user = {}, emails, token = {} }: Told): Promise<Reply> {
    let challenge: string | null = null;
    const server = await listen((request, response) => {
      void (async () => {
        const { authorization, accept, 'user-agent': agent } = request.headers;
        const form = new URLSearchParams(await text(request));
        const proof = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const isRight = proof === challenge && form.get('client_secret') === 'a+b c%';
        const answers: Record<string, object> = {
          '/token': isRight
            ? { access_token: 'gho_1', token_type: 'bearer', ...token }
            : { error: 'bad_code' },
          ...(authorization === 'Bearer gho_1' && { '/user': user, '/emails': emails ?? {} }),
        };
        const answer = accept === 'application/json' && agent !== undefined && answers[request.url ?? ''];
        response.writeHead(answer ? 200 : 403).end(JSON.stringify(answer));
      })();
    });
    const at = (path: string) => `${server.url}/${path}`;
    try {
      const made = await addProvider({
        ...{ name: 'hub', issuer: undefined, 'client-secret': 'a+b c%', 'user-endpoint': at('user') },
        ...{ 'authorization-endpoint': at('authorize?allow=1'), 'token-endpoint': at('token') },
        ...(emails && { 'emails-endpoint': at('emails') }),
      });
      expect([made.status, made.text.includes('a+b')]).toEqual([201, false]);
      const begun = await start({}, 'hub');
      const asked = new URL(begun.location).searchParams;
      expect([asked.get('allow'), asked.has('nonce'), asked.has('scope')]).toEqual(['1', false, false]);
      challenge = asked.get('code_challenge');
      const meta = { code: begun.code, callback: `?code=any&state=${begun.id}` };
      return await redeem(web, begun.id, meta);
    } finally {
      await server.stop();
    }
  }

  const ada = { id: 583231, login: 'ada', email: 'public@shop.example', email_verified: undefined };
  const primary = { email: 'ada@shop.example', primary: true, verified: true };

  test.each<[string, Told, object]>([
    ['without addresses', { user: ada }, { username: 'ada' }],
    [
      'with the primary address',
      { user: ada, emails: [{ ...primary, email: 'x@y.example', primary: false }, primary] },
      { username: 'ada', 'confirmed-email': 'ada@shop.example' },
    ],
    [
      'without an address that it has not verified',
      { user: ada, emails: [{ ...primary, verified: false }] },
      { username: 'ada' },
    ],
    [
      'with the claims of OpenID Connect',
      { user: { sub: 'x', preferred_username: 'grace', email: 'g@shop.example', email_verified: true } },
      { username: 'grace', 'confirmed-email': 'g@shop.example' },
    ],
  ])('says who somebody is, %s', async (_, told, attributes) => {
    const entered = await enterAt(told);
    const { username, 'confirmed-email': email } = (await me(entered)).attributes ?? {};
    expect({ username, ...(email !== undefined && { 'confirmed-email': email }) }).toEqual(attributes);
  });

  test.each<[string, Told]>([
    ['nobody', { user: {} }],
    ['somebody without an id', { user: { id: '' } }],
    ['somebody with a strange id', { user: { id: { $ne: 1 } } }],
    ['what is no object', { user: [] }],
    ['an error', { token: { access_token: null } }],
    ['nobody, for a strange token', { user: ada, token: { access_token: 'x' } }],
  ])('that tells of %s lets nobody in', async (_, told) => {
    expect(codes(await enterAt(told))).toEqual(['invalid-code']);
  });

  test.each([
    ['no endpoints', {}],
    ['some endpoints', { 'token-endpoint': 'https://hub.example/token' }],
    [
      'an endpoint in the open',
      Object.fromEntries(
        ['authorization', 'token', 'user'].map((each) => [`${each}-endpoint`, `http://${each}.example/`]),
      ),
    ],
  ])('with %s is 422', async (_, attributes) => {
    expect((await addProvider({ name: 'hub', issuer: undefined, ...attributes })).status).toBe(422);
  });
});

describe('ways in', () => {
  const KEPT = '/users/core.identity';

  test('an identity is added by who has just logged in', async () => {
    const headers = tokenOf(await enter('ada'));
    try {
      await setClock(11 * 60_000);
      const data = {
        type: 'core.account-action',
        attributes: { kind: 'log-in-provider', provider: 'site' },
      };
      expect((await web.post('/users/core.account-action', { data }, headers)).status).toBe(401);
      // Nor does such a token change the password or the address; all else it may.
      const { id } = (await web.get('/users/core.user/me', headers)).body.data;
      const patch = async (attributes: object) =>
        (await web.patch('/users/core.user/me', { data: { type: 'core.user', id, attributes } }, headers))
          .status;
      expect(await patch({ password: 'a long difference' })).toBe(401);
      expect(await patch({ email: 'mallory@shop.example' })).toBe(401);
      expect(await patch({ email: 'ada@shop.example', motto: 'x' })).toBe(200);
    } finally {
      await setClock(0);
    }
  });

  test('a second factor is asked for after the provider, too', async () => {
    const headers = tokenOf(await enter('ada'));
    const data = { type: 'core.account-action', attributes: { kind: 'add-second-factor' } };
    const begun = (await web.post('/users/core.account-action', { data }, headers)).body.data;
    const app = URI.parse(String(begun.attributes?.['location']));
    if (!(app instanceof TOTP)) throw new Error('The app is given no time.');
    const path = `/users/core.account-action/${begun.id}/redemption`;
    expect((await web.post(path, { meta: { code: app.generate() } }, headers)).status).toBe(201);
    expect(codes(await enter('ada'))).toEqual(['second-factor-required']);
  });

  test('the last one stays, but for a key without ACL', async () => {
    const entered = await enter('unverified-ada');
    const headers = tokenOf(entered);
    const remove = async (by: Client) => {
      const [identity] = (await client.get(`${KEPT}?sort=-created`)).body.data;
      return by.send('DELETE', `${KEPT}/${identity?.id ?? ''}`, { headers: by === web ? headers : {} });
    };
    const refused = await remove(web);
    expect([refused.status, codes(refused)]).toEqual([409, ['last-way-in']]);
    await enter('unverified-eve', headers);
    expect((await remove(web)).status).toBe(204);
    expect((await remove(web)).status).toBe(409);
    expect((await remove(client)).status).toBe(204);
  });

  test('whoever has a password, or a confirmed address, may take the identity away', async () => {
    await signUp(web, { username: 'grace', email: 'g@shop.example', password: 'a long difference' });
    const [mail] = await mailsTo(client, 'g@shop.example', 1);
    await redeem(web, mail?.action ?? '', { code: mail?.code });
    const headers = tokenOf(await logIn(web, 'grace', 'a long difference'));
    await enter('unverified-grace', headers);
    const confirmed = tokenOf(await enter('ada'));
    for (const by of [headers, confirmed]) {
      const [identity] = (await web.get(KEPT, by)).body.data;
      const path = `${KEPT}/${identity?.id ?? ''}`;
      expect((await web.send('DELETE', path, { headers: by })).status).toBe(204);
    }
  });
});

test('an issuer that takes the secret by Basic alone gets it so', async () => {
  const other = await Issuer.start({ secret: 'a+b c%' });
  await addProvider({ name: 'basic', issuer: other.issuer.url, 'client-secret': 'a+b c%' });
  const begun = await start({}, 'basic');
  const callback = (await other.issuer.browse(`${begun.location}&login_hint=ada`)).search;
  expect((await redeem(web, begun.id, { code: begun.code, callback })).status).toBe(201);
  await other.stop();
});

describe('refused is', () => {
  test('a callback of half an hour ago', async () => {
    const begun = await start();
    const callback = await back(begun, 'ada');
    try {
      await setClock(31 * 60_000);
      expect(codes(await redeem(web, begun.id, { code: begun.code, callback }))).toEqual(['invalid-code']);
    } finally {
      await setClock(0);
    }
  });

  test('a login that one user has begun, to another', async () => {
    const [ada, grace] = [tokenOf(await enter('ada')), tokenOf(await enter('grace'))];
    const begun = await start(ada);
    const meta = { code: begun.code, callback: await back(begun, 'unverified-ada') };
    const path = `/users/core.account-action/${begun.id}/redemption`;
    expect(codes(await web.post(path, { meta }, grace))).toEqual(['invalid-code']);
  });

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
