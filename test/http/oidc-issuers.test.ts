/** Issuers that rotate keys, fail or lie: a login is let in or refused, and nothing else happens. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { toBase64Url } from '../../src/domain/values/base64.ts';
import { base64url } from '../support/base64.ts';
import { Client, operator, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { CLIENT } from '../support/issuer.ts';
import { newIssuer, newServer } from '../support/scope.ts';

const TOKENS = '/users/core.external-user.token';
const CONFIGURATION = '/.well-known/openid-configuration';
const REFUSED = ['401 invalid-login Authorization:'];

const issuer = await newIssuer();
const client = await Client.create();

const trust = (url: string) =>
  operator().change(client.application, { oidc: { issuer: url, audience: CLIENT } });

const present = (idToken: string, by = client): Promise<Reply> =>
  by.post(TOKENS, undefined, { authorization: `Bearer ${idToken}` });

describe('the keys of an issuer', () => {
  test('may change: tokens of the new one hold at once, those of the former no longer', async () => {
    await trust(issuer.url);
    const former = await issuer.login('rotating');
    expect((await present(former)).status).toBe(201);
    await issuer.rotate();
    expect((await present(await issuer.login('rotating'))).status).toBe(201);
    expect(faultsOf(await present(former))).toEqual(REFUSED);
  });

  test('are not fetched again and again for made-up ones', async () => {
    const asked = { times: 0 };
    const { url, stop: end } = await imitate((path) => {
      asked.times += Number(path === '/jwks');
      return {};
    });
    await trust(url);
    const [header, ...rest] = (await signed(url)).split('.');
    const unknown = base64url('{"alg":"RS256","kid":"unknown"}');
    expect((await present([header, ...rest].join('.'))).status).toBe(201);
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => present([unknown, ...rest].join('.'))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    }
    await end();
    expect(asked.times).toBeLessThanOrEqual(40);
  });

  test('are fetched by each login that finds none: who waits for them holds up nobody', async () => {
    const held: (() => void)[] = [];
    const first = Promise.withResolvers<undefined>();
    const { url } = await newServer((request, response) => {
      const isConfiguration = request.url === CONFIGURATION;
      const answer = async () => {
        const sound = isConfiguration ? { issuer: url, jwks_uri: `${url}/jwks` } : await keysOfIssuer();
        response.end(JSON.stringify(sound));
      };
      // The first two logins wait for the keys; one of them is given up.
      if (isConfiguration || held.length === 2) return void answer();
      held.push(() => void answer());
      if (held.length === 2) first.resolve(undefined);
    });
    await trust(url);
    const waiting = present(await signed(url));
    const hangUp = new AbortController();
    const givenUp = fetch(`${client.url}${TOKENS}`, {
      method: 'POST',
      headers: {
        'application-id': client.application,
        'api-key': client.key,
        authorization: `Bearer ${await signed(url)}`,
      },
      signal: hangUp.signal,
    });
    await first.promise;
    hangUp.abort();
    await expect(givenUp).rejects.toThrow('aborted');
    expect((await present(await signed(url))).status).toBe(201);
    for (const answer of held) answer();
    expect((await waiting).status).toBe(201);
  });

  test('are known through a short failure of the issuer', async () => {
    const { url, stop: end } = await imitate(() => ({}));
    await trust(url);
    expect((await present(await signed(url))).status).toBe(201);
    await end();
    expect((await present(await signed(url))).status).toBe(201);
  });

  test('are asked for again after a failure', async () => {
    const up = { now: false };
    const { url } = await imitate(() => (up.now ? {} : { status: 503 }));
    await trust(url);
    expect(faultsOf(await present(await signed(url)))).toEqual(REFUSED);
    up.now = true;
    expect((await present(await signed(url))).status).toBe(201);
  });
});

/** What an imitation answers differently from a sound issuer. */
interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly body?: unknown;
}

