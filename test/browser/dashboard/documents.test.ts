/** The table of documents in a real browser: types, rows, columns, order, pages, and texts that must stay texts. */
import { beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import {
  entered,
  enteredAsOperatorIn,
  enteredAsUser,
  expectAccessible,
  goTo,
} from '../../support/dashboard.ts';
import { loadCars } from '../../support/demo.ts';
import { rows } from '../../support/document-table.ts';
import { makeUser, may } from '../../support/people.ts';

const browser = useBrowser();

const CARS = 'cars of the table';
const HOSTILE = '<img src=x onerror="document.title=1">';
const LONG = `t${'y'.repeat(126)}e`;

let client: Client;
beforeAll(async () => {
  client = await Client.create(CARS);
  await loadCars(client);
});

test('types stand with their counts, lead to their tables, and are filtered; one that is unused says so', async () => {
  const page = await entered(browser, client, '#/documents');
  await page.getByRole('row', { name: 'cars 406' }).waitFor();
  await page.getByRole('row', { name: 'regions 3' }).waitFor();
  await page.getByRole('link', { name: 'makers' }).click();
  await page.getByRole('heading', { level: 1, name: 'makers' }).waitFor();
  await page.getByText('30 documents', { exact: true }).waitFor();
  await goTo(page, '#/documents');
  await page.getByLabel('Type', { exact: true }).fill('ma');
  await expect
    .poll(() => page.getByRole('link', { name: /^(makers|regions)$/ }).allInnerTexts())
    .toEqual(['makers']);
  await page.getByLabel('Type', { exact: true }).fill('unused');
  await page.getByLabel('Type', { exact: true }).press('Enter');
  await page.getByText('There are no documents of type unused yet.').waitFor();
  await expectAccessible(page);
});

test('the operator sees sizes and learned indexes as well', async () => {
  const page = await enteredAsOperatorIn(browser, client, CARS, '#/documents');
  await page.getByRole('row', { name: /^cars 406 \d+ KB \d+$/ }).waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    'Type',
    'Documents',
    'Size',
    'Learned indexes',
  ]);
});

test('every kind of value is shown exactly, and null differs from nothing', async () => {
  const own = await Client.create();
  const { id } = await own.make('kinds', {
    date: { $date: '2026-05-04T10:00:00.123Z' },
    long: { $numberLong: '9007199254740993' },
    decimal: { $numberDecimal: '0.10000000000000000001' },
    place: { type: 'Point', coordinates: [12.5, 41.9] },
    list: [1, 'two'],
    nothing: null,
    yes: true,
  });
  await own.make('kinds', { yes: false });
  const columns = 'date,long,decimal,place,list,nothing,yes';
  const page = await entered(browser, own, `#/documents/kinds?columns=${columns}`);
  const cells = rows(page, 'kinds').first().getByRole('cell');
  await cells.getByText('9007199254740993').waitFor();
  expect((await cells.allInnerTexts()).slice(3)).toEqual([
    '9007199254740993',
    '0.10000000000000000001',
    'Point 12.5, 41.9',
    '2: [1,"two"]',
    'null',
    'true',
  ]);
  expect(await cells.locator('time').getAttribute('title')).toBe('2026-05-04T10:00:00.123Z');
  expect(await rows(page, 'kinds').nth(1).getByRole('cell').nth(7).innerText()).toBe('not set');
  expect(await cells.getByRole('link').getAttribute('href')).toBe(`#/documents/kinds/${id}`);
});

test('names and values that are HTML stay texts, and long names stay in the page', async () => {
  const own = await Client.create();
  await own.make(LONG, { '<b>name': HOSTILE, list: [HOSTILE] });
  const page = await entered(browser, own, '#/documents');
  await page.getByRole('link', { name: LONG }).click();
  await rows(page, LONG).getByText(HOSTILE, { exact: true }).waitFor();
  await page.getByRole('columnheader', { name: '<b>name' }).waitFor();
  expect(await page.locator('main img, main b').count()).toBe(0);
  expect(await page.title()).toBe(`${LONG} · Foredge`);
  await expectAccessible(page);
  await goTo(page, '#/documents');
  await page.getByRole('link', { name: LONG }).waitFor();
  await expectAccessible(page);
});

test('a user sees the types and documents that rights show, and no other count', async () => {
  const own = await Client.create();
  const acl = { active: true };
  const key = await own.withPermissions([
    may('get', '/resources'),
    may('get post', '/resources/notes(/.*)?', { acl }),
    may('post', '/users/core.user.token'),
  ]);
  const ann = await makeUser(own, 'ann');
  await own.make('notes', { text: 'of nobody' });
  await key.create('/resources/notes', { attributes: { text: 'of ann' } }, ann.headers);
  const page = await enteredAsUser(browser, key, 'ann', '#/documents');
  await page.getByRole('row', { name: 'notes by rights' }).waitFor();
  await page.getByRole('link', { name: 'notes' }).click();
  await page.getByText('1 document that ann may see').waitFor();
  await rows(page, 'notes').getByText('of ann').waitFor();
});
