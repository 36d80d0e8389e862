/** The history of documents, in a real browser: what was changed by whom, restored, and undone (docs/history.md). */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client, pathOf, type Link } from '../../support/client.ts';
import { entered, enteredAsOperatorIn, expectAccessible, openCell } from '../../support/dashboard.ts';
import { makeUser, underAcl } from '../../support/people.ts';
import { fileOf } from '../../support/transfer-files.ts';
import { resettle, settle } from '../../support/type-settings.ts';

const browser = useBrowser();

let client: Client;
beforeEach(async () => {
  client = await Client.create();
});

const read = async (link: Link) => (await client.get(pathOf(link))).body.data;
const patch = (link: Link, attributes: object) => client.update(pathOf(link), { attributes });

/** A type with history, and a document of three versions. */
async function contract(): Promise<Link> {
  await settle(client, { name: 'contracts', history: 'forever' });
  const [ada, under] = [await makeUser(client, 'ada'), await underAcl(client)];
  const data = { type: 'contracts', attributes: { title: 'Lease', rent: 900 } };
  const { id } = (await under.post('/resources/contracts', { data }, ada.headers)).body.data;
  const link = { type: 'contracts', id };
  await under.patch(pathOf(link), { data: { ...link, attributes: { rent: 950 } } }, ada.headers);
  await patch(link, { rent: 1000, note: 'raised' });
  return link;
}

const openHistory = async (page: Page) => {
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('table', { name: 'Versions' }).waitFor();
};

test('a document shows who has changed what, and is restored', async () => {
  const link = await contract();
  const page = await entered(browser, client, `#/documents/contracts/${link.id}`);
  await openHistory(page);
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['3', '2', '1']);
  await page
    .getByRole('row', { name: /^2 update/ })
    .getByText('ada')
    .waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'What changed in version 2' }).click();
  const fields = page.getByRole('table', { name: 'Fields of version 2' });
  await fields.waitFor();
  const rows = await fields.getByRole('row').allInnerTexts();
  expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
    ['Field', 'Before', 'Version 2', 'Now'],
    ['rent', '900', '950', '1000'],
    ['note', 'not set', 'not set', 'raised'],
  ]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore version 2' }).click();
  await page.getByText('The document is what version 2 was.').waitFor();
  expect((await read(link)).attributes).toEqual({ title: 'Lease', rent: 950 });
  // The form is of what the document is now, and the history goes on.
  await page.getByRole('rowheader', { name: '4', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Form' }).click();
  await expect.poll(() => page.getByLabel('rent', { exact: true }).inputValue()).toBe('950');
});

test('where the version before is not kept, only what is now is told beside it', async () => {
  const link = await contract();
  await patch(link, { rent: 1100 });
  await resettle(client, 'contracts', { history: { versions: 1 } });
  const page = await entered(browser, client, `#/documents/contracts/${link.id}`);
  await openHistory(page);
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['4', '3']);
  await page.getByRole('button', { name: 'What changed in version 3' }).click();
  await page.getByText('Version 2 is not kept any more.').waitFor();
  const rows = await page
    .getByRole('table', { name: 'Fields of version 3' })
    .getByRole('row')
    .allInnerTexts();
  expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
    ['Field', 'Version 3', 'Now'],
    ['rent', '1000', '1100'],
  ]);
  browser.expects(/404/);
});

test('what was written and not saved is not lost by restoring', async () => {
  const link = await contract();
  const page = await entered(browser, client, `#/documents/contracts/${link.id}`);
  await page.getByLabel('title', { exact: true }).fill('Lease of the house');
  await openHistory(page);
  await page.getByRole('button', { name: 'What changed in version 1' }).click();
  await page.getByText('Save or discard your changes first.').waitFor();
  expect(await page.getByRole('button', { name: 'Restore version 1' }).isDisabled()).toBe(true);
});

