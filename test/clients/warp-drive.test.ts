/**
 * @warp-drive, unmodified: its packages hold builds for pages (`unpkg`), which need no plugin of Babel. Settings: the
 * headers in a handler, `{patch: true}` for updates, and hooks for signals, which a framework would give.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { MEDIA_TYPE, NO_ID } from '../support/client.ts';
import { ROOT } from '../support/started.ts';
import { openLibrary } from './library.ts';
import type * as warpDrive from './warp-drive-entry.ts';
import { newFolder } from '../support/scope.ts';

type Warp = typeof warpDrive;

const folder = newFolder();

async function load(): Promise<Warp> {
  const outfile = join(folder, 'warp-drive.mjs');
  const entry = join(ROOT, 'test/clients/warp-drive-entry.ts');
  const conditions = ['unpkg'];
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', conditions, logLevel: 'error' });
  return (await import(outfile)) as Warp;
}

const field = (name: string) => ({ kind: 'field', name }) as const;
const linksMode = { async: false, inverse: null, linksMode: true } as const;
const identity = { kind: '@id', name: 'id' } as const;
const SCHEMAS = [
  { type: 'people', identity, fields: [field('name')] },
  {
    type: 'articles',
    identity,
    fields: [
      field('title'),
      field('words'),
      { kind: 'belongsTo', name: 'author', type: 'people', options: linksMode },
    ],
  },
] as const;

interface Article {
  readonly id: string;
  title: string;
  readonly words: number;
  readonly author: { readonly name: string } | null;
}

const [library, warp] = [await openLibrary(), await load()];
warp.setupSignals(
  () =>
    ({
      createSignal: () => ({}),
      consumeSignal: () => undefined,
      notifySignal: () => undefined,
      createMemo: (_object: unknown, _key: unknown, compute: () => unknown) => compute,
      willSyncFlushWatchers: () => false,
    }) as never,
);
warp.setBuildURLConfig({ host: library.client.url, namespace: 'resources' });
const Store = warp.useRecommendedStore({
  cache: warp.JSONAPICache,
  schemas: SCHEMAS as never,
  handlers: [
    {
      request({ request }, next) {
        const headers = new Headers(request.headers);
        for (const [name, value] of Object.entries(library.headers)) headers.set(name, value);
        if (request.body !== undefined) headers.set('content-type', MEDIA_TYPE);
        return next({ ...request, headers });
      },
    },
  ],
});
const store = new Store();

async function ask(request: object) {
  const { content } = await store.request(request);
  return content as { readonly data: unknown; readonly meta?: unknown };
}

const identityOf = (record: object) => warp.recordIdentifierFor(record as never) as never;

test('lists with filter, sort, page, include and fields', async () => {
  const asked = warp.query('articles', {
    'filter[title]': 'Dracula',
    'page[limit]': 2,
    'fields[articles]': 'title,author',
    sort: '-words',
    include: ['author'],
  });
  const { data, meta } = await ask(asked);
  expect((data as readonly Article[]).map(({ title, author }) => [title, author?.name])).toEqual([
    ['Dracula', 'Ada'],
  ]);
  expect(meta).toEqual({ count: 1 });
});

test('creates, with a lid and no id; reads, changes and deletes', async () => {
  const record = store.createRecord('articles', { title: 'T', words: 1 }) as Article;
  const made = warp.createRecord(record as never);
  const body = JSON.stringify(warp.serializeResources(store.cache, identityOf(record)));
  expect(JSON.parse(body)).toMatchObject({ data: { id: null, lid: expect.any(String) as string } });
  await ask({ ...made, body });
  expect(record.id).toMatch(/^[0-9a-f]{24}$/);
  const read = await ask(warp.findRecord('articles', record.id, { include: ['author'] }));
  const data = read.data as Article;
  expect([data.title, data.words, data.author]).toEqual(['T', 1, null]);
  const editable = (await warp.checkout(data)) as Article;
  editable.title = 'U';
  const change = warp.updateRecord(data as never, { patch: true });
  const patch = JSON.stringify(warp.serializePatch(store.cache, identityOf(editable)));
  await ask({ ...change, body: patch });
  const address = `/resources/articles/${record.id}`;
  expect((await library.client.get(address)).body.data.attributes).toEqual({ title: 'U', words: 1 });
  store.deleteRecord(data as never);
  await ask(warp.deleteRecord(data as never));
  expect((await library.client.get(address)).body.data).toBeNull();
});

test('shows errors', async () => {
  await expect(ask(warp.findRecord('articles', NO_ID))).rejects.toMatchObject({
    status: 404,
    content: { errors: [{ code: 'document-not-found' }] },
  });
});
