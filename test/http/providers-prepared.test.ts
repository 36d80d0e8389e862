/** Providers that many know (docs/accounts.md#identity-providers), and what is special about them. */
import { text } from 'node:stream/consumers';
import { exportPKCS8, generateKeyPair, jwtVerify, type JWTPayload } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { redeem } from '../support/accounts.ts';
import { Client, type Reply } from '../support/client.ts';
import { CLIENT } from '../support/issuer.ts';
import { useSites, type Site } from '../support/providers.ts';
import { codes } from '../support/rules.ts';
import { exported } from '../support/transfer.ts';
import { newServer } from '../support/scope.ts';

const sites = useSites();
let site: Site;
beforeEach(() => {
  site = sites.site();
});

const PROVIDERS = '/users/core.identity-provider';

test.each<[string, object]>([
  ['apple', { issuer: 'https://appleid.apple.com', scopes: ['openid', 'name', 'email'] }],
  ['github', { 'user-endpoint': 'https://api.github.com/user', scopes: ['user:email'] }],
  ['gitlab', { issuer: 'https://gitlab.com' }],
  ['google', { issuer: 'https://accounts.google.com' }],
  ['microsoft', { issuer: 'https://login.microsoftonline.com/common/v2.0' }],
  ['google', { issuer: 'https://other.example' }],
])('%s is known, unless it says where it is: %j', async (name, expected) => {
  const issuer =
    'issuer' in expected && expected.issuer === 'https://other.example' ? expected.issuer : undefined;
  const made = await site.addProvider({ name, issuer });
  expect([made.status, made.body.data.attributes]).toEqual([201, expect.objectContaining(expected)]);
});

test('a secret is sealed at rest, and never shown', async () => {
  const secret = 'a secret of the site';
  const client = await Client.create('sealed');
  const attributes = { name: 'google', 'client-id': 'x', 'client-secret': secret };
  const type = 'core.identity-provider';
  const made = await client.create(PROVIDERS, { attributes });
  const { id } = made.body.data;
  const changed = await client.update(`${PROVIDERS}/${id}`, { attributes });
  expect([made.status, changed.status]).toEqual([201, 200]);
  const stored = await exported(client.application, type);
  expect(stored).toMatch(/"client-secret":"[\w-]{60,}"/);
  for (const each of [made.text, changed.text, stored]) expect(each).not.toContain(secret);
});

/** An issuer on this machine: what it publishes under an address, and what its token endpoint answers. */
async function issuing(
  answers: (url: string) => Readonly<Record<string, object>>,
  token: (form: URLSearchParams) => object,
) {
  const server = await newServer((request, response) => {
    void (async () => {
      const path = request.url ?? '';
      const answer =
        path === '/token' ? token(new URLSearchParams(await text(request))) : answers(server.url)[path];
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer));
    })();
  });
  return server;
}

const configurationOf = (url: string, issuer: string) => ({
  issuer,
  ...{
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${site.issuer.url}/jwks`,
  },
  token_endpoint_auth_methods_supported: ['client_secret_post'],
});

describe('Apple', () => {
  test('gets a secret that its key has signed for this login, and posts its answer to the ready pages', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    let sent = '';
    let idToken = '';
    const apple = await issuing(
      (url) => ({ '/.well-known/openid-configuration': configurationOf(url, url) }),
      (form) => {
        sent = form.get('client_secret') ?? '';
        return { id_token: idToken };
      },
    );
    const made = await site.addProvider({
      ...{ name: 'apple', issuer: apple.url, 'key-id': 'KEY1', 'team-id': 'TEAM1' },
      'client-secret': await exportPKCS8(privateKey),
    });
    expect(made.status).toBe(201);
    const begun = await site.start({}, 'apple');
    const asked = new URL(begun.location).searchParams;
    expect(asked.get('response_mode')).toBe('form_post');
    const claims = {
      iss: apple.url,
      nonce: asked.get('nonce'),
      email: 'ada@shop.example',
      email_verified: 'true',
    };
    idToken = await site.issuer.sign({ ...site.issuer.claims('001.ada'), ...claims });
    const { web } = site;
    const page = `${web.url}/account/${web.application}/${web.key}`;
    const form = new URLSearchParams({ code: 'a b', state: begun.id, user: '{"name":{}}' });
    const back = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
    // Also where a proxy adds a path prefix.
    const proxied = `https://shop.example/api${new URL(page).pathname}`;
    const address = new URL(back.headers.get('location') ?? '', proxied);
    expect([back.status, address.origin + address.pathname]).toEqual([303, proxied]);
    expect([...address.searchParams.keys()]).toEqual(['code', 'state']);
    const entered = await redeem(web, begun.id, { code: begun.code, callback: address.search });
    expect((await site.me(entered)).attributes?.['confirmed-email']).toBe('ada@shop.example');
    const options = { issuer: 'TEAM1', subject: CLIENT, audience: apple.url, maxTokenAge: '1 minute' };
    const { protectedHeader } = await jwtVerify(sent, publicKey, options);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1' });
  });

  test('has a key that is one, or 422', async () => {
    const made = await site.addProvider({
      name: 'apple',
      'key-id': 'k',
      'team-id': 't',
      'client-secret': 'text',
    });
    expect([made.status, made.body.errors[0]?.source]).toEqual([
      422,
      { pointer: '/data/attributes/client-secret' },
    ]);
  });

  test('posts no more than a form', async () => {
    const { web } = site;
    const page = `${web.url}/account/${web.application}/${web.key}`;
    const answers = ['x'.repeat(20_000), 'state=x&to=https://mallory.example'].map((body) =>
      fetch(page, { method: 'POST', body, redirect: 'manual' }),
    );
    const [large, other] = await Promise.all(answers);
    expect([large?.status, other?.headers.get('location')]).toEqual([413, '?state=x']);
  });
});