/** A server that publishes the keys of the real issuer as its own, but for what `answer` says. */
async function imitate(answer: (path: string, url: string) => Answer) {
  const jwks = await keysOfIssuer();
  const serve: RequestListener = (request, response) => {
    const path = request.url ?? '';
    const url = `http://${request.headers.host ?? ''}`;
    const sound = path === CONFIGURATION ? { issuer: url, jwks_uri: `${url}/jwks` } : jwks;
    const { status = 200, location, body = sound } = answer(path, url);
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  return newServer(serve);
}

const keysOfIssuer = async (): Promise<unknown> => (await fetch(`${issuer.url}/jwks`)).json();

/** A token of an issuer at this address, signed with the real issuer's key. */
const signed = (url: string) => issuer.sign({ ...issuer.claims('somebody'), iss: url });

describe('an issuer that is not sound gives 401', () => {
  const inConfiguration = (members: (url: string) => object) => (path: string, url: string) =>
    path === CONFIGURATION ? { body: { issuer: url, jwks_uri: `${url}/jwks`, ...members(url) } } : {};
  const keys = (body: unknown) => (path: string) => (path === '/jwks' ? { body } : {});
  const filler = ' '.repeat(300 * 1024);

  test.each<[string, (path: string, url: string) => Answer]>([
    ['its configuration is that of another issuer', inConfiguration(() => ({ issuer: issuer.url }))],
    ['its configuration has a slash more', inConfiguration((url) => ({ issuer: `${url}/` }))],
    ['its configuration names no keys', inConfiguration(() => ({ jwks_uri: undefined }))],
    ['its keys have a relative address', inConfiguration(() => ({ jwks_uri: '/jwks' }))],
    ['its keys are in a file', inConfiguration(() => ({ jwks_uri: 'file:///etc/passwd' }))],
    ['its keys are in the address itself', inConfiguration(() => ({ jwks_uri: 'data:application/json,{}' }))],
    [
      'its keys come over open http',
      inConfiguration((url) => ({ jwks_uri: `${url.replace('127.0.0.1', '0.0.0.0')}/jwks` })),
    ],
    [
      'its configuration is elsewhere',
      (path, url) => (path === CONFIGURATION ? { status: 302, location: `${url}/x` } : {}),
    ],
    [
      'its keys are elsewhere',
      (path, url) => (path === '/jwks' ? { status: 307, location: `${url}/jwks2` } : {}),
    ],
    ['its configuration is no JSON', () => ({ body: '<html>' })],
    ['its configuration is an array', () => ({ body: [] })],
    ['its configuration is null', () => ({ body: 'null' })],
    [
      'its configuration is too large',
      (path, url) =>
        path === CONFIGURATION ? { body: `{"issuer":"${url}","jwks_uri":"${url}/jwks"}${filler}` } : {},
    ],
    ['it answers 500 with sound content', () => ({ status: 500 })],
    ['its keys are no key set', keys({})],
    ['its keys are an object', keys({ keys: {} })],
    ['it has no keys', keys({ keys: [] })],
    [
      'its keys are broken',
      (path) => keys({ keys: [{ kty: 'RSA', alg: 'RS256', kid: issuer.kid, n: '!', e: '!' }] })(path),
    ],
    [
      'its keys are for encryption',
      (path) => keys({ keys: [{ kty: 'RSA', use: 'enc', kid: issuer.kid, n: 'AQAB', e: 'AQAB' }] })(path),
    ],
    [
      'its keys are shared secrets',
      (path) => keys({ keys: [{ kty: 'oct', kid: issuer.kid, k: base64url('x'.repeat(32)) }] })(path),
    ],
  ])('%s', async (_, answer) => {
    const { url } = await imitate(answer);
    await trust(url);
    expect(faultsOf(await present(await signed(url)))).toEqual(REFUSED);
  });

  test('its key is too short', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const weak = { ...publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' };
    const { url } = await imitate(keys({ keys: [weak] }));
    await trust(url);
    const [, payload = ''] = (await signed(url)).split('.');
    const content = `${base64url('{"alg":"RS256","kid":"weak"}')}.${payload}`;
    const signature = sign('sha256', new TextEncoder().encode(content), privateKey);
    expect(faultsOf(await present(`${content}.${toBase64Url(signature)}`))).toEqual(REFUSED);
  });

  test('it is down', async () => {
    const { url, stop: end } = await imitate(() => ({}));
    await end();
    await trust(url);
    expect(faultsOf(await present(await signed(url)))).toEqual(REFUSED);
  });

  test('it hangs up, never answers, never ends', async () => {
    const behaviours: RequestListener[] = [
      (request) => request.socket.destroy(),
      () => undefined,
      (_, response) => {
        const more = () => response.write(' '.repeat(16 * 1024), (error) => !error && setTimeout(more, 50));
        more();
      },
    ];
    await Promise.all(
      behaviours.map(async (behaviour) => {
        const { url } = await newServer(behaviour);
        const other = await Client.create();
        await operator().change(other.application, { oidc: { issuer: url, audience: CLIENT } });
        const [login, read] = await Promise.all([
          signed(url).then((token) => present(token, other)),
          other.get('/resources/things'),
        ]);
        expect(faultsOf(login)).toEqual(REFUSED);
        expect(read.status).toBe(200);
      }),
    );
  });
});
