/** Files taken without a network (docs/offline.md, Files): kept in the browser, and sent in the order of changes. */
import { beforeEach, describe, expect, test } from 'vitest';
import { REQUESTS, useBrowser } from '../support/browser.ts';
import { Client, type Resource } from '../support/client.ts';
import { contentsOf, digestOf, FILES } from '../support/files.ts';
import { begun, conflicts, idle, loseAnswer, pageOf, run, switchOff } from '../support/offline.ts';
import { digestAt, UPLOADS, VERSION } from '../support/resumable.ts';

const browser = useBrowser(REQUESTS);
let client: Client;
let address: string;
beforeEach(async () => {
  client = await Client.create('offline files');
  address = await pageOf(client, { type: 'core.file' });
});

/** A content whose bytes the page and the test make alike. */
const bytesOf = (size: number) => new Uint8Array(size).map((_, at) => (at * 7) % 251);
const blobOf = (size: number) => `new Blob([new Uint8Array(${size}).map((_, at) => (at * 7) % 251)])`;
const names = 'list.array.map(({ name }) => name).join()';
/** More than a request brings. */
const LARGE = 6_000_000;

async function only(): Promise<Resource> {
  const { data } = (await client.get(FILES)).body;
  expect(data).toHaveLength(1);
  const [file] = data;
  if (file === undefined) throw new Error('There is no file.');
  return file;
}

describe('a file', () => {
  test('is kept over a reload, shown, and sent before the document that links to it', async () => {
    const page = await begun(browser, address);
    await page.waitForFunction('list.isPushed');
    const switchOn = await switchOff(page);
    await run(
      page,
      `(async () => {
        const picture = await store.upload(${blobOf(20)}, { name: 'a.bin', title: 'Ada' });
        await store.create('posts', { text: 'one', picture });
        await store.update(picture, { title: 'Ada, at sea' });
      })()`,
    );
    expect(await run(page, names)).toBe('a.bin');
    await page.reload();
    await page.waitForFunction('window.begun');
    expect(await run(page, names)).toBe('a.bin');
    expect(
      await run(
        page,
        'store.content(list.array[0]).arrayBuffer().then((it) => [...new Uint8Array(it)].join())',
      ),
    ).toBe(bytesOf(20).join());
    expect(await run(page, 'store.waiting.size')).toBe(2);
    await switchOn();
    await run(page, 'store.sync()');
    const file = await only();
    expect(file.attributes).toMatchObject({ name: 'a.bin', title: 'Ada, at sea', size: 20 });
    expect(await digestAt(client, file.id)).toBe(digestOf(bytesOf(20)));
    const [post] = (await client.get('/resources/posts')).body.data;
    expect(post?.relationships?.['picture']?.data).toEqual({ type: 'core.file', id: file.id });
    expect(await run(page, '[list.array[0].id, list.array[0].size, store.content(list.array[0])]')).toEqual([
      file.id,
      20,
      null,
    ]);
  });

  test.each(['POST', 'PATCH', 'GET'])('is one, though the answer to %s is lost', async (method) => {
    const page = await begun(browser, address);
    await page.waitForFunction('list.isPushed');
    const { lost } = await loseAnswer(page, method);
    await run(page, `void store.upload(${blobOf(30)}, { name: 'b.bin' })`);
    await lost;
    await page.reload();
    await page.waitForFunction('window.begun');
    await idle(page);
    const { id } = await only();
    expect(await digestAt(client, id)).toBe(digestOf(bytesOf(30)));
  });

  test.each([false, true])('goes on where it was cut off; its upload has ended: %s', async (isEnded) => {
    const page = await begun(browser, address);
    await page.waitForFunction('list.isPushed');
    const { promise: cut, resolve } = Promise.withResolvers<string>();
    await page.route(/\/files\/uploads\//, (route) => {
      const { [`upload-offset`]: offset = '0' } = route.request().headers();
      if (offset === '0') return route.fallback();
      resolve(route.request().url().split('/').at(-1) ?? '');
      return route.abort('connectionreset');
    });
    await run(page, `void store.upload(${blobOf(LARGE)})`);
    const upload = await cut;
    if (isEnded) expect((await client.delete(`${UPLOADS}/${upload}`, undefined, VERSION)).status).toBe(204);
    await page.unroute(/\/files\/uploads\//);
    await page.reload();
    await page.waitForFunction('window.begun');
    await idle(page);
    const { id } = await only();
    expect(id === upload).toBe(!isEnded);
    expect(await digestAt(client, id)).toBe(digestOf(bytesOf(LARGE)));
    await expect.poll(() => contentsOf(client)).toEqual([id]);
  });

  test('that the service refuses is a conflict', async () => {
    const page = await begun(browser, address);
    await run(
      page,
      `(async () => {
        const picture = await store.upload(new File(['<svg/>'], 'c.png', { type: 'image/png' }));
        await store.create('posts', { text: 'two', picture });
      })()`,
    );
    await conflicts(page);
    const told = '(({ kind, mine, reason }) => [kind, mine.name, reason.status])(store.conflicts[0])';
    expect(await run(page, told)).toEqual(['create', 'c.png', 415]);
    await run(page, `store.resolve(store.conflicts[0], 'theirs')`);
    // Without it, the link leads nowhere.
    await page.waitForFunction(`store.conflicts[0]?.type === 'posts'`);
    await run(page, `store.resolve(store.conflicts[0], 'theirs')`);
    await idle(page);
    expect((await client.get(FILES)).body.data).toEqual([]);
  });
});
