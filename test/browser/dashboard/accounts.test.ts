/** How people log in, in the dashboard: forms that the service's own description of its types makes. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo, placeTold } from '../../support/dashboard.ts';
import { makeGroup, makeUser } from '../../support/people.ts';

const browser = useBrowser();

test('accounts are opened by a form of their settings, and new users join groups', async () => {
  const client = await Client.create('accounts of the dashboard');
  const group = await makeGroup(client, [await makeUser(client, 'ada')]);
  const data = { ...group, attributes: { name: 'Readers' } };
  await client.patch(`/users/core.user-group/${group.id}`, { data });
  const page = await entered(browser, client, '#/accounts');
  const stored = async () => (await client.get('/users/core.account-settings')).body.data[0]?.attributes;
  const joined = async () => {
    const { data = [] } =
      (await client.get('/users/core.account-settings')).body.data[0]?.relationships?.['groups'] ?? {};
    return [data].flat().map((link) => link?.id);
  };
  await page.getByText('Accounts are closed.').waitFor();
  await page.getByRole('link', { name: 'New setting' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Bookshop');
  await page.getByLabel('Sign up').selectOption('open');
  await page.getByLabel('Log in by mail').selectOption('true');
  // What may be false is not shown so before somebody says it, and can be taken back.
  expect(await page.getByLabel('Log in by password').inputValue()).toBe('-1');
  await page.getByLabel('Cookies').selectOption('true');
  await page.getByLabel('Cookies').selectOption('Not set');
  await page.getByLabel('Minutes', { exact: true }).fill('soon');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await placeTold(page.getByRole('alert'), '/data/attributes/minutes');
  await page.getByLabel('Minutes', { exact: true }).fill('20');
  await page.getByLabel('Return to').fill('https://shop.example/a,b  https://shop.example/c');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Bookshop' }).waitFor();
  expect(await stored()).toMatchObject({
    ...{ name: 'Bookshop', 'sign-up': 'open', 'log-in-by-mail': true, minutes: 20 },
    'return-to': ['https://shop.example/a,b', 'https://shop.example/c'],
  });
  expect((await stored())?.['cookies'] ?? null).toBe(null);
  expect(await page.getByLabel('Scope').count()).toBe(0);
  // What is emptied goes.
  await page.getByLabel('Minutes', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  expect((await stored())?.['minutes'] ?? null).toBe(null);
  await page.getByRole('button', { name: 'Link groups', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Readers' }).click();
  await page
    .getByRole('group', { name: 'groups', exact: true })
    .getByRole('link', { name: 'Readers' })
    .waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(joined).toEqual([group.id]);
  await expectAccessible(page);
  browser.expects(/422/);
});

test('an identity provider is registered, and its secret is neither shown nor kept', async () => {
  const client = await Client.create('providers of the dashboard');
  const page = await entered(browser, client, '#/providers/new');
  await page.getByLabel('Name', { exact: true }).fill('github');
  await page.getByLabel('Client id').fill('dashboard');
  await page.getByLabel('Client secret').fill('hush');
  await page.getByLabel('Scopes').fill('user:email read:user');
  expect(await page.evaluate('JSON.stringify(sessionStorage).includes("hush")')).toBe(false);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'github' }).waitFor();
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
  await expectAccessible(page);
  const { attributes } = (await client.get('/users/core.identity-provider')).body.data[0] ?? {};
  expect(attributes).toMatchObject({ 'client-id': 'dashboard', scopes: ['user:email', 'read:user'] });
  await goTo(page, '#/providers');
  await page.getByRole('cell', { name: 'dashboard' }).waitFor();
});
