/** A table of documents in a real browser: order, columns, pages, views, keys and titles. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, goTo } from '../../support/dashboard.ts';
import { loadCars, loadNumbers } from '../../support/demo.ts';
import { column, rows, table } from '../../support/document-table.ts';
import { settle } from '../../support/type-settings.ts';

const browser = useBrowser();

const CARS = 'cars of the table';

let client: Client;
beforeAll(async () => {
  client = await Client.create(CARS);
  await loadCars(client);
  await loadNumbers(client, 'numbers', 2000);
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

  test('begins with what came last, or was changed last, by one click', async () => {
    const own = await Client.create();
    const [first] = [await own.make('steps', { name: 'one' })];
    for (const name of ['two', 'three']) await own.make('steps', { name });
    await own.update(`/resources/steps/${first.id}`, { attributes: { seen: true } });
    const page = await entered(browser, own, '#/documents/steps?columns=name');
    await page.getByLabel('Newest first').check();
    await expect.poll(() => column(page, 'name', 3, 'steps')).toEqual(['three', 'two', 'one']);
    await page.getByLabel('Last changed first').check();
    await expect.poll(() => column(page, 'name', 3, 'steps')).toEqual(['one', 'three', 'two']);
    expect(await page.getByLabel('Newest first').isChecked()).toBe(false);
  });

  test('shows twenty rows of 32 pixels in a window of 800, and the chosen columns, which it keeps', async () => {
    const page = await entered(browser, client, '#/documents/cars');
    await page.setViewportSize({ width: 1280, height: 800 });
    await rows(page).first().waitFor();
    const seen = () =>
      page.evaluate<number[]>(`(() => {
        const { bottom } = document.querySelector('.grid-frame').getBoundingClientRect();
        const boxes = [...document.querySelectorAll('.grid tbody tr:not(.space)')]
          .map((row) => row.getBoundingClientRect())
          .filter((box) => box.bottom <= Math.min(bottom, innerHeight));
        return boxes.map((box) => box.height);
      })()`);
    await expect.poll(seen).toEqual(Array.from({ length: 20 }, () => 32));
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
    const page = await entered(browser, client, '#/documents/numbers');
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
    // On paper stand all that are loaded, as soon as the browser asks for them.
    const inPage = (event: string) =>
      page.evaluate<number>(`dispatchEvent(new Event('${event}'));
        document.querySelectorAll('.grid tbody tr:not(.space)').length`);
    expect(await inPage('beforeprint')).toBe(2000);
    expect(await inPage('afterprint')).toBeLessThan(80);
  });

  test('goes to any row, goes on from there, and says so to a screen reader', async () => {
    const page = await entered(browser, client, '#/documents/numbers?columns=n&sort=n');
    await page.getByLabel('Select all that are loaded').check();
    const selected = page.getByText('100 selected');
    await selected.waitFor();
    const row = page.getByLabel('Go to row');
    await row.fill('1001');
    await row.press('Enter');
    await expect.poll(() => column(page, 'n', 2, 'numbers')).toEqual(['1000', '1001']);
    // What is not loaded any more would be missing in an export.
    expect(await selected.count()).toBe(0);
    expect(await rows(page, 'numbers').first().getAttribute('aria-rowindex')).toBe('1002');
    expect(page.url()).toContain('row=1001');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('Rows from 1,001: 200 of 2,000 loaded').waitFor();
    await rows(page, 'numbers').first().press('ArrowDown');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-rowindex")');
    await expect.poll(focused).toBe('1003');
    // Another order begins at its first row, and so does a list that has become shorter.
    await page.getByRole('button', { name: 'n', exact: true }).click();
    await expect.poll(() => column(page, 'n', 1, 'numbers')).toEqual(['1999']);
    await goTo(page, '#/documents/numbers?columns=n&sort=n&row=5000');
    await page.getByText('The list ends before row 5,000.').waitFor();
    await page.getByRole('link', { name: 'Show the first row' }).click();
    await expect.poll(() => column(page, 'n', 1, 'numbers')).toEqual(['0']);
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
    await page.getByText('1 document matches', { exact: true }).waitFor();
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
    const ofSettings = /core\.type/;
    await other.route(ofSettings, (route) => route.abort());
    await other.getByRole('button', { name: 'Undo' }).click();
    await other.getByRole('status').getByText('The view backwards did not come back').waitFor();
    await other.unroute(ofSettings);
    browser.expects(/core\.type/);
    await other.getByRole('button', { name: 'Undo' }).click();
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('link', { name: 'backwards' }).waitFor();
  });

  test('asks before a view takes the place of another one, which somebody else may have kept', async () => {
    const own = await Client.create();
    await own.make('desks', { legs: 3 });
    const page = await entered(browser, own, '#/documents/desks?sort=-legs');
    const views = page.getByRole('button', { name: 'Views' });
    await views.click();
    await page.getByLabel('For everybody').check();
    const named = (sort: string) => ({ name: 'desks', views: { mine: `sort=${sort}&columns=legs` } });
    await own.create('/schemas/core.type', { attributes: named('legs') });
    const stored = async () =>
      (await own.get('/schemas/core.type?filter[name]=desks')).body.data.map(({ attributes }) => attributes);
    const asked = page.getByRole('dialog', { name: 'Replace the view mine?' });
    for (const [answer, sort] of [
      ['Cancel', 'legs'],
      ['Replace', '-legs'],
    ] as const) {
      if (!(await page.getByLabel('Name of this view').isVisible())) await views.click();
      await page.getByLabel('Name of this view').fill('mine');
      await page.getByRole('button', { name: 'Keep' }).click();
      await asked.getByRole('button', { name: answer, exact: true }).click();
      await asked.waitFor({ state: 'detached' });
      expect(await stored()).toMatchObject([named(sort)]);
    }
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

  test('follows changes while that is switched on', async () => {
    const own = await Client.create();
    await own.make('notes', { text: 'first' });
    const page = await entered(browser, own, '#/documents/notes');
    await page.getByLabel('Follow changes').check();
    await own.make('notes', { text: 'second' });
    await rows(page, 'notes').getByText('second').waitFor();
    await page.getByText('2 documents').waitFor();
  });
});
