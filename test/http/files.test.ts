/** Files: how they are stored, read and deleted (docs/files.md). */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import {
  contentPath,
  contentsOf,
  digestOf,
  fetchContent,
  FILES,
  PNG,
  randomBytes,
  upload,
} from '../support/files.ts';
import { grant, makeUser, underAcl } from '../support/people.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.create('files');
});

const TEN = new TextEncoder().encode('0123456789');

const change = (id: string, members: object) =>
  client.patch(`${FILES}/${id}`, { data: { type: 'core.file', id, ...members } });

const store = async (bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}) => {
  const made = await upload(client, bytes, headers);
  expect(made.status).toBe(201);
  return made.body.data.id;
};

describe('an upload', () => {
  test('stores the body as it is, and a document that says what it is', async () => {
    const made = await upload(client, PNG, {
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="ada.png"',
    });
    expect(made.body.data.attributes).toEqual({
      name: 'ada.png',
      'media-type': 'image/png',
      size: PNG.length,
      'sha-256': digestOf(PNG),
      created: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    const { id } = made.body.data;
    expect(made.headers.get('location')).toBe(`${client.url}${FILES}/${id}`);
    expect((await client.get(`${FILES}/${id}`)).body.data).toEqual(made.body.data);
    const read = await fetchContent(client, id);
    expect(read.status).toBe(200);
    expect(read.bytes).toEqual(PNG);
  });

  test('may be large', async () => {
    const large = randomBytes(20_000_000);
    const id = await store(large);
    const read = await fetchContent(client, id);
    expect(read.headers.get('content-length')).toBe('20000000');
    expect(digestOf(read.bytes)).toBe(digestOf(large));
  });

  test('may be empty', async () => {
    const id = await store(new Uint8Array(0));
    const read = await fetchContent(client, id);
    expect([read.status, read.bytes.length, read.headers.get('content-length')]).toEqual([200, 0, '0']);
  });

  test('gives ids that ascend, to files that are stored at the same time, too', async () => {
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, n) => store(randomBytes(1_000 * (12 - n)))),
    );
    expect(new Set(many).size).toBe(12);
    const listed = await client.get(`${FILES}?sort=id&page[limit]=1000&fields[core.file]=size`);
    const ids = listed.body.data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(ids).toEqual(expect.arrayContaining(many));
  });

  test('with return=minimal answers 204 and the address', async () => {
    const made = await upload(client, TEN, { prefer: 'return=minimal' });
    expect(made.status).toBe(204);
    expect(made.headers.get('location')).toContain(FILES);
  });

  test.each([
    ['none', {}, 'file'],
    ['a plain one', { 'content-disposition': 'attachment; filename=a.txt' }, 'a.txt'],
    ['one in UTF-8', { 'content-disposition': "attachment; filename*=UTF-8''%e2%82%ac.txt" }, '€.txt'],
    ['a path', { 'content-disposition': 'attachment; filename="../../etc/passwd"' }, 'passwd'],
    ['a path of Windows', { 'content-disposition': "attachment; filename*=UTF-8''c%3A%5Cb.txt" }, 'b.txt'],
    ['only dots', { 'content-disposition': 'attachment; filename=".."' }, 'file'],
    ['controls', { 'content-disposition': "attachment; filename*=UTF-8''a%00%0D%0Ab.txt" }, 'ab.txt'],
    [
      'marks of direction',
      { 'content-disposition': "attachment; filename*=UTF-8''a%E2%80%AEgpj.exe" },
      'agpj.exe',
    ],
    ['quotes', { 'content-disposition': 'attachment; filename="a\\"; x=\\"b"' }, 'a"; x="b'],
    ['a long one', { 'content-disposition': `attachment; filename=${'n'.repeat(300)}` }, 'n'.repeat(255)],
  ] as const)('takes as the name of %s what a file may be called', async (_, headers, name) => {
    const id = await store(TEN, headers);
    expect((await client.get(`${FILES}/${id}`)).body.data.attributes?.['name']).toBe(name);
    expect((await fetchContent(client, id)).headers.get('content-disposition')).not.toMatch(/[\r\n\u202e]/);
  });

  test.each([
    ['image/PNG', 'image/png'],
    ['text/plain; charset=utf-8', 'text/plain;charset=utf-8'],
    ['text/plain; charset="utf-8"', 'text/plain;charset=utf-8'],
    ['application/json', 'application/json'],
  ])('takes the media type %s', async (sent, stored) => {
    const id = await store(TEN, { 'content-type': sent });
    expect((await fetchContent(client, id)).headers.get('content-type')).toBe(stored);
  });

  test.each([
    'png',
    'image/',
    'image/png, text/html',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
  ])('refuses the media type %s', async (sent) => {
    const refused = await upload(client, TEN, { 'content-type': sent });
    expect(faultsOf(refused)).toEqual(['415 unsupported-media-type Content-Type:']);
  });
});

