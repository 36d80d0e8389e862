/** Pictures in sizes (docs/files.md). */
import { imageSize } from 'image-size';
import { describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentPath, contentsOf, FILES, linkTo, readAt, storePicture, upload } from '../support/files.ts';
import { grant, makeUser, underAcl } from '../support/people.ts';
import { fetchSize, holds, picturesOf, PLACE, pngOf, shapeOf, withExif } from '../support/pictures.ts';

const WEBP = { accept: 'image/avif,image/webp,*/*' };

const settle = (client: Client, attributes: object) => client.create('/schemas/core.type', { attributes });

const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

const client = await Client.create('sizes');
const id = await storePicture(client, pngOf(400, 200), {
  'content-disposition': 'attachment; filename="ada.b.png"',
});

describe('a picture of 400 by 200 pixels', () => {
  test.each([
    ['width=64', 'image/jpeg 64x32'],
    ['height=64', 'image/jpeg 128x64'],
    ['width=1024', 'image/jpeg 400x200'],
    ['width=128&height=128', 'image/jpeg 128x64'],
    ['width=512&height=512&fit=scale-down', 'image/jpeg 400x200'],
    ['width=512&height=512&fit=contain', 'image/jpeg 512x256'],
    ['width=128&height=128&fit=cover', 'image/jpeg 128x128'],
    ['width=512&height=256&fit=cover&format=jpeg', 'image/jpeg 512x256'],
    ['width=64&format=webp', 'image/webp 64x32'],
    ['width=64&format=avif', 'image/avif 64x32'],
    ['width=64&format=auto', 'image/jpeg 64x32'],
  ])('in %s is %s', async (query, shape) => {
    expect(shapeOf(await fetchSize(client, id, query))).toBe(shape);
  });

  test.each([
    ['image/avif,image/webp,*/*;q=0.8', 'image/webp 64x32'],
    ['image/webp;q=0.5', 'image/webp 64x32'],
    ['image/webp;q=0, image/*', 'image/jpeg 64x32'],
    ['*/*', 'image/jpeg 64x32'],
  ])('is made as WebP for whoever takes it: Accept: %s', async (accept, shape) => {
    const answer = await fetchSize(client, id, 'width=64', { accept });
    expect(shapeOf(answer)).toBe(shape);
    expect(answer.headers.get('vary')).toContain('Accept');
  });

  test('is answered as every content is, with a tag of its own, and in parts', async () => {
    const answer = await fetchSize(client, id, 'width=64', WEBP);
    const etag = answer.headers.get('etag') ?? '';
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': 'inline; filename=ada.b.webp',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'content-length': String(answer.bytes.length),
      'x-content-type-options': 'nosniff',
    });
    const again = await fetchSize(client, id, 'width=64', { ...WEBP, 'if-none-match': etag });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    const tags = await Promise.all(
      ['width=64', 'width=128', 'width=64&format=jpeg'].map((query) => fetchSize(client, id, query, WEBP)),
    );
    expect(new Set(tags.map(({ headers }) => headers.get('etag'))).size).toBe(3);
    const part = await fetchSize(client, id, 'width=64', { ...WEBP, range: 'bytes=8-11', 'if-range': etag });
    expect([part.status, new TextDecoder().decode(part.bytes)]).toEqual([206, 'WEBP']);
    const saved = await fetchSize(client, id, 'width=64&download');
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('is made once, also for many that ask at the same time', async () => {
    const own = await Client.create('once');
    const file = await storePicture(own, pngOf(400, 200));
    const asked = Array.from({ length: 12 }, () => fetchSize(own, file, 'width=256'));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(shapeOf))).toEqual(new Set(['image/jpeg 256x128']));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect(await picturesOf(own)).toHaveLength(1);
    expect(await contentsOf(own)).toEqual([file]);
  });
});

describe('what cameras write into a picture', () => {
  test.each([
    ['at its beginning', 0],
    ['behind much other data, so that nobody knows width and height', 200_000],
  ])('%s turns it, and is left out', async (_, beside) => {
    const { bytes: jpeg } = await fetchSize(client, id, 'width=512&format=jpeg');
    const photo = withExif(jpeg, beside);
    expect(holds(photo, PLACE)).toBe(true);
    const made = await upload(client, photo);
    expect(made.body.data.attributes?.['width']).toBe(beside === 0 ? 400 : undefined);
    for (const format of ['jpeg', 'webp', 'avif']) {
      const picture = await fetchSize(client, made.body.data.id, `width=64&format=${format}`);
      expect(shapeOf(picture)).toBe(`image/${format} 64x128`);
      expect(picture.bytes.length).toBeLessThan(2_000);
      for (const text of [PLACE, 'Exif\0', 'Photoshop']) expect(holds(picture.bytes, text)).toBe(false);
    }
  });
});

