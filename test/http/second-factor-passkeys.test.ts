/** Passkeys as second factors (docs/accounts.md#second-factors): what a device signs stands in the place of a code. */
import type { TOTP } from 'otpauth';
import { beforeEach, expect, test } from 'vitest';
import { ACCOUNTS_KEY, appAt, begin, redeem, setAccounts } from '../support/accounts.ts';
import { Authenticator, type Deviation } from '../support/authenticator.ts';
import { Client } from '../support/client.ts';
import { logIn, makeUser, PASSWORD, tokenOf } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { faultsOf } from '../support/faults.ts';

const ORIGIN = 'https://shop.example';

const client = await Client.create('passkeys as factors');
const web = await client.withPermissions(ACCOUNTS_KEY);
const settings = await setAccounts(client, { 'second-factor': 'allowed', origins: [ORIGIN] });

type Headers = Readonly<Record<string, string>>;
const start = (kind: string, headers: Headers = {}) => begin(web, { kind }, headers);

let last = 0;

/** Somebody with a passkey, logged in. */
async function somebody() {
  const username = `person${(last += 1)}`;
  const { headers } = await makeUser(client, username);
  const phone = new Authenticator(ORIGIN);
  const begun = await start('register-passkey', headers);
  const response = phone.register(begun);
  expect((await redeem(web, begun.body.data.id, { response }, headers)).status).toBe(201);
  return { enter: () => logIn(web, username, PASSWORD), headers, phone };
}

let ada: Awaited<ReturnType<typeof somebody>>;
beforeEach(async () => {
  ada = await somebody();
});

/** An app for codes beside the passkey. */
async function addApp(): Promise<TOTP> {
  const begun = await start('add-second-factor', ada.headers);
  const app = appAt(begun.body.data.attributes?.['location']);
  expect((await redeem(web, begun.body.data.id, { code: app.generate() }, ada.headers)).status).toBe(201);
  return app;
}

async function offered() {
  const reply = await ada.enter();
  expect([reply.status, codes(reply)]).toEqual([403, ['second-factor-required']]);
  const { action, options, location } = reply.body.errors[0]?.meta ?? {};
  return { action: String(action), options, location };
}

const sign = (by: Authenticator, options: unknown, deviation: Deviation = {}) =>
  by.logIn({ body: { data: { attributes: { options } } } }, deviation);

test('a passkey proves a login by password in the place of a code, once', async () => {
  const app = await addApp();
  const { phone } = ada;
  const { action, options, location } = await offered();
  expect([location, options]).toEqual([
    undefined,
    expect.objectContaining({ allowCredentials: [{ type: 'public-key', id: phone.id }] }),
  ]);
  const response = sign(phone, options);
  const all = await Promise.all([1, 2, 3].map(() => redeem(web, action, { response })));
  expect(all.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  // Nor does it prove another login.
  expect(codes(await redeem(web, (await offered()).action, { response }))).toEqual(['invalid-code']);
  // The app, and its codes, are good still.
  const code = app.generate({ timestamp: Date.now() + 30_000 });
  expect((await redeem(web, (await offered()).action, { code })).status).toBe(201);
});

test('a passkey adds the factor, has recovery codes, and takes it away', async () => {
  const { enter, phone } = ada;
  let { headers } = ada;
  expect((await enter()).status).toBe(201);
  const begun = await start('add-second-factor', headers);
  const { id, attributes = {} } = begun.body.data;
  const added = await redeem(web, id, { response: sign(phone, attributes['options']) }, headers);
  const recovery = added.body.meta['recovery-codes'] as readonly string[];
  expect([added.status, recovery.length]).toEqual([201, 10]);
  for (const _ of [1, 2]) {
    const { action, options } = await offered();
    expect((await redeem(web, action, { response: sign(phone, options) })).status).toBe(201);
  }
  const lost = await redeem(web, (await offered()).action, { code: recovery[0] });
  expect(lost.status).toBe(201);
  headers = tokenOf(lost);
  const removing = (await start('remove-second-factor', headers)).body.data;
  const response = sign(phone, removing.attributes?.['options']);
  expect((await redeem(web, removing.id, { response }, headers)).status).toBe(201);
  expect((await enter()).status).toBe(201);
});

test.each<[string, (phone: Authenticator, options: unknown) => Promise<object> | object]>([
  [
    'of somebody else',
    async (_, options) => {
      const { phone } = await somebody();
      return sign(phone, options);
    },
  ],
  ['on another page', (phone, options) => sign(phone, options, { origin: 'https://mallory.example' })],
  ['without its user', (phone, options) => sign(phone, options, { flags: 1 })],
  [
    'that signed another login',
    async (phone) => sign(phone, (await start('log-in-passkey')).body.data.attributes?.['options']),
  ],
  ['of nothing', () => ({})],
])('a passkey %s proves no login', async (_, response) => {
  await addApp();
  const { action, options } = await offered();
  const meta = { response: await response(ada.phone, options) };
  expect(faultsOf(await redeem(web, action, meta))).toEqual(['403 invalid-code /meta/response']);
});

test('a passkey does not log in by what was signed as a second factor', async () => {
  await addApp();
  const { options } = await offered();
  const login = await start('log-in-passkey');
  expect(codes(await redeem(web, login.body.data.id, { response: sign(ada.phone, options) }))).toEqual([
    'invalid-code',
  ]);
});

test('where one is required, whoever has a passkey is asked for it: a stolen password adds no app', async () => {
  const change = async (value: string) => {
    const data = { type: 'core.account-settings', id: settings, attributes: { 'second-factor': value } };
    await client.patch(`/users/core.account-settings/${settings}`, { data });
  };
  await change('required');
  const { action, options, location } = await offered();
  expect([location, codes(await redeem(web, action, { code: '000000' }))]).toEqual([
    undefined,
    ['invalid-code'],
  ]);
  expect((await redeem(web, action, { response: sign(ada.phone, options) })).status).toBe(201);
  await change('allowed');
});
