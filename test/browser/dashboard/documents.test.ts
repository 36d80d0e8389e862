/** The table of documents in a real browser: types, rows, columns, order, pages, and texts that must stay texts. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import {
  entered,
  enteredAsUser,
  enteredAsOperator,
  expectAccessible,
  goTo,
  openApplication,
} from '../../support/dashboard.ts';
import { loadCars, loadNumbers } from '../../support/demo.ts';
import { makeUser } from '../../support/people.ts';
import { settle } from '../../support/type-settings.ts';

const browser = useBrowser();

const CARS = 'cars of the table';
const HOSTILE = '<img src=x onerror="document.title=1">';
const LONG = `t${'y'.repeat(126)}e`;

let client: Client;
beforeAll(async () => {
  client = await Client.create(CARS);
  await loadCars(client);
});

const table = (page: Page, type: string) => page.getByRole('table', { name: `Documents of ${type}` });

/** The rows of documents that are in the page. */
const rows = (page: Page, type = 'cars') => table(page, type).locator('tbody tr[aria-rowindex]');

/** The texts of a column in the first rows. */
async function column(page: Page, name: string, count: number, type = 'cars'): Promise<readonly string[]> {
  const heads = await table(page, type).getByRole('columnheader').allInnerTexts();
  const at = heads.findIndex((head) => head.trim() === name);
  const cells = await rows(page, type)
    .locator(`td:nth-child(${at + 1})`)
    .allInnerTexts();
  return cells.slice(0, count);
}

test('types stand with their counts, and lead to their tables', async () => {
  const page = await entered(browser, client, '#/documents');
  await page.getByRole('row', { name: 'cars 406' }).waitFor();
  await page.getByRole('row', { name: 'regions 3' }).waitFor();
  await page.getByRole('link', { name: 'makers' }).click();
  await page.getByRole('heading', { level: 1, name: 'makers' }).waitFor();
  await page.getByText('30 documents', { exact: true }).waitFor();
});

test('the operator sees sizes and learned indexes as well', async () => {
  const page = await enteredAsOperator(browser);
  await openApplication(page, CARS);
  await goTo(page, '#/documents');
  await page.getByRole('row', { name: /^cars 406 \d+ KB \d+$/ }).waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    'Type',
    'Documents',
    'Size',
    'Learned indexes',
  ]);
});

