/** The ready pages of accounts (docs/accounts.md#ready-pages) in a browser without scripts. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { visiting } from '../support/account-page.ts';
import { ACCOUNTS_KEY, appAt, begin, confirmed, mailsTo, setAccounts } from '../support/accounts.ts';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { CLIENT } from '../support/issuer.ts';
import { workerNamed } from '../support/own-service.ts';
import { ACL, may, PASSWORD } from '../support/people.ts';
import { newIssuer, newService } from '../support/scope.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser();
const EMAIL = 'grace@shop.example';

/** A shop, the address of its pages, and a visitor without scripts who has come from the shop. */
async function visit(name: string, settings: object = {}) {
  const site = `${await serveSite({ '/': '<!doctype html><title>Shop</title>' })}/`;
  const client = await Client.create(name);
  const web = await client.withPermissions([
    ...ACCOUNTS_KEY,
    may('delete', '/users/core\\.user\\.token/(me|[0-9a-f]{24})', ACL),
  ]);
  const pages = `${client.url}/account/${web.application}/${web.key}`;
  await setAccounts(client, { name: 'Shop', 'return-to': [pages, site], ...settings });
  const address = `${pages}?to=${encodeURIComponent(site)}&state=s1`;
  const page = await browser.open(address, { scripts: false, origins: [site] });
  return { address, client, page, pages, site, web, ...visiting(page), ...back(web, page, site) };
}

/** Who is back in the shop, by the token in its address. */
function back(web: Client, page: Page, site: string) {
  return {
    isBack: async () => {
      await page.waitForURL(`${site}#*`);
      const sent = new URLSearchParams(new URL(page.url()).hash.slice(1));
      expect(sent.get('state')).toBe('s1');
      const me = await web.get('/users/core.user/me', { authorization: `Token ${sent.get('token') ?? ''}` });
      return me.body.data.attributes?.['username'];
    },
  };
}

test('a stranger signs up, pastes the link of the mail, and is back in the shop by a password', async () => {
  const { client, page, ...own } = await visit('plain sign-up', {
    'sign-up': 'open',
    required: ['nickname'],
  });
  const { fill, isBack, press, says } = own;
  await press('Create an account');
  await fill('User name', 'grace');
  await fill('E-mail', EMAIL);
  await fill('Password', 'short');
  await fill('nickname', '"Amazing" <Grace>');
  await press('Create an account');
  await says('at least 8 characters');
  // What was wrong can be put right, without typing all of it again.
  expect(await page.getByLabel('nickname').inputValue()).toBe('"Amazing" <Grace>');
  expect(await page.getByLabel('Password').inputValue()).toBe('');
  await fill('Password', 'difference engine');
  await press('Create an account');
  await says('Open the link in your mail');
  // Opening it does nothing, and says nothing: what is behind # stays in the browser.
  const [mail] = await mailsTo(client, EMAIL, 1);
  await page.goto(mail?.link ?? '');
  await fill('Link from a mail', mail?.link ?? '');
  await press('Continue');
  await press('Confirm the address');
  await says('Your address is confirmed. Log in.');
  await fill('User name or e-mail', 'grace');
  await fill('Password', 'a guess');
  await press('Log in');
  await says('Name or password is wrong.');
  await fill('Password', 'difference engine');
  await press('Log in');
  expect(await isBack()).toBe('grace');
  const [user] = (await client.get('/users/core.user')).body.data;
  expect(user?.attributes?.['nickname']).toBe('"Amazing" <Grace>');
  browser.expects(/422/, /403/);
});

