/** The operator's pages of the dashboard, in a real browser: applications, and how the service runs. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import {
  enteredAsOperator,
  enteredAsOperatorIn,
  expectAccessible,
  findApplication,
  goTo,
  openApplication,
  placeTold,
} from '../../support/dashboard.ts';
import { makeUser, underAcl } from '../../support/people.ts';
import { searchPath } from '../../support/search.ts';
import { fileOf } from '../../support/transfer-files.ts';

const browser = useBrowser();

/** An application of its own: others have theirs beside it. */
const named = (name: string) => `${name} ${crypto.randomUUID()}`;

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'New application' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('link', { name: 'Applications' }).last().click();
  await findApplication(page, name);
}

test('an application is made, renamed, deleted and had back', async () => {
  const page = await enteredAsOperator(browser);
  const name = named('made (here) <b>.*');
  await create(page, name);
  await page.getByRole('link', { name: `Settings of ${name}` }).click();
  await page.getByLabel('Name', { exact: true }).fill(`${name} 2`);
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('link', { name: 'Applications' }).last().click();
  await findApplication(page, `${name} 2`);
  await page.getByRole('button', { name: `Delete ${name} 2` }).click();
  const doing = page.getByRole('button', { name: 'Delete the application' });
  expect(await doing.isDisabled()).toBe(true);
  expect(await page.evaluate('getComputedStyle(document.querySelector("dialog")).textAlign')).toBe('start');
  await page.getByLabel(/^Type .* to go on$/).fill(`${name} 2`);
  await doing.click();
  await page.getByText('deleted; erased on').waitFor();
  await page.getByRole('button', { name: `Restore ${name} 2` }).click();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('in use').waitFor();
});

/** In a new application that only this test uses. */
async function opened(route: string): Promise<{ readonly page: Page; readonly client: Client }> {
  const name = named('opened');
  const client = await Client.create(name);
  return { page: await enteredAsOperatorIn(browser, client, name, route), client };
}

test('opening an application makes a key, and leaving deletes it', async () => {
  const name = named('opened');
  const client = await Client.create(name);
  const page = await enteredAsOperator(browser);
  await openApplication(page, name);
  const keys = async () =>
    (await client.get('/api-keys/core.api-key')).body.data.map(({ attributes }) =>
      String(attributes?.['name']),
    );
  expect(await keys()).toEqual([expect.any(String), expect.stringMatching(/^dashboard, 20/)]);
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByLabel('Operator secret').waitFor();
  expect(await keys()).toHaveLength(1);
});

test('usage is shown against quotas; these and the name can be changed, and the bar says so', async () => {
  const { page, client } = await opened('');
  await client.make('books', { title: 'Dracula' });
  await goTo(page, '#/usage');
  await page.getByRole('row', { name: /^books 1 / }).waitFor();
  await page.getByRole('link', { name: 'Change quotas' }).click();
  await page.getByLabel('Documents', { exact: true }).fill('many');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await placeTold(page.getByRole('alert'), '/data/attributes/quotas/documents');
  await page.getByLabel('Documents', { exact: true }).fill('10');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await expectAccessible(page);
  const name = named('renamed');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const bar = page.getByRole('banner').getByText(name, { exact: true });
  await bar.waitFor();
  await page.reload();
  await bar.waitFor();
  await goTo(page, '#/usage');
  await page.getByRole('progressbar', { name: 'Documents: share of the quota' }).waitFor();
  browser.expects(/422/);
  await expectAccessible(page);
});