test('a deletion is undone, and the trash restores what is left', async () => {
  await settle(client, { name: 'contracts', history: { days: 30 } });
  const titled = (title: string) => client.make('contracts', { title });
  const made = [await titled('One'), await titled('Two'), await titled('Three')] as const;
  const page = await entered(browser, client, '#/documents/contracts');
  await page.getByText('3 documents').waitFor();
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete 3 documents' }).click();
  await page.getByText('3 documents deleted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const [first] = made;
  await client.post(`${pathOf(first)}/versions/1/restore`, undefined);
  await patch(first, { title: 'Zero' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`2 documents restored. ${STAYS}`).waitFor();
  expect((await read(first)).attributes).toEqual({ title: 'Zero' });
  await patch(first, { title: 'One' });
  await page.getByText('3 documents', { exact: true }).waitFor();
  browser.expects(/412/);
  for (const link of made) expect((await client.get(pathOf(link))).status).toBe(200);

  for (const link of made) await client.delete(pathOf(link));
  await page.getByRole('link', { name: 'Deleted' }).click();
  const trash = page.getByRole('table', { name: 'Deleted documents' });
  await trash.waitFor();
  expect(await trash.getByRole('rowheader').allTextContents()).toEqual(['Three', 'Two', 'One']);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore Two' }).click();
  await page.getByText('1 document restored.').waitFor();
  await page.getByRole('button', { name: 'Restore 2 documents' }).click();
  await page.getByText('Nothing to restore.').waitFor();
  for (const link of made) expect((await client.get(pathOf(link))).status).toBe(200);
});

test('the page of a deleted document restores it', async () => {
  const link = await contract();
  await client.delete(pathOf(link));
  const page = await entered(browser, client, `#/documents/contracts/${link.id}`);
  await page.getByText('This document was deleted.').waitFor();
  await page.getByRole('button', { name: 'What changed in version 3' }).click();
  await page.getByRole('button', { name: 'Restore version 3' }).click();
  await page.getByRole('heading', { name: 'Lease' }).waitFor();
  expect((await read(link)).attributes).toEqual({ title: 'Lease', rent: 1000, note: 'raised' });
});

test('an open document tells that it is outdated, what has changed, by whom and when', async () => {
  const link = await contract();
  const page = await entered(browser, client, `#/documents/contracts/${link.id}`);
  await page.getByLabel('title', { exact: true }).fill('Lease of the house');
  await client.patch(pathOf(link), { data: { ...link, attributes: { rent: 1100 } } });
  const told = page.getByRole('status').filter({ hasText: 'Somebody else has changed this document.' });
  await told.getByText('Your changes are kept: when you save, you choose for each field.').waitFor();
  await told.getByText('key').waitFor();
  const changed = page.getByRole('table', { name: 'What has changed' }).getByRole('row');
  expect((await changed.allInnerTexts()).map((row) => row.split(/\s*\t\s*/))).toEqual([
    ['Field', 'When you read it', 'Now'],
    ['rent', '1000', '1100'],
  ]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this document' });
  await dialog.getByText('key').waitFor();
  await dialog.getByRole('button', { name: 'Save again' }).click();
  await page.getByText('Saved.').waitFor();
  await told.waitFor({ state: 'detached' });
  expect((await read(link)).attributes).toMatchObject({ title: 'Lease of the house', rent: 1100 });
  await client.delete(pathOf(link));
  await page.getByText('Somebody else has deleted this document.').waitFor();
  await page.getByRole('button', { name: 'Show it as it is now' }).click();
  await page.getByText('This document was deleted.').waitFor();
  browser.expects(/412/);
});

/** What an undo says of a document that somebody else has changed. */
const STAYS = '1 has been changed since and stays.';

test('a change of many documents is undone, but not what others have written since', async () => {
  await settle(client, { name: 'contracts', history: { versions: 5 } });
  const stateful = (state: string) => client.make('contracts', { state });
  const made = [await stateful('open'), await stateful('new'), await stateful('old')] as const;
  const page = await entered(browser, client, '#/documents/contracts');
  await page.getByText('3 documents').waitFor();
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('button', { name: 'Change a field…' }).click();
  await page.getByLabel('Field', { exact: true }).fill('state');
  await page.getByLabel('New value').fill('closed');
  await page.getByRole('button', { name: 'Change 3 documents' }).click();
  await page.getByText('3 documents changed').waitFor();
  await patch(made[0], { state: 'theirs' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`2 documents restored. ${STAYS}`).waitFor();
  const states = await Promise.all(made.map(async (link) => (await read(link)).attributes?.['state']));
  expect(states).toEqual(['theirs', 'new', 'old']);
  browser.expects(/412/);
});

test('the last changes of documents are undone later, whoever has made them', async () => {
  await settle(client, { name: 'contracts', history: { days: 30 } });
  const [one, two, three] = [
    await client.make('contracts', { title: 'One' }),
    await client.make('contracts', { title: 'Two' }),
    await client.make('contracts', { title: 'Three' }),
  ];
  for (const link of [one, two]) await patch(link, { title: 'New' });
  const page = await entered(browser, client, '#/documents/contracts');
  await page.getByText('3 documents').waitFor();
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await page.getByText('2 documents restored. 1 could not be').waitFor();
  const titles = await Promise.all([one, two, three].map(async (link) => (await read(link)).attributes));
  expect(titles).toEqual([{ title: 'One' }, { title: 'Two' }, { title: 'Three' }]);
});

test.each([
  ['is undone', null, '1 document restored.', { rent: 900 }],
  ['is not undone where somebody has written since', { by: 'them' }, STAYS, { rent: 950, by: 'them' }],
])('a value that was changed in the table %s', async (_, theirs, told, left) => {
  await settle(client, { name: 'contracts', history: 'forever' });
  const made = await client.make('contracts', { rent: 900 });
  const page = await entered(browser, client, '#/documents/contracts');
  await openCell(page.getByText('900'), 'rent');
  await page.locator('.cell-editor').fill('950');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  if (theirs !== null) await patch(made, theirs);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(told).waitFor();
  expect((await read(made)).attributes).toEqual(left);
  if (theirs !== null) browser.expects(/412/);
});

test('an import is undone where the type has a history, but not what others have written since', async () => {
  const name = `imports ${crypto.randomUUID()}`;
  client = await Client.create(name);
  await settle(client, { name: 'contracts', history: 'forever' });
  const old = await client.make('contracts', { title: 'Lease' });
  const theirs = { type: 'contracts', id: '6b011e2f6aeea231a557b684' };
  const line = (type: string, id: string) => JSON.stringify({ type, id, attributes: { title: 'New' } });
  const lines = [
    JSON.stringify({ type: 'contracts', id: old.id, attributes: { title: 'Lease' } }),
    line('contracts', '6b011e2f6aeea231a557b681'),
    line('contracts', '6b011e2f6aeea231a557b682'),
    line('contracts', theirs.id),
    line('plain', '6b011e2f6aeea231a557b683'),
  ];
  const page = await enteredAsOperatorIn(browser, client, name, '#/transfer');
  await page.getByLabel('File', { exact: true }).setInputFiles(fileOf(`${lines.join('\n')}\n`));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('4 stored, 1 existed already, 0 refused').waitFor();
  await page.getByText('3 documents imported').waitFor();
  await patch(theirs, { title: 'Theirs' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`2 documents deleted. ${STAYS}`).waitFor();
  const left = async (path: string) => (await client.get(path)).body.data.map(({ id }) => id);
  expect(await left('/resources/contracts')).toEqual([old.id, theirs.id]);
  expect(await left('/resources/contracts?deleted=true')).toHaveLength(2);
  // Of a type without history nothing could be brought back.
  expect(await left('/resources/plain')).toHaveLength(1);
});

test('a type without history says how to have one', async () => {
  const made = await client.make('plain', { n: 1 });
  const page = await entered(browser, client, `#/documents/plain/${made.id}`);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Documents of type plain have no history.').waitFor();
  await page.goto(page.url().replace(/#.*/, '#/documents/plain/deleted'));
  await page.getByText('Documents of type plain have no history.').waitFor();
});
