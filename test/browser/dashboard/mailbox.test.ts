/** The mailbox of the dashboard in a real browser: mails as people would have got them. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible } from '../../support/dashboard.ts';
import { sendMail } from '../../support/mails.ts';

const browser = useBrowser();

test('the latest mail is first, its link leads on, its markup is text, and it can be deleted', async () => {
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
});

test('a mailbox without mails says so', async () => {
  const page = await entered(browser, await Client.create('no mails'), '#/mailbox');
  await page.getByText('No mails.').waitFor();
  await expectAccessible(page);
});
