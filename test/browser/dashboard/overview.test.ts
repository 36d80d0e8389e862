/** The overview in a real browser: what an application holds, and the first minute of one that holds nothing. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import {
  atDoor,
  entered,
  enteredAsOperatorIn,
  expectAccessible,
  fillKey,
  goTo,
} from '../../support/dashboard.ts';
import { loadCars } from '../../support/demo.ts';

const browser = useBrowser();

const figureIn = (page: Page, of: string) =>
  page.locator('.figures > div').filter({ hasText: of }).locator('dd');

test('types stand with their counts, and lead to their documents', async () => {
  const client = await Client.create();
  await loadCars(client);
  const page = await entered(browser, client);
  await page.getByRole('link', { name: 'cars 406 documents' }).waitFor();
  // The same number is of what is new.
  await expect.poll(() => figureIn(page, 'documents').innerText()).toBe('439');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'regions 3 documents' }).click();
  await page.getByRole('heading', { level: 1, name: 'regions' }).waitFor();
});

test('the operator sees what is asked, refused, new, and what waits; each figure leads on', async () => {
  const name = `busy ${crypto.randomUUID()}`;
  const client = await Client.create(name);
  const attributes = { target: 'books', url: 'https://foredge.example/hook' };
  await client.create('/webhooks/core.webhook', { attributes });
  for (const title of ['Dracula', 'Carmilla']) await client.make('books', { title });
  for (const digit of ['1', '2', '3']) await client.get(`/resources/books/${digit.repeat(24)}`);
  const page = await enteredAsOperatorIn(browser, client, name, '#/overview');
  const figure = (of: string) => figureIn(page, of);
  await expect.poll(() => figure('new in 7 days').innerText()).toBe('2');
  await expect.poll(() => figure('calls waiting').innerText()).toBe('2');
  await expect.poll(() => figure('errors today').innerText()).toBe('3');
  expect(Number((await figure('requests').innerText()).replaceAll(',', ''))).toBeGreaterThan(5);
  await expectAccessible(page);
  for (const [of, title] of [
    ['requests', 'Usage'],
    ['errors today', 'Requests'],
    ['calls waiting', 'Webhooks'],
  ] as const) {
    await figure(of).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.goBack();
  }
});

test('an empty application begins with a first document, of a type whose name the service takes', async () => {
  const client = await Client.create();
  const page = await entered(browser, client);
  await page.getByRole('heading', { name: 'Create a document' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Type', { exact: true }).fill('no such name');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('alert').waitFor();
  browser.expects(/40\d/);
  await page.getByLabel('Type', { exact: true }).fill('books');
  await page.getByLabel('Value 1').fill('<i>Dracula</i>');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('cell', { name: '<i>Dracula</i>' }).waitFor();
  expect(await page.getByLabel('The same as curl', { exact: true }).innerText()).toContain(
    '"title": "<i>Dracula</i>"',
  );
  const [book] = (await client.get('/resources/books')).body.data;
  expect(book?.attributes).toEqual({ title: '<i>Dracula</i>', words: 1200 });
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Open the table of books' }).click();
  await page.getByRole('table', { name: 'Documents of books' }).waitFor();
});

test('a page that arrives late does not replace the one that was opened meanwhile', async () => {
  const client = await Client.create();
  const page = await atDoor(browser);
  // The overview alone holds the first minute; its part of the program waits until the documents are there.
  let letGo: () => void = () => undefined;
  const isLate = new Promise<void>((resolve) => (letGo = resolve));
  let held = '';
  await page.route('**/assets/dashboard-*.js', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    if (text.includes('The first minute:')) {
      held = route.request().url();
      await isLate;
    }
    await route.fulfill({ response, body: text });
  });
  await fillKey(page, client);
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await goTo(page, '#/documents');
  await page.getByText('No documents yet.').waitFor();
  const arrived = page.waitForResponse((response) => response.url() === held);
  letGo();
  await (await arrived).finished();
  // The module is loaded once: this waits for the same load as the page.
  await page.evaluate(`import(${JSON.stringify(held)}).then(() => undefined)`);
  await page.getByText('No documents yet.').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Documents');
});

test('a page that fails says so in its place, and the menu still leads on', async () => {
  const page = await entered(browser, await Client.create(), '#/overview');
  await page.route('**/assets/dashboard-*.js', async (route) => {
    const response = await route.fetch();
    const torn = (await response.text()).replace('"Mailbox"', '(() => { throw new Error("torn") })()');
    await route.fulfill({ response, body: torn });
  });
  await goTo(page, '#/mailbox');
  await page.getByRole('heading', { name: 'This page has failed' }).waitFor();
  await page.getByRole('alert').getByText('torn').waitFor();
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.getByText('No groups yet.').waitFor();
});