describe('the setting keep-metadata', () => {
  test('keeps in a JPEG made of a JPEG what its camera wrote, but that it lies on its side', async () => {
    const own = await Client.create('metadata');
    const jpeg = (await fetchSize(client, id, 'width=512&format=jpeg')).bytes;
    const photo = await storePicture(own, withExif(jpeg, 100_000));
    const bare = await storePicture(own, jpeg);
    const kept = async (query: string, file = photo) =>
      holds((await fetchSize(own, file, query)).bytes, PLACE);
    expect(await kept('width=64')).toBe(false);
    const set = await settle(own, { name: 'core.file', 'keep-metadata': true });
    const picture = await fetchSize(own, photo, 'width=64');
    expect([shapeOf(picture), holds(picture.bytes, PLACE)]).toEqual(['image/jpeg 64x128', true]);
    expect(imageSize(picture.bytes).orientation).toBe(1);
    expect(holds(picture.bytes, 'Photoshop')).toBe(false);
    const href = String((await linkTo(own, photo, { until: later(60_000), width: 64 })).body.meta['href']);
    expect((await readAt(href)).bytes).toEqual(picture.bytes);
    expect([await kept('width=64&format=webp'), await kept('width=64', bare)]).toEqual([false, false]);
    const data = { type: 'core.type', id: set.body.data.id, attributes: { 'keep-metadata': null } };
    await own.patch(`/schemas/core.type/${set.body.data.id}`, { data });
    expect(await kept('width=64')).toBe(false);
  });
});

