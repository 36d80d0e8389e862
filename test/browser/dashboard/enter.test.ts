/** The door of the dashboard, in a real browser: whom it lets in, and what it leaves behind. */
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { atDoor, DASHBOARD, entered, expectAccessible, fillKey } from '../../support/dashboard.ts';
import { EVERY_METHOD, logIn, makeUser, may, PASSWORD } from '../../support/people.ts';

const browser = useBrowser();

test('the page has a strict policy: its own scripts and styles, and nothing that stands in it', async () => {
  const answer = await fetch(DASHBOARD);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; ");
});

test('an application id and an API key enter, and stay in the tab alone', async () => {
  const client = await Client.create();
  const page = await atDoor(browser);
  await fillKey(page, client);
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(page.url()).not.toContain(client.key);
  expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie')).not.toContain(
    client.key,
  );
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByLabel('Application id').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
});

test('new tabs are entered, too, where whoever entered wished it, and leaving one leaves all', async () => {
  const client = await Client.create();
  await client.make('books', { title: 'Emma' });
  const alone = await entered(browser, client);
  const apart = await browser.open(`${DASHBOARD}#/documents/books`, { beside: alone });
  await apart.getByLabel('Enter in new tabs, too').check();
  await fillKey(apart, client);
  await apart.getByLabel('API key').press('Enter');
  await apart.getByText('1 document', { exact: true }).waitFor();
  const second = await browser.open(`${DASHBOARD}#/documents/books`, { beside: alone });
  await second.getByText('1 document', { exact: true }).waitFor();
  expect(await second.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(client.key);
  await second.getByRole('button', { name: 'Leave' }).click();
  await apart.getByLabel('Application id').waitFor();
  await apart.reload();
  await apart.getByLabel('Application id').waitFor();
  expect(await apart.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  await alone.reload();
  await alone.getByRole('navigation', { name: 'Pages' }).waitFor();
});

describe('the menu has the pages that the credentials may open, and nothing is asked in vain', () => {
  const acl = { active: true };
  const login = may('post', '/users/core.user.token');
  const menu = (page: Page) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();

  test('for a key of few paths, which opens at the first of them, also after a reload', async () => {
    const client = await Client.create();
    await makeUser(client, 'ada');
    const page = await entered(
      browser,
      await client.withPermissions([may('get', '/users/.*|/files/core.file')]),
    );
    const opened = async () => {
      await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
      expect(await menu(page)).toEqual([
        'Files',
        'Users',
        'Groups',
        'Accounts',
        'Identity providers',
        'Mailbox',
        'Mail templates',
      ]);
    };
    await opened();
    await page.reload();
    await opened();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('cell', { name: 'ada' }).waitFor();
  });

  test('for a user, under the key that the dashboard offers for users', async () => {
    const client = await Client.create();
    await makeUser(client, 'ada');
    await client.make('notes');
    const key = await client.withPermissions([login, may(EVERY_METHOD, '/resources(/.*)?', { acl })]);
    const page = await atDoor(browser);
    await fillKey(page, key);
    await page.getByLabel('As a user').check();
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByText('as ada').waitFor();
    await page.getByRole('link', { name: 'notes counted by rights' }).waitFor();
    expect(await menu(page)).toEqual(['Overview', 'Documents']);
    // The way on leads to nothing that would refuse them, and no type of unknown size is searched while they write.
    expect(await page.locator('.onward a[href^="#"]').count()).toBe(0);
    const searches: string[] = [];
    page.on('request', (request) => searches.push(decodeURIComponent(request.url())));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find' }).fill('haste');
    await page.getByRole('option', { name: '“haste” in notes by words' }).waitFor();
    await page.getByRole('status').getByText('1 found.').waitFor();
    expect(searches.filter((url) => url.includes('$text'))).toEqual([]);
  });

  test('for a key that lists nothing, which says so', async () => {
    const client = await Client.create();
    const page = await atDoor(browser);
    const { application, key } = await client.withPermissions([login]);
    await fillKey(page, { application, key });
    await page.getByLabel('API key').press('Enter');
    await page.getByText('These credentials may list nothing').waitFor();
    expect(await menu(page)).toEqual([]);
  });

  test('whole, where the service does not say', async () => {
    const client = await Client.create();
    await makeUser(client, 'ada');
    const page = await atDoor(browser);
    await page.route('**/permitted', (route) => route.fulfill({ status: 429, body: '{"errors":[]}' }));
    await fillKey(page, client);
    await page.getByLabel('API key').press('Enter');
    await page.getByRole('heading', { name: 'Create a document' }).waitFor();
    expect(await menu(page)).toContain('Audit trail');
    browser.expects(/429/);
  });
});

test('a made-up key, and one of no application, are refused in plain words', async () => {
  const page = await atDoor(browser);
  for (const application of ['0123456789abcdef01234567', 'none']) {
    await fillKey(page, { application, key: 'made-up' });
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.getByLabel('API key').press('Enter');
    await refused;
    await page.getByRole('alert').getByText('Wrong credentials').waitFor();
  }
  browser.expects(/401/);
});

test('too many failed logins of a user say how long to wait', async () => {
  const client = await Client.create();
  await makeUser(client, 'ada');
  while ((await logIn(client, 'ada', 'a wrong one')).status !== 429);
  const page = await atDoor(browser);
  await fillKey(page, client);
  await page.getByLabel('As a user').check();
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('a wrong one');
  await page.getByLabel('Password').press('Enter');
  await page
    .getByRole('alert')
    .getByText(/There were too many failed logins\. Try again in \d+ seconds\./)
    .waitFor();
  browser.expects(/429/);
});

test('a wrong operator secret is refused, and the right one enters', async () => {
  const page = await atDoor(browser);
  await expectAccessible(page);
  await page.getByLabel('Operator secret').fill('not the secret');
  await page.getByRole('button', { name: 'Enter as the operator' }).click();
  await page.getByRole('alert').waitFor();
  browser.expects(/401/);
  await page.getByLabel('Operator secret').fill(inject('operatorSecret'));
  await page.getByLabel('Operator secret').press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
});
