/** One document in the dashboard: its form and its JSON show one draft, and every kind of value is kept. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { documentPage, entered, expectAccessible, field } from '../../support/dashboard.ts';

const browser = useBrowser();

const EXTENDED = (client: Client) => ({
  accept: `application/vnd.api+json;profile="${client.url}/profiles/extended-json"`,
});

/** A document with a value of every kind. */
const KINDS = {
  text: 'Ulm',
  story: 'One line\nand another',
  number: 1.5,
  long: { $numberLong: '9007199254740993' },
  decimal: { $numberDecimal: '19.90' },
  flag: true,
  nothing: null,
  seen: { $date: '2026-05-04T10:00:00.123Z' },
  ref: { $oid: '0123456789abcdef01234567' },
  where: { type: 'Point', coordinates: [9.99, 48.4] },
  list: ['a', { $numberLong: '7' }],
  deep: { inner: { $date: '2020-01-01T00:00:00.000Z' } },
};

const wayTo = (type: string, id: string, tab?: string) =>
  `#/documents/${type}/${id}${tab === undefined ? '' : `?tab=${tab}`}`;

async function shown(client: Client, type: string, id: string) {
  const { body } = await client.get(`/resources/${type}/${id}`, EXTENDED(client));
  return body.data.attributes;
}

async function save(page: Page) {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
}

const kindOf = (page: Page, name: string) => page.getByLabel(`Kind of ${name}`, { exact: true });

test('a form shows every kind of value; a change of one is sent alone, on the state that was read', async () => {
  const { client, id, page } = await documentPage(browser, 'places', KINDS);
  const kinds = {
    text: 'string',
    number: 'number',
    long: 'long',
    decimal: 'decimal',
    flag: 'boolean',
    nothing: 'null',
    seen: 'date',
    ref: 'id',
    where: 'geometry',
    list: 'array',
    deep: 'object',
  };
  await field(page, 'text').waitFor();
  for (const [name, kind] of Object.entries(kinds))
    expect(await kindOf(page, name).inputValue(), name).toBe(kind);
  expect(await field(page, 'long').inputValue()).toBe('9007199254740993');
  expect(await field(page, 'decimal').inputValue()).toBe('19.90');
  await page.getByText('2026-05-04T10:00:00.123Z').waitFor();
  await field(page, 'text').fill('Neu-Ulm');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await save(page);
  const request = await sent;
  expect(request.postDataJSON()).toEqual({ data: { type: 'places', id, attributes: { text: 'Neu-Ulm' } } });
  expect(request.headers()['if-match']).toMatch(/^".+"$/);
  expect(await shown(client, 'places', id)).toEqual({ ...KINDS, text: 'Neu-Ulm' });
});

test('values of each kind are written in the form', async () => {
  const { client, id, page } = await documentPage(browser, 'places', KINDS);
  await field(page, 'story').fill('Other\nlines');
  await field(page, 'long').fill('-9223372036854775808');
  await field(page, 'decimal').fill('0.10');
  await field(page, 'flag').uncheck();
  await field(page, 'seen').fill('2027-02-03T04:05:06.789');
  await field(page, 'ref').fill('76543210fedcba9876543210');
  await field(page, 'Longitude').fill('11.5');
  await field(page, 'Latitude').fill('-48.5');
  await field(page, 'item 1').fill('b');
  await field(page, 'item 2').fill('8');
  await save(page);
  expect(await shown(client, 'places', id)).toEqual({
    ...KINDS,
    story: 'Other\nlines',
    long: { $numberLong: '-9223372036854775808' },
    decimal: { $numberDecimal: '0.10' },
    flag: false,
    // In the zone of the browser, which is this machine's.
    seen: { $date: new Date('2027-02-03T04:05:06.789').toISOString() },
    ref: { $oid: '76543210fedcba9876543210' },
    where: { type: 'Point', coordinates: [11.5, -48.5] },
    list: ['b', { $numberLong: '8' }],
  });
});

