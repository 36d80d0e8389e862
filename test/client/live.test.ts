/** Live lists: they follow what others write, through failures and marks that have expired, also in a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { connect, type Document, type Untyped } from '../../src/client/index.ts';
import { live, type Live, type LiveOptions } from '../../src/client/live.ts';
import { useBrowser } from '../support/browser.ts';
import { Client, MEDIA_TYPE } from '../support/client.ts';
import { serveSite } from '../support/site.ts';
import { ROOT, until } from '../support/started.ts';

type Note = Document<Untyped, string>;

const browser = useBrowser(/ERR_INTERNET_DISCONNECTED/);

let next = 0;
let type = '';

const client = await Client.create();

const open: Live<Note>[] = [];
afterEach(() => {
  state.spoil = null;
  for (const each of open.splice(0)) each.stop();
});

/** The client, whose requests a test may spoil. */
const state: { spoil: ((url: string) => Response | null) | null } = { spoil: null };
const database = () =>
  connect({
    url: client.url,
    application: client.application,
    key: client.key,
    retries: 0,
    fetch: async (input, init) => state.spoil?.(typeof input === 'string' ? input : '') ?? fetch(input, init),
  });

function follow(filter: object = {}, options: LiveOptions = {}): Live<Note> {
  const list = live(database(), type, { filter }, { every: 20, ...options });
  open.push(list);
  return list;
}

const texts = (list: Live<Note>) => list.array.map((note) => note['text']).sort();
const comes = (list: Live<Note>, ...expected: string[]) =>
  until(`there is ${expected.join(', ')}`, () => texts(list).join() === expected.join());

const change = (id: string, attributes: object) => client.update(`/resources/${type}/${id}`, { attributes });

describe('a live list', () => {
  test('has what is there, and follows creates, changes and deletions', async () => {
    type = `live${(next += 1)}`;
    const { id } = await client.make(type, { text: 'one' });
    const seen: number[] = [];
    const list = follow();
    const quiet = list.subscribe((documents) => seen.push(documents.length));
    await comes(list, 'one');
    await client.make(type, { text: 'two' });
    await comes(list, 'one', 'two');
    await change(id, { text: 'first' });
    await comes(list, 'first', 'two');
    await client.delete(`/resources/${type}/${id}`);
    await comes(list, 'two');
    quiet();
    await client.make(type, { text: 'unheard' });
    await comes(list, 'two', 'unheard');
    expect(seen).toEqual([0, 1, 2, 2, 1]);
  });

  test('of a filter, follows what begins to match and what ends', async () => {
    type = `live${(next += 1)}`;
    const { id } = await client.make(type, { text: 'one', n: 1 });
    const list = follow({ n: { $gte: 10 } });
    await list.refresh();
    expect(texts(list)).toEqual([]);
    await change(id, { n: 10 });
    await list.refresh();
    expect(texts(list)).toEqual(['one']);
    await change(id, { n: 9 });
    await list.refresh();
    expect(texts(list)).toEqual([]);
  });

  test('gives documents that are saved as those of other lists', async () => {
    type = `live${(next += 1)}`;
    await client.make(type, { text: 'one' });
    const db = database();
    const list = live(db, type, {}, { every: 20 });
    open.push(list);
    await list.refresh();
    const [note] = list.array;
    if (note === undefined) throw new Error('There is no note.');
    await db.save(Object.assign(note, { text: 'two' }));
    await comes(list, 'two');
  });

  test('goes on after the network was away, and tells that it was', async () => {
    type = `live${(next += 1)}`;
    const told: unknown[] = [];
    const list = follow(
      {},
      { onError: (error) => told.push(Reflect.get(Object(error) as object, 'status')) },
    );
    await list.refresh();
    state.spoil = () => {
      throw new TypeError('The network is away.');
    };
    await expect(list.refresh()).rejects.toMatchObject({ status: 0 });
    await client.make(type, { text: 'meanwhile' });
    state.spoil = null;
    await comes(list, 'meanwhile');
    expect(new Set(told)).toEqual(new Set([0]));
  });

  test('begins anew when its mark has expired, and loses what was deleted meanwhile', async () => {
    type = `live${(next += 1)}`;
    const { id } = await client.make(type, { text: 'gone' });
    await client.make(type, { text: 'stays' });
    const list = follow();
    await comes(list, 'gone', 'stays');
    const errors = [{ status: '410', code: 'mark-expired', title: 'Expired', detail: 'Begin anew.' }];
    state.spoil = (url) =>
      url.includes('changes%5Bsince%5D')
        ? new Response(JSON.stringify({ errors }), { status: 410, headers: { 'content-type': MEDIA_TYPE } })
        : null;
    await client.delete(`/resources/${type}/${id}`);
    await comes(list, 'stays');
  });

  test('ends when it is refused', async () => {
    type = `live${(next += 1)}`;
    const told: unknown[] = [];
    const list = live(
      connect({ url: client.url, application: client.application, key: 'none' }),
      type,
      {},
      { every: 20, onError: (error) => told.push(error) },
    );
    await expect(list.refresh()).rejects.toMatchObject({ status: 401 });
    expect(told.length).toBeGreaterThan(0);
  });
});

test('the page of docs/live.md shows the newest first', async () => {
  const docs = readFileSync(join(ROOT, 'docs/live.md'), 'utf8');
  const [, code = ''] = /^```html\n(.*?)^```/ms.exec(docs) ?? [];
  const filled = code
    .replaceAll('http://127.0.0.1:8787', client.url)
    .replace('<application id>', client.application)
    .replace('<api key>', client.key);
  await client.make('notes', { text: 'first', done: false });
  const page = await browser.open(await serveSite({ '/': `<!doctype html><title>Notes</title>${filled}` }));
  await page.getByText('first').waitFor();
  await client.make('notes', { text: 'second', done: false });
  await client.make('notes', { text: 'done', done: true });
  await page.getByText('second').waitFor();
  expect(await page.locator('li').allTextContents()).toEqual(['second', 'first']);
});

test('two windows show what the other writes', async () => {
  type = `live${(next += 1)}`;
  const site = await serveSite({
    '/': `<!doctype html><meta charset="utf-8"><title>Notes</title><ul></ul><script type="module">
      import { connect } from '${inject('url')}/client.js';
      import { live } from '${inject('url')}/client-live.js';
      const db = connect({ url: '${inject('url')}', application: '${client.application}', key: '${client.key}' });
      live(db, '${type}').subscribe((notes) => {
        document.querySelector('ul').replaceChildren(...notes.map(({ text }) => {
          const item = document.createElement('li');
          item.textContent = text;
          return item;
        }));
      });
      window.add = (text) => db.create('${type}', { text });
    </script>`,
  });
  const [one, two] = [await browser.open(site), await browser.open(site)];
  await one.waitForFunction('window.add');
  await two.waitForFunction('window.add');
  await one.evaluate(`add('from one')`);
  await two.getByText('from one').waitFor();
  await two.evaluate(`add('from two')`);
  await one.getByText('from two').waitFor();
  // While a window is offline it misses nothing: it follows when the network is back.
  await two.context().setOffline(true);
  await one.evaluate(`add('meanwhile')`);
  await one.getByText('meanwhile').waitFor();
  expect(await two.getByText('meanwhile').count()).toBe(0);
  await two.context().setOffline(false);
  await two.getByText('meanwhile').waitFor();
});
