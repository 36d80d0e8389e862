/** The ready pages at an identity provider, in a real browser (docs/accounts.md#identity-providers). */
import { afterAll, expect, test } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { ACCOUNTS_KEY, setAccounts } from '../support/accounts.ts';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { CLIENT, Issuer } from '../support/issuer.ts';
import { OwnService, SECRETS } from '../support/own-service.ts';

const browser = useBrowser();

const service = await OwnService.start({ settings: { WEBHOOKS_TO_PRIVATE: 'yes' } });
afterAll(() => service.stop());

test('somebody continues with a provider, and is logged in', async () => {
  const { id, apiKey } = await new Operator(service.url, SECRETS.OPERATOR_SECRET).create('providers');
  const client = new Client(service.url, id, apiKey);
  const web = await client.withPermissions(ACCOUNTS_KEY);
  const address = `${service.url}/account/${web.application}/${web.key}`;
  const { issuer, stop } = await Issuer.start({ redirect: address, subject: 'ada' });
  await setAccounts(client, { name: 'Shop', 'sign-up': 'open', 'return-to': [address] });
  const attributes = { name: 'site', issuer: issuer.url, 'client-id': CLIENT };
  await client.post('/users/core.identity-provider', {
    data: { type: 'core.identity-provider', attributes },
  });
  const page = await browser.open(address, { origins: [issuer.url] });
  await page.getByRole('button', { name: 'Continue with site' }).click();
  await page.getByText('You are logged in.').waitFor();
  const [user] = (await client.get('/users/core.user')).body.data;
  expect(user?.attributes).toMatchObject({ username: 'ada', 'confirmed-email': 'ada@shop.example' });
  await stop();
});