describe('the document of a file', () => {
  test('takes other attributes, relationships and another name', async () => {
    const owner = await client.make('people', { name: 'Ada' });
    const id = await store(PNG, { 'content-type': 'image/png' });
    const changed = await change(id, {
      attributes: { name: 'ada 2.png', title: 'Ada' },
      relationships: { owner: { data: { type: 'people', id: owner.id } } },
    });
    expect(changed.body.data.attributes).toMatchObject({ name: 'ada 2.png', title: 'Ada', size: PNG.length });
    const found = await client.get(
      `${FILES}?filter[owner.name]=Ada&filter[media-type]=image/png&include=owner`,
    );
    expect(found.body.data.map((each) => each.id)).toEqual([id]);
    expect(found.body.included.map((each) => each.id)).toEqual([owner.id]);
    const linked = await client.make('people', {}, { picture: { data: { type: 'core.file', id } } });
    const shown = await client.get(`/resources/people/${linked.id}?include=picture`);
    expect(shown.body.included.map((each) => each.id)).toEqual([id]);
  });

  test.each([
    ['size', 1, '422 read-only-member /data/attributes/size'],
    ['sha-256', 'a'.repeat(64), '422 read-only-member /data/attributes/sha-256'],
    ['media-type', 'text/html', '422 read-only-member /data/attributes/media-type'],
    ['created', { $date: '2026-01-01' }, '422 read-only-member /data/attributes/created'],
    ['name', '../a', '422 invalid-attribute /data/attributes/name'],
    ['name', 1, '422 invalid-attribute /data/attributes/name'],
  ])('does not take the attribute %s as %j', async (name, value, fault) => {
    const id = await store(TEN);
    expect(faultsOf(await change(id, { attributes: { [name]: value } }))).toEqual([fault]);
  });

  test('is not changed by operators where it says what the content is', async () => {
    const id = await store(TEN);
    const refused = await change(id, { meta: { update: { $inc: { size: 1 } } } });
    expect(refused.status).toBe(422);
  });

  test('has no relationship at the address of the content', async () => {
    const id = await store(TEN);
    const data = { type: 'core.file', id };
    const fault = '422 invalid-relationship';
    expect(faultsOf(await change(id, { relationships: { content: { data } } }))).toEqual([
      `${fault} /data/relationships/content`,
    ]);
    const path = `${FILES}/${id}/relationships/content`;
    expect(faultsOf(await client.patch(path, { data }))).toEqual([`${fault} /data`]);
    const settings = { name: 'core.file', inverses: { content: { type: 'people', through: 'picture' } } };
    const set = await client.post('/schemas/core.type', {
      data: { type: 'core.type', attributes: settings },
    });
    expect(faultsOf(set)).toEqual(['422 invalid-attribute /data/attributes/inverses/content']);
  });

  test('is seen by schemas and by the rules of a key, which keep what was uploaded out', async () => {
    const rule = { path: '/files/.*', methods: ['post'], check: { 'media-type': { $in: ['image/png'] } } };
    const only = await client.withPermissions([rule]);
    expect((await upload(only, PNG, { 'content-type': 'image/png' })).status).toBe(201);
    const before = await contentsOf(client);
    expect(faultsOf(await upload(only, TEN, { 'content-type': 'text/html' }))).toEqual([
      '403 rule-violated /data/attributes/media-type',
    ]);
    await expect.poll(() => contentsOf(client)).toEqual(before);
  });

  test('gets a name from those alone whose key may write it', async () => {
    const permission = { path: '/files/.*', methods: ['post'], fields: { write: ['title'] } };
    const only = await client.withPermissions([permission]);
    const refused = await upload(only, TEN, { 'content-disposition': 'attachment; filename=a' });
    expect(faultsOf(refused)).toEqual(['403 field-not-permitted /data/attributes/name']);
    expect((await upload(only, TEN)).status).toBe(201);
  });
});

