/** The door of the dashboard, in a real browser: whom it lets in, and what it leaves behind. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { atDoor, DASHBOARD, entered, expectAccessible } from '../../support/dashboard.ts';

const browser = useBrowser();

test('the page has a strict policy: its own scripts and styles, and nothing that stands in it', async () => {
  const answer = await fetch(DASHBOARD);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; ");
});

test('an application id and an API key enter, and stay in the tab alone', async () => {
  const client = await Client.create();
  const page = await entered(browser, client);
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

test.each([
  ['a made-up key', { application: '0123456789abcdef01234567', key: 'made-up' }],
  ['no application of the service', { application: 'none', key: 'made-up' }],
])('%s is refused in plain words', async (_, { application, key }) => {
  const page = await atDoor(browser);
  await page.getByLabel('Application id').fill(application);
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('alert').getByText('Wrong credentials').waitFor();
  expect(browser.troubles()).toEqual([expect.stringMatching(/401/)]);
});

test('a wrong operator secret is refused', async () => {
  const page = await atDoor(browser);
  await page.getByLabel('Operator secret').fill('not the secret');
  await page.getByRole('button', { name: 'Enter as the operator' }).click();
  await page.getByRole('alert').waitFor();
  expect(browser.troubles()).toEqual([expect.stringMatching(/401/)]);
});

test('the door can be used with assistive technology, and on a telephone', async () => {
  await expectAccessible(await atDoor(browser));
});
