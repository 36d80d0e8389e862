/** The ready pages at an identity provider, in a real browser (docs/accounts.md#identity-providers). */
import { expect, test } from 'vitest';
import { ACCOUNTS_KEY, setAccounts } from '../support/accounts.ts';
import { visiting } from '../support/account-page.ts';
import { addAuthenticator, useBrowser } from '../support/browser.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { CLIENT } from '../support/issuer.ts';
import { workerNamed } from '../support/own-service.ts';
import { ACL, may } from '../support/people.ts';
import { newIssuer, newService } from '../support/scope.ts';

const browser = useBrowser();

const service = await newService({
  entry: workerNamed('clock'),
  settings: { WEBHOOKS_TO_PRIVATE: 'yes' },
});

const OWN_IDENTITIES = may('get delete', '/users/core\\.identity(/[0-9a-f]{24})?', ACL);

/** A page on which somebody has come back from a provider. */
async function enter(subject: string, settings: object = {}) {
  const client = await service.newClient(subject);
  const web = await client.withPermissions([...ACCOUNTS_KEY, OWN_IDENTITIES]);
  // An address of numbers has no passkeys.
  const origin = service.url.replace('127.0.0.1', 'localhost');
  const address = `${origin}/account/${web.application}/${web.key}`;
  const issuer = await newIssuer({ redirect: address, subject });
  const open = { name: 'Shop', 'sign-up': 'open', origins: [origin], 'return-to': [address] };
  await setAccounts(client, { ...open, ...settings });
  const attributes = { name: 'site', issuer: issuer.url, 'client-id': CLIENT };
  await client.create('/users/core.identity-provider', { attributes });
  const page = await browser.open(address, { origins: [origin, issuer.url] });
  await page.getByRole('link', { name: 'Continue with site' }).click();
  return { client, page };
}

test('somebody continues with a provider, and is logged in', async () => {
  const { client, page } = await enter('ada');
  await page.getByText('You are logged in.').waitFor();
  const [user] = (await client.get('/users/core.user')).body.data;
  expect(user?.attributes).toMatchObject({ username: 'ada', 'confirmed-email': 'ada@shop.example' });
});

test('who comes for the first time gives what an account must have, and is told what is wrong', async () => {
  const { client, page } = await enter('grace', { required: ['motto', 'language'] });
  const send = async (language: string) => {
    await page.getByLabel('motto').fill('On.');
    await page.getByLabel('language').fill(language);
    await page.getByRole('button', { name: 'Create an account' }).click();
  };
  await page.getByLabel('motto').waitFor();
  await expectAccessible(page);
  await send('no language');
  await page.getByText('This is no language').waitFor();
  await send('de');
  await page.getByText('You are logged in.').waitFor();
  const [user] = (await client.get('/users/core.user')).body.data;
  expect(user?.attributes).toMatchObject({ username: 'grace', language: 'de', motto: 'On.' });
  browser.expects(/422/);
});

test('a passkey is renamed, and an identity removed: by who has just logged in, and has another way in', async () => {
  const { client, page } = await enter('unverified-ada');
  await page.getByText('You are logged in.').waitFor();
  await addAuthenticator(page);
  const { press, says } = visiting(page);
  await press('Passkeys and logins elsewhere');
  await press('Remove site');
  await says('This is your only way in.');
  await press('Back');
  await press('Add a passkey');
  await says('This device can log you in.');
  await press('Passkeys and logins elsewhere');
  await press('Rename Passkey');
  await page.getByLabel('Name', { exact: true }).fill('Phone');
  await press('Continue');
  await page.getByRole('button', { name: 'Remove Phone' }).waitFor();
  await expectAccessible(page);
  await fetch(`${service.url}/test/clock?ahead=${11 * 60_000}`, { method: 'POST' });
  await press('Remove site');
  await says('Your login is too old for this. Log in again.');
  await press('Use a passkey');
  await says('You are logged in.');
  await press('Passkeys and logins elsewhere');
  await press('Remove site');
  await page.getByRole('button', { name: 'Remove site' }).waitFor({ state: 'detached' });
  expect((await client.get('/users/core.identity')).body.data).toEqual([]);
  browser.expects(/409/, /403/);
});