test('what needs attention is told', async () => {
  const { page, client } = await opened('#/usage');
  const asked = page.getByRole('button', { name: 'Check what is stored' });
  await asked.click();
  await page.getByText('Nothing needs attention.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  const attributes = { target: 'notes', url: 'https://example.com/hook', filter: { 'room.secret': null } };
  const hook = await client.create('/webhooks/core.webhook', { attributes });
  const room = await client.make('rooms', { secret: true });
  const relationships = { room: { data: { type: 'rooms', id: room.id } } };
  await client.create('/resources/notes', { relationships });
  await asked.click();
  await page.getByRole('row', { name: hook.body.data.id }).waitFor();
  await expectAccessible(page);
});

test('requests, errors and latencies are shown as they come, with links, and go on after a pause', async () => {
  const { page, client } = await opened('#/requests');
  const row = page.getByRole('row', { name: /^GET \/resources\/\{type\}\/\{id\} / });
  const counted = async () => Number((await row.getByRole('cell').nth(2).innerText()).replaceAll(',', ''));
  await client.get('/resources/books/000000000000000000000000');
  await row.waitFor();
  const before = await counted();
  await client.get('/resources/books/000000000000000000000001');
  await expect.poll(counted).toBeGreaterThan(before);
  await page.locator('.chart canvas').nth(1).waitFor();
  const web = await underAcl(client);
  const { headers } = await makeUser(client, 'ada.lovelace');
  await web.create('/resources/notes', { attributes: { text: 'first' } }, headers);
  await web.get(searchPath('notes', { text: 'first' }), headers);
  const now = page.getByRole('table', { name: 'Now' });
  const created = now.getByRole('row').filter({ hasText: 'POST /resources/notes' });
  await created.getByRole('link', { name: 'ada.lovelace' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pause' }).click();
  for (const n of [1, 2]) await client.get(`/resources/notes/${String(n).repeat(24)}`);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('tab', { name: 'Errors today' }).click();
  const errors = page.getByRole('table', { name: 'Errors today' });
  await errors.getByRole('row', { name: /^[24] .* 404 document-not-found/ }).waitFor();
  await page.getByRole('tab', { name: 'Now' }).click();
  await now.getByRole('row').filter({ hasText: '?filter[*]' }).getByRole('link').last().click();
  await page.getByRole('region', { name: 'The plan' }).waitFor();
  await page.goBack();
  await created.getByRole('link', { name: 'a key' }).click();
  await page.getByRole('heading', { level: 1, name: 'a key' }).waitFor();
});

test('the plan of a search is drawn', async () => {
  const { page, client } = await opened('#/plan');
  for (const year of [1897, 1872]) await client.make('books', { year });
  await page.getByLabel('Type').fill('books');
  await page.getByLabel('Filter').fill('{"year": {"$gt": 1880}}');
  await page.getByRole('button', { name: 'Explain' }).click();
  const plan = page.getByRole('region', { name: 'The plan' });
  await plan.getByText('One document matches').waitFor();
  await plan.getByText('no index fits').waitFor();
  expect(await plan.getByRole('progressbar').count()).toBe(4);
  await expectAccessible(page);
});

test('an application is exported as a file, and imported into another one', async () => {
  const { page, client } = await opened('');
  const author = await client.make('authors', { name: '<script>alert(1)</script>' });
  await client.make('books', { title: 'Dracula' }, { author: { data: { type: 'authors', id: author.id } } });
  await goTo(page, '#/transfer');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await (await download).path();
  const other = await opened('#/transfer');
  await other.page.getByLabel('File', { exact: true }).setInputFiles(file);
  await other.page.getByRole('button', { name: 'Import', exact: true }).click();
  await other.page.getByText(/stored, \d+ existed already, 0 refused/).waitFor();
  const { body } = await other.client.get('/resources/books?include=author');
  expect([body.data[0]?.attributes?.['title'], body.included[0]?.attributes?.['name']]).toEqual([
    'Dracula',
    '<script>alert(1)</script>',
  ]);
  await expectAccessible(other.page);
  // What is refused names its field, and no pointer.
  const line = { type: 'books', id: '6b011e2f6aeea231a557b684', attributes: { read: { $date: 'never' } } };
  await other.page.getByLabel('File', { exact: true }).setInputFiles(fileOf(`${JSON.stringify(line)}\n`));
  await other.page.getByRole('button', { name: 'Import', exact: true }).click();
  await other.page.getByText(/^Line 1: read: The value is not valid/).waitFor();
  browser.expects(/422/);
});

test('the audit trail is turned on, and says who changed what', async () => {
  const { page, client } = await opened('#/audit');
  await page.getByRole('link', { name: 'Days to keep entries' }).click();
  await page.getByLabel('Days to keep entries').fill('30');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await goTo(page, '#/audit');
  const { id } = await client.make('books', { '<b>title': 'Dracula' });
  const shown = async () => {
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    return page.getByRole('link', { name: id }).count();
  };
  await expect.poll(shown).toBe(1);
  await page.getByText('<b>title').waitFor();
  for (const [type, attributes, route] of [
    ['core.aggregate', { 'input-type': 'books', 'output-type': 'agt.all', pipeline: [] }, 'aggregates'],
    ['core.type', { name: 'books', title: 'title' }, 'schemas/settings'],
  ] as const) {
    const path = `/${type === 'core.type' ? 'schemas' : 'aggregates'}/${type}`;
    const made = (await client.post(path, { data: { type, attributes } })).body.data;
    const link = page.getByRole('link', { name: made.id });
    const isThere = async () => {
      await page.getByRole('button', { name: 'Refresh', exact: true }).click();
      return link.count();
    };
    await expect.poll(isThere).toBe(1);
    expect(await link.getAttribute('href')).toBe(`#/${route}/${made.id}`);
  }
  await page.getByLabel('Type').fill('nothing');
  await page.getByText('Nothing here yet.').waitFor();
  await expectAccessible(page);
});

test('a webhook is made, put to rest and deleted, and its deliveries are shown', async () => {
  const { page, client } = await opened('#/webhooks');
  await page.getByText('No webhooks yet.').waitFor();
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('Type of the documents').fill('books');
  await page.getByLabel('URL').fill('http://127.0.0.1/');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await placeTold(page.getByRole('alert'), '/data/attributes/url');
  await page.getByLabel('URL').fill('https://foredge.example/hook?<b>');
  await page.getByLabel('delete').uncheck();
  // A filter that does not read is not left out.
  const filter = page.getByLabel('Filter: which documents');
  await filter.fill('{"total": {"$gte": 100}');
  await page.getByText('This is not valid JSON.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(true);
  await filter.fill('');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const card = page.getByRole('region', { name: 'Deliveries' });
  await card.waitFor();
  const { id } = await client.make('books', { title: 'Dracula' });
  const delivered = async () => {
    await card.getByRole('button', { name: 'Refresh', exact: true }).click();
    return card.getByRole('link', { name: id }).count();
  };
  await expect.poll(delivered).toBe(1);
  await expectAccessible(page);
  await page.getByLabel('Active').uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('link', { name: 'Webhooks' }).last().click();
  await page.getByRole('row').filter({ hasText: 'create, update' }).getByText('paused').waitFor();
  await page.getByRole('link', { name: 'books' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete now' }).click();
  await page.getByText('No webhooks yet.').waitFor();
  browser.expects(/422/);
});
