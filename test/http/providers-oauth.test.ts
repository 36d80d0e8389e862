/** Logins at a provider of OAuth 2.0 without OpenID Connect (docs/accounts.md#identity-providers), as GitHub is. */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { redeem } from '../support/accounts.ts';
import type { Reply } from '../support/client.ts';
import { COMMON, HALTING } from '../support/own-service.ts';
import { Site, useSites } from '../support/providers.ts';
import { codes } from '../support/rules.ts';
import { newServer, newService } from '../support/scope.ts';
import { until } from '../support/started.ts';

const sites = useSites();
let site: Site;
beforeEach(() => {
  site = sites.site();
});

interface Told {
  readonly user?: object;
  /** Removed: it does not answer. */
  emails?: object;
  readonly token?: object;
  /** What the provider adds to its answer. */
  readonly said?: string;
  /** What happens before its last answer. */
  meanwhile?: (() => Promise<unknown>) | undefined;
}

/** Answers as GitHub does: JSON to who asks for it, with a name and the token given for the code and its verifier. */
async function hub(told: Told): Promise<() => Promise<Reply>> {
  const { user = {}, token = {}, said = '' } = told;
  let challenge: string | null = null;
  const server = await newServer((request, response) => {
    void (async () => {
      const { authorization, accept, 'user-agent': agent } = request.headers;
      const form = new URLSearchParams(await text(request));
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (request.url === (told.emails ? '/emails' : '/user')) await told.meanwhile?.();
      const isRight = proof === challenge && form.get('client_secret') === 'a+b c%';
      const answers: Record<string, object> = {
        '/token': isRight ? { access_token: 'gho_1', token_type: 'bearer', ...token } : { error: 'bad_code' },
        ...(authorization === 'Bearer gho_1' && {
          '/user': user,
          ...(told.emails && { '/emails': told.emails }),
        }),
      };
      const answer = accept === 'application/json' && agent !== undefined && answers[request.url ?? ''];
      response.writeHead(answer ? 200 : 403).end(JSON.stringify(answer));
    })();
  });
  const at = (path: string) => `${server.url}/${path}`;
  const made = await site.addProvider({
    ...{ name: 'hub', issuer: undefined, 'client-secret': 'a+b c%', 'user-endpoint': at('user') },
    ...{ 'authorization-endpoint': at('authorize?allow=1'), 'token-endpoint': at('token') },
    ...(told.emails && { 'emails-endpoint': at('emails') }),
  });
  expect([made.status, made.text.includes('a+b')]).toEqual([201, false]);
  return async () => {
    const begun = await site.start({}, 'hub');
    const asked = new URL(begun.location).searchParams;
    expect([asked.get('allow'), asked.has('nonce'), asked.has('scope')]).toEqual(['1', false, false]);
    challenge = asked.get('code_challenge');
    const meta = { code: begun.code, callback: `?code=any&state=${begun.id}${said}` };
    return await redeem(site.web, begun.id, meta);
  };
}

const enterAt = async (told: Told): Promise<Reply> => (await hub(told))();

const ada = { id: 583231, login: 'ada', email: 'public@shop.example', email_verified: undefined };
const primary = { email: 'ada@shop.example', primary: true, verified: true };

test.each<[string, Told, object]>([
  ['without addresses', { user: ada }, { username: 'ada' }],
  [
    'as an issuer, whose name it was not registered with',
    { user: ada, said: '&iss=https%3A%2F%2Fhub.example' },
    { username: 'ada' },
  ],
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
  const { username, 'confirmed-email': email } = (await site.me(entered)).attributes ?? {};
  expect({ username, ...(email !== undefined && { 'confirmed-email': email }) }).toEqual(attributes);
});

test.each<[string, Told]>([
  ['nobody', { user: {} }],
  ['somebody without an id', { user: { id: '' } }],
  ['somebody with a strange id', { user: { id: { $ne: 1 } } }],
  ['what is no object', { user: [] }],
  ['an error', { token: { access_token: null } }],
  ['an error in its answer', { user: ada, said: '&error=access_denied' }],
  ['another state, too', { user: ada, said: '&state=other' }],
  ['nobody, for a strange token', { user: ada, token: { access_token: 'x' } }],
])('that tells of %s lets nobody in', async (_, told) => {
  expect(codes(await enterAt(told))).toEqual(['invalid-code']);
});

test('an outage of our own storage is none of the provider', async () => {
  const service = await newService({ entry: COMMON, settings: { WEBHOOKS_TO_PRIVATE: 'yes' } });
  site = await Site.open(service, site.issuer);
  const told: Told = { user: ada };
  const enter = await hub(told);
  expect((await enter()).status).toBe(201);
  const reset = () => fetch(`${service.url}/test/reset`, { method: 'POST' });
  // A read is tried again once.
  told.meanwhile = () => Promise.all([reset(), reset()]);
  expect(codes(await enter())).toEqual(['unavailable']);
});

test('lets in who comes for the first time twice at once', async () => {
  const told: Told = { user: ada, emails: [primary] };
  const enter = await hub(told);
  const statuses: number[] = [];
  told.meanwhile = async () => {
    told.meanwhile = undefined;
    statuses.push((await enter()).status);
  };
  statuses.push((await enter()).status);
  expect(statuses).toEqual([201, 201]);
});

test.each<[string, string, Told]>([
  ['makes a user', 'create core.user', { user: ada, emails: [primary] }],
  ['joins a user by the address', 'create core.identity', { user: ada, emails: [primary] }],
  ['adds the identity to another new user', 'create core.identity', { user: ada }],
])('lets in who is overtaken by another login, which %s', async (_, method, told) => {
  const service = await newService({ entry: HALTING, settings: { WEBHOOKS_TO_PRIVATE: 'yes' } });
  site = await Site.open(service, site.issuer);
  const enter = await hub(told);
  await service.halt(method, 'hold');
  const entering: Promise<Reply>[] = [];
  for (const waiting of [1, 2]) {
    entering.push(enter());
    await until('it waits', async () => (await service.held()) === waiting);
  }
  // The first calls from now on pass.
  await service.halt(method, 'now-and-then');
  const first = await enter();
  await service.halt(method, 'free');
  const entered = [first, ...(await Promise.all(entering))];
  const people = await Promise.all(entered.map((each) => site.me(each)));
  const users = await site.client.get('/users/core.user');
  expect(people.map(({ id }) => id)).toEqual(Array(3).fill(users.body.data[0]?.id));
  const counts = [users, await site.client.get('/users/core.identity')];
  expect(counts.map(({ body }) => body.meta.count)).toEqual([1, 1]);
});

test('lets in who is known, though it tells no addresses', async () => {
  const told: Told = { user: ada, emails: [primary] };
  const enter = await hub(told);
  const { id } = await site.me(await enter());
  delete told.emails;
  expect((await site.me(await enter())).id).toBe(id);
  await site.client.delete(`/users/core.user/${id}`);
  expect(codes(await enter())).toEqual(['invalid-code']);
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
  expect((await site.addProvider({ name: 'hub', issuer: undefined, ...attributes })).status).toBe(422);
});
