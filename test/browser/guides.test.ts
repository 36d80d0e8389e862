/** The pages in the guides (docs/guides): saved as printed, with the application and key that the guide has made. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { mailsTo } from '../support/accounts.ts';
import { addAuthenticator, useBrowser } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { GUIDES, pasteGuide } from '../support/guides.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser();

/** The `html` blocks of a guide as a site: `/`, `/1`… */
async function siteOf(guide: string): Promise<{ readonly site: string; readonly client: Client }> {
  const { client, outputs } = await pasteGuide(guide);
  const said = outputs.join('\n');
  const [, application = ''] = /^application: (.*)$/m.exec(said) ?? [];
  const [, key = ''] = /^key: (.*)$/m.exec(said) ?? [];
  const text = readFileSync(join(GUIDES, guide), 'utf8');
  const pages = Array.from(text.matchAll(/^```html\n(.*?)^```$/gms), ([, page = ''], index) => [
    index === 0 ? '/' : `/${index}`,
    page
      .replaceAll('http://127.0.0.1:8787', inject('url'))
      .replaceAll('your application', application)
      .replaceAll('your key', key),
  ]);
  return { site: await serveSite(Object.fromEntries(pages) as Record<string, string>), client };
}

test('accounts.md: a stranger signs up, confirms, logs in with a new passkey, and resets the password', async () => {
  const { client, site } = await siteOf('accounts.md');
  const origin = site.replace('127.0.0.1', 'localhost');
  const [settings] = (await client.get('/users/core.account-settings')).body.data;
  const attributes = { origins: [origin], 'return-to': [`${origin}/`] };
  const { status } = await client.patch(`/users/core.account-settings/${settings?.id ?? ''}`, {
    data: { type: 'core.account-settings', id: settings?.id, attributes },
  });
  expect(status).toBe(200);
  const page = await browser.open(origin, { origins: [client.url] });
  await addAuthenticator(page);
  const press = (name: string) => page.getByRole('button', { name }).click();
  const says = (text: string) => page.getByRole('status').getByText(text).waitFor();
  /** From a mail: as another page, which waits for no reload of this one. */
  const follow = async (link = '') => {
    await page.goto('about:blank');
    await page.goto(link);
  };
  await says('Nobody is logged in.');
  const form = page.locator('#sign-up');
  await form.getByLabel('User name').fill('grace');
  await form.getByLabel('E-mail').fill('grace@shop.example');
  await form.getByLabel('Choose a password').fill('difference engine');
  await press('Sign up');
  await says('Open the link in your mail.');
  const [mail] = await mailsTo(client, 'grace@shop.example', 1);
  await follow(mail?.link);
  await press('Confirm the address');
  await says('Your address is confirmed. Log in.');

  const login = page.locator('#log-in');
  await login.getByLabel('Name or e-mail').fill('grace@shop.example');
  await login.getByLabel('Password').fill('a guess');
  await press('Log in');
  await says('The login is missing or wrong.');
  await login.getByLabel('Password').fill('difference engine');
  await press('Log in');
  await says('Hello, grace!');
  await page.goto(origin);
  await says('Hello, grace!');
  await press('Add a passkey');
  await says('This device can log you in.');
  await press('Log out');
  await says('Nobody is logged in.');
  await press('Use a passkey');
  await says('Hello, grace!');
  await press('Log out');

  await login.getByLabel('Name or e-mail').fill('grace@shop.example');
  await press('Forgot the password');
  await says('Open the link in your mail.');
  const [, reset] = await mailsTo(client, 'grace@shop.example', 2);
  await follow(reset?.link);
  await page.getByLabel('New password').fill('analytical engine');
  await press('Set the password');
  await says('Log in with your new password.');
  await login.getByLabel('Name or e-mail').fill('grace');
  await login.getByLabel('Password').fill('analytical engine');
  await press('Log in');
  await says('Hello, grace!');
  browser.expects(/401/);
});
