/** Files by the client (docs/client.md, Files): uploads, also where connections get lost, content and links. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, ForedgeError } from '../../src/client/index.ts';
import { Client, NO_ID, operator } from '../support/client.ts';
import { cutting } from '../support/cutting.ts';
import { contentsOf, digestOf, PNG, randomBytes, readAt } from '../support/files.ts';
import { ACL, makeUser, may, PASSWORD } from '../support/people.ts';
import { digestAt, offsetOf } from '../support/resumable.ts';

const MIB = 1024 * 1024;
const blobOf = (bytes: Uint8Array | string, type = '') =>
  new Blob([new Uint8Array(bytesOf(bytes))], { type });
const bytesOf = (of: Uint8Array | string) => (typeof of === 'string' ? new TextEncoder().encode(of) : of);

const client = await Client.create('client files');

/** A database of the client, over a network if one is given, and what it has asked. */
function databaseOf({ application, key }: Client, url = client.url) {
  const asked: string[] = [];
  const db = connect({
    ...{ url, application, key },
    fetch: (address, init) => {
      const { pathname } = new URL(new Request(address).url);
      const offset = new Headers(init?.headers).get('upload-offset');
      asked.push([init?.method, pathname, ...(offset === null ? [] : [offset])].join(' '));
      return fetch(address, init);
    },
  });
  return { db, files: db.files, asked };
}