test('the kind of a field is changed, also where the value reads as before', async () => {
  const { client, id, page } = await documentPage(browser, 'places', {
    seen: { $date: '2026-05-04T10:00:00.123Z' },
    count: { $numberLong: '42' },
    price: '19.90',
    deep: { at: { $date: '2026-05-04T10:00:00.123Z' } },
  });
  await kindOf(page, 'seen').selectOption('string');
  await field(page, 'seen').fill('2026-05-04T10:00:00.123Z');
  await kindOf(page, 'count').selectOption('number');
  await kindOf(page, 'price').selectOption('decimal');
  await kindOf(page, 'at').selectOption('string');
  await save(page);
  expect(await shown(client, 'places', id)).toEqual({
    seen: '2026-05-04T10:00:00.123Z',
    count: 42,
    price: { $numberDecimal: '19.90' },
    deep: { at: '2026-05-04T10:00:00.123Z' },
  });
});

test('fields are added and removed, and the names that none may have are refused as one types', async () => {
  const { client, id, page } = await documentPage(browser, 'places', { old: 1, kept: 2 });
  await page.getByRole('button', { name: 'Remove old', exact: true }).click();
  await page.getByRole('button', { name: 'Add a field' }).click();
  for (const [name, fault] of [
    ['a.b', 'The field name a.b must not contain a dot.'],
    ['$a', 'The field name $a must not start with $.'],
    ['type', 'A field must not be named type.'],
    ['kept', 'This field exists already.'],
  ] as const) {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByText(fault).waitFor();
    expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  }
  await page.getByLabel('Name', { exact: true }).fill('__proto__');
  await page.getByLabel('Kind', { exact: true }).selectOption('long');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await field(page, '__proto__').fill('5');
  await save(page);
  const { text } = await client.get(`/resources/places/${id}`, EXTENDED(client));
  expect(text).toContain('"attributes":{"kept":2,"__proto__":{"$numberLong":"5"}}');
});

test('what no value can be is told at its field, and cannot be saved; the page is accessible', async () => {
  const { page } = await documentPage(browser, 'places', KINDS);
  for (const [name, text, fault] of [
    ['number', '1x', 'This is not a number.'],
    ['long', '9223372036854775808', 'A long is a whole number of 64 bits.'],
    ['decimal', '1,5', 'A decimal is a number of at most 34 digits.'],
    ['Latitude', '99', 'A longitude is from -180 to 180, a latitude from -90 to 90.'],
    ['ref', '12', 'An object id has 24 hexadecimal digits.'],
  ] as const) {
    const before = await field(page, name).inputValue();
    await field(page, name).fill(text);
    await page.getByText(fault).waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled(), name).toBe(true);
    await field(page, name).fill(before);
    await page.getByText(fault).waitFor({ state: 'detached' });
  }
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByLabel('The document as JSON').waitFor();
  await expectAccessible(page);
});

test('the JSON and the form show the same draft, which is saved when it reads', async () => {
  const { client, id, page } = await documentPage(browser, 'places', {
    name: 'Ulm',
    seen: { $date: '2026-05-04T10:00:00.123Z' },
  });
  await field(page, 'name').fill('Neu-Ulm');
  await page.getByRole('tab', { name: 'JSON' }).click();
  const editor = page.getByLabel('The document as JSON');
  await editor.getByText('"Neu-Ulm"').waitFor();
  await editor.fill('{"attributes": {"name": "Augsburg", "big": 9007199254740993, "at": {"$date": 0}}}');
  await page.getByRole('tab', { name: 'Form' }).click();
  expect(await field(page, 'name').inputValue()).toBe('Augsburg');
  expect(await kindOf(page, 'big').inputValue()).toBe('long');
  await save(page);
  expect(await shown(client, 'places', id)).toEqual({
    name: 'Augsburg',
    big: { $numberLong: '9007199254740993' },
    at: { $date: '1970-01-01T00:00:00.000Z' },
  });
  await page.getByRole('tab', { name: 'JSON' }).click();
  await editor.fill('{"attributes": {"name": }}');
  await page.getByText('This is not valid JSON.').waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('No changes.').waitFor();
});

test('JSON that does not read is told where it is, whatever else is changed', async () => {
  const { page } = await documentPage(browser, 'places', { name: 'Ulm', deep: { a: 1 } });
  await field(page, 'name').fill('Neu-Ulm');
  const deep = page.locator('.value-row', { has: page.getByText('deep', { exact: true }) });
  await deep.getByRole('button', { name: 'JSON' }).click();
  await deep.getByLabel('deep as JSON').fill('{"a": }');
  await deep.getByText('Unexpected token').waitFor();
  await deep.getByLabel('deep as JSON').fill('{"a": 2}');
  await expect.poll(() => deep.getByText('Unexpected token').count()).toBe(0);
});