test('a code from a mail logs in, and resets the password', async () => {
  const shop = await visit('plain codes', { 'sign-up': 'open', 'log-in-by-mail': true });
  const { address, client, fill, isBack, page, press, says, web } = shop;
  await confirmed(client, web, 'grace', PASSWORD);
  const ask = async (view: string, count: number) => {
    await press(view);
    await fill('E-mail', EMAIL);
    await press('Send the mail');
    await says('If there is such an account');
    return (await mailsTo(client, EMAIL, count)).at(-1)?.code ?? '';
  };
  const code = await ask('Log in by mail', 2);
  await fill('Code', 'wrong');
  await press('Continue');
  await says('The code is wrong');
  await fill('Code', code);
  await press('Continue');
  expect(await isBack()).toBe('grace');
  await page.context().clearCookies();
  await page.goto(address);
  await fill('Code', await ask('Forgot your password?', 3));
  await press('Continue');
  await fill('New password', 'analytical engine');
  await press('Continue');
  await says('Your password is set. Log in.');
  await fill('User name or e-mail', EMAIL);
  await fill('Password', 'analytical engine');
  await press('Log in');
  expect(await isBack()).toBe('grace');
  browser.expects(/403/);
});

test('who is invited makes an account', async () => {
  const { client, fill, isBack, press } = await visit('plain invitation', { 'sign-up': 'invited' });
  await begin(client, { kind: 'invite', email: EMAIL });
  const [mail] = await mailsTo(client, EMAIL, 1);
  await fill('Link from a mail', mail?.link ?? '');
  await press('Continue');
  await fill('User name', 'grace');
  await fill('Password', 'difference engine');
  await press('Create an account');
  expect(await isBack()).toBe('grace');
});

test('who must have a second factor adds one, and logs in with its codes', async () => {
  const shop = await visit('plain factors', { 'second-factor': 'required' });
  const { address, client, fill, isBack, page, press, says } = shop;
  await client.create('/users/core.user', { attributes: { username: 'ada', password: PASSWORD } });
  const logIn = async () => {
    await fill('User name or e-mail', 'ada');
    await fill('Password', PASSWORD);
    await press('Log in');
  };
  await logIn();
  const app = appAt(await page.getByRole('link', { name: 'Open the app' }).getAttribute('href'));
  await fill('Code', app.generate());
  await press('Continue');
  await says('Keep these codes');
  const [kept = ''] = (await page.getByRole('status').textContent())?.match(/(\w{4}-)+\w{4}/) ?? [];
  await press('Continue');
  expect(await isBack()).toBe('ada');
  // Whoever is logged in here goes back at once, until they log out.
  await page.goto(address);
  expect(await isBack()).toBe('ada');
  await page.goto(new URL(address).origin + new URL(address).pathname);
  await press('Log out');
  await page.goto(address);
  await logIn();
  await says('Type the code of your app');
  await fill('Code', '000000');
  await press('Continue');
  await says('The code is wrong');
  await fill('Code', kept);
  await press('Continue');
  expect(await isBack()).toBe('ada');
  browser.expects(/403/);
});

test('somebody comes by a link to a provider, gives what lacks, and is back in the shop', async () => {
  const site = `${await serveSite({ '/': '<!doctype html><title>Shop</title>' })}/`;
  const service = await newService({ entry: workerNamed('clock'), settings: { WEBHOOKS_TO_PRIVATE: 'yes' } });
  const client = await service.newClient('plain provider');
  const web = await client.withPermissions(ACCOUNTS_KEY);
  const pages = `${service.url}/account/${web.application}/${web.key}`;
  const issuer = await newIssuer({ redirect: pages, subject: 'ada' });
  const settings = { name: 'Shop', 'sign-up': 'open', required: ['motto'], 'return-to': [pages, site] };
  await setAccounts(client, settings);
  const attributes = { name: 'site', issuer: issuer.url, 'client-id': CLIENT };
  await client.create('/users/core.identity-provider', { attributes });
  const origins = [service.url, issuer.url, site];
  const query = `to=${encodeURIComponent(site)}&state=s1`;
  const page = await browser.open(`${pages}?provider=site&${query}`, { scripts: false, origins });
  const { fill, press } = visiting(page);
  await fill('motto', 'On.');
  await press('Create an account');
  expect(await back(web, page, site).isBack()).toBe('ada');
  // From then on the link alone leads in.
  await page.context().clearCookies({ domain: new URL(service.url).hostname, name: /pages/ });
  await page.goto(`${pages}?provider=site&${query}`);
  expect(await back(web, page, site).isBack()).toBe('ada');
  browser.expects(/422/);
});
