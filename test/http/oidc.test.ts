/** Logins with id tokens (OpenID Connect Core 1.0), against a real provider; docs/access.md tells what holds. */
import { afterAll, describe, expect, test } from 'vitest';
import { toBase64Url } from '../../src/domain/values/base64.ts';
import { Client, operator, type Reply, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { CLIENT, type Issuer, OTHER_CLIENT } from '../support/issuer.ts';
import { base64url } from '../support/base64.ts';
import { ACL, may } from '../support/people.ts';
import { newIssuer } from '../support/scope.ts';

const TOKENS = '/users/core.external-user.token';
const USERS = '/users/core.external-user';
const REFUSED = ['401 invalid-login Authorization:'];

const issuer = await newIssuer();
const client = await trusting(issuer);

/** A client of a new application that trusts an issuer. */
async function trusting({ url }: Pick<Issuer, 'url'>): Promise<Client> {
  const made = await Client.create();
  await operator().change(made.application, { oidc: { issuer: url, audience: CLIENT } });
  return made;
}

const present = (idToken: string, by = client): Promise<Reply> =>
  by.post(TOKENS, undefined, { authorization: `Bearer ${idToken}` });

/** The id of the external user that a login stands for. */
function userOf(login: Reply): string {
  expect(login.status, login.text).toBe(201);
  const user = login.body.data.relationships?.['user']?.data as Resource | undefined;
  return user?.id ?? '';
}

const withToken = (login: Reply) => ({
  authorization: `Token ${String(login.body.data.attributes?.['token'])}`,
});

describe('a subject that logs in', () => {
  test('becomes an external user with its source and name, and gets a token that works', async () => {
    const login = await present(await issuer.login('ada'));
    const id = userOf(login);
    expect(login.body.data).toMatchObject({ type: 'core.external-user.token' });
    const me = await client.get(`${USERS}/me`, withToken(login));
    expect(me.body.data).toMatchObject({
      id,
      attributes: { source: { issuer: issuer.url, subject: 'ada' }, name: 'Name of ada' },
    });
  });

  test('is the same user the next time', async () => {
    const first = await present(await issuer.login('bob'));
    const again = await present(await issuer.login('bob'));
    expect(userOf(again)).toBe(userOf(first));
    expect(again.body.data.id).not.toBe(first.body.data.id);
  });

  test('is the same user after changing what its document says, and its old tokens have ended', async () => {
    const first = await present(await issuer.login('changing'));
    const id = userOf(first);
    const attributes = { source: { issuer: issuer.url, subject: 'somebody else' } };
    expect((await client.update(`${USERS}/${id}`, { attributes })).status).toBe(200);
    expect((await client.get(`${USERS}/me`, withToken(first))).status).toBe(401);
    expect(userOf(await present(await issuer.login('changing')))).toBe(id);
    expect(userOf(await present(await issuer.login('somebody else')))).not.toBe(id);
  });

  test('is another user than any other subject, however alike', async () => {
    const subjects = ['x', 'X', 'x ', 'x","', '["x"]'];
    const logins = await Promise.all(
      subjects.map(async (subject) => present(await issuer.sign(issuer.claims(subject)))),
    );
    expect(new Set(logins.map(userOf)).size).toBe(subjects.length);
  });

  test('does not take over an external user that was made with the same source', async () => {
    const source = { issuer: issuer.url, subject: 'eve' };
    const made = await client.create(USERS, { attributes: { source } });
    expect(made.status).toBe(201);
    expect(userOf(await present(await issuer.login('eve')))).not.toBe(made.body.data.id);
  });

  test('is a new user once its user was deleted', async () => {
    const first = userOf(await present(await issuer.login('gone')));
    expect((await client.delete(`${USERS}/${first}`)).status).toBe(204);
    const second = userOf(await present(await issuer.login('gone')));
    expect(second).not.toBe(first);
    expect(userOf(await present(await issuer.login('gone')))).toBe(second);
  });

  test('is one user after many first logins at once', async () => {
    const idToken = await issuer.login('crowd');
    const logins = await Promise.all(Array.from({ length: 20 }, () => present(idToken)));
    expect(new Set(logins.map(userOf)).size).toBe(1);
    const filter = encodeURIComponent(JSON.stringify('crowd'));
    expect((await client.get(`${USERS}?filter[source.subject]=${filter}`)).body.meta.count).toBe(1);
  });

  test('is another user in another application', async () => {
    const idToken = await issuer.login('both');
    const other = await trusting(issuer);
    const [here, there] = [await present(idToken), await present(idToken, other)];
    expect(userOf(here)).not.toBe(userOf(there));
    expect((await client.get(`${USERS}/me`, withToken(there))).status).toBe(401);
  });

  test('owns what it makes under ACL', async () => {
    const web = await client.withPermissions([may('get post', '/(resources|users)/.*', ACL)]);
    const [one, other] = await Promise.all(
      ['owner', 'stranger'].map(async (subject) => present(await issuer.login(subject), web)),
    );
    if (one === undefined || other === undefined) throw new Error('Two logins were made.');
    const note = await web.create('/resources/notes', {}, withToken(one));
    expect(note.status).toBe(201);
    const path = `/resources/notes/${note.body.data.id}`;
    expect((await web.get(path, withToken(one))).status).toBe(200);
    expect((await web.get(path, withToken(other))).status).toBe(403);
  });
});

describe('a token that does not hold is 401 and makes no user', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const signed = (claims: object, header?: { readonly typ?: string }) => () =>
    issuer.sign({ ...issuer.claims('mallory'), ...claims }, header);
  /** The same, with a number in it that JSON can say and JavaScript can not. */
  const signedText = (claims: object, number: string) => () =>
    issuer.signText(JSON.stringify({ ...issuer.claims('mallory'), ...claims }).replace('"∞"', number));
  const parts = async () =>
    (await issuer.sign(issuer.claims('mallory'))).split('.') as [string, string, string];
  const withHeader = (header: object) => async () => {
    const [, payload, signature] = await parts();
    return `${base64url(JSON.stringify(header))}.${payload}.${signature}`;
  };
  const hmac = async (header: object, secret: string) => {
    const [, payload] = await parts();
    const bytes = new TextEncoder();
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
    const content = `${base64url(JSON.stringify(header))}.${payload}`;
    const signature = await crypto.subtle.sign('HMAC', key, bytes.encode(content));
    return `${content}.${toBase64Url(new Uint8Array(signature))}`;
  };

  test.each<[string, () => Promise<string>]>([
    ['for another client of the issuer', () => issuer.login('mallory', OTHER_CLIENT)],
    ['for a longer audience', signed({ aud: `${CLIENT}-2` })],
    ['for several clients, not saying which one logged in', signed({ aud: [CLIENT, OTHER_CLIENT] })],
    ['for several clients, another one of which logged in', signed({ aud: [CLIENT, 'b'], azp: 'b' })],
    ['for no audience', signed({ aud: undefined })],
    ['of another issuer', signed({ iss: 'https://accounts.example.com' })],
    ['of the issuer with a slash', () => issuer.sign({ ...issuer.claims('mallory'), iss: `${issuer.url}/` })],
    ['of no issuer', signed({ iss: undefined })],
    ['that has expired', signed({ exp: now() - 61 })],
    ['that never expires', signed({ exp: undefined })],
    ['whose expiry is a text', signed({ exp: '9999999999' })],
    ['whose expiry is beyond all numbers', signedText({ exp: '∞' }, '1e999')],
    ['whose expiry is before all numbers', signedText({ exp: '∞' }, '-1e999')],
    ['that was made at no time', signed({ iat: undefined })],
    ["that was made beyond the clocks' difference from now", signed({ iat: now() + 120 })],
    ['whose time of making is beyond all numbers', signedText({ iat: '∞' }, '1e999')],
    ['that was made longer ago than its first use would be known', signed({ iat: now() - 2 * 86_400 })],
    ['that is not valid yet', signed({ nbf: now() + 120 })],
    ['without a subject', signed({ sub: undefined })],
    ['with an empty subject', signed({ sub: '' })],
    ['with a number for a subject', signed({ sub: 7 })],
    ['with a subject of 256 characters', signed({ sub: 'x'.repeat(256) })],
    ['that is an access token', signed({}, { typ: 'at+jwt' })],
    [
      'that is a logout token',
      signed({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    ],
    [
      'with a changed payload',
      async () => {
        const [header, , signature] = await parts();
        return `${header}.${base64url(JSON.stringify(issuer.claims('root')))}.${signature}`;
      },
    ],
    [
      'with a changed signature',
      async () => {
        const [header, payload, signature] = await parts();
        return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      },
    ],
    ['without its signature', async () => `${(await parts()).slice(0, 2).join('.')}.`],
    ['cut off', async () => (await parts()).join('.').slice(0, -5)],
    ['with alg none', withHeader({ alg: 'none' })],
    ['with alg none and the kid', async () => withHeader({ alg: 'None', kid: issuer.kid })()],
    ['with another algorithm', async () => withHeader({ alg: 'PS256', kid: issuer.kid })()],
    ['with an unknown kid', withHeader({ alg: 'RS256', kid: 'unknown' })],
    [
      'with a critical extension',
      async () => withHeader({ alg: 'RS256', kid: issuer.kid, crit: ['x'], x: 1 })(),
    ],
    [
      'signed by HS256 with the public key for a secret',
      async () => hmac({ alg: 'HS256', kid: issuer.kid }, await issuer.publicKey()),
    ],
    ['signed by HS256 with an empty secret', async () => hmac({ alg: 'HS256', kid: issuer.kid }, ' ')],
    [
      'that brings its own key',
      async () => {
        const stranger = await newIssuer();
        return stranger.sign({ ...issuer.claims('mallory') });
      },
    ],
    ['that is no token', () => Promise.resolve('mallory')],
    ['of dots', () => Promise.resolve('..')],
    ['that is an API key', () => Promise.resolve(client.key)],
    ['that is very long', () => Promise.resolve(`${'A'.repeat(16_000)}.A.A`)],
  ])('%s', async (_, token) => {
    expect(faultsOf(await present(await token()))).toEqual(REFUSED);
  });

  afterAll(async () => {
    const everybody = await client.get(`${USERS}?page[size]=1000&filter[source.subject]="mallory"`);
    expect(everybody.body.meta.count).toBe(0);
  });

  test('clocks may differ by a minute', async () => {
    expect((await present(await signed({ exp: now() - 30, sub: 'late' })())).status).toBe(201);
    expect((await present(await signed({ nbf: now() + 30, sub: 'early' })())).status).toBe(201);
  });
});
