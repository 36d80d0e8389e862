/** The mailbox of the dashboard in a real browser: mails as people would have got them. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { ACCOUNTS_KEY, setAccounts, signUp } from '../../support/accounts.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, placeTold } from '../../support/dashboard.ts';
import { sendMail } from '../../support/mails.ts';
import { newService } from '../../support/scope.ts';

const browser = useBrowser();

test('the latest mail is first, its link leads on, its markup is text, and all can be deleted', async () => {
  const client = await Client.create('mailbox of the dashboard');
  const link = 'https://shop.example/account#kind=log-in&action=6b01&code=a_-b';
  await sendMail(client, { subject: 'The first' });
  await sendMail(client, {
    subject: '<img src=x onerror="alert(1)">',
    text: `Open this link: ${link}.\n\njavascript:alert(1) is none.`,
    html: '<script>alert(1)</script>',
  });
  const page = await entered(browser, client, '#/mailbox');
  const mails = page.getByRole('article', { name: 'Mail to ada@example.org' });
  await mails.nth(1).waitFor();
  const latest = mails.first();
  expect(await latest.getByRole('heading').textContent()).toBe('<img src=x onerror="alert(1)">');
  const links = latest.getByRole('link');
  expect(await links.count()).toBe(1);
  expect(await links.first().getAttribute('href')).toBe(link);
  await expectAccessible(page);
  await latest.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the mail' }).click();
  await page.getByText('The mail was deleted.').waitFor();
  await mails.nth(1).waitFor({ state: 'detached' });
  expect(await mails.first().getByRole('heading').textContent()).toBe('The first');
  await latest.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the mail' }).click();
  await page.getByText('No mails.').waitFor();
  await expectAccessible(page);
});

test('a mail that could not be sent is seen, and tried again', async () => {
  const service = await newService({
    settings: { SMTP_URL: 'smtp://127.0.0.1:9', DELIVERY_PAUSE: '50', DELIVERY_TRIES: '1' },
  });
  const { client } = service;
  await setAccounts(client, { 'sign-up': 'open', sender: 'shop@example.com' });
  const web = await client.withPermissions(ACCOUNTS_KEY);
  await signUp(web, { username: 'ada', email: 'ada@shop.example', password: 'a long difference' });
  const dead = async () => (await client.get('/users/core.mail/deliveries')).body.meta['dead'];
  await expect.poll(dead).toBe(1);
  const page = await entered(browser, client, '#/mailbox');
  await page.getByText('1 given up').waitFor();
  await page.getByRole('cell', { name: 'confirm-address' }).waitFor();
  await expectAccessible(page);
  const read = page.waitForResponse(
    (response) => response.url().endsWith('/deliveries') && response.request().method() === 'GET',
  );
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('Queued again.').waitFor();
  await (await read).finished();
});

test('a template of mails is written, seen with examples, changed and deleted', async () => {
  const client = await Client.create('templates of the dashboard');
  const page = await entered(browser, client, '#/templates');
  await page.getByText('No templates yet.').waitFor();
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByLabel('Mail', { exact: true }).fill('log-in.de');
  await page.getByLabel('Subject', { exact: true }).fill('Anmelden bei {{shop}}');
  await page.getByLabel('Text', { exact: true }).fill('Hallo {{username}},\n\nder Code ist {{code}}.');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await placeTold(page.getByRole('alert'), '/data/attributes/subject');
  await page.getByLabel('Subject').fill('Anmelden bei {{name}}');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'log-in.de' }).waitFor();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('heading', { name: 'Anmelden bei Bookshop' }).waitFor();
  await preview.getByText('der Code ist 123456.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Text', { exact: true }).fill('<b>{{username}}</b>: {{link}}');
  await page.getByLabel('HTML', { exact: true }).fill('<p>{{link}}</p>');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await preview.getByText('<b>ada</b>:').waitFor();
  const [{ attributes } = {}] = (await client.get('/users/core.mail-template')).body.data;
  expect(attributes).toMatchObject({ name: 'log-in.de', html: '<p>{{link}}</p>' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete now' }).click();
  await page.getByText('No templates yet.').waitFor();
  browser.expects(/422/);
});
