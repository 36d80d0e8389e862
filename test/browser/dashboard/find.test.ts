/** The field that finds everything, and the page of a person. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client, operator } from '../../support/client.ts';
import { entered, expectAccessible, goTo } from '../../support/dashboard.ts';
import { makeUser, underAcl } from '../../support/people.ts';
import { imported } from '../../support/transfer.ts';

const browser = useBrowser();
let client: Client;

beforeEach(async () => {
  client = await Client.create('finding');
});

const options = (page: Page) => page.getByRole('dialog', { name: 'Find' }).getByRole('option');

/** Opens the field, types, and waits until everything was asked. */
async function find(page: Page, text: string): Promise<readonly string[]> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find' }).fill(text);
  await page
    .getByRole('status')
    .getByText(/^(\d+|Nothing) found\.$/)
    .waitFor();
  return options(page)
    .allInnerTexts()
    .then((all) => all.map((each) => each.replaceAll('\n', ' | ')));
}

describe('one field', () => {
  test('finds people, groups, keys, types, pages and documents of all types, the best names first', async () => {
    await makeUser(client, 'ada.lovelace');
    const group = { type: 'core.user-group', attributes: { name: 'Adamants' } };
    expect((await client.post('/users/core.user-group', { data: group })).status).toBe(201);
    const key = { type: 'core.api-key', attributes: { name: 'ada reads', permissions: [] } };
    expect((await client.post('/api-keys/core.api-key', { data: key })).status).toBe(201);
    await client.make('adages', { text: 'Haste makes waste' });
    await client.make('orders', { customer: { first: 'Ada', last: 'Lovelace' }, total: 12 });
    await client.make('orders', { customer: { first: 'Ben' }, total: 1 });
    await client.make('books', { title: 'ADA', about: 'a language' });
    const page = await entered(browser, client);
    expect(await find(page, 'ada')).toEqual([
      'ADA | books',
      'adages | type',
      'ada.lovelace | user',
      'Adamants | group',
      'ada reads | API key',
      'Ada | orders',
    ]);
    const guides = page.getByRole('link', { name: 'Search the guides' });
    expect(await guides.getAttribute('href')).toBe(`${client.url}/docs/index?q=ada`);
    await expectAccessible(page);
  });

  test('finds only documents that have all words, and a document by its id', async () => {
    await client.make('orders', { name: 'first', text: 'red apples' });
    const { id } = await client.make('pears', { name: 'second', text: 'red pears' });
    const page = await entered(browser, client);
    expect(await find(page, 'pears red')).toEqual(['second red pears | pears']);
    expect(await find(page, 'red.apples')).toEqual(['first red apples | orders']);
    await client.make('orders', { name: 'third', text: 'well-known quinces' });
    expect(await find(page, 'well-known apples')).toEqual([]);
    expect(await find(page, 'well-known quinces')).toEqual(['third well-known quinces | orders']);
    expect(await find(page, 'quinces -red')).toEqual(['third well-known quinces | orders']);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await find(page, id)).toEqual(['second | pears']);
  });

  test('is led to by / but in tables, and by the bar, goes by arrows, and asks before work is left', async () => {
    await client.make('pears', { name: 'Conference' });
    const page = await entered(browser, client, '#/overview');
    await page.getByRole('link', { name: 'pears 1 document' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Find' }).fill('s');
    await options(page).filter({ hasText: 'Schemas' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.getByRole('combobox', { name: 'Find' }).fill('conference');
    await options(page).filter({ hasText: 'Conference' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Conference' }).waitFor();
    await page.getByLabel('name', { exact: true }).fill('Williams');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('combobox', { name: 'Find' }).fill('schemas');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Schemas' }).waitFor();
    await goTo(page, '#/documents/pears');
    await page.getByText('Conference').waitFor();
    await page.keyboard.press('/');
    await page.locator('input[aria-label="Filter"]:focus').waitFor();
  });

  test('builds no index of words in a large type: the search is offered', async () => {
    const lines = Array.from({ length: 20_001 }, (_, n) =>
      JSON.stringify({
        type: 'large',
        id: n.toString(16).padStart(24, '0'),
        attributes: { name: `pear ${n}` },
      }),
    );
    for (let at = 0; at < lines.length; at += 1_000) {
      const { status, text } = await imported(client.application, 'large', lines.slice(at, at + 1_000));
      expect(status, text).toBe(200);
    }
    const page = await entered(browser, client);
    expect(await find(page, 'pear')).toEqual(['“pear” in large | builds an index of words']);
    await page.keyboard.press('Enter');
    await page.getByText('20,001 documents').waitFor();
  });
});

describe('the page of a person', () => {
  test('shows how they log in, what they have created, and what they have changed, and leads on', async () => {
    await operator().change(client.application, { 'audit-days': 1 });
    const { link, headers } = await makeUser(client, 'ada.lovelace');
    const web = await underAcl(client);
    const note = { type: 'notes', attributes: { text: 'On the analytical engine' } };
    const made = await web.post('/resources/notes', { data: note }, headers);
    await client.make('notes', { text: 'by nobody' });
    // The trail has it a moment after the answer.
    const told = `/audit/core.audit-entry?filter[target-id]="${made.body.data.id}"`;
    await expect.poll(async () => (await client.get(told)).body.meta.count).toBe(1);
    const identity = { user: link.id, key: '["issuer","ada"]', provider: 'issuer' };
    const line = { type: 'core.identity', id: 'a'.repeat(24), attributes: identity };
    expect((await imported(client.application, 'core.identity', [JSON.stringify(line)])).status).toBe(200);
    const page = await entered(browser, client, `#/users/core.user/${link.id}`);

    const identityEnd = page.getByRole('button', { name: `Remove the identity provider ${line.id}` });
    await identityEnd.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the identity provider' }).click();
    await identityEnd.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^End the session/ }).waitFor();
    const trail = page.getByRole('table', { name: 'changes' });
    await trail.getByRole('link', { name: made.body.data.id }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Audit trail' }).last().click();
    await page.getByRole('table', { name: 'Entries' }).getByRole('link', { name: 'ada.lovelace' }).click();
    await page
      .getByRole('table', { name: 'documents by creator' })
      .getByRole('link', { name: 'notes' })
      .click();
    await page.getByText('On the analytical engine').waitFor();
    expect(await page.getByText('by nobody').count()).toBe(0);
  });
});
