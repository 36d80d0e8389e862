/** Attacks with credentials: forged, borrowed, ended, or in the wrong place. Each is refused and leaves no trace. */
import { describe, expect, inject, test } from 'vitest';
import { Signer, type TokenClaims } from '../../src/auth/credentials.ts';
import { base64url } from '../support/base64.ts';
import { mint, settle } from '../support/attack.ts';
import { Client, NO_ID, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { CORE } from '../../src/domain/types.ts';
import { idOf } from '../support/names.ts';

const DAY = 86_400_000;
const NO_TOKEN = ['401 token-required Authorization:'];
const NO_KEY = ['401 invalid-api-key api-key:'];

const [town, other] = await Promise.all([settle(), settle()]);

const parts = () => town.ada.token.split('.') as [string, string, string];
const payload = () => atob(parts()[1].replaceAll('-', '+').replaceAll('_', '/'));

/** The claims of a token; as its application any text. */
type Forged = Omit<TokenClaims, 'application'> & { readonly application: string };

/** What the token of Ada stands for, with changes, well signed. */
async function signed(changes: Partial<Forged>): Promise<string> {
  const [, application = '', id = '', , holder = '', version, created] = payload().split('/');
  const claims: Forged = {
    kind: 'token',
    application,
    id: idOf(id),
    holder: { type: CORE.user, id: idOf(holder) },
    version: Number(version),
    created: Number(created),
    ...changes,
  };
  return (await Signer.from(inject('credentialSecrets'))).sign(claims as TokenClaims);
}

/** Ada's payload under another header, with a signature made as the header says. */
async function withHeader(header: object, hash: string, secret: string): Promise<string> {
  const content = `${base64url(JSON.stringify(header))}.${parts()[1]}`;
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(content)));
  return `${content}.${base64url(String.fromCharCode(...signature))}`;
}

const secret = () => inject('credentialSecrets').replace('1:', '');

const read = (authorization: string): Promise<Reply> =>
  town.web.get(`/resources/notes/${town.note.id}`, { authorization });

test('the tools of this file make tokens that work, when nothing is changed', async () => {
  const genuine = [
    town.ada.token,
    await signed({}),
    await mint(payload()),
    await withHeader({ alg: 'HS256', kid: '1' }, 'SHA-256', secret()),
    await signed({ created: Date.now() - 30 * DAY + 60_000 }),
  ];
  for (const token of genuine) expect((await read(`Token ${token}`)).status).toBe(200);
});

describe('a token that is none is 401', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['made up', () => 'x'],
    ['empty parts', () => '..'],
    ['two parts', () => parts().slice(0, 2).join('.')],
    ['four parts', () => `${town.ada.token}.x`],
    ['cut by a character', () => town.ada.token.slice(0, -1)],
    ['longer by a character', () => `${town.ada.token}A`],
    ['padded', () => `${town.ada.token}=`],
    [
      'with other stray bits at its end',
      () => town.ada.token.slice(0, -1) + strayed(town.ada.token.slice(-1)),
    ],
    ['percent-encoded', () => town.ada.token.replaceAll('.', '%2E')],
    [
      'for another user, under the same signature',
      () => `${parts()[0]}.${base64url(payload().replace(town.ada.id, town.mallory.id))}.${parts()[2]}`,
    ],
    [
      'with the signature of another',
      () => `${parts()[0]}.${parts()[1]}.${town.mallory.token.split('.')[2] ?? ''}`,
    ],
    [
      'with the signature of the API key',
      () => `${parts()[0]}.${parts()[1]}.${town.web.key.split('.')[2] ?? ''}`,
    ],
    ['alg none', () => `${base64url('{"alg":"none","kid":"1"}')}.${parts()[1]}.`],
    [
      'alg nOnE with a signature',
      () => `${base64url('{"alg":"nOnE","kid":"1"}')}.${parts()[1]}.${parts()[2]}`,
    ],
    ['alg HS512, well signed', () => withHeader({ alg: 'HS512', kid: '1' }, 'SHA-512', secret())],
    ['alg HS384, well signed', () => withHeader({ alg: 'HS384', kid: '1' }, 'SHA-384', secret())],
    [
      'alg RS256 with the secret for a key',
      () => withHeader({ alg: 'RS256', kid: '1' }, 'SHA-256', secret()),
    ],
    ['no alg', () => withHeader({ kid: '1' }, 'SHA-256', secret())],
    [
      'another kid, signed with the secret of this one',
      () => withHeader({ alg: 'HS256', kid: '2' }, 'SHA-256', secret()),
    ],
    ['no kid', () => withHeader({ alg: 'HS256' }, 'SHA-256', secret())],
    ['a kid that is a path', () => withHeader({ alg: 'HS256', kid: '../../dev/null' }, 'SHA-256', '\0')],
    [
      'a kid that every object has',
      () => withHeader({ alg: 'HS256', kid: '__proto__' }, 'SHA-256', secret()),
    ],
    [
      'its own key in the header',
      () => withHeader({ alg: 'HS256', kid: 'x', jwk: { kty: 'oct', k: 'AAAA' } }, 'SHA-256', '\0\0\0'),
    ],
    ['an empty secret', () => withHeader({ alg: 'HS256', kid: '1' }, 'SHA-256', ' ')],
    [
      'a critical extension, well signed',
      () => withHeader({ alg: 'HS256', kid: '1', crit: ['x'], x: 1 }, 'SHA-256', secret()),
    ],
    ['of 30 KB', () => `${'A'.repeat(30_000)}.${'A'.repeat(100)}.${parts()[2]}`],
  ])('%s', async (_, token) => {
    expect(faultsOf(await read(`Token ${await token()}`))).toEqual(NO_TOKEN);
  });

  /** The base64url digit that decodes to the same bits, but for the two that are not looked at. */
  function strayed(digit: string): string {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return digits.charAt(digits.indexOf(digit) ^ 1);
  }
});

