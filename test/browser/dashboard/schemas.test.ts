/** Schemas in the dashboard, as a person uses it: drafted, checked, counted and saved. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo, placeTold } from '../../support/dashboard.ts';

const browser = useBrowser();
const HTML = '<img src=x onerror="document.title=`run`">';

let client: Client;

beforeEach(async () => {
  client = await Client.create('schemas');
});

const editor = (page: Page) => page.getByLabel('Schema as JSON');

/** A schema that wants the title of a book to be a string. */
const TITLED = {
  properties: { attributes: { required: ['title'], properties: { title: { type: 'string' } } } },
};

async function makeSchema(target: string, content: unknown): Promise<string> {
  const made = await client.create('/schemas/core.schema', { attributes: { target, content } });
  expect(made.status, made.text).toBe(201);
  return made.body.data.id;
}

const contentOf = async (id: string) =>
  (await client.get(`/schemas/core.schema/${id}`)).body.data.attributes?.['content'];

describe('a schema', () => {
  test('is drafted from documents, and created', async () => {
    const person = await client.make('people', { name: 'Ada' });
    const links = { author: { data: { type: 'people', id: person.id } } };
    for (const n of [1, 2, 3]) {
      const made = { title: `Book ${n}`, year: 1900 + n, at: { $date: '2026-01-01T00:00:00Z' } };
      await client.make('books', { ...made, ...(n === 2 && { rating: 4.5, tags: ['a'] }) }, links);
    }
    const page = await entered(browser, client, '#/schemas');
    await page.getByText('No schemas yet.').waitFor();
    await page.getByRole('link', { name: 'New schema' }).click();
    await page.getByLabel('Type', { exact: true }).fill('books');
    await page.getByRole('button', { name: 'Draft from documents' }).click();
    await page.getByText('Drafted from 3 documents.').waitFor();
    await page.getByRole('button', { name: 'Check documents' }).click();
    await page.getByText('None would fail').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('The schema is made.').waitFor();
    const [schema] = (await client.get('/schemas/core.schema')).body.data;
    expect(schema?.attributes).toEqual({
      target: 'books',
      content: {
        type: 'object',
        required: ['attributes'],
        properties: {
          attributes: {
            type: 'object',
            required: ['title', 'year', 'at'],
            properties: {
              title: { type: 'string' },
              year: { type: 'integer' },
              at: { type: 'string', format: 'date-time' },
              rating: { type: 'number' },
              tags: { type: 'array', items: { type: 'string' } },
            },
          },
          relationships: {
            type: 'object',
            required: ['author'],
            properties: {
              author: {
                oneOf: [
                  { type: 'null' },
                  {
                    type: 'object',
                    properties: {
                      data: {
                        type: 'object',
                        properties: { type: { type: 'string', pattern: '^(?:people)$' } },
                      },
                    },
                  },
                ],
              },
            },
          },
        },
      },
    });
    await page.getByRole('link', { name: 'Schemas' }).last().click();
    await page.getByRole('row').filter({ hasText: 'title, year, at, rating, tags, author' }).waitFor();
  });

  test('is saved on the state that was read', async () => {
    const id = await makeSchema('books', TITLED);
    const page = await entered(browser, client, `#/schemas/${id}`);
    await editor(page).fill('{"type": "object"}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. Every write must now satisfy it.').waitFor();
    expect(await contentOf(id)).toEqual({ type: 'object' });
    await editor(page).fill('{"type": "object", "maxProperties": 2}');
    await client.update(`/schemas/core.schema/${id}`, { attributes: { content: {} } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Yours of content').waitFor();
    expect(await contentOf(id)).toEqual({});
    browser.expects(/412/);
  });

  test('is deleted', async () => {
    const id = await makeSchema('books', TITLED);
    const page = await entered(browser, client, `#/schemas/${id}`);
    await editor(page).fill('{"title": "what is not saved goes with it"}');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('No schemas yet.').waitFor();
    // A new one needs a type: whoever names none is asked.
    await goTo(page, '#/schemas/new');
    expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('');
  });

  test('is completed as it is typed, and shows what is wrong with it, also in the words of the service', async () => {
    const page = await entered(browser, client, '#/schemas/new?target=books');
    await editor(page).fill('');
    await editor(page).pressSequentially('{"minL');
    await page.getByRole('option', { name: /^minLength\s*an integer of 0 or more$/ }).waitFor();
    await editor(page).fill('{"type": ""}');
    await editor(page).press('ArrowLeft');
    await editor(page).press('ArrowLeft');
    await editor(page).press('Control+Space');
    await page.getByRole('option', { name: 'integer' }).waitFor();
    await editor(page).fill('{"minLength": "three"}');
    await page.locator('.cm-lintRange-error').waitFor();
    await page.locator('.cm-lintRange-error').hover();
    await page.getByText('minLength must be an integer of 0 or more.').waitFor();
    await editor(page).fill('{"pattern": "("}');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await placeTold(page.getByRole('alert'), '/data/attributes/content/pattern');
    browser.expects(/422/);
  });
});

describe('existing documents', () => {
  test('that would fail are counted, and listed with what is wrong and a way to them', async () => {
    await client.make('books', { title: 'Dracula' });
    const wrong = await client.make('books', { title: 5, name: HTML });
    const empty = await client.make('books', { name: 'Without a title' });
    const id = await makeSchema('books', TITLED);
    const page = await entered(browser, client, `#/schemas/${id}`);
    await page.getByRole('button', { name: 'Check documents' }).click();
    await page.getByText('2 would fail').waitFor();
    await page.getByText('of 3 documents.').waitFor();
    await page.getByText(/^title: /).waitFor();
    await page.getByText('The member title is required.').waitFor();
    expect(await page.getByRole('link', { name: HTML }).getAttribute('href')).toBe(
      `#/documents/books/${wrong.id}`,
    );
    expect(await page.getByRole('link', { name: 'Without a title' }).getAttribute('href')).toContain(
      empty.id,
    );
    expect(await page.locator('img[src=x]').count()).toBe(0);
    await editor(page).fill('{}');
    await page.getByText('The schema has changed since.').waitFor();
    await expectAccessible(page);
  });

  test('are counted page by page as they are shown to schemas, and the service agrees', async () => {
    const values = [
      { v: { $date: '2026-01-01T00:00:00Z' } },
      { v: { $numberDecimal: '1.50' } },
      { v: { $numberLong: '7' } },
      { v: { $oid: '6b011e2f6aeea231a557b680' } },
      { v: null },
      { v: 'a' },
      { v: { $numberLong: '9007199254740993' } },
    ];
    const made = [];
    for (const attributes of values) made.push(await client.make('kinds', attributes));
    // The shown form of a date, and numbers.
    const content = {
      properties: {
        attributes: {
          properties: {
            v: {
              anyOf: [
                { type: 'number', maximum: 8 },
                { pattern: '^2026-01', type: 'string' },
              ],
            },
          },
        },
      },
    };
    const page = await entered(browser, client, '#/schemas/new?target=kinds');
    await editor(page).fill(JSON.stringify(content));
    await page.getByRole('button', { name: 'Check documents' }).click();
    await page.getByText('of 7 documents.').waitFor();
    const told = await page
      .getByRole('region', { name: 'Existing documents' })
      .getByRole('link')
      .allTextContents();
    await makeSchema('kinds', content);
    const refused = [];
    for (const { id } of made) {
      const data = { type: 'kinds', id, attributes: { touched: true } };
      if ((await client.patch(`/resources/kinds/${id}`, { data })).status === 422) refused.push(id);
    }
    expect(refused.length).toBeGreaterThan(2);
    expect([...told].sort()).toEqual([...refused].sort());
  });

  test('a count can be stopped, holds up no typing, and ends with patterns on which others never do', async () => {
    await client.make('books', { title: `${'a'.repeat(40)}!` });
    const page = await entered(browser, client, '#/schemas/new?target=books');
    const content = { properties: { attributes: { properties: { title: { pattern: '^(a+)+$' } } } } };
    await editor(page).fill(JSON.stringify(content));
    await page.getByRole('button', { name: 'Check documents' }).click();
    await page.getByText('1 would fail').waitFor();
    await page.route('**/resources/books?*', () => undefined);
    await page.getByRole('button', { name: 'Check documents' }).click();
    await page.getByRole('progressbar', { name: 'Documents checked' }).waitFor();
    await editor(page).fill('{"title": "still typing"}');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.unroute('**/resources/books?*');
    await page.getByRole('button', { name: 'Check documents' }).click();
    await page.getByText('None would fail').waitFor();
  });

  test('what takes long holds up the page for a tenth of what the service takes', async () => {
    await client.make('lists', { list: Array.from({ length: 9000 }, (_, n) => `${n} a`) });
    await client.make('lists', { list: [1] });
    const page = await entered(browser, client, '#/schemas/new?target=lists');
    const items = { type: 'string', allOf: Array.from({ length: 20 }, () => ({ pattern: '[0-9] a$' })) };
    const content = { properties: { attributes: { properties: { list: { items } } } } };
    await editor(page).fill(JSON.stringify(content));
    await page.getByRole('button', { name: 'Check documents' }).click();
    await page.getByText('1 would fail').waitFor();
    await page.getByText('of 2 documents. 1 would take too long to check here.').waitFor();
  });
});

test('settings of a type are written as JSON, and refused where documents do not obey', async () => {
  await client.make('books', { isbn: 1 });
  const twin = await client.make('books', { isbn: 1 });
  const page = await entered(browser, client, '#/schemas');
  await page.getByRole('link', { name: 'books' }).click();
  const settings = page.getByLabel('Settings as JSON');
  await settings.fill('{"unique": [["isbn"]]}');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await placeTold(page.getByRole('alert').first(), 'value-taken');
  await client.delete(`/resources/books/${twin.id}`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  const of = async () => (await client.get('/schemas/core.type')).body.data[0]?.attributes;
  expect(await of()).toEqual({ name: 'books', unique: [['isbn']] });
  await settings.fill('{"client-ids": true}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. They apply to every write from now on.').waitFor();
  await expect.poll(of).toMatchObject({ 'client-ids': true });
  expect((await of())?.['unique'] ?? null).toBe(null);
  await expectAccessible(page);
  browser.expects(/409/);
});

test('integers that no double holds keep their digits: as they are read, and as they are written', async () => {
  const id = await makeSchema('books', {});
  const page = await entered(browser, client, `#/schemas/${id}`);
  const stored = async () => (await client.get(`/schemas/core.schema/${id}`)).text;
  await editor(page).fill('{"maximum": 9007199254740993, "title": "a 12345678901234567890"}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').first().waitFor();
  expect(await stored()).toContain('"maximum":9007199254740993,');
  await page.reload();
  await editor(page).getByText('9007199254740993').waitFor();
  expect(await editor(page).textContent()).not.toContain('$numberLong');
  await editor(page).fill('{"maximum": 9007199254740993, "minimum": -9223372036854775808}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(stored).toContain('"maximum":9007199254740993,"minimum":-9223372036854775808');
});

test('a new type begins with its settings, which have their frame while they load', async () => {
  const page = await entered(browser, client, '#/schemas');
  await page.getByRole('link', { name: 'New type' }).click();
  await page.getByLabel('Type', { exact: true }).fill('ledgers');
  await page.getByLabel('Settings as JSON').fill('{"history": "forever"}');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('The type is made.').waitFor();
  const [settings] = (await client.get('/schemas/core.type?filter[name]=ledgers')).body.data;
  expect(settings?.attributes).toEqual({ name: 'ledgers', history: 'forever' });
  await page.getByRole('link', { name: 'Schemas' }).last().click();
  await page.getByRole('row', { name: 'ledgers history' }).waitFor();
  const held = Promise.withResolvers<undefined>();
  await page.route('**/schemas/core.type?*', async (route) => {
    await held.promise;
    await route.fallback();
  });
  await goTo(page, '#/schemas/settings/books');
  await page.getByText('Loading settings…').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Settings of books');
  held.resolve(undefined);
  await page.getByLabel('Settings as JSON').waitFor();
});
