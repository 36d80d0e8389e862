/** The form of a schema in the dashboard: what has rows is changed, and all else stays as it was written. */
import { beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible } from '../../support/dashboard.ts';

const browser = useBrowser();

let client: Client;

beforeEach(async () => {
  client = await Client.create('forms of schemas');
});

/** Stores a schema of films, and opens it. */
async function opened(content: unknown) {
  const made = await client.create('/schemas/core.schema', { attributes: { target: 'films', content } });
  expect(made.status, made.text).toBe(201);
  const page = await entered(browser, client, `#/schemas/${made.body.data.id}`);
  const stored = async () =>
    (await client.get(`/schemas/core.schema/${made.body.data.id}`)).body.data.attributes?.['content'];
  const editor = page.getByLabel('Schema as JSON');
  await editor.waitFor();
  return { page, stored, editor };
}

test('a schema is written by a form and by JSON, each of which writes the other', async () => {
  const nullable = { type: ['string', 'null'], maxLength: 9 };
  const { page, stored, editor } = await opened({
    description: 'kept',
    properties: {
      attributes: {
        required: ['title', 'old'],
        properties: { title: { type: 'string' }, old: { type: 'string' }, note: nullable },
      },
    },
  });
  await page.getByLabel('Kind of note').waitFor();
  expect(await page.getByLabel('Kind of note').inputValue()).toBe('string or null');
  await page.getByLabel('Title of title').fill('Name of the film');
  await page.getByLabel('Description of title').fill('As on the poster');
  await page.getByLabel('Required of title').uncheck();
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByLabel('Name', { exact: true }).fill('year');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Kind of year').selectOption('integer');
  await page.getByLabel('Required of year').check();
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByLabel('Name', { exact: true }).fill('seen');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await page.getByLabel('Format of seen').fill('date');
  await page.getByRole('button', { name: 'Remove old', exact: true }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Every write must now satisfy it.').waitFor();
  expect(await stored()).toEqual({
    description: 'kept',
    properties: {
      attributes: {
        required: ['year'],
        properties: {
          title: { type: 'string', title: 'Name of the film', description: 'As on the poster' },
          note: nullable,
          year: { type: 'integer' },
          seen: { type: 'string', format: 'date' },
        },
      },
    },
  });
  await editor.fill('{"properties": {"attributes": {"properties": {"only": {"type": "boolean"}}}}}');
  await page.getByLabel('Kind of only').selectOption('any');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(stored).toEqual({ properties: { attributes: { properties: { only: {} } } } });
});

test.each([
  ['attributes', { properties: { attributes: false } }],
  ['everything', true],
])('a boolean as the schema of %s has no rows, and stays', async (_, content) => {
  const { page, stored } = await opened(content);
  expect(await page.getByRole('button', { name: 'Add a field' }).count()).toBe(0);
  await page.getByLabel('Type', { exact: true }).fill('movies');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Every write must now satisfy it.').waitFor();
  expect(await stored()).toEqual(content);
});

test('attributes whose schemas are booleans stay while others are changed', async () => {
  const properties = { never: false, title: { type: 'string' }, any: true };
  const { page, stored } = await opened({ properties: { attributes: { properties } } });
  await page.getByLabel('Title of title').fill('Name');
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByLabel('Name', { exact: true }).fill('never');
  await page.getByText('This field exists already.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Every write must now satisfy it.').waitFor();
  const title = { type: 'string', title: 'Name' };
  expect(await stored()).toEqual({ properties: { attributes: { properties: { ...properties, title } } } });
});