describe('an upload', () => {
  test('in one request makes a file of its name and type', async () => {
    const { files, asked } = databaseOf(client);
    const told: number[][] = [];
    const onProgress = (...progress: number[]) => told.push(progress);
    const file = await files.upload(new File([PNG], 'é (1).png', { type: 'image/png' }), { onProgress });
    expect(file).toMatchObject({ name: 'é (1).png', 'media-type': 'image/png', size: PNG.length, width: 1 });
    expect(file['created']).toBeInstanceOf(Date);
    expect(asked).toEqual(['POST /files/core.file']);
    expect(told.at(-1)).toEqual([PNG.length, PNG.length]);
  });

  test.each([
    ["a 'b' (c)*.txt", "a 'b' (c)*.txt"],
    ['"; filename=x', '"; filename=x'],
    ['100%25.txt', '100%25.txt'],
    ['\u{1F600}.txt', '\u{1F600}.txt'],
    ['half \uD83D.txt', 'half \uFFFD.txt'],
    ['', 'file'],
  ])('has the name %j', async (name, stored) => {
    const { files } = databaseOf(client);
    expect((await files.upload(blobOf('x', 'text/plain'), { name }))['name']).toBe(stored);
  });

  test.each([0, 5_000_000, 5_000_001, 12 * MIB + 3])(
    'of %i bytes stores them all, and tells how far it is',
    async (size) => {
      const { files } = databaseOf(client);
      const bytes = randomBytes(size);
      const told: number[] = [];
      const file = await files.upload(blobOf(bytes), {
        name: 'a.bin',
        onProgress: (sent) => told.push(sent),
      });
      expect(file).toMatchObject({ name: 'a.bin', size });
      expect(await digestAt(client, file.id)).toBe(digestOf(bytes));
      expect(told).toEqual(told.toSorted((one, other) => one - other));
      expect(told.at(-1)).toBe(size);
    },
  );

  test.each([
    ['before anything is begun', [10]],
    ['in its first bytes', [6_000]],
    ['three times, at the end too', [3 * MIB, 3 * MIB, 1 * MIB - 1]],
  ])('goes on when the connection is lost %s', async (_, cuts) => {
    const { files } = databaseOf(client, await cutting(client.url, cuts));
    const bytes = randomBytes(7 * MIB);
    const file = await files.upload(blobOf(bytes, 'application/x-test'));
    expect(file).toMatchObject({ 'media-type': 'application/x-test', size: bytes.length });
    expect(await digestAt(client, file.id)).toBe(digestOf(bytes));
  });

  test('fails where no connection holds, and goes on later', async () => {
    const network = await cutting(client.url, [6 * MIB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const bytes = randomBytes(11 * MIB);
    const { files } = databaseOf(client, network);
    let id: string | undefined;
    const options = { patience: 0, onBegin: (begun: string) => (id = begun) };
    const upload = files.upload(blobOf(bytes), options);
    await expect(upload).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    const { files: later, asked } = databaseOf(client);
    const other = later.upload(blobOf('another'), { id });
    await expect(other).rejects.toThrow('The upload was begun with another content.');
    expect(await later.upload(blobOf(bytes), { id })).toMatchObject({ id, size: bytes.length });
    expect(await digestAt(client, id ?? '')).toBe(digestOf(bytes));
    // What had come is not sent again.
    expect(asked.filter((each) => /^PATCH .* 0$/.test(each))).toEqual([]);
  });

  test('that is aborted leaves nothing', async () => {
    const own = await Client.create('aborted');
    const { files } = databaseOf(own);
    const control = new AbortController();
    let id = '';
    const upload = files.upload(blobOf(randomBytes(11 * MIB)), {
      signal: control.signal,
      onBegin: (begun) => (id = begun),
      onProgress: (sent) => {
        if (sent > 0) control.abort(new Error('Enough'));
      },
    });
    await expect(upload).rejects.toThrow('Enough');
    await expect.poll(() => offsetOf(own, id)).toBe(404);
    await expect.poll(() => contentsOf(own)).toEqual([]);
    const none = files.upload(blobOf('x'), { signal: AbortSignal.abort(new Error('Never')) });
    await expect(none).rejects.toThrow('Never');
  });

  test('that the service refuses says why, and is not tried again', async () => {
    const { files, asked } = databaseOf(client);
    const lie = { name: 'a.png', type: 'image/png' };
    for (const size of [100, 6 * MIB]) {
      const refused = files.upload(new File([blobOf(randomBytes(size))], lie.name, lie));
      await expect(refused).rejects.toMatchObject({ status: 415, code: 'unsupported-media-type' });
    }
    expect(asked).toHaveLength(4);
    const own = await Client.create('full');
    await operator().change(own.application, { quotas: { bytes: 1 } });
    for (const size of [100, 6 * MIB]) {
      const refused = databaseOf(own).files.upload(blobOf(randomBytes(size)));
      await expect(refused).rejects.toMatchObject({ status: 507, code: 'quota-exceeded' });
    }
  });

  test('of a key that shows no file gives its type and id', async () => {
    const only = await client.withPermissions([may('get post patch', '/files/uploads.*')]);
    const file = await databaseOf(only).files.upload(blobOf(randomBytes(6 * MIB)));
    expect(Object.keys(file)).toEqual(['type', 'id']);
    expect(file.id).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('a content', () => {
  test('is read as a whole, in part, and as a stream', async () => {
    const { files } = databaseOf(client);
    const file = await files.upload(blobOf('0123456789', 'text/plain'));
    const blob = await (await files.content(file)).blob();
    expect([await blob.text(), blob.type]).toEqual(['0123456789', 'text/plain']);
    const part = await files.content(file, { range: 'bytes=2-4' });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    const reader = (await files.content(file)).body?.getReader();
    expect((await reader?.read())?.value).toEqual(bytesOf('0123456789'));
  });

  test('that is not there is an error of the service, and an aborted one ends', async () => {
    const { files } = databaseOf(client);
    const missing = await files.content({ type: 'core.file', id: NO_ID }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ForedgeError);
    expect(missing).toMatchObject({ status: 404, code: 'document-not-found' });
    const file = await files.upload(blobOf(randomBytes(4 * MIB)));
    const control = new AbortController();
    const { body } = await files.content(file, { signal: control.signal });
    control.abort(new Error('Enough'));
    await expect(new Response(body).arrayBuffer()).rejects.toThrow('Enough');
  });
});

describe('an address of a content', () => {
  test('needs no key, and is the same until shortly before it ends', async () => {
    const { files, asked } = databaseOf(client);
    const file = await files.upload(new File([PNG], 'dot.png', { type: 'image/png' }));
    const [href, same] = await Promise.all([files.url(file), files.url(file)]);
    const { bytes, headers, status } = await readAt(href);
    expect([status, bytes, headers.get('content-disposition')]).toEqual([
      200,
      PNG,
      'inline; filename=dot.png',
    ]);
    expect([same, await files.url(file)]).toEqual([href, href]);
    expect(asked).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + 40 * 60_000);
    expect(await files.url(file)).toBe(href);
    vi.setSystemTime(Date.now() + 10 * 60_000);
    expect(await files.url(file)).not.toBe(href);
  });

  test('is another to save it, with another life, and in another size', async () => {
    const { files } = databaseOf(client);
    const file = await files.upload(new File([PNG], 'dot.png', { type: 'image/png' }));
    const all = [await files.url(file), await files.url(file, { lifetime: 60_000 })];
    const saved = await files.url(file, { download: true });
    const small = await files.url(file, { width: 64, format: 'webp' });
    expect(new Set([...all, saved, small]).size).toBe(4);
    expect((await readAt(small)).headers.get('content-type')).toBe('image/webp');
    await expect(files.url(file, { width: 63 })).rejects.toMatchObject({ pointer: '/meta/width' });
    expect((await readAt(saved)).headers.get('content-disposition')).toMatch(/^attachment/);
    const week = files.url(file, { lifetime: 8 * 86_400_000 });
    await expect(week).rejects.toMatchObject({ status: 400, pointer: '/meta/until' });
  });

  test('is not given to the next user', async () => {
    await makeUser(client, 'ada');
    await makeUser(client, 'eve');
    const login = may('post delete', '/users/.*');
    const own = may('get post', '/files/.*', ACL);
    const { db, files } = databaseOf(await client.withPermissions([login, own]));
    await db.login({ username: 'ada', password: PASSWORD });
    const file = await files.upload(blobOf('mine'));
    expect((await readAt(await files.url(file))).status).toBe(200);
    await db.logout();
    await db.login({ username: 'eve', password: PASSWORD });
    await expect(files.url(file)).rejects.toMatchObject({ status: 403 });
    await expect(files.content(file)).rejects.toMatchObject({ status: 403 });
  });
});