describe('a token that is well signed, and yet stands for nobody here, is 401', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['expired', () => signed({ created: Date.now() - 30 * DAY - 1000 })],
    ['for another application', () => signed({ application: other.web.application })],
    ['for no application', () => signed({ application: '' })],
    ['for the application of the operator', () => signed({ application: 'system' })],
    ['for a user there never was', () => signed({ holder: { type: CORE.user, id: idOf(NO_ID) } })],
    [
      'for an external user with the id of a user',
      () => signed({ holder: { type: CORE.externalUser, id: idOf(town.ada.id) } }),
    ],
    ['for a version of the user that is past', () => signed({ version: 0 })],
    ['for a version of the user to come', () => signed({ version: 99 })],
    ['for no version at all', () => signed({ version: NaN })],
    ['of the other application', () => other.ada.token],
    ['that is an API key', () => town.service.key],
    ['for a document that is no user', () => mint(payload().replace('core.user', 'notes'))],
    ['for a user that is a path', () => mint(payload().replace(town.ada.id, `..%2F${town.ada.id.slice(5)}`))],
    ['of an unknown kind', () => mint(payload().replace('token', 'admin'))],
    ['of nothing', () => mint('')],
    ['of slashes', () => mint('/'.repeat(50))],
    ['of bytes that are no text', () => mint('\u{fffd}\0\u{1}')],
  ])('%s', async (_, token) => {
    expect(faultsOf(await read(`Token ${await token()}`))).toEqual(NO_TOKEN);
  });
});

describe('a token in the wrong place is 401', () => {
  test.each<[string, () => string]>([
    ['under Bearer', () => `Bearer ${town.ada.token}`],
    ['under Basic', () => `Basic ${town.ada.token}`],
    ['without a scheme', () => town.ada.token],
    ['twice', () => `Token ${town.ada.token}, Token ${town.ada.token}`],
    ['after another scheme', () => `Basic eDp5, Token ${town.ada.token}`],
    ['before another word', () => `Token ${town.ada.token} x`],
    ['in quotes', () => `Token "${town.ada.token}"`],
    ['as a parameter', () => `Token token=${town.ada.token}`],
    ['with a colon', () => `Token: ${town.ada.token}`],
    ['the scheme alone', () => 'Token'],
    ['the scheme and a space', () => 'Token '],
    ['nothing', () => ''],
  ])('%s', async (_, authorization) => {
    expect(faultsOf(await read(authorization()))).toEqual(NO_TOKEN);
  });

  test('a query does not carry one', async () => {
    const sent = await town.web.get(`/resources/notes?authorization=${town.ada.token}`, town.mallory.headers);
    expect(faultsOf(sent)).toEqual(['400 unknown-parameter ?authorization']);
  });
});

describe('an API key that is none is 401', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['made up', () => 'x'.repeat(100)],
    ['empty', () => ''],
    ['truncated', () => town.web.key.slice(0, -1)],
    ['prolonged', () => `${town.web.key}A`],
    ['without its signature', () => town.web.key.replace(/[^.]*$/, '')],
    ['with another signature', () => town.web.key.replace(/[^.]*$/, (text) => 'A'.repeat(text.length))],
    ['with alg none', () => town.web.key.replace(/^[^.]*/, base64url('{"alg":"none","kid":"1"}'))],
    ['with another kid', () => town.web.key.replace(/^[^.]*/, base64url('{"alg":"HS256","kid":"2"}'))],
    [
      'with a public-key algorithm',
      () => town.web.key.replace(/^[^.]*/, base64url('{"alg":"RS256","kid":"1"}')),
    ],
    ['a user token', () => town.ada.token],
    ['a key of the other application', () => other.service.key],
    ['a key for another id, well signed', () => mint(`api-key/${town.web.application}/${NO_ID}`)],
    ['a key for the id of a user, well signed', () => mint(`api-key/${town.web.application}/${town.ada.id}`)],
    ['a key for no id, well signed', () => mint(`api-key/${town.web.application}/`)],
    ['a key for an id that is a path, well signed', () => mint(`api-key/${town.web.application}/../x`)],
    ['the id of the key', () => town.web.key.split('.')[1] ?? ''],
    [
      'a key with a space in its signature',
      () => `${town.service.key.slice(0, -5)} ${town.service.key.slice(-5)}`,
    ],
    ['two keys in a list', () => `${town.web.key}, ${town.service.key}`],
    ['a key in quotes', () => `"${town.service.key}"`],
    ['the operator secret', () => inject('operatorSecret')],
    ['30 KB', () => 'x'.repeat(30_000)],
  ])('%s', async (_, key) => {
    const client = new Client(town.web.url, town.web.application, await key());
    expect(faultsOf(await client.get('/resources/notes', town.ada.headers))).toEqual(NO_KEY);
  });

  test.each<[string, () => string]>([
    ['another', () => other.web.application],
    ['of none', () => NO_ID],
    ['empty', () => ''],
    ['in upper case', () => town.web.application.toUpperCase()],
    ['as a list', () => `${town.web.application}, ${town.web.application}`],
    ['of the operator', () => 'system'],
    ['with a path', () => `${town.web.application}/core.user`],
    ['30 KB long', () => 'a'.repeat(30_000)],
  ])('an application id that is not that of the key: %s', async (_, application) => {
    const client = new Client(town.web.url, application(), town.service.key);
    expect(faultsOf(await client.get('/resources/notes'))).toEqual(NO_KEY);
  });
});

test('after all of this nothing is changed, and Ada reads her note', () => town.expectUntouched());