describe('a size', () => {
  const LISTED = '64, 128, 256, 512, 1024, 2048';
  test.each([
    ['width=65', 'width', LISTED],
    ['height=4096', 'height', LISTED],
    ['width=64&height=63', 'height', LISTED],
    ['width=', 'width', LISTED],
    ['width=064', 'width', LISTED],
    ['width=6.4e1', 'width', LISTED],
    [`width=${'9'.repeat(30)}`, 'width', LISTED],
    ['format=webp', 'width', 'a width or a height'],
    ['fit=cover', 'width', 'a width or a height'],
    ['width=64&fit=cover', 'fit', 'both width and height'],
    ['width=64&height=64&fit=stretch', 'fit', 'scale-down, contain, cover'],
    ['width=64&format=tiff', 'format', 'auto, webp, avif, jpeg'],
    ['width=64&width=64', 'width', 'twice'],
  ])('%s is refused', async (query, parameter, told) => {
    const refused = await client.get(`${contentPath(id)}?${query}`);
    expect(faultsOf(refused)).toEqual([`400 invalid-parameter ?${parameter}`]);
    expect(refused.body.errors[0]?.detail).toContain(told);
  });

  test('is one that the setting lists', async () => {
    const own = await Client.create('listed');
    const file = await storePicture(own, pngOf(400, 200));
    const set = await settle(own, { name: 'core.file', sizes: [100, 300] });
    expect(set.status).toBe(201);
    const shapes = async () =>
      Promise.all(['width=100', 'width=64'].map(async (query) => shapeOf(await fetchSize(own, file, query))));
    expect(await shapes()).toEqual(['image/jpeg 100x50', '400']);
    const change = async (sizes: unknown) => {
      const data = { type: 'core.type', id: set.body.data.id, attributes: { sizes } };
      expect((await own.patch(`/schemas/core.type/${set.body.data.id}`, { data })).status).toBe(200);
    };
    await change([]);
    expect(await shapes()).toEqual(['400', '400']);
    await change(null);
    expect(await shapes()).toEqual(['400', 'image/jpeg 64x32']);
  });

  test.each([
    [{ name: 'core.file', sizes: 64 }],
    [{ name: 'core.file', sizes: [0] }],
    [{ name: 'core.file', sizes: [64.5] }],
    [{ name: 'core.file', sizes: ['64'] }],
    [{ name: 'core.file', sizes: [4097] }],
    [{ name: 'core.file', sizes: Array.from({ length: 21 }, (_, at) => at + 1) }],
    [{ name: 'articles', sizes: [64] }],
    [{ name: 'core.user', sizes: [64] }],
  ])('is none that %j lists', async (attributes) => {
    const faults = faultsOf(await settle(client, attributes));
    expect(faults).toEqual(['422 invalid-attribute /data/attributes/sizes']);
  });

  test.each([
    ['text', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain'],
    ['SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    ['HTML', new TextEncoder().encode('<img src=x onerror=alert(1)>'), 'text/html'],
    ['a picture of 3,600 megapixels', pngOf(60_000, 60_000, { rows: 1 }), 'image/png'],
    ['a picture of 67 megapixels and a bit', pngOf(8_193, 8_192, { rows: 1 }), 'image/png'],
  ])('is none of %s', async (_, bytes, type) => {
    const file = await storePicture(client, bytes, { 'content-type': type });
    expect(faultsOf(await client.get(`${contentPath(file)}?width=64`))).toEqual([
      '400 invalid-parameter ?width',
    ]);
  });

  test.each([
    ['cut off', pngOf(400, 200).subarray(0, 120)],
    ['of too few rows', pngOf(4_000, 4_000, { rows: 1 })],
    [
      'an SVG that begins as a GIF',
      new TextEncoder().encode(
        'GIF89a\t\0\t\0\0\0\0<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      ),
    ],
    ['nothing but a beginning', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)],
    [
      'too large, which no beginning tells',
      withExif(
        Uint8Array.of(
          0xff,
          0xd8,
          0xff,
          0xc0,
          0,
          17,
          8,
          0xea,
          0x60,
          0xea,
          0x60,
          3,
          1,
          34,
          0,
          2,
          17,
          1,
          3,
          17,
          1,
          0xff,
          0xd9,
        ),
        120_000,
      ),
    ],
  ])('is none of a picture that is %s', async (_, bytes) => {
    const own = await Client.create('broken');
    const file = await storePicture(own, bytes);
    const { attributes } = (await own.get(`${FILES}/${file}`)).body.data;
    expect(attributes?.['media-type']).toMatch(/^image\//);
    expect(faultsOf(await own.get(`${contentPath(file)}?width=64`))).toEqual(['404 not-found']);
    expect(await picturesOf(own)).toEqual([]);
  });

  test('is for who may read the content, and for nobody else', async () => {
    const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    const web = await underAcl(client);
    const own = await storePicture(web, pngOf(400, 200), ada.headers);
    const statuses = async () =>
      Promise.all(
        [ada.headers, eve.headers, {}].map(
          async (who) => (await fetchSize(web, own, 'width=64', who)).status,
        ),
      );
    expect(await statuses()).toEqual([200, 403, 401]);
    await grant(client, `${FILES}/${own}`, { read: [ada.link, eve.link] });
    expect(await statuses()).toEqual([200, 200, 401]);
    expect((await fetchSize(web, NO_ID, 'width=3', eve.headers)).status).toBe(403);
  });
});

describe('a link to a size', () => {
  test('reads this size alone, as the browser takes it', async () => {
    const meta = { until: later(60_000), width: 64, height: 64, fit: 'cover' };
    const href = String((await linkTo(client, id, meta)).body.meta['href']);
    const webp = await readAt(href, { headers: WEBP });
    expect(shapeOf(webp)).toBe('image/webp 64x64');
    expect(webp.headers.get('cache-control')).toMatch(/^private, max-age=\d\d, immutable$/);
    expect(webp.headers.get('vary')).toContain('Accept');
    expect(shapeOf(await readAt(href))).toBe('image/jpeg 64x64');
  });

  test.each([
    [{ width: 65 }, 'width'],
    [{ width: '64' }, 'width'],
    [{ width: null }, 'width'],
    [{ width: { $gt: 1 } }, 'width'],
    [{ format: 'webp' }, 'width'],
    [{ width: 64, fit: 'cover' }, 'fit'],
    [{ width: 64, format: ['webp'] }, 'format'],
  ])('is none to %j', async (size, member) => {
    const refused = await linkTo(client, id, { until: later(60_000), ...size });
    expect(faultsOf(refused)).toEqual([`400 invalid-body /meta/${member}`]);
  });

  test('is none to a size of what is no picture, and leads to nothing where the picture is broken', async () => {
    const [text, cut] = [
      await storePicture(client, new TextEncoder().encode(PLACE)),
      await storePicture(client, pngOf(400, 200).subarray(0, 120)),
    ];
    const meta = { until: later(60_000), width: 64 };
    expect(faultsOf(await linkTo(client, text, meta))).toEqual(['400 invalid-body /meta/width']);
    const href = String((await linkTo(client, cut, meta)).body.meta['href']);
    expect((await readAt(href)).status).toBe(404);
  });

  test('ends with the file', async () => {
    const file = await storePicture(client, pngOf(400, 200));
    const href = String((await linkTo(client, file, { until: later(60_000), width: 64 })).body.meta['href']);
    expect((await readAt(href)).status).toBe(200);
    await client.delete(`${FILES}/${file}`);
    await expect.poll(async () => (await readAt(href)).status).toBe(404);
  });
});