test('what is HTML, a script or a member of all objects stays text, in names and in values', async () => {
  const client = await Client.create();
  const hostile = '<img src=x onerror="alert(1)">';
  const { id: target } = await client.make('constructor', { name: hostile });
  const { id } = await client.make(
    'places',
    {
      name: hostile,
      [hostile]: hostile,
      deep: { [hostile]: [hostile] },
      empty: '',
      odd: { constructor: 'x' },
      wide: 'x'.repeat(300),
    },
    { town: { data: { type: 'constructor', id: target } } },
  );
  const page = await entered(browser, client, wayTo('places', id));
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByRole('link', { name: hostile }).waitFor();
  expect(await kindOf(page, 'odd').inputValue()).toBe('object');
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByLabel('The document as JSON').getByText(hostile.slice(0, 10)).first().waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await page.getByRole('tab', { name: 'Form' }).click();
  await page.getByRole('link', { name: hostile }).click();
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByLabel('name', { exact: true }).waitFor();
});

test('by keyboard alone a document is found, changed and saved, and at 200 % all of it is in the window', async () => {
  const client = await Client.create();
  const { id } = await client.make('books', { title: 'Emma', notes: { by: 'Jane', long: 'x'.repeat(300) } });
  const page = await entered(browser, client);
  await page.setViewportSize({ width: 640, height: 400 });
  const { keyboard } = page;
  await keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find' }).waitFor();
  await keyboard.type('Emma');
  await page.getByRole('option').filter({ hasText: 'Emma' }).first().waitFor();
  await page
    .getByRole('status')
    .getByText(/^\d+ found\.$/)
    .waitFor();
  await keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Form' }).waitFor();
  const title = page.getByLabel('title', { exact: true });
  const focused = title.and(page.locator(':focus'));
  for (let presses = 0; (await focused.count()) === 0 && presses < 60; presses += 1)
    await keyboard.press('Tab');
  await keyboard.press('Control+a');
  await keyboard.type('Persuasion');
  await keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  expect((await client.get(`/resources/books/${id}`)).body.data.attributes).toMatchObject({
    title: 'Persuasion',
  });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(640);
  await expectAccessible(page);
});

test('JSON of an item that does not read stays with it when an item before it is removed', async () => {
  const { page } = await documentPage(browser, 'parts', { list: [{ a: 1 }, { b: 2 }, { c: 3 }] });
  await page.getByRole('button', { name: 'item 2 as JSON' }).click();
  await page.getByRole('group', { name: 'item 2', exact: true }).getByRole('textbox').fill('{"b": ');
  await page.getByRole('button', { name: 'Remove item 1' }).click();
  const item = page.getByRole('group', { name: 'item 1', exact: true });
  await item.getByLabel('item 1 as JSON').getByText('{"b":').waitFor();
  await page.getByRole('group', { name: 'item 2', exact: true }).getByLabel('c', { exact: true }).waitFor();
});

test('a screen reader is told a document as a form: its name and views, fields by label, and saving', async () => {
  const { page } = await documentPage(browser, 'towns', { name: 'Ulm', size: 12 });
  await page.getByLabel('size', { exact: true }).waitFor();
  const tree = await page.getByRole('main').ariaSnapshot();
  const told = Array.from(
    tree.matchAll(/^ *- ((?:heading|tab|tabpanel|form|combobox|textbox|button|region|status) ?.*?):?$/gm),
    ([, each]) => each,
  );
  expect(told).toEqual([
    'heading "Ulm" [level=1]',
    ...['button "Copy the id"', 'button "Delete"'],
    'tablist "Views of the document"',
    ...['tab "Form" [selected]', 'tab "JSON"', 'tab "Rights"', 'tab "History"', 'tabpanel "Form"'],
    ...['form "Fields"', 'heading "Attributes" [level=2]'],
    ...['combobox "Kind of name"', 'textbox "name": Ulm', 'button "Remove name"'],
    ...['combobox "Kind of size"', 'textbox "size": "12"', 'button "Remove size"', 'button "Add a field"'],
    ...['region "Relationships"', 'heading "Relationships" [level=2]', 'button "Add a relationship"'],
    ...['region "Saving"', 'status: No changes.', 'button "Save" [disabled]'],
  ]);
});
