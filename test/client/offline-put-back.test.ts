/** A copy in a browser follows a service whose data folder is put back: what is gone there is gone here. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { REQUESTS, useBrowser } from '../support/browser.ts';
import type { Client, Resource } from '../support/client.ts';
import { pageOf } from '../support/offline.ts';
import { newFolder, newStarts } from '../support/scope.ts';
import { clientOf, type Starts } from '../support/starts.ts';

const browser = useBrowser(REQUESTS);
let starts: Starts;
let saved: string;
beforeEach(async () => {
  starts = await newStarts();
  saved = newFolder();
});

const copyOf = () => join(saved, 'data');
const change = (client: Client, { type, id }: Resource, attributes: object) =>
  client.update(`/resources/${type}/${id}`, { attributes });

test('a copy begins anew, and what was changed upon a lost state is a conflict', async () => {
  const first = await starts.run();
  const client = clientOf(first);
  const kept = await client.make('notes', { text: 'kept', n: 0 });
  expect(await first.stop('SIGTERM')).toMatchObject({ code: 0 });
  cpSync(starts.folder, copyOf(), { recursive: true });

  const second = await starts.run();
  const page = await browser.open(
    await pageOf(client, { type: 'notes', query: `{ sort: 'text' }`, url: client.url }),
    { origins: [client.url] },
  );
  const shows = (texts: string) => page.waitForFunction(`texts() === ${JSON.stringify(texts)}`);
  await page.waitForFunction('window.begun');
  await client.make('notes', { text: 'lost' });
  await change(client, kept, { text: 'changed' });
  await shows('changed,lost');
  expect(await second.stop('SIGTERM')).toMatchObject({ code: 0 });
  await page.waitForFunction(`store.error?.code === 'unreachable'`);
  await page.evaluate(`store.update(list.array[0], { n: 1 })`);
  rmSync(starts.folder, { recursive: true });
  cpSync(copyOf(), starts.folder, { recursive: true });

  await starts.run();
  await client.make('notes', { text: 'new' });
  // The browser says so when a network is back: the store need not wait for its next try.
  await page.evaluate(`window.dispatchEvent(new Event('online'))`);
  await page.waitForFunction('store.conflicts.length === 1');
  await page.evaluate(`store.resolve(store.conflicts[0], 'mine')`);
  await shows('kept,new');
  await page.waitForFunction('store.waiting.size === 0 && store.error === null');
  expect((await client.get(`/resources/notes/${kept.id}`)).body.data.attributes).toEqual({
    text: 'kept',
    n: 1,
  });
});
