/** Relationships and rights of a document: followed, linked and unlinked by name, given and taken away. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import {
  button,
  entered,
  enteredAsUser,
  expectAccessible,
  goTo,
  placeTold,
} from '../../support/dashboard.ts';
import { makeUser, may } from '../../support/people.ts';

const browser = useBrowser();

const wayTo = (type: string, id: string, tab?: string) =>
  `#/documents/${type}/${id}${tab === undefined ? '' : `?tab=${tab}`}`;
const link = (type: string, id: string) => ({ type, id });

async function linksOf(client: Client, id: string, name: string) {
  return (await client.get(`/resources/places/${id}/relationships/${name}`)).body.data;
}

async function save(page: Page) {
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
}

test('documents are linked by a search, to one and to many, and unlinked', async () => {
  const client = await Client.create();
  const names = ['Ulm', 'Neu-Ulm', 'Bonn'];
  const towns = [];
  for (const name of names) towns.push((await client.make('towns', { name })).id);
  const [ulm = '', newUlm = '', bonn = ''] = towns;
  const { id } = await client.make(
    'places',
    {},
    {
      one: { data: link('towns', bonn) },
      many: { data: [link('towns', bonn)] },
    },
  );
  const page = await entered(browser, client, wayTo('places', id));
  await button(page, 'Change one').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Bonn' }).waitFor();
  await dialog.getByLabel('Search').fill('neu');
  await dialog.getByRole('button', { name: 'Bonn' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Neu-Ulm' }).click();
  await button(page, 'Link many').click();
  await dialog.getByLabel('Search').fill(ulm);
  await dialog.getByRole('button', { name: 'Bonn' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: ulm }).click();
  await button(page, `Unlink ${bonn} of many`).click();
  await button(page, 'Add a relationship').click();
  await page.getByLabel('Name', { exact: true }).fill('new');
  await button(page, 'Add to many').click();
  await button(page, 'Link new').click();
  await dialog.getByLabel('Type').fill('towns');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Bonn' }).click();
  await save(page);
  expect(await linksOf(client, id, 'one')).toEqual(link('towns', newUlm));
  expect(await linksOf(client, id, 'many')).toEqual([link('towns', ulm)]);
  expect(await linksOf(client, id, 'new')).toEqual([link('towns', bonn)]);
});

test('a document whose name is a number is found by it', async () => {
  const client = await Client.create();
  for (const code of [7918, 7919]) await client.make('orders', { code });
  const { id } = await client.make('places', {}, { order: { data: null } });
  const page = await entered(browser, client, wayTo('places', id));
  await button(page, 'Link order').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type').fill('orders');
  await dialog.getByRole('button', { name: '7918' }).waitFor();
  await dialog.getByLabel('Search').fill('7919');
  await dialog.getByRole('button', { name: '7918' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: '7919' }).waitFor();
});

test('what is linked and may not be read is said so', async () => {
  const client = await Client.create();
  const { id: secret } = await client.make('secrets', { name: 'hidden' });
  const { id } = await client.make('places', {}, { of: { data: link('secrets', secret) } });
  const narrow = await client.withPermissions([may('get', '/resources/places.*'), may('get', '/schemas/.*')]);
  const page = await entered(browser, narrow, wayTo('places', id));
  await page.getByText('deleted or no access').waitFor();
  expect(await page.getByText('hidden').count()).toBe(0);
  browser.expects(/403/);
});

test('what links to a document is shown, where its type names inverses, and what it links to, by name', async () => {
  const client = await Client.create();
  const { id: town } = await client.make('towns', { name: 'Ulm' });
  const { id } = await client.make('places', { name: 'Minster' }, { town: { data: link('towns', town) } });
  await client.create('/schemas/core.type', {
    attributes: { name: 'towns', inverses: { sights: { type: 'places', through: 'town' } } },
  });
  const page = await entered(browser, client, wayTo('towns', town));
  await page.getByRole('group', { name: 'sights' }).getByRole('link', { name: 'Minster' }).click();
  await page.waitForURL((url) => url.hash === wayTo('places', id));
  await page.getByRole('link', { name: 'Ulm' }).click();
  await page.getByRole('heading', { name: 'Ulm' }).waitFor();
});

test('rights are a table of people and groups by name, saved by a tick and undone', async () => {
  const client = await Client.create();
  const { id } = await client.make('places', { name: 'Ulm' });
  const user = await client.create('/users/core.user', {
    attributes: { username: 'ada', password: 'secret' },
  });
  const group = await client.create('/users/core.user-group', { attributes: { name: '<b>Editors</b>' } });
  const ada = link('core.user', user.body.data.id);
  const editors = link('core.user-group', group.body.data.id);
  await client.update(`/resources/places.acl/${id}`, { attributes: { update: [editors] } });
  const rights = async (acl: string) =>
    (await client.get(`/resources/places${acl}/${id}`)).body.data.attributes;
  const page = await entered(browser, client, wayTo('places', id, 'rights'));
  expect(await page.getByLabel('Change: <b>Editors</b>').isChecked()).toBe(true);
  await expectAccessible(page);
  await button(page, 'Add a person or a group').click();
  await page.getByRole('dialog').getByRole('button', { name: 'ada' }).click();
  await page.getByText('ada may now: Read.').waitFor();
  expect(await rights('.acl')).toEqual({ read: [ada], update: [editors], delete: [] });
  await page.getByLabel('Change rights: ada').check();
  await page.getByText('ada may now: Change rights.').waitFor();
  expect(await rights('.acl.acl')).toEqual({ read: [], update: [ada] });
  await page.getByLabel('Delete: everybody').check();
  await page.getByText('Everybody may: Delete.').waitFor();
  expect(await rights('.acl')).toEqual({ read: [ada], update: [editors], delete: '*' });
  await page
    .locator('.toast')
    .filter({ hasText: 'Everybody may: Delete.' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await page.getByText('Nothing was changed.').waitFor();
  expect(await rights('.acl')).toEqual({ read: [ada], update: [editors], delete: [] });
});

test('a user sees and may do on a document what its rights say', async () => {
  const own = await Client.create();
  const acl = { active: true };
  const key = await own.withPermissions([
    may('get post patch', '/resources/(notes|notes\\.acl(\\.acl)?)(/.*)?', { acl }),
    may('post', '/users/core.user.token'),
  ]);
  const ann = await makeUser(own, 'ann');
  const { id: seen } = await own.make('notes', { text: 'for reading' });
  await own.update(`/resources/notes.acl/${seen}`, { attributes: { read: '*' } });
  const made = await key.create('/resources/notes', { attributes: { text: 'of ann' } }, ann.headers);
  const page = await enteredAsUser(browser, key, 'ann', wayTo('notes', seen));
  await page.getByLabel('text', { exact: true }).fill('changed');
  await button(page, 'Save').click();
  await placeTold(page.getByRole('alert').first(), '403 forbidden');
  await button(page, 'Discard').click();
  await page.getByText('No changes.').waitFor();
  await goTo(page, wayTo('notes', seen, 'rights'));
  await page.getByText('These credentials may not read the rights.').waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await goTo(page, wayTo('notes', made.body.data.id));
  await page.getByLabel('text', { exact: true }).fill('changed');
  await save(page);
  // Who has made it was asked for, and refused.
  await page.getByText('deleted or no access').waitFor();
  // The browser tells of the refusal when it likes, also after the page has shown what came of it.
  const told = page.waitForEvent('console', (message) => message.location().url.includes(ann.link.id));
  await page.getByRole('tab', { name: 'Rights' }).click();
  await told;
  // Who ann is may not be read with this key: her row has her id.
  expect(await page.getByLabel(`Change: ${ann.link.id}`).isChecked()).toBe(true);
  browser.expects(/403/);
});