describe('Microsoft, whose issuer is of many tenants,', () => {
  const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';
  const OTHER = '00000000-6c67-4c5b-b112-36a304b66dad';

  /** Registers it, and lets people in by id tokens with these claims. */
  async function tenants(published = '/{tenantid}/v2.0') {
    let idToken = '';
    const microsoft = await issuing(
      (url) => ({
        '/common/v2.0/.well-known/openid-configuration': configurationOf(url, url + published),
        ...Object.fromEntries(
          [TENANT, OTHER].map((tenant) => [
            `/${tenant}/v2.0/.well-known/openid-configuration`,
            configurationOf(url, `${url}/${tenant}/v2.0`),
          ]),
        ),
      }),
      () => ({ id_token: idToken }),
    );
    await site.addProvider({ name: 'many', issuer: `${microsoft.url}/common/v2.0` });
    const data = { type: 'core.account-action', attributes: { kind: 'log-in-provider', provider: 'many' } };
    return async (claims: (url: string) => JWTPayload): Promise<Reply> => {
      const begun = await site.web.post('/users/core.account-action', { data });
      if (begun.status !== 201) return begun;
      const { code, location } = begun.body.data.attributes as Readonly<Record<string, string>>;
      const nonce = new URL(location ?? '').searchParams.get('nonce');
      idToken = await site.issuer.sign({ ...site.issuer.claims('ada'), nonce, ...claims(microsoft.url) });
      const { id } = begun.body.data;
      return await redeem(site.web, id, { code, callback: `?code=any&state=${id}` });
    };
  }
  const enterWith = async (claims: (url: string) => JWTPayload, published?: string) =>
    (await tenants(published))(claims);

  const right = (url: string, tenant = TENANT) => ({ iss: `${url}/${tenant}/v2.0`, tid: tenant });

  test('lets in who a tenant names, and believes none of its addresses', async () => {
    const address = { email: 'ada@shop.example', email_verified: true };
    const ada = await site.me(await site.enter('ada'));
    const entered = await enterWith((url) => ({ ...right(url), ...address }));
    const user = await site.me(entered);
    expect([user.attributes?.['confirmed-email'], user.id === ada.id]).toEqual([undefined, false]);
  });

  test.each<[string, (url: string) => JWTPayload]>([
    ['another tenant than that of the issuer', (url) => ({ ...right(url), tid: OTHER })],
    ['no tenant', (url) => ({ iss: right(url).iss })],
    ['an issuer that is not there', (url) => right(url, '11111111-6c67-4c5b-b112-36a304b66dad')],
    ['the name of no tenant', (url) => ({ iss: `${url}/x/v2.0`, tid: 'x' })],
    ['the place of a tenant', (url) => ({ iss: `${url}/{tenantid}/v2.0`, tid: '{tenantid}' })],
  ])('lets in nobody with %s', async (_, claims) => {
    expect(codes(await enterWith(claims))).toEqual(['invalid-code']);
  });

  test('whose configuration is that of another, is 503', async () => {
    expect((await enterWith(right, '/{tenant}/v2.0')).status).toBe(503);
  });
});
