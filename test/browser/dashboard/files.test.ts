/** The files of the dashboard in a real browser: a gallery that takes files, and the page of one file. */
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo } from '../../support/dashboard.ts';
import { digestOf, FILES, PNG, randomBytes, upload } from '../../support/files.ts';
import { digestAt } from '../../support/resumable.ts';
import { makeSchema } from '../../support/type-settings.ts';

const browser = useBrowser();

const gallery = (page: Page) => page.getByRole('list', { name: 'All files' });
const tile = (page: Page, name: string) => gallery(page).getByRole('link', { name });
const uploads = (page: Page) => page.getByRole('list', { name: 'Uploads' });

/** Whether a picture is there, and has come as a whole. */
const shows = (page: Page, selector: string) =>
  expect
    .poll(() => page.evaluate<number>(`document.querySelector('${selector}')?.naturalWidth ?? 0`))
    .toBe(1);

/** Of all pictures of the gallery; 0 before one has come. */
const WIDTHS = `Array.from(document.querySelectorAll('.gallery img'), (each) => each.naturalWidth)`;

const store = async (client: Client, name: string, body: Uint8Array | string = PNG, type = 'image/png') => {
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
  return (await upload(client, body, headers)).body.data.id;
};

/** A file as an `<input>` is given it. */
const chosen = async (name: string, mimeType: string, content: Uint8Array<ArrayBuffer> | string) => ({
  name,
  mimeType,
  buffer: await buffer(new Blob([content]).stream()),
});

const client = await Client.create('files of the dashboard');

test('an application without files asks for the first, which is chosen and then seen', async () => {
  const page = await entered(browser, await Client.create('no files'), '#/files');
  await page.getByText('No files yet.').waitFor();
  await expectAccessible(page);
  await page
    .getByLabel('Upload files')
    .first()
    .setInputFiles([
      await chosen('dot.png', 'image/png', PNG),
      await chosen('note.txt', 'text/plain', 'a note'),
    ]);
  await tile(page, 'dot.png image/png, 70 bytes, 1 × 1').waitFor();
  await tile(page, 'note.txt text/plain, 6 bytes').waitFor();
  await page.getByText('2 files', { exact: true }).waitFor();
  await shows(page, '.gallery img');
  await uploads(page).waitFor({ state: 'detached' });
  await expectAccessible(page);
});

test('files that are dropped are uploaded, large ones too; a refused one says why, and others go on', async () => {
  const page = await entered(browser, client, '#/files');
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
  const bytes = randomBytes(6_000_000);
  const transfer = await page.evaluateHandle<unknown>(`(() => {
    const transfer = new DataTransfer();
    const letters = atob('${bytes.toBase64()}');
    transfer.items.add(new File([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))], 'large.bin'));
    return transfer;
  })()`);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  await page.getByText('Drop the files to upload them').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  await tile(page, 'large.bin application/octet-stream, 6.0 MB').waitFor();
  const { body } = await client.get(`${FILES}?filter[name]="large.bin"`);
  expect(await digestAt(client, body.data[0]?.id ?? '')).toBe(digestOf(bytes));
  await page
    .getByLabel('Upload files')
    .first()
    .setInputFiles([
      await chosen('lie.png', 'image/png', 'no picture'),
      await chosen('after.txt', 'text/plain', 'x'),
    ]);
  await uploads(page).getByText('The content is not image/png.').waitFor();
  await tile(page, 'after.txt').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Dismiss lie.png' }).click();
  await uploads(page).waitFor({ state: 'detached' });
  browser.expects(/^console: .* 415 /);
});

test('pictures come with the list: none asks for its link', async () => {
  const own = await Client.create('a page of pictures');
  for (const name of ['1.png', '2.png', '3.png']) await store(own, name);
  const page = await entered(browser, own, '#/');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await goTo(page, '#/files');
  await expect.poll(() => page.evaluate(WIDTHS)).toEqual([1, 1, 1]);
  expect(asked.filter((each) => each.startsWith('POST'))).toEqual([]);
});

test('pictures are shown as they are where the application has no such size', async () => {
  const own = await Client.create('pictures of one size');
  const attributes = { name: 'core.file', sizes: [64] };
  await own.create('/schemas/core.type', { attributes });
  await store(own, '1.png');
  await shows(await entered(browser, own, '#/files'), '.gallery img');
  browser.expects(/^console: .* 400 /);
});

test('files are found by a part of their name, the newest first', async () => {
  const own = await Client.create('files to find');
  for (const name of ['one.txt', 'two.txt', 'ONE more.txt']) await store(own, name, 'x', 'text/plain');
  const page = await entered(browser, own, '#/files');
  await tile(page, 'one.txt').waitFor();
  const names = () => gallery(page).locator('strong').allInnerTexts();
  expect(await names()).toEqual(['ONE more.txt', 'two.txt', 'one.txt']);
  await page.getByLabel('Search files').fill('one');
  await page.getByText('2 found').waitFor();
  expect(await names()).toEqual(['ONE more.txt', 'one.txt']);
  await page.getByLabel('Search files').fill('three');
  await page.getByText('No files match “three”.').waitFor();
});

test('the page of a file shows it, saves it, and leads to the documents that use it', async () => {
  const own = await Client.create('used files');
  await own.create('/schemas/core.type', { attributes: { name: 'messages', files: ['picture'] } });
  const link = { properties: { data: { properties: { type: { const: 'core.file' } } } } };
  const properties = { relationships: { properties: { cover: link, picture: link } } };
  for (const target of ['books', 'messages']) {
    await makeSchema(own, target, properties);
  }
  const [used, other] = [await store(own, 'used.png'), await store(own, 'other.png')];
  const cover = { data: { type: 'core.file', id: used } };
  await own.make('books', { title: 'A book' }, { cover });
  for (const [title, id] of [
    ['Look!', used],
    ['Elsewhere', other],
  ]) {
    const relationships = { picture: { data: { type: 'core.file', id } } };
    await own.create('/resources/messages', { attributes: { title }, relationships });
  }
  const page = await entered(browser, own, '#/files');
  await tile(page, 'used.png').click();
  await page.getByRole('heading', { level: 1, name: 'used.png' }).waitFor();
  await page.getByRole('img', { name: 'used.png' }).waitFor();
  await shows(page, '.file-content img');
  await page.getByText('image/png, 70 bytes, 1 × 1').waitFor();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('used.png');
  expect(digestOf(readFileSync(await download.path()))).toBe(digestOf(PNG));
  const section = page.getByRole('region', { name: 'What uses this file' });
  await section.getByRole('link', { name: 'Look!' }).waitFor();
  await section.getByRole('link', { name: 'A book' }).waitFor();
  expect(await section.getByRole('link').allInnerTexts()).toEqual(['Look!', 'A book']);
  await page.getByRole('link', { name: 'All files' }).click();
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
});

test('the table of files leads to the gallery, where files are made', async () => {
  await store(client, 'row.txt', 'x', 'text/plain');
  const page = await entered(browser, client, '#/documents/core.file');
  await page.getByRole('table', { name: 'Documents of core.file' }).waitFor();
  await page.getByRole('link', { name: 'Upload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
  await page.getByRole('link', { name: 'As a table' }).click();
  await page.getByRole('table', { name: 'Documents of core.file' }).waitFor();
});
