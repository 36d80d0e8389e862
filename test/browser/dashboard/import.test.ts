/** Files become documents, in a real browser: mapped and shown before, written by anybody who may, and undone. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import {
  button,
  entered,
  enteredAsOperatorIn,
  enteredAsUser,
  expectAccessible,
  goTo,
  placeTold,
} from '../../support/dashboard.ts';
import { ACL, EVERY_METHOD, grant, makeUser, may } from '../../support/people.ts';
import { fileOf } from '../../support/transfer-files.ts';
import { makeSchema, settle } from '../../support/type-settings.ts';

const browser = useBrowser();

/** Chooses a file on the page of a type, or of all types. */
async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel('Import', { exact: true }).setInputFiles(fileOf(text, name));
  await page.getByRole('table', { name: 'First documents' }).waitFor();
}

const all = async (client: Client, type: string) =>
  (await client.get(`/resources/${type}?sort=id`)).body.data.map(({ attributes, relationships = {} }) => ({
    ...attributes,
    ...Object.fromEntries(Object.entries(relationships).map(([name, { data }]) => [name, data])),
  }));

test('a CSV becomes documents with links found by name; bad lines are named, and undo removes the rest', async () => {
  const client = await Client.create();
  const ada = await client.make('customers', { name: 'Ada' });
  await client.make('customers', { name: 'Twin' });
  await client.make('customers', { name: 'Twin' });
  await client.make('orders', { n: 1 }, { customer: { data: ada } });
  const page = await entered(browser, client, '#/documents/orders');
  await page.getByText('1 document', { exact: true }).waitFor();
  const csv = [
    'n;customer;zip;on;"note, ""long"""',
    '2;Ada;01234;2026-05-04;"two\r\nlines"',
    '3;Bob;01234;2026-05-05;',
    '4;Twin;01234;2026-05-06;',
    '5;Ada',
    '6;Ada;01234;2026-05-07;',
    '',
  ];
  await choose(page, 'orders.csv', csv.join('\r\n'));
  await page.getByText('2 documents can be imported, 3 left out.').waitFor();
  for (const fault of [
    'Line 4: customer: No document of customers has the name “Bob”.',
    'Line 5: customer: 2 documents of customers have the name “Twin”.',
    'Line 6: It has 2 cells, and the first line 5.',
  ])
    await page.getByText(fault).waitFor();
  expect(await all(client, 'orders')).toHaveLength(1);
  await expectAccessible(page);
  await button(page, 'Import 2 documents').click();
  await page.getByText('2 imported, 0 refused, 3 left out.').waitFor();
  const link = { type: ada.type, id: ada.id };
  expect(await all(client, 'orders')).toEqual([
    { n: 1, customer: link },
    { n: 2, customer: link, zip: '01234', on: '2026-05-04T00:00:00.000Z', 'note "long"': 'two\r\nlines' },
    { n: 6, customer: link, zip: '01234', on: '2026-05-07T00:00:00.000Z' },
  ]);
  const changed = (await client.get('/resources/orders?filter[n]=6')).body.data[0];
  await client.patch(`/resources/orders/${String(changed?.id)}`, {
    data: { type: 'orders', id: changed?.id, attributes: { n: 7 } },
  });
  await button(page, 'Undo').click();
  await page.getByText('1 document deleted. 1 has been changed since and stays.').waitFor();
  expect((await all(client, 'orders')).map(({ n }) => n)).toEqual([1, 7]);
});

/** What "Export as JSON" and the button CSV of the table save. */
async function saved(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return readFileSync(await download.path(), 'utf8');
}

test('what a table has exported comes in with its kinds and links, as JSON and as CSV', async () => {
  const client = await Client.create();
  const ada = await client.make('people', { name: 'Ada' });
  const attributes = {
    long: { $numberLong: '9007199254740993' },
    on: { $date: '2026-05-04T10:00:00.000Z' },
    at: { type: 'Point', coordinates: [12.5, 41.9] },
    text: '=1+1',
    code: '007',
    deep: { list: [1, 'two'] },
  };
  await client.make('notes', attributes, { author: { data: ada }, readers: { data: [ada] } });
  const page = await entered(browser, client, '#/documents/notes');
  await page.getByText('1 document', { exact: true }).waitFor();
  const csv = await saved(page, 'CSV');
  await page.getByLabel('Select all that are loaded').check();
  const json = await saved(page, 'Export as JSON');
  const [was] = await all(client, 'notes');
  for (const [name, text] of [
    ['notes.json', json],
    ['notes.csv', csv],
  ] as const) {
    await goTo(page, '#/documents/notes');
    await choose(page, name, text);
    await button(page, 'Import 1 document').click();
    await page.getByText('1 imported, 0 refused, 0 left out.').waitFor();
    expect((await all(client, 'notes')).at(-1), name).toEqual(was);
  }
  expect((await client.get('/resources/notes?filter[long]={"$type":"long"}')).body.meta.count).toBe(3);
});