describe('the content', () => {
  let id: string;
  let tag: string;
  let modified: string;
  beforeAll(async () => {
    id = await store(TEN, { 'content-type': 'text/plain' });
    const { headers } = await fetchContent(client, id);
    tag = headers.get('etag') ?? '';
    modified = headers.get('last-modified') ?? '';
    expect(tag).toBe(`"${digestOf(TEN)}"`);
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=9-99999999999999999999', 206, '9', 'bytes 9-9/10'],
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    // What is no range, or several of them, is answered with the whole.
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['items=0-1', 200, '0123456789', null],
  ])('answers Range %s with %i', async (range, status, text, says) => {
    const part = await fetchContent(client, id, { range });
    expect([part.status, new TextDecoder().decode(part.bytes)]).toEqual([status, text]);
    expect(part.headers.get('content-range')).toBe(says);
    expect(part.headers.get('content-length')).toBe(String(text.length));
    const head = await fetchContent(client, id, { range }, { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([status, 0]);
    for (const name of ['content-length', 'content-range', 'etag', 'content-type']) {
      expect(head.headers.get(name)).toBe(part.headers.get(name));
    }
  });

  test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('has nothing in the range %s', async (range) => {
    const refused = await client.get(contentPath(id), { range });
    expect(faultsOf(refused)).toEqual(['416 range-not-satisfiable Range:']);
    expect(refused.headers.get('content-range')).toBe('bytes */10');
  });

  test('is 304 to who has it, and whole to who has another', async () => {
    const answers = [
      await fetchContent(client, id, { 'if-none-match': tag }),
      await fetchContent(client, id, { 'if-none-match': `"x", W/${tag}` }),
      await fetchContent(client, id, { 'if-none-match': '*' }),
      await fetchContent(client, id, { 'if-modified-since': modified }),
      await fetchContent(client, id, { 'if-none-match': '"x"', 'if-modified-since': modified }),
      await fetchContent(client, id, { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([304, 304, 304, 304, 200, 200]);
    expect(answers[0]?.bytes.length).toBe(0);
    expect(answers[0]?.headers.get('etag')).toBe(tag);
  });

  test('heeds a range only of the content that If-Range names', async () => {
    const range = 'bytes=0-1';
    const answers = [
      await fetchContent(client, id, { range, 'if-range': tag }),
      await fetchContent(client, id, { range, 'if-range': modified }),
      await fetchContent(client, id, { range, 'if-range': '"x"' }),
      await fetchContent(client, id, { range, 'if-range': `W/${tag}` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([206, 206, 200, 200]);
  });

  test.each([
    ['image/png', 'inline'],
    ['text/plain', 'inline'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/pdf', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['text/javascript', 'attachment'],
    ['text/xml', 'attachment'],
  ])('of the media type %s is %s, and runs nothing', async (mediaType, disposition) => {
    const page = new TextEncoder().encode('<script>alert(1)</script>');
    const file = await store(page, {
      'content-type': mediaType,
      'content-disposition': 'inline; filename=p',
    });
    const { headers } = await fetchContent(client, file);
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename=p`);
    expect(headers.get('content-type')).toBe(mediaType);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; sandbox; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('private, no-cache');
    // The headers of other answers stay what they are.
    const after = await client.get(`${FILES}/${file}`);
    expect(after.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const saved = await fetchContent(client, file, {}, { query: '?download' });
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename=p');
  });

  test('is of its application alone, and of an id that there is', async () => {
    const other = await Client.create('other');
    expect((await fetchContent(other, id)).status).toBe(404);
    expect((await fetchContent(client, NO_ID)).status).toBe(404);
    expect(faultsOf(await client.get(`${contentPath(id)}?size=1`))).toEqual(['400 unknown-parameter ?size']);
  });
});

describe('who may read a content', () => {
  test('is who may read the document, at the next request', async () => {
    const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    const web = await underAcl(client);
    const made = await upload(web, TEN, ada.headers);
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    const read = async ({ headers }: typeof ada) => (await fetchContent(web, id, headers)).status;
    expect([await read(ada), await read(eve), (await fetchContent(web, id)).status]).toEqual([200, 403, 401]);
    expect((await fetchContent(web, NO_ID, eve.headers)).status).toBe(403);
    await grant(client, `${FILES}/${id}`, { read: [ada.link, eve.link] });
    expect(await read(eve)).toBe(200);
    await grant(client, `${FILES}/${id}`, { read: [ada.link] });
    expect(await read(eve)).toBe(403);
  });

  test('is who has a key for the path, and sees the document by its rule', async () => {
    const id = await store(TEN, { 'content-disposition': 'attachment; filename=secret.txt' });
    const keys = [
      [{ path: `/files/core.file/[0-9a-f]{24}/content`, methods: ['get'] }],
      [{ path: `/files/core.file(/[0-9a-f]{24})?`, methods: ['get'] }],
      [{ path: '/files/.*', methods: ['get'], where: { size: 11 } }],
      [{ path: '/files/.*', methods: ['get'], fields: { read: ['title'] } }],
    ];
    const answers = [];
    for (const permissions of keys) {
      answers.push(await fetchContent(await client.withPermissions(permissions), id));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 200]);
    expect(answers[3]?.headers.get('content-disposition')).not.toContain('secret');
  });
});

describe('the end of a file', () => {
  test('is that of its content', async () => {
    const own = await Client.create('ends');
    const { id } = (await upload(own, TEN)).body.data;
    expect(await contentsOf(own)).toEqual([id]);
    expect((await own.delete(`${FILES}/${id}`)).status).toBe(204);
    expect((await fetchContent(own, id)).status).toBe(404);
    await expect.poll(() => contentsOf(own)).toEqual([]);
  });

  test('comes at the date that the settings of the type name', async () => {
    const own = await Client.create('expires');
    const attributes = { name: 'core.file', expires: 'until' };
    expect((await own.post('/schemas/core.type', { data: { type: 'core.type', attributes } })).status).toBe(
      201,
    );
    const { id } = (await upload(own, TEN)).body.data;
    const until = { $date: '2020-01-01' };
    await own.patch(`${FILES}/${id}`, { data: { type: 'core.file', id, attributes: { until } } });
    expect((await fetchContent(own, id)).status).toBe(404);
    await expect.poll(() => contentsOf(own)).toEqual([]);
  });

  test('comes with its application', async () => {
    const own = await Client.create('gone');
    await upload(own, TEN);
    expect(await contentsOf(own)).toHaveLength(1);
    await operator().delete(own.application);
    expect(await contentsOf(own)).toEqual([]);
  });
});
