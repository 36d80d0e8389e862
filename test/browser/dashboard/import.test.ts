/** A file becomes documents, in a real browser: columns, kinds and links, faults by line, and undone again. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible } from '../../support/dashboard.ts';
import { fileOf } from '../../support/transfer-files.ts';

const browser = useBrowser();

let client: Client;
let page: Page;
let berlin: string;
beforeEach(async () => {
  client = await Client.create();
  berlin = (await client.make('cities', { name: 'Berlin' })).id;
  await client.make('shops', { name: 'First' }, { city: { data: { type: 'cities', id: berlin } } });
  page = await entered(browser, client, '#/documents/shops/import');
});

const choose = (name: string, text: string) =>
  page.getByLabel('Choose a file').setInputFiles(fileOf(text, name));
const kindOf = (column: string) => page.getByLabel(`Kind of ${column}`, { exact: true });
const stored = async (query = '') => (await client.get(`/resources/shops?sort=name${query}`)).body;

test('CSV becomes documents, with kinds and links that are guessed, and goes again', async () => {
  const csv = [
    'name;zip code;founded;open;turnover;city-id;tags',
    `"Alpha; the first";01067;2020-05-04;true;12.5;${berlin};"[""a"",""b""]"`,
    `Beta;10115;2021-01-31;false;-3;${berlin};[]`,
    'Gamma;80331;2022-12-24;true;0;;"[""c""]"',
  ].join('\r\n');
  await choose('shops.csv', `\uFEFF${csv}`);
  await page.getByText('shops.csv: 3 documents.').waitFor();
  const kinds = ['name', 'zip code', 'founded', 'open', 'turnover', 'city-id', 'tags'];
  expect(await Promise.all(kinds.map((each) => kindOf(each).inputValue()))).toEqual([
    // A number would lose the nought.
    ...['text', 'text', 'date', 'boolean', 'number', 'link', 'json'],
  ]);
  await page.getByLabel('Field of turnover').fill('sales');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import 3 documents' }).click();
  await page.getByText('3 documents imported, 0 refused.').waitFor();
  const { data } = await stored('&filter[name]="Alpha; the first"');
  expect(data[0]).toMatchObject({
    attributes: {
      'zip-code': '01067',
      founded: '2020-05-04T00:00:00.000Z',
      ...{ open: true, sales: 12.5, tags: ['a', 'b'] },
    },
    relationships: { city: { data: { type: 'cities', id: berlin } } },
  });
  expect((await stored()).meta.count).toBe(4);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.getByText('3 documents removed again.').waitFor();
  expect((await stored()).meta.count).toBe(1);
});

test('what the service refuses is told by line, and keeps no other out', async () => {
  const schema = { type: 'object', properties: { attributes: { properties: { size: { maximum: 9 } } } } };
  const attributes = { target: 'shops', content: schema };
  await client.post('/schemas/core.schema', { data: { type: 'core.schema', attributes } });
  await choose('shops.csv', 'name,size\nA,1\nB,99\nC,3\nD,many\nE,5\n');
  await kindOf('size').selectOption('number');
  await page.getByText('Line 5: size: “many” is no number.').waitFor();
  await page.getByRole('button', { name: 'Import 4 documents' }).click();
  await page.getByText('3 documents imported, 2 refused.').waitFor();
  expect(browser.troubles()).toEqual([expect.stringContaining('422')]);
  await page.getByText(/Line 3: size: .*9/).waitFor();
  expect((await stored()).data.map(({ attributes }) => attributes?.['name'])).toEqual([
    'A',
    'C',
    'E',
    'First',
  ]);
});

test('the table’s own export comes back, and so do an array and lines of JSON', async () => {
  const link = { data: { type: 'cities', id: berlin } };
  const line = { type: 'shops', id: '6b011e2f6aeea231a557b680', attributes: { name: 'X', at: { x: 1 } } };
  await choose('shops.json', `${JSON.stringify({ ...line, relationships: { city: link } })}\n`);
  await page.getByRole('button', { name: 'Import 1 document' }).click();
  await page.getByText('1 document imported, 0 refused.').waitFor();
  await page.reload();
  await choose('shops.json', JSON.stringify([{ name: 'Y', when: { $date: '2026-01-01' } }, { name: 'Z' }]));
  await page.getByRole('button', { name: 'Import 2 documents' }).click();
  await page.getByText('2 documents imported, 0 refused.').waitFor();
  const { data } = await stored();
  expect(data.map(({ attributes }) => attributes)).toEqual([
    { name: 'First' },
    { name: 'X', at: { x: 1 } },
    { name: 'Y', when: '2026-01-01T00:00:00.000Z' },
    { name: 'Z' },
  ]);
  expect(data[1]?.relationships?.['city']?.data).toEqual(link.data);
});

test('a file that is none is told', async () => {
  await choose('empty.csv', 'name\n');
  await page.getByText('The file has no rows.').waitFor();
  await choose('wrong.json', '[1]');
  await page.getByText('Line 1 is no JSON object.').waitFor();
  await choose('open.csv', 'name\n"never closed\n');
  await page.getByRole('alert').getByText(/Quote/).waitFor();
});