test('a user imports under ACL: what a schema refuses is told by line, corrected and sent, all is undone', async () => {
  const client = await Client.create();
  await makeSchema(client, 'books', { attributes: { properties: { pages: { type: ['number', 'null'] } } } });
  await makeUser(client, 'ann');
  const key = await client.withPermissions([
    may('post', '/users/core.user.token'),
    may(EVERY_METHOD, '/.*', ACL),
  ]);
  const page = await enteredAsUser(browser, key, 'ann', '#/documents/books');
  const lines = [
    '{"foredge":{"export":1}}',
    JSON.stringify({ type: 'books', id: 'a'.repeat(24), attributes: { title: 'Emma', pages: 474 } }),
    JSON.stringify({ type: 'books', id: 'b'.repeat(24), attributes: { title: 'Persuasion', pages: '249' } }),
    '{"type": "books", "attributes": ',
    JSON.stringify({ type: 'authors', attributes: { name: 'Jane' } }),
  ];
  await choose(page, 'books.ndjson', lines.join('\n'));
  await page.getByText(/^Line 4: It is no JSON/).waitFor();
  await page.getByText('Line 5: It is of type authors.').waitFor();
  await page.getByLabel('Kind of pages').selectOption('as it is');
  await button(page, 'Import 2 documents').click();
  await page.getByText('1 imported, 1 refused, 2 left out.').waitFor();
  await page.getByText(/^Line 3: pages: /).waitFor();
  await page.getByLabel('Kind of pages').selectOption('number');
  await button(page, 'Import the other 1 document').click();
  await page.getByText('2 imported, 0 refused, 2 left out.').waitFor();
  expect(await all(client, 'books')).toEqual([
    { title: 'Emma', pages: 474 },
    { title: 'Persuasion', pages: 249 },
  ]);
  await button(page, 'Undo').click();
  await page.getByText('2 documents deleted.').waitFor();
  expect(await all(client, 'books')).toEqual([]);
});

