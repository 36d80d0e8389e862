/** The ready pages of accounts (docs/accounts.md#ready-pages) in a real browser. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ACCOUNTS_KEY, appAt, begin, mailsTo, setAccounts, signUp } from '../support/accounts.ts';
import { visiting } from '../support/account-page.ts';
import { addAuthenticator, useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { ACL, makeUser, may, PASSWORD } from '../support/people.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser();
const EMAIL = 'grace@shop.example';
const OWN_TOKEN = may('delete', '/users/core\\.user\\.token/(me|[0-9a-f]{24})', ACL);

let client: Client;
let web: Client;
let origin: string;
let address: string;
beforeAll(async () => {
  client = await Client.create('ready pages');
  web = await client.withPermissions([...ACCOUNTS_KEY, OWN_TOKEN]);
  // An address of numbers has no passkeys.
  origin = client.url.replace('127.0.0.1', 'localhost');
  address = `${origin}/account/${web.application}/${web.key}`;
});

test('a stranger signs up, is back in the shop logged in, uses a passkey, resets the password, is erased', async () => {
  const site = `${await serveSite({ '/': '<!doctype html><title>Shop</title>' })}/`;
  await setAccounts(client, {
    ...{
      name: 'The <Shop>',
      colour: '#800040',
      'sign-up': 'open',
      'log-in-by-mail': true,
      'erase-by-mail': true,
    },
    ...{ origins: [origin], 'return-to': [address, site] },
  });
  const page = await browser.open(`${address}?to=${encodeURIComponent(site)}&state=s1`, {
    origins: [origin, site],
  });
  await addAuthenticator(page);
  const { press, fill, says } = visiting(page);
  const follow = async (count: number) => page.goto((await mailsTo(client, EMAIL, count)).at(-1)?.link ?? '');
  await page.getByRole('heading', { name: 'The <Shop>' }).waitFor();
  expect(await page.title()).toBe('The <Shop>');
  const accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent')";
  expect(await page.evaluate(accent)).toBe('#800040');
  await expectAccessible(page);
  await press('Create an account');
  await fill('User name', 'grace');
  await fill('E-mail', EMAIL);
  await fill('Password', 'difference engine');
  await press('Create an account');
  await says('Open the link in your mail');
  await follow(1);
  await press('Confirm the address');
  await says('Your address is confirmed. Log in.');
  await fill('User name or e-mail', 'grace');
  await fill('Password', 'a guess');
  await press('Log in');
  await says('Name or password is wrong.');
  await fill('Password', 'difference engine');
  await press('Log in');
  await page.waitForURL(`${site}#*`);
  const back = new URLSearchParams(new URL(page.url()).hash.slice(1));
  expect(back.get('state')).toBe('s1');
  const me = await web.get('/users/core.user/me', { authorization: `Token ${back.get('token') ?? ''}` });
  expect(me.body.data.attributes?.['username']).toBe('grace');

  // The tab is logged in still. An address that the settings do not have leads nowhere.
  await page.goto(`${address}?to=https://mallory.example/`);
  await says('You are logged in.');
  await press('Add a passkey');
  await says('This device can log you in.');
  await press('Log out');
  await press('Use a passkey');
  await says('You are logged in.');
  await press('Log out');

  await press('Forgot your password?');
  await fill('E-mail', EMAIL);
  await press('Send the mail');
  await says('If there is such an account');
  await follow(2);
  await fill('New password', 'analytical engine');
  await press('Continue');
  await says('Your password is set. Log in.');

  await press('Log in by mail');
  await fill('E-mail', EMAIL);
  await press('Send the mail');
  await says('If there is such an account');
  await fill('Code', (await mailsTo(client, EMAIL, 3)).at(-1)?.code ?? '');
  await press('Continue');
  await says('You are logged in.');
  await press('Delete my account');
  await fill('E-mail', EMAIL);
  await press('Send the mail');
  await follow(4);
  await press('Delete it with all that is mine, for good');
  await says('Your account is gone.');
  expect((await client.get('/users/core.user')).body.data).toEqual([]);
  browser.expects(/403/);
});

test('somebody adds an app for codes, and logs in with a code that was kept', async () => {
  const shop = await Client.create('second factors');
  const key = await shop.withPermissions([...ACCOUNTS_KEY, OWN_TOKEN]);
  await setAccounts(shop, { name: 'Shop', 'second-factor': 'allowed' });
  await makeUser(shop, 'ada');
  const page = await browser.open(`${shop.url}/account/${key.application}/${key.key}`);
  const { press, fill } = visiting(page);
  const logIn = async () => {
    await fill('User name or e-mail', 'ada');
    await fill('Password', PASSWORD);
    await press('Log in');
  };
  await logIn();
  await press('Add a second factor');
  const link = await page.getByRole('link', { name: 'Open the app' }).getAttribute('href');
  const app = appAt(link);
  await page.getByRole('status').getByText(app.secret.base32).waitFor();
  // On a phone nothing is beside the screen.
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await expectAccessible(page);
  await fill('Code', app.generate());
  await press('Continue');
  const codes = page.getByRole('status').getByText('Keep these codes');
  const [kept = ''] = (await codes.textContent())?.match(/(\w{4}-)+\w{4}/) ?? [];
  await press('Continue');
  await press('Log out');
  await logIn();
  await page.getByText('Type the code of your app').waitFor();
  await fill('Code', kept);
  await press('Continue');
  await page.getByText('You are logged in.').waitFor();
  browser.expects(/403/);
});

test('somebody takes their data along', async () => {
  const shop = await Client.create('own data');
  const own = may('get', '/users/core\\.own-data', ACL);
  const key = await shop.withPermissions([...ACCOUNTS_KEY, OWN_TOKEN, own]);
  await setAccounts(shop, { name: 'Shop', 'own-data': true });
  const { link } = await makeUser(shop, 'ada');
  const page = await browser.open(`${shop.url}/account/${key.application}/${key.key}`);
  await page.getByLabel('User name or e-mail', { exact: true }).fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('own-data.json');
  const { data } = JSON.parse(readFileSync(await download.path(), 'utf8')) as { data: readonly object[] };
  expect(data).toEqual([expect.objectContaining({ ...link, attributes: { username: 'ada' } })]);
});

test('a passkey is a second factor: added, asked for after the password, and in place of a required app', async () => {
  const shop = await Client.create('passkeys as factors');
  const key = await shop.withPermissions([...ACCOUNTS_KEY, OWN_TOKEN]);
  const own = shop.url.replace('127.0.0.1', 'localhost');
  const id = await setAccounts(shop, { name: 'Shop', 'second-factor': 'allowed', origins: [own] });
  const page = await browser.open(`${own}/account/${key.application}/${key.key}`, { origins: [own] });
  await addAuthenticator(page);
  const { press, says } = visiting(page);
  const logIn = async (name: string) => {
    await page.getByLabel('User name or e-mail').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Log in');
  };
  for (const name of ['ada', 'grace']) {
    await makeUser(shop, name);
    await logIn(name);
    await says('You are logged in.');
    await press('Add a passkey');
    await says('This device can log you in.');
    if (name === 'ada') {
      await press('Add a second factor');
      await press('Use a passkey');
      await says('Keep these codes');
      await press('Continue');
    }
    await press('Log out');
  }
  await logIn('ada');
  await says('Type the code of your app');
  await expectAccessible(page);
  await press('Use a passkey');
  await says('You are logged in.');
  await press('Log out');
  await logIn('grace');
  await says('You are logged in.');
  await press('Log out');
  await shop.update(`/users/core.account-settings/${id}`, { attributes: { 'second-factor': 'required' } });
  await logIn('grace');
  await press('Use a passkey');
  await says('You are logged in.');
  browser.expects(/403/);
});

test('a refresh token goes with who comes back, and stays nowhere else: it is good once', async () => {
  const shop = await Client.create('refreshed');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  const pages = `${shop.url}/account/${key.application}/${key.key}`;
  const site = `${await serveSite({ '/': '<!doctype html><title>Shop</title>' })}/`;
  await setAccounts(shop, { name: 'Shop', 'token-minutes': 10, 'return-to': [pages, site] });
  await makeUser(shop, 'grace');
  const page = await browser.open(`${pages}?to=${encodeURIComponent(site)}`, { origins: [shop.url, site] });
  await page.getByLabel('User name or e-mail').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL(`${site}#*`);
  const sent = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('refresh-token');
  expect(sent).toMatch(/^[\w-]+$/);
  await page.goto(pages);
  await page.getByText('You are logged in.').waitFor();
  expect(
    await page.evaluate('JSON.stringify([sessionStorage, localStorage, document.cookie])'),
  ).not.toContain(sent);
});

test('a page of the service keeps its login in a cookie, which no script sees', async () => {
  const shop = await Client.create('cookies');
  const key = await shop.withPermissions([...ACCOUNTS_KEY, OWN_TOKEN]);
  const own = shop.url.replace('127.0.0.1', 'localhost');
  await setAccounts(shop, { name: 'Shop', 'token-minutes': 10, cookies: true, origins: [own] });
  await makeUser(shop, 'ada');
  const page = await browser.open(`${own}/account/${key.application}/${key.key}`, { origins: [own] });
  const { application } = key;
  const settings = JSON.stringify({ url: own, application, key: key.key, cookie: true });
  const run = (does: string, more = '{}') =>
    page.evaluate(`(async () => {
      const { connect } = await import('/client.js');
      const db = connect({ ...${settings}, ...${more} });
      ${does};
      return [(await db.me())?.username ?? null, document.cookie];
    })()`);
  const login = JSON.stringify({ username: 'ada', password: PASSWORD });
  expect(await run(`await db.login(${login})`)).toEqual(['ada', '']);
  await page.reload();
  expect(await run('')).toEqual(['ada', '']);
  // A service that was away for a moment is asked again.
  const away =
    '{ retries: 0, fetch: (...sent) => globalThis.back ? fetch(...sent) : Promise.reject(Error()) }';
  expect(await run('await db.me().catch(() => (globalThis.back = true))', away)).toEqual(['ada', '']);
  await page.reload();
  expect(await run('await db.logout()')).toEqual([null, '']);
  await page.reload();
  expect(await run('')).toEqual([null, '']);
  browser.expects(/401/);
});

test('who is invited makes an account, gives what it must, and no password where none logs in', async () => {
  const shop = await Client.create('invitations');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  const pages = `${shop.url}/account/${key.application}/${key.key}`;
  const settings = {
    name: 'Shop',
    'log-in-by-password': false,
    'sign-up': 'invited',
    required: ['nickname'],
  };
  await setAccounts(shop, { ...settings, 'return-to': [pages] });
  await begin(shop, { kind: 'invite', email: EMAIL });
  const [mail] = await mailsTo(shop, EMAIL, 1);
  const page = await browser.open(mail?.link ?? '');
  await page.getByLabel('User name').fill('grace');
  await page.getByLabel('nickname').fill('Amazing Grace');
  expect(await page.getByRole('textbox').count()).toBe(2);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByText('You are logged in.').waitFor();
  const [user] = (await shop.get('/users/core.user')).body.data;
  expect(user?.attributes).toMatchObject({ username: 'grace', nickname: 'Amazing Grace' });
});

test('opening the link of a mail uses no code up, as scanners of mails open links, too: a press does', async () => {
  const shop = await Client.create('pressed links');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  const pages = `${shop.url}/account/${key.application}/${key.key}`;
  await setAccounts(shop, { name: 'Shop', 'sign-up': 'open', 'log-in-by-mail': true, 'return-to': [pages] });
  await signUp(key, { username: 'grace', email: EMAIL, password: PASSWORD });
  const page = await browser.open(pages);
  for (const [count, name, says] of [
    [1, 'Confirm the address', 'Your address is confirmed. Log in.'],
    [2, 'Log in', 'You are logged in.'],
  ] as const) {
    if (name === 'Log in') await begin(key, { kind: 'log-in', email: EMAIL });
    const link = (await mailsTo(shop, EMAIL, count)).at(-1)?.link ?? '';
    // Whoever opens it first, and presses nothing, leaves the code to the reader of the mail.
    for (const visit of ['scanner', 'reader']) {
      await page.goto('about:blank');
      await page.goto(link);
      const button = page.getByRole('button', { name, exact: true });
      await button.waitFor();
      expect(await page.getByRole('textbox').or(page.getByRole('status')).count()).toBe(0);
      if (visit === 'reader') await button.click();
    }
    await page.getByRole('status').getByText(says).waitFor();
  }
});

test('a browser gets pages in its language, where the link to a former address says what it does', async () => {
  const shop = await Client.create('languages');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  await setAccounts(shop, { name: 'Shop' });
  const link = `#kind=undo-address&action=${'0'.repeat(24)}&code=none`;
  for (const [locale, lang, says] of [
    ['en-GB', 'en', 'Take the address back'],
    ['de-AT', 'de', 'Adresse zurückholen'],
    ['fr-CA', 'fr', 'Récupérer l’adresse'],
    ['es-MX', 'es', 'Recuperar la dirección'],
    ['it-CH', 'it', 'Riprendi l’indirizzo'],
    ['pt-BR', 'en', 'Take the address back'],
  ] as const) {
    const page = await browser.open(`${shop.url}/account/${key.application}/${key.key}${link}`, { locale });
    await page.getByRole('button', { name: says, exact: true }).waitFor();
    expect([locale, await page.locator('html').getAttribute('lang')]).toEqual([locale, lang]);
  }
});
