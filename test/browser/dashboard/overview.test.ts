/** The overview in a real browser: what an application holds, and the first minute of one that holds nothing. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible } from '../../support/dashboard.ts';
import { loadCars } from '../../support/demo.ts';

const browser = useBrowser();

test('types stand with their counts, and lead to their documents', async () => {
  const client = await Client.create();
  await loadCars(client);
  const page = await entered(browser, client);
  await page.getByRole('link', { name: 'cars 406 documents' }).waitFor();
  await page.getByText('439', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'regions 3 documents' }).click();
  await page.getByRole('heading', { level: 1, name: 'regions' }).waitFor();
});

test('an empty application begins with a first document, and the request that makes it', async () => {
  const client = await Client.create();
  const page = await entered(browser, client);
  await page.getByRole('heading', { name: 'Make a first document' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Type', { exact: true }).fill('books');
  await page.getByLabel('Value 1').fill('<i>Dracula</i>');
  await page.getByRole('button', { name: 'Make it' }).click();
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

test('a name that no type may have is refused in the words of the service', async () => {
  const page = await entered(browser, await Client.create());
  await page.getByLabel('Type', { exact: true }).fill('no such name');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('alert').waitFor();
  expect(browser.troubles()).toEqual([expect.stringMatching(/40\d/)]);
});