describe('the table', () => {
  test('sorts by a click on a head, the other way round by the next', async () => {
    const page = await entered(browser, client, '#/documents/cars?columns=name,pounds');
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'pounds' }).click();
    await page
      .getByRole('columnheader', { name: 'pounds', exact: false })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await expect.poll(() => column(page, 'pounds', 2)).toEqual(['1613', '1649']);
    await page.getByRole('button', { name: 'pounds' }).click();
    await expect.poll(() => column(page, 'pounds', 2)).toEqual(['5140', '4997']);
    expect(page.url()).toContain('sort=-pounds');
  });

  test('shows the columns that are chosen, and keeps them', async () => {
    const page = await entered(browser, client, '#/documents/cars');
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    const choice = page.getByRole('group', { name: 'Columns' });
    await choice.getByRole('checkbox', { name: 'year' }).uncheck();
    await choice.getByLabel('$created').check();
    await page.keyboard.press('Escape');
    const heads = () => table(page, 'cars').getByRole('columnheader').allInnerTexts();
    await expect.poll(heads).toContain('$created');
    expect(await heads()).not.toContain('year');
    await expect
      .poll(() => column(page, '$created', 1))
      .toEqual([expect.stringMatching(/^\w{3} \d+, 20\d\d, /)]);
    await goTo(page, '#/documents');
    await page.getByRole('link', { name: 'cars' }).click();
    await expect.poll(heads).toContain('$created');
  });

  test('has columns that are moved and drawn wider, and stay so; on paper it stands alone', async () => {
    const page = await entered(browser, client, '#/documents/cars?columns=name,pounds');
    const head = () => table(page, 'cars').getByRole('columnheader', { name: 'name' });
    await head().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Move name down' }).click();
    const heads = () => table(page, 'cars').getByRole('columnheader').allInnerTexts();
    await expect.poll(heads).toEqual(['', 'id', 'pounds', 'name']);
    await page.keyboard.press('Escape');
    const box = await head().boundingBox();
    if (box === null) throw new Error('It is not seen.');
    const [edge, middle] = [box.x + box.width - 2, box.y + box.height / 2];
    await page.mouse.move(edge, middle);
    await page.mouse.down();
    await page.mouse.move(edge - 60, middle);
    await page.mouse.up();
    const width = async () => Math.round((await head().boundingBox())?.width ?? 0);
    await expect.poll(width).toBeLessThan(box.width - 40);
    const drawn = await width();
    await page.reload();
    await expect.poll(width).toBe(drawn);
    expect(await heads()).toEqual(['', 'id', 'pounds', 'name']);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
    expect(await head().isVisible()).toBe(true);
  });

  test('loads as one scrolls, and holds no more rows than are near', async () => {
    const own = await Client.create();
    await loadNumbers(own, 'numbers', 2000);
    const page = await entered(browser, own, '#/documents/numbers');
    await page.getByText('2,000 documents').waitFor();
    const loaded = page.getByText(/ of 2,000 loaded$/);
    const scroll = () => page.evaluate('document.querySelector(".grid-frame").scrollTop = 1e9');
    for (let text = ''; text !== '2,000 of 2,000 loaded';) {
      await scroll();
      const before = text;
      await expect.poll(async () => (text = await loaded.innerText())).not.toBe(before);
    }
    await scroll();
    await rows(page, 'numbers').getByText('1999', { exact: true }).waitFor();
    expect(await rows(page, 'numbers').count()).toBeLessThan(80);
    expect(await table(page, 'numbers').getAttribute('aria-rowcount')).toBe('2001');
  });

  test('begins at any row, and goes on from there', async () => {
    const own = await Client.create();
    await loadNumbers(own, 'numbers', 1000);
    const page = await entered(browser, own, '#/documents/numbers');
    await page.getByLabel('Go to row').fill('501');
    await page.getByLabel('Go to row').press('Enter');
    await page.getByText(/^[12]00 of 1,000 loaded, from row 501$/).waitFor();
    expect(await column(page, 'n', 1, 'numbers')).toEqual(['500']);
    await page.evaluate('document.querySelector(".grid-frame").scrollTop = 1e9');
    await page.getByText(/^[234]00 of 1,000 loaded, from row 501$/).waitFor();
    await rows(page, 'numbers').getByText('600', { exact: true }).first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/^\d00 of 1,000 loaded$/).waitFor();
  });

  test('keeps views by name: for this browser, or for everybody', async () => {
    const own = await Client.create();
    await own.make('desks', { label: 'one', legs: 3 });
    await own.make('desks', { label: 'two', legs: 4 });
    const page = await entered(browser, own, '#/documents/desks?filter[legs]={"$gt":3}&columns=label');
    const keep = async (name: string) => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByLabel('Name of this view').fill(name);
      await page.getByRole('button', { name: 'Keep' }).click();
      await page.getByRole('link', { name }).waitFor();
      await page.keyboard.press('Escape');
    };
    await keep('stable');
    await goTo(page, '#/documents/desks?sort=-label');
    await rows(page, 'desks').nth(1).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('For everybody').check();
    await page.keyboard.press('Escape');
    await keep('backwards');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'stable' }).click();
    await page.getByText('1 document match').waitFor();
    expect(await table(page, 'desks').getByRole('columnheader').allInnerTexts()).toEqual(['', 'id', 'label']);

    const other = await entered(browser, own, '#/documents/desks');
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('link', { name: 'backwards' }).click();
    await expect.poll(() => column(other, 'label', 2, 'desks')).toEqual(['two', 'one']);
    expect(await other.getByRole('link', { name: 'stable' }).count()).toBe(0);
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('button', { name: 'Delete the view backwards' }).click();
    await other.getByRole('link', { name: 'backwards' }).waitFor({ state: 'detached' });
    const settings = await own.get('/schemas/core.type?filter[name]=desks');
    expect(settings.body.data).toMatchObject([{ attributes: { name: 'desks', views: {} } }]);
  });

  test('is gone through by keys: arrows, Space, Enter', async () => {
    const page = await entered(browser, client, '#/documents/cars?columns=name');
    const all = rows(page);
    await all.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('tr:focus').getAttribute('aria-rowindex')).toBe('101');
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('tr:focus').getAttribute('aria-rowindex')).toBe('2');
    const id = await all.first().getByRole('link').first().getAttribute('title');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`#/documents/cars/${id ?? ''}`);
  });

  test('a link of a document is called as the other one is, and leads there', async () => {
    const page = await entered(browser, client, '#/documents/cars?columns=maker');
    const link = rows(page).first().locator('td:nth-child(3) a');
    await expect.poll(() => link.innerText()).not.toMatch(/^makers/);
    const name = await link.innerText();
    await link.click();
    await expect.poll(() => page.url()).toMatch(/#\/documents\/makers\/[0-9a-f]{24}$/);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });

  test('calls documents by the title of their type, where its settings name one', async () => {
    const own = await Client.create();
    await settle(own, { name: 'rooms', title: 'floor' });
    const { id: room } = await own.make('rooms', { name: 'a name', floor: 7 });
    await own.make('desks', {}, { room: { data: { type: 'rooms', id: room } } });
    const page = await entered(browser, own, '#/documents/desks');
    await rows(page, 'desks').getByRole('link', { name: '7', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '7' }).waitFor();
    await goTo(page, '#/schemas/settings/rooms');
    await page.getByRole('textbox', { name: 'Settings as JSON' }).fill('{"title": "name"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. They apply').waitFor();
    await goTo(page, '#/documents/desks');
    await rows(page, 'desks').getByRole('link', { name: 'a name' }).waitFor();
  });

  describe('a value is edited where it stands', () => {
    const editor = (page: Page) => table(page, 'desks').getByRole('textbox');
    const stored = async (own: Client, id: string) =>
      (await own.get(`/resources/desks/${id}`)).body.data.attributes;

    test('by keys: F2 begins, Tab saves and goes on over what is no text, Enter saves, Escape leaves', async () => {
      const own = await Client.create();
      const { id } = await own.make('desks', { label: 'one', legs: 3, parts: [1], tall: true });
      const page = await entered(browser, own, '#/documents/desks?columns=label,parts,legs,tall,$updated');
      await rows(page, 'desks').first().focus();
      await page.keyboard.press('F2');
      await editor(page).fill('two');
      await page.keyboard.press('Tab');
      await expect.poll(() => editor(page).inputValue()).toBe('3');
      await editor(page).fill('4');
      await page.keyboard.press('Tab');
      await expect.poll(() => editor(page).inputValue()).toBe('true');
      await editor(page).fill('false');
      await page.keyboard.press('Tab');
      await editor(page).waitFor({ state: 'detached' });
      expect(await stored(own, id)).toEqual({ label: 'two', legs: 4, parts: [1], tall: false });
      await expect.poll(() => page.locator('tr:focus').getAttribute('aria-rowindex')).toBe('2');
      await page.keyboard.press('F2');
      await editor(page).fill('three');
      await page.keyboard.press('Escape');
      await rows(page, 'desks').getByText('two', { exact: true }).waitFor();
      expect(await stored(own, id)).toMatchObject({ label: 'two' });
    });

    test('but for a text of several lines, which keeps them', async () => {
      const own = await Client.create();
      const { id } = await own.make('desks', { text: 'one\ntwo', label: 'one' });
      const page = await entered(browser, own, '#/documents/desks?columns=text,label');
      await rows(page, 'desks').getByText('one', { exact: true }).waitFor();
      const label = 'one\nmore';
      await own.patch(`/resources/desks/${id}`, { data: { type: 'desks', id, attributes: { label } } });
      await rows(page, 'desks').first().focus();
      await page.keyboard.press('F2');
      await expect.poll(() => editor(page).inputValue()).toBe('onemore');
      await page.keyboard.press('Tab');
      await editor(page).waitFor({ state: 'detached' });
      expect(await stored(own, id)).toEqual({ text: 'one\ntwo', label });
    });

    test('by a pen beside it; whoever clicks elsewhere has saved', async () => {
      const own = await Client.create();
      const { id } = await own.make('desks', { label: 'one' });
      const page = await entered(browser, own, '#/documents/desks');
      await rows(page, 'desks').getByText('one', { exact: true }).hover();
      await page.getByRole('button', { name: 'Edit label' }).click();
      await editor(page).fill('two');
      await page.getByRole('heading', { level: 1 }).click();
      await editor(page).waitFor({ state: 'detached' });
      expect(await stored(own, id)).toEqual({ label: 'two' });
    });

    test('what is refused says why, and stays', async () => {
      const own = await Client.create();
      const { id } = await own.make('desks', { legs: 3 });
      const page = await entered(browser, own, '#/documents/desks');
      await rows(page, 'desks').first().focus();
      await page.keyboard.press('F2');
      await editor(page).fill('three');
      await page.keyboard.press('Enter');
      const told = () => page.evaluate<string>('document.querySelector(".cell-editor").validationMessage');
      await expect.poll(told).toBe('This is no number.');
      await own.patch(`/resources/desks/${id}`, { data: { type: 'desks', id, attributes: { legs: 5 } } });
      await editor(page).fill('4');
      await page.keyboard.press('Enter');
      await expect.poll(told).toMatch(/^Somebody else has changed this document/);
      expect(await stored(own, id)).toEqual({ legs: 5 });
      expect(browser.troubles()).toEqual([expect.stringMatching(/412/)]);
    });
  });

  test('follows changes while that is switched on', async () => {
    const own = await Client.create();
    await own.make('notes', { text: 'first' });
    const page = await entered(browser, own, '#/documents/notes');
    await page.getByLabel('Follow changes').check();
    await own.make('notes', { text: 'second' });
    await rows(page, 'notes').getByText('second').waitFor();
    await page.getByText('2 documents').waitFor();
    browser.troubles();
  });
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
    { path: '/resources', methods: ['get'] },
    { path: '/resources/notes(/.*)?', methods: ['get', 'post'], acl },
    { path: '/users/core.user.token', methods: ['post'] },
  ]);
  const ann = await makeUser(own, 'ann');
  await own.make('notes', { text: 'of nobody' });
  await key.post(
    '/resources/notes',
    { data: { type: 'notes', attributes: { text: 'of ann' } } },
    ann.headers,
  );
  const page = await enteredAsUser(browser, key, 'ann', '#/documents');
  await page.getByRole('row', { name: 'notes by rights' }).waitFor();
  await page.getByRole('link', { name: 'notes' }).click();
  await page.getByText('1 document that ann may see').waitFor();
  await rows(page, 'notes').getByText('of ann').waitFor();
});

test('a type that nobody has used says what would stand there', async () => {
  const page = await entered(browser, client, '#/documents');
  await page.getByLabel('Type', { exact: true }).fill('ma');
  await expect
    .poll(() => page.getByRole('link', { name: /^(makers|regions)$/ }).allInnerTexts())
    .toEqual(['makers']);
  await page.getByLabel('Type', { exact: true }).fill('unused');
  await page.getByLabel('Type', { exact: true }).press('Enter');
  await page.getByText('There are no documents of type unused yet.').waitFor();
  await expectAccessible(page);
});