test('a dropped file is of the type that it is named after, with ids where clients may choose them', async () => {
  const client = await Client.create();
  await settle(client, { name: 'price-list', 'client-ids': true });
  const page = await entered(browser, client, '#/documents');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  const transfer = await page.evaluateHandle<unknown>(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['id,price.eur,type\\n${'c'.repeat(24)},1.5,retail\\nx,2,'], 'Price list.csv'));
    return transfer;
  })()`);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  await page.getByText('Drop the file').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  await page.getByText('Line 3: id: “x” is no id of 24 hexadecimal digits.').waitFor();
  await page.getByLabel('Field of type').fill('sort');
  await page.getByRole('columnheader', { name: 'sort' }).waitFor();
  await button(page, 'Import 1 document').click();
  await page.getByText('1 imported').waitFor();
  const [made] = (await client.get('/resources/price-list')).body.data;
  expect(made).toMatchObject({ id: 'c'.repeat(24), attributes: { price: { eur: 1.5 }, sort: 'retail' } });
});

test('the page of exports leads there with what is no export', async () => {
  const name = `imports ${crypto.randomUUID()}`;
  const page = await enteredAsOperatorIn(browser, await Client.create(name), name, '#/transfer');
  await page.getByLabel('File', { exact: true }).setInputFiles(fileOf('n\n1\n', 'numbers.csv'));
  await button(page, 'Import').click();
  await page.getByText('1 document can be imported, 0 left out.').waitFor();
});

test('what is no table is refused in plain words', async () => {
  const page = await entered(browser, await Client.create(), '#/documents/books/import');
  await page.getByText('No file is chosen.').waitFor();
  for (const [name, text, words] of [
    ['empty.csv', 'name\n', 'The file has no rows.'],
    ['open.csv', 'name\n"never closed\n', /Quote Not Closed/],
    ['cut.json', '[\n{"a": 1},\n{"a": ', 'The file is no JSON at line 3.'],
    [
      'old.csv',
      Uint8Array.of(0x6e, 0x0a, 0xe9),
      'The file is not UTF-8. A spreadsheet saves it so as “CSV UTF-8”.',
    ],
  ] as const) {
    await page.getByLabel('Import', { exact: true }).setInputFiles(fileOf(text, name));
    await page.getByRole('alert').getByText(words).waitFor();
  }
});

test('a key that permits no lists writes one by one; one that may not create says so once', async () => {
  const client = await Client.create();
  await makeUser(client, 'ann');
  const key = await client.withPermissions([
    may('post', '/users/core.user.token'),
    may(EVERY_METHOD, '/resources/books(/.*)?', ACL),
    may('get', '/resources/others', ACL),
  ]);
  const page = await enteredAsUser(browser, key, 'ann', '#/documents/books');
  const rows = Array.from({ length: 20 }, (_, n) => `{"n":${n}}`).join('\n');
  await choose(page, 'books.ndjson', rows);
  await button(page, 'Import 20 documents').click();
  await page.getByText('20 imported, 0 refused, 0 left out.').waitFor();
  expect(
    (await all(client, 'books')).map(({ n }) => n).sort((one, other) => Number(one) - Number(other)),
  ).toEqual([...Array(20).keys()]);
  await button(page, 'Undo').click();
  await page.getByText('20 documents deleted.').waitFor();
  await goTo(page, '#/documents/others/import');
  await choose(page, 'others.ndjson', rows);
  await button(page, 'Import 20 documents').click();
  await placeTold(page.getByRole('alert').first(), '403 forbidden');
  browser.expects(/403/);
});

test('one by one, a refusal and a failed request leave the others made, counted, sent once, and undone', async () => {
  const client = await Client.create();
  const ann = await makeUser(client, 'ann');
  await settle(client, {
    name: 'books',
    rights: { read: ['$shelf'], delete: ['$shelf'], create: ['$shelf.update'] },
  });
  const shelves = [await client.make('shelves'), await client.make('shelves')] as const;
  for (const { id } of shelves) await grant(client, `/resources/shelves/${id}`, { read: [ann.link] });
  await grant(client, `/resources/shelves/${shelves[1].id}`, {
    read: [ann.link],
    update: [ann.link],
    delete: [ann.link],
  });
  const key = await client.withPermissions([
    may('post', '/users/core.user.token'),
    may(EVERY_METHOD, '/resources/(books|shelves)(/.*)?', ACL),
  ]);
  const page = await enteredAsUser(browser, key, 'ann', '#/documents/books');
  const numbers = async () =>
    (await all(client, 'books')).map(({ n }) => Number(n)).sort((one, other) => one - other);
  await page.route('**/resources/books', (route) =>
    route.request().postData()?.includes('"n":12') === true ? route.abort() : route.fallback(),
  );
  const rows = Array.from({ length: 20 }, (_, n) => JSON.stringify({ n, shelf: shelves[n === 0 ? 0 : 1] }));
  await choose(page, 'books.ndjson', rows.join('\n'));
  await button(page, 'Import 20 documents').click();
  await page.getByText('14 imported, 1 refused, 0 left out.').waitFor();
  expect(await numbers()).toEqual([...Array(16).keys()].filter((n) => n !== 0 && n !== 12));
  await page.unroute('**/resources/books');
  await button(page, 'Import the other 6 documents').click();
  await page.getByText('19 imported, 1 refused, 0 left out.').waitFor();
  expect(await numbers()).toEqual([...Array(20).keys()].slice(1));
  await page.route('**/resources/books/*', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/vnd.api+json',
      json: { errors: [{ status: '409', code: 'conflict', detail: 'Others link to it.' }] },
    }),
  );
  await button(page, 'Undo').click();
  await page.getByText('0 documents deleted. 19 could not be: Others link to it.').waitFor();
  await page.unroute('**/resources/books/*');
  await button(page, 'Undo').click();
  await page.getByText('19 documents deleted.').waitFor();
  expect(await numbers()).toEqual([]);
  browser.expects(/40[39]|ERR_FAILED/);
});

test('a type that is typed while documents of another one are made has its own, and either can be undone', async () => {
  const client = await Client.create();
  const page = await entered(browser, client, '#/documents/books/import');
  const type = page.getByLabel('Type of the documents');
  const { promise, resolve } = Promise.withResolvers<null>();
  await page.route('**/operations', async (route) => {
    await promise;
    await route.fallback();
  });
  await choose(page, 'books.ndjson', '{"n":1}\n{"n":2}');
  await button(page, 'Import 2 documents').click();
  await type.fill('others');
  await button(page, 'Import 2 documents').waitFor();
  const answered = page.waitForResponse('**/operations');
  resolve(null);
  await answered;
  await button(page, 'Import 2 documents').click();
  await page.getByRole('link', { name: 'See all of others' }).waitFor();
  expect([(await all(client, 'books')).length, (await all(client, 'others')).length]).toEqual([2, 2]);
  await button(page, 'Undo').click();
  await button(page, 'Import 2 documents').waitFor();
  await type.fill('books');
  await button(page, 'Undo').click();
  await button(page, 'Import 2 documents').waitFor();
  expect([(await all(client, 'books')).length, (await all(client, 'others')).length]).toEqual([0, 0]);
});

test('another file that is chosen while documents are made asks before it takes the place of the first', async () => {
  const client = await Client.create();
  const page = await entered(browser, client, '#/documents/books/import');
  const { promise, resolve } = Promise.withResolvers<null>();
  await page.route('**/operations', async (route) => {
    await promise;
    await route.fallback();
  });
  await choose(page, 'books.ndjson', '{"n":1}\n{"n":2}');
  await button(page, 'Import 2 documents').click();
  await page.getByLabel('Import', { exact: true }).setInputFiles(fileOf('{"n":3}', 'more.ndjson'));
  await button(page, 'Stay').click();
  resolve(null);
  await page.getByText('2 imported, 0 refused, 0 left out.').waitFor();
  await choose(page, 'more.ndjson', '{"n":3}');
  await button(page, 'Import 1 document').waitFor();
});
