/** Public links to files that everybody may read, which caches keep (docs/files.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentsOf, FILES, linkTo, PNG, readAt, upload } from '../support/files.ts';
import { OwnService, workerNamed } from '../support/own-service.ts';
import { grant, makeUser, underAcl } from '../support/people.ts';
import { pngOf, shapeOf } from '../support/pictures.ts';

const CACHED = 'public, max-age=604800, immutable';

/** A file that everybody may read. */
async function publicFile(client: Client, bytes: Uint8Array = PNG): Promise<string> {
  const { id } = (await upload(client, bytes)).body.data;
  await grant(client, `${FILES}/${id}`, { read: '*' });
  return id;
}

const publicLink = async (client: Client, id: string, meta: object = {}) => {
  const made = await linkTo(client, id, { public: true, ...meta });
  expect(made.status).toBe(200);
  expect(Object.keys(made.body.meta)).toEqual(['href']);
  return String(made.body.meta['href']);
};

describe('a public link', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('public');
  });

  test('reads the content as long as everybody may, and lets every cache keep it', async () => {
    const id = await publicFile(client);
    const href = await publicLink(client, id);
    const answer = await readAt(href);
    expect([answer.status, answer.bytes]).toEqual([200, PNG]);
    expect(answer.headers.get('cache-control')).toBe(CACHED);
    expect(answer.headers.get('vary')).toBe('Accept');
    expect((await readAt(href, { headers: { range: 'bytes=1-3' } })).status).toBe(206);
    await grant(client, `${FILES}/${id}`, { read: [] });
    const refused = await readAt(href);
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([404, 'private, no-cache']);
    await grant(client, `${FILES}/${id}`, { read: '*' });
    expect((await readAt(href)).status).toBe(200);
  });

  test('has the same address each time, and another for another content or size', async () => {
    const [one, other] = [await publicFile(client), await publicFile(client, pngOf(300, 200))];
    const href = await publicLink(client, one);
    expect(await publicLink(client, one)).toBe(href);
    const all = [href, await publicLink(client, other), await publicLink(client, other, { width: 64 })];
    expect(new Set(all).size).toBe(3);
    expect(shapeOf(await readAt(all[2] ?? '', { headers: { accept: 'image/webp' } }))).toBe(
      'image/webp 64x43',
    );
  });

  test('is none to a file that not everybody may read', async () => {
    const { id } = (await upload(client, PNG)).body.data;
    expect((await linkTo(client, id)).status).toBe(200);
    expect(faultsOf(await linkTo(client, id, { public: true }))).toEqual(['403 forbidden /meta/public']);
    const ada = await makeUser(client, 'ada');
    const web = await underAcl(client);
    const own = (await upload(web, PNG, ada.headers)).body.data.id;
    expect(faultsOf(await linkTo(web, own, { public: true }, ada.headers))).toEqual([
      '403 forbidden /meta/public',
    ]);
    await grant(client, `${FILES}/${own}`, { read: '*' });
    // Everybody who is a user: whoever is none needs a key without ACL.
    expect((await linkTo(web, own, { public: true }, ada.headers)).status).toBe(403);
    expect((await linkTo(client, own, { public: true })).status).toBe(200);
  });

  test.each([
    [{ public: 'yes' }],
    [{ public: false }],
    [{ public: true, until: new Date(Date.now() + 60_000).toISOString() }],
    [{ public: true, until: new Date(Date.now() + 60_000).toISOString(), width: 3 }],
  ])('is not asked for by %j', async (meta) => {
    const id = await publicFile(client);
    expect((await linkTo(client, id, meta)).status).toBe(400);
  });

  test('follows the rights that the settings of the type give, and ends with the file', async () => {
    const own = await Client.create('public type');
    const attributes = { name: 'core.file', rights: { read: ['*'] } };
    expect((await own.create('/schemas/core.type', { attributes })).status).toBe(201);
    const { id } = (await upload(own, PNG)).body.data;
    const href = await publicLink(own, id);
    expect((await readAt(href)).status).toBe(200);
    await own.delete(`${FILES}/${id}`);
    expect((await readAt(href)).status).toBe(404);
  });
});

describe('the edge', () => {
  let own: OwnService;
  beforeAll(async () => {
    own = await OwnService.start({ entry: workerNamed('edge') });
  });
  afterAll(() => own.stop());

  /** Reads until the edge has it: it takes it beside the answer. */
  const untilCached = (href: string, headers: Readonly<Record<string, string>> = {}) =>
    expect.poll(async () => (await readAt(href, { headers })).headers.get('cf-cache-status')).toBe('HIT');

  test('answers what it has kept, in parts too, also when the file has gone', async () => {
    const id = await publicFile(own.client);
    const href = await publicLink(own.client, id);
    await untilCached(href);
    await own.client.delete(`${FILES}/${id}`);
    await expect.poll(() => contentsOf(own.client)).not.toContain(id);
    const cached = await readAt(href);
    expect([cached.status, cached.bytes]).toEqual([200, PNG]);
    expect(Object.fromEntries(cached.headers)).toMatchObject({
      'cache-control': CACHED,
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    const part = await readAt(href, { headers: { range: 'bytes=1-3' } });
    expect([part.status, new TextDecoder().decode(part.bytes)]).toEqual([206, 'PNG']);
    const same = await readAt(href, { headers: { 'if-none-match': cached.headers.get('etag') ?? '' } });
    expect([same.status, same.bytes.length]).toEqual([304, 0]);
    expect((await readAt(`${href}x`)).status).toBe(404);
  });

  test('keeps each format by itself', async () => {
    const href = await publicLink(own.client, await publicFile(own.client, pngOf(300, 200)), { width: 64 });
    const webp = { accept: 'image/webp' };
    await untilCached(href, webp);
    await untilCached(href);
    expect(shapeOf(await readAt(href, { headers: webp }))).toBe('image/webp 64x43');
    expect(shapeOf(await readAt(href))).toBe('image/jpeg 64x43');
  });

  test('keeps nothing for who reads a part, and nothing of more than 32 MB', async () => {
    const part = await publicLink(own.client, await publicFile(own.client));
    const large = await publicLink(own.client, await publicFile(own.client, new Uint8Array(33 * 2 ** 20)));
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await readAt(part, { headers: { range: 'bytes=1-3' } });
      expect([answer.status, answer.headers.get('cf-cache-status')]).toEqual([206, null]);
      expect((await readAt(large)).headers.get('cf-cache-status')).toBeNull();
    }
  });

  test('keeps no content of other links, and no refusal', async () => {
    const id = await publicFile(own.client);
    const href = String((await linkTo(own.client, id)).body.meta['href']);
    const open = await publicLink(own.client, id);
    await grant(own.client, `${FILES}/${id}`, { read: [] });
    for (const address of [href, href, open, open]) {
      expect((await readAt(address)).headers.get('cf-cache-status')).toBeNull();
    }
    await grant(own.client, `${FILES}/${id}`, { read: '*' });
    expect((await readAt(open)).status).toBe(200);
  });
});
