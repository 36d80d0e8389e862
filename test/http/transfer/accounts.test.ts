/** What an application's users log in with goes along with its export: passkeys, and apps for codes. */
import { expect, test } from 'vitest';
import { ACCOUNTS_KEY, appAt, begin, redeem, setAccounts } from '../../support/accounts.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { Client } from '../../support/client.ts';
import { logIn, makeUser, PASSWORD, tokenOf } from '../../support/people.ts';
import { exported, imported } from '../../support/transfer.ts';

test('users log in by their passkeys, and with the codes of their apps, where an export is imported', async () => {
  const client = await Client.create();
  const web = await client.withPermissions(ACCOUNTS_KEY);
  const origin = 'https://shop.example';
  await setAccounts(client, { name: 'Shop', origins: [origin], 'second-factor': 'allowed' });
  const ada = await makeUser(client, 'ada');
  const device = new Authenticator(origin);
  const registration = await begin(web, { kind: 'register-passkey' }, ada.headers);
  const response = device.register(registration);
  const made = await redeem(web, registration.body.data.id, { response }, ada.headers);
  expect(made.status).toBe(201);
  const asked = await begin(web, { kind: 'add-second-factor' }, ada.headers);
  const app = appAt(asked.body.data.attributes?.['location']);
  const added = await redeem(web, asked.body.data.id, { code: app.generate() }, ada.headers);
  const [kept] = added.body.meta['recovery-codes'] as readonly string[];

  const other = await Client.create();
  for (const type of ['core.account-settings', 'core.user', 'core.passkey', 'core.second-factor']) {
    const lines = (await exported(client.application, type)).split('\n').filter(Boolean);
    expect((await imported(other.application, type, lines)).status).toBe(200);
  }
  const there = await other.withPermissions(ACCOUNTS_KEY);
  const again = await begin(there, { kind: 'log-in-passkey' });
  const entered = await redeem(there, again.body.data.id, { response: device.logIn(again) });
  expect((await there.get('/users/core.user/me', tokenOf(entered))).body.data.id).toBe(ada.link.id);
  for (const code of [app.generate({ timestamp: Date.now() + 30_000 }), kept]) {
    const refusal = await logIn(there, 'ada', PASSWORD);
    expect(refusal.body.errors.map((each) => each.code)).toEqual(['second-factor-required']);
    const action = String(refusal.body.errors[0]?.meta?.['action']);
    expect((await redeem(there, action, { code })).status).toBe(201);
  }
});
