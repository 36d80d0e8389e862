/** Many documents at once, in a real browser: selected, changed, deleted after a question, exported. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, placeTold } from '../../support/dashboard.ts';
import { loadNumbers } from '../../support/demo.ts';
import { makeSchema } from '../../support/type-settings.ts';

const browser = useBrowser();

let client: Client;
let page: Page;
beforeEach(async () => {
  client = await Client.create();
  await loadNumbers(client, 'numbers', 120);
  page = await entered(browser, client, '#/documents/numbers');
  await page.getByText('120 documents').waitFor();
});

/** Selects the rows at these places. */
async function select(...places: readonly number[]): Promise<void> {
  for (const place of places)
    await page
      .getByRole('checkbox', { name: /^Select [0-9a-f]{24}$/ })
      .nth(place)
      .check();
}

const count = async (filter: string) =>
  (await client.get(`/resources/numbers?filter[*]=${encodeURIComponent(filter)}`)).body.meta.count;

test('the selected documents are deleted after a question', async () => {
  await select(0, 2);
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await count('{}')).toBe(120);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete 2 documents' }).click();
  await page.getByText('2 documents deleted').waitFor();
  await page.getByText('118 documents').waitFor();
  expect(await count('{"n":{"$in":[0,2]}}')).toBe(0);
});

test('a field of the selected documents is changed, or goes', async () => {
  await select(1, 3, 4);
  await page.getByRole('button', { name: 'Change a field…' }).click();
  await page.getByLabel('Field', { exact: true }).fill('state');
  await page.getByLabel('New value').fill('open');
  await page.getByText('It is stored as "open"').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change 3 documents' }).click();
  await page.getByText('3 documents changed').waitFor();
  expect(await count('{"state":"open"}')).toBe(3);
  await page.getByRole('cell', { name: 'open' }).first().waitFor();
  await select(1);
  await page.getByRole('button', { name: 'Change a field…' }).click();
  await page.getByLabel('Field', { exact: true }).fill('state');
  await page.getByLabel('Remove the field').check();
  await page.getByRole('button', { name: 'Change 1 document', exact: true }).click();
  await page.getByText('1 document changed').waitFor();
  expect(await count('{"state":"open"}')).toBe(2);
});

test('all that match are meant, loaded or not, and their deletion asks for the type', async () => {
  const bar = page.getByRole('combobox', { name: 'Filter' });
  await bar.fill('n >= 10');
  await bar.press('Enter');
  await page.getByText('110 documents match').waitFor();
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('button', { name: /^Select all 110 that match$/ }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const doing = page.getByRole('button', { name: 'Delete 110 documents' });
  expect(await doing.isDisabled()).toBe(true);
  await page.getByLabel('Type numbers to go on').fill('numbers');
  await doing.click();
  await page.getByText('110 documents deleted').waitFor();
  expect(await count('{}')).toBe(10);
});

test('what the service refuses of a change is told, and nothing is done', async () => {
  await makeSchema(client, 'numbers', { attributes: { properties: { n: { type: 'integer' } } } });
  await select(0, 1);
  await page.getByRole('button', { name: 'Change a field…' }).click();
  await page.getByLabel('Field', { exact: true }).fill('n');
  await page.getByLabel('New value').fill('many');
  await page.getByRole('button', { name: 'Change 2 documents' }).click();
  await placeTold(page.getByRole('dialog').getByRole('alert').first(), 'schema-violation');
  expect(await count('{"n":"many"}')).toBe(0);
  browser.expects(/422/);
});

test('selected documents are exported as JSON, with their kinds', async () => {
  await client.make('numbers', { n: 1000, long: { $numberLong: '9007199254740993' } });
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByText('121 documents').waitFor();
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('button', { name: 'Select all 121 that match' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('numbers.json');
  const documents = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    readonly attributes: object;
  }[];
  expect(documents.length).toBe(121);
  expect(documents.at(-1)?.attributes).toEqual({ n: 1000, long: { $numberLong: '9007199254740993' } });
});

test('the list is saved as CSV: all of its pages, each document once, under one header', async () => {
  await loadNumbers(client, 'numbers', 1_000);
  await client.make('numbers', { n: '=1+1' });
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByText('1,121 documents').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('numbers.csv');
  const [header = '', ...rows] = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect([header.startsWith('id,'), header.split(',').includes('n')]).toEqual([true, true]);
  expect(rows).toHaveLength(1_121);
  expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(1_121);
  expect(rows.at(-1)).toContain("'=1+1");
});
