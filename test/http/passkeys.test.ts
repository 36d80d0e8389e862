/** Passkeys (docs/accounts.md#passkeys): what a device has signed logs in, once, on the pages of the application. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, redeem, setAccounts } from '../support/accounts.ts';
import { Authenticator, type Deviation } from '../support/authenticator.ts';
import { Client, type Reply } from '../support/client.ts';
import { logIn, makeUser, PASSWORD, tokenOf, type Person } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { imported } from '../support/transfer.ts';

const ORIGIN = 'https://shop.example';
const PASSKEYS = '/users/core.passkey';

const client = await Client.create('passkeys');
const web = await client.withPermissions(ACCOUNTS_KEY);

function begin(kind: string, headers = {}, by = web): Promise<Reply> {
  return by.create('/users/core.account-action', { attributes: { kind } }, headers);
}

function proveAs(person: Person, id: string, meta: object): Promise<Reply> {
  return web.post(`/users/core.account-action/${id}/redemption`, { meta }, person.headers);
}

const optionsOf = ({ body }: Reply) => body.data.attributes?.['options'];

const anotherApplication = () => Client.create('other');

let last = 0;
const somebody = () => makeUser(client, `person${(last += 1)}`);

async function registered() {
  const person = await somebody();
  const device = new Authenticator(ORIGIN);
  const begun = await begin('register-passkey', person.headers);
  const response = device.register(begun);
  const made = await proveAs(person, begun.body.data.id, { response, name: 'Phone' });
  expect([made.status, made.body.data.type]).toEqual([201, 'core.passkey']);
  return { person, device, passkey: `${PASSKEYS}/${made.body.data.id}`, made };
}

async function enter(device: Authenticator, deviation: Deviation = {}): Promise<Reply> {
  const begun = await begin('log-in-passkey');
  return redeem(web, begun.body.data.id, { response: device.logIn(begun, deviation) });
}

test('without origins in the settings, nothing begins', async () => {
  const person = await somebody();
  expect(codes(await begin('register-passkey', person.headers))).toEqual(['forbidden']);
  expect(codes(await begin('log-in-passkey'))).toEqual(['forbidden']);
});

describe('where the settings name origins', () => {
  beforeAll(() => setAccounts(client, { name: 'Shop', origins: [ORIGIN, 'https://pay.shop.example'] }));

  test('a passkey logs in without a name, and leaves other logins as they are', async () => {
    const { person, device, made } = await registered();
    const { attributes } = made.body.data;
    expect(attributes).toEqual({
      name: 'Phone',
      credential: device.id,
      user: person.link.id,
      created: attributes?.['created'],
    });
    for (let times = 0; times < 2; times += 1) {
      const token = await enter(device);
      const me = await web.get('/users/core.user/me', tokenOf(token));
      expect(me.body.data.id).toBe(person.link.id);
    }
    expect((await web.get('/users/core.user/me', person.headers)).status).toBe(200);
    // On another page of the application, too.
    expect((await enter(device, { origin: 'https://pay.shop.example' })).status).toBe(201);
  });

  test('options say what a browser needs', async () => {
    const person = await somebody();
    const registration = optionsOf(await begin('register-passkey', person.headers));
    expect(registration).toMatchObject({
      rp: { id: 'shop.example', name: 'Shop' },
      user: { id: btoa(person.link.id), name: `person${last}` },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(optionsOf(await begin('log-in-passkey'))).toMatchObject({
      rpId: 'shop.example',
      userVerification: 'required',
    });
  });

  test.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['another relying party', { party: 'evil.example' }],
    ['a signature for a registration', { type: 'webauthn.create' }],
    ['nobody present', { flags: 4 }],
    ['a user who was not verified', { flags: 1 }],
    ['the handle of another user', { userHandle: btoa('0'.repeat(24)) }],
  ])('a login with %s is refused', async (_, deviation) => {
    const { device } = await registered();
    expect(codes(await enter(device, deviation))).toEqual(['invalid-code']);
    expect((await enter(device)).status).toBe(201);
  });

  test.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['another relying party', { party: 'evil.example' }],
    ['a signature for a login', { type: 'webauthn.get' }],
    ['a user who was not verified', { flags: 1 }],
    ['certificates to be looked up', { format: 'android-key' }],
  ])('a registration with %s is refused', async (_, deviation) => {
    const person = await somebody();
    const begun = await begin('register-passkey', person.headers);
    const response = new Authenticator(ORIGIN).register(begun, deviation);
    expect(codes(await proveAs(person, begun.body.data.id, { response }))).toEqual(['invalid-code']);
    expect((await web.get(PASSKEYS, person.headers)).body.data).toEqual([]);
  });

  test('a counter that goes back is refused', async () => {
    const { device } = await registered();
    device.counter = 8;
    expect((await enter(device)).status).toBe(201);
    device.counter = 5;
    expect(codes(await enter(device))).toEqual(['invalid-code']);
    device.counter = 8;
    expect(codes(await enter(device))).toEqual(['invalid-code']);
    expect((await enter(device)).status).toBe(201);
  });

  test('of several logins at once, each is judged by the counter that the others have left', async () => {
    const { device, passkey, person } = await registered();
    const begun = await Promise.all(Array.from({ length: 6 }, () => begin('log-in-passkey')));
    const proofs = begun.map((each) => ({ id: each.body.data.id, response: device.logIn(each) }));
    const [renamed, ...entered] = await Promise.all([
      web.update(passkey, { attributes: { name: 'Old phone' } }, person.headers),
      ...proofs.map(({ id, response }) => redeem(web, id, { response })),
    ]);
    expect(renamed.status).toBe(200);
    expect(entered.at(-1)?.status).toBe(201);
    // The last one has the highest counter, which is stored now.
    device.counter = 5;
    expect(codes(await enter(device))).toEqual(['invalid-code']);
    expect((await enter(device)).status).toBe(201);
  });

  test('an action works once, of many at once too, and a wrong try ends it', async () => {
    const { device } = await registered();
    const begun = await begin('log-in-passkey');
    const { id } = begun.body.data;
    const response = device.logIn(begun);
    const all = await Promise.all(Array.from({ length: 6 }, () => redeem(web, id, { response })));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(codes(await redeem(web, id, { response }))).toEqual(['invalid-code']);
    const other = await begin('log-in-passkey');
    const right = device.logIn(other);
    expect((await redeem(web, other.body.data.id, { response: { ...right, id: 'x' } })).status).toBe(403);
    expect((await redeem(web, other.body.data.id, { response: right })).status).toBe(403);
  });

  test('what was signed for one action is nothing to another, of another kind or application', async () => {
    const { device, person } = await registered();
    const [one, two] = [await begin('log-in-passkey'), await begin('log-in-passkey')];
    const response = device.logIn(one);
    expect((await redeem(web, two.body.data.id, { response })).status).toBe(403);
    const registration = await begin('register-passkey', person.headers);
    expect((await proveAs(person, registration.body.data.id, { response })).status).toBe(403);
    const elsewhere = await anotherApplication();
    await setAccounts(elsewhere, { origins: [ORIGIN] });
    expect((await redeem(elsewhere, one.body.data.id, { response })).status).toBe(403);
    // It has no such passkey, either.
    const there = await begin('log-in-passkey', {}, elsewhere);
    const signed = device.logIn(there);
    expect((await redeem(elsewhere, there.body.data.id, { response: signed })).status).toBe(403);
    expect((await redeem(web, one.body.data.id, { response })).status).toBe(201);
  });

  test('a registration is for the user who began it, and a credential is one user’s', async () => {
    const [person, other] = [await somebody(), await somebody()];
    expect(codes(await begin('register-passkey'))).toEqual(['token-required']);
    const begun = await begin('register-passkey', person.headers);
    const device = new Authenticator(ORIGIN);
    const response = device.register(begun);
    expect((await proveAs(other, begun.body.data.id, { response })).status).toBe(403);
    expect((await redeem(web, begun.body.data.id, { response })).status).toBe(403);
    expect((await proveAs(person, begun.body.data.id, { response })).status).toBe(201);
    const again = await begin('register-passkey', other.headers);
    const taken = device.register(again);
    expect(codes(await proveAs(other, again.body.data.id, { response: taken }))).toEqual(['invalid-code']);
  });

  test('users see, name and remove their own passkeys, and no other’s', async () => {
    const { person, device, passkey } = await registered();
    const other = await somebody();
    expect((await web.get(passkey, other.headers)).status).toBe(403);
    expect((await web.delete(passkey, undefined, other.headers)).status).toBe(403);
    const patch = (attributes: object, more = {}) =>
      web.patch(
        passkey,
        { data: { type: 'core.passkey', id: passkey.slice(-24), attributes, ...more } },
        person.headers,
      );
    expect((await patch({ name: 'Old phone' })).body.data.attributes?.['name']).toBe('Old phone');
    for (const stolen of [
      { user: other.link.id },
      { 'public-key': 'x' },
      { counter: 0 },
      { credential: 'x' },
    ])
      expect(codes(await patch(stolen))).toEqual(['read-only-member']);
    expect((await patch({ name: '' })).status).toBe(422);
    expect((await patch({}, { meta: { update: { $set: { user: other.link.id } } } })).status).toBe(422);
    const list = await web.get(PASSKEYS, person.headers);
    expect(list.body.data.map(({ attributes }) => attributes?.['name'])).toEqual(['Old phone']);
    for (const by of [list, await client.get(passkey)]) expect(by.text).not.toMatch(/public-key|counter/);
    expect((await web.delete(passkey, undefined, person.headers)).status).toBe(204);
    expect(codes(await enter(device))).toEqual(['invalid-code']);
    expect((await web.get('/users/core.user/me', person.headers)).status).toBe(200);
  });

  test('no device has two passkeys of a user, and a user no more than 20', async () => {
    const { person, device } = await registered();
    const options = optionsOf(await begin('register-passkey', person.headers));
    expect(options).toMatchObject({ excludeCredentials: [{ type: 'public-key', id: device.id }] });
    const attributes = { user: person.link.id, name: 'x', 'public-key': 'x', counter: 0 };
    const lines = Array.from({ length: 19 }, (_, n) =>
      JSON.stringify({
        type: 'core.passkey',
        id: n.toString(16).padStart(24, 'a'),
        attributes: { ...attributes, credential: `credential ${n}`, created: new Date() },
      }),
    );
    const begun = await begin('register-passkey', person.headers);
    const stored = await imported(client.application, 'core.passkey', lines.join('\n'), client.url);
    expect(stored.status).toBe(200);
    expect(codes(await begin('register-passkey', person.headers))).toEqual(['change-refused']);
    const response = new Authenticator(ORIGIN).register(begun);
    expect(codes(await proveAs(person, begun.body.data.id, { response }))).toEqual(['change-refused']);
  });

  test('whoever is gone does not log in, and passwords go on', async () => {
    const { person, device } = await registered();
    expect((await logIn(web, `person${last}`, PASSWORD)).status).toBe(201);
    expect((await client.delete(`/users/core.user/${person.link.id}`)).status).toBe(204);
    expect(codes(await enter(device))).toEqual(['invalid-code']);
  });

  test('nobody makes a passkey without its device', async () => {
    const attributes = { user: '0'.repeat(24), credential: 'x', 'public-key': 'x', counter: 0 };
    const made = await client.create(PASSKEYS, { attributes });
    expect(made.status).toBe(405);
  });

  test.each([
    [{}],
    [{ id: 5 }],
    [{ id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: '{', attestationObject: 'oA' } }],
    [{ id: 'a', response: { clientDataJSON: 'e30', attestationObject: '' } }],
    [{ id: 'x'.repeat(2000), response: [] }],
  ])('a response of %.100j is 403', async (response) => {
    const person = await somebody();
    const registration = await begin('register-passkey', person.headers);
    expect((await proveAs(person, registration.body.data.id, { response })).status).toBe(403);
    const login = await begin('log-in-passkey');
    expect((await redeem(web, login.body.data.id, { response })).status).toBe(403);
  });
});

test.each([
  [['http://shop.example']],
  [['https://shop.example/']],
  [['https://127.0.0.1']],
  [['https://[::1]']],
  [['shop.example']],
  ['https://shop.example'],
])('origins of %j are 422', async (origins) => {
  expect((await client.create('/users/core.account-settings', { attributes: { origins } })).status).toBe(422);
});
