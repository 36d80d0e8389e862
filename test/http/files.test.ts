/** Files: how they are stored, read and deleted (docs/files.md). */
import { describe, expect, test } from 'vitest';
import { erase } from '../support/app.ts';
import { Client, NO_ID, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentsOf, digestOf, fetchContent, FILES, PNG, randomBytes, upload } from '../support/files.ts';
import { grant, makeUser, may, underAcl } from '../support/people.ts';

const client = await Client.create('files');

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
      ...{ width: 1, height: 1 },
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
    ['two', { 'content-disposition': "attachment; filename=a; filename*=UTF-8''b; filename=c" }, 'b'],
    ['one in Latin 1', { 'content-disposition': "attachment; filename*=ISO-8859-1''%e9.txt" }, 'é.txt'],
    ['no bytes of UTF-8', { 'content-disposition': "attachment; filename*=UTF-8''%ff" }, 'file'],
    ['no known charset', { 'content-disposition': "attachment; filename*=X''a.txt" }, 'file'],
    ['signs that look encoded', { 'content-disposition': 'attachment; filename="50%41.png"' }, '50%41.png'],
    ['a quote without an end', { 'content-disposition': 'attachment; filename="a' }, 'file'],
    ['nothing but signs', { 'content-disposition': ';=;' }, 'file'],
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
    const id = await store(stored === 'image/png' ? PNG : TEN, { 'content-type': sent });
    expect((await fetchContent(client, id)).headers.get('content-type')).toBe(stored);
  });

  test.each(['png', 'image/', 'image/png, text/html', 'multipart/form-data', 'application/vnd.api+json'])(
    'refuses the media type %s',
    async (sent) => {
      const refused = await upload(client, TEN, { 'content-type': sent });
      expect(faultsOf(refused)).toEqual(['415 unsupported-media-type Content-Type:']);
    },
  );
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
    const set = await client.create('/schemas/core.type', { attributes: settings });
    expect(faultsOf(set)).toEqual(['422 invalid-attribute /data/attributes/inverses/content']);
  });

  test('is seen by schemas and by the rules of a key, which keep what was uploaded out', async () => {
    const rule = may('post', '/files/.*', { check: { 'media-type': { $in: ['image/png'] } } });
    const only = await client.withPermissions([rule]);
    expect((await upload(only, PNG, { 'content-type': 'image/png' })).status).toBe(201);
    const before = await contentsOf(client);
    expect(faultsOf(await upload(only, TEN, { 'content-type': 'text/html' }))).toEqual([
      '403 rule-violated /data/attributes/media-type',
    ]);
    await expect.poll(() => contentsOf(client)).toEqual(before);
  });

  test('gets a name from those alone whose key may write it', async () => {
    const permission = may('post', '/files/.*', { fields: { write: ['title'] } });
    const only = await client.withPermissions([permission]);
    const refused = await upload(only, TEN, { 'content-disposition': 'attachment; filename=a' });
    expect(faultsOf(refused)).toEqual(['403 field-not-permitted /data/attributes/name']);
    expect((await upload(only, TEN)).status).toBe(201);
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
      [may('get', `/files/core.file/[0-9a-f]{24}/content`)],
      [may('get', `/files/core.file(/[0-9a-f]{24})?`)],
      [may('get', '/files/.*', { where: { size: 11 } })],
      [may('get', '/files/.*', { fields: { read: ['title'] } })],
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
    expect((await own.create('/schemas/core.type', { attributes })).status).toBe(201);
    const { id } = (await upload(own, TEN)).body.data;
    const until = { $date: '2020-01-01' };
    await own.patch(`${FILES}/${id}`, { data: { type: 'core.file', id, attributes: { until } } });
    expect((await fetchContent(own, id)).status).toBe(404);
    await expect.poll(() => contentsOf(own)).toEqual([]);
  });

  test('comes with the person whose file it is', async () => {
    const own = await Client.create('erased');
    const [ada, eve] = [await makeUser(own, 'ada'), await makeUser(own, 'eve')];
    const web = await underAcl(own);
    await upload(web, TEN, ada.headers);
    const other = (await upload(web, TEN, eve.headers)).body.data.id;
    await erase(own, ada.link);
    await expect.poll(() => contentsOf(own)).toEqual([other]);
  });

  test('comes with its application', async () => {
    const own = await Client.create('gone');
    await upload(own, TEN);
    expect(await contentsOf(own)).toHaveLength(1);
    await operator().delete(own.application);
    expect(await contentsOf(own)).toEqual([]);
  });
});
