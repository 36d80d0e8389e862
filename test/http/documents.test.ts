/** Documents at their endpoints: create, read, list, PATCH, DELETE (spec, Application documents; decisions, 1, 2). */
import { describe, expect, test } from 'vitest';
import { Client, MEDIA_TYPE, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();

describe('POST on a type', () => {
  test('answers 201 with the document, its Location and an ETag', async () => {
    const made = await client.create('/resources/articles', { attributes: { title: 'On edges', pages: 3 } });
    const self = `${client.url}/resources/articles/${made.body.data.id}`;
    expect(made.status).toBe(201);
    expect(made.headers.get('content-type')).toBe(MEDIA_TYPE);
    expect(made.headers.get('location')).toBe(self);
    expect(made.etag).toMatch(/^"[^"]+"$/);
    expect(made.body).toEqual({
      data: {
        type: 'articles',
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        attributes: { title: 'On edges', pages: 3 },
        links: { self },
      },
      links: { self },
    });
  });

  test('needs only a type; a blank document has no attributes and no relationships', async () => {
    const made = await client.create('/resources/blanks');
    expect(made.status).toBe(201);
    expect(Object.keys(made.body.data).sort()).toEqual(['id', 'links', 'type']);
  });

  test('gives every one of many parallel creates its own document', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, (_, n) => client.make('parallel', { n })));
    const list = await client.get('/resources/parallel?page[limit]=100');
    expect(list.body.meta.count).toBe(30);
    expect(list.body.data.map(({ id }) => id)).toEqual(made.map(({ id }) => id).sort());
  });

  test.each([
    ['an id is sent', { type: 'a', id: NO_ID }, ['403 client-id /data/id']],
    ['the type differs from the path', { type: 'b' }, ['409 type-conflict /data/type']],
    ['both: what comes first in the order', { type: 'b', id: NO_ID }, ['403 client-id /data/id']],
    ['there is no type', {}, ['400 invalid-body /data/type']],
    ['the type is no string', { type: 1 }, ['400 invalid-body /data/type']],
    ['the attributes are an array', { type: 'a', attributes: [] }, ['400 invalid-body /data/attributes']],
    ['the attributes are null', { type: 'a', attributes: null }, ['400 invalid-body /data/attributes']],
    [
      'the relationships are a string',
      { type: 'a', relationships: 'r' },
      ['400 invalid-body /data/relationships'],
    ],
    [
      'a relationship is a bare link',
      { type: 'a', relationships: { r: null } },
      ['400 invalid-body /data/relationships/r'],
    ],
    [
      'a relationship has no data',
      { type: 'a', relationships: { r: {} } },
      ['400 invalid-body /data/relationships/r/data'],
    ],
    [
      'links lack their members',
      { type: 'a', relationships: { r: { data: [{ type: 'a' }, { id: NO_ID }, 7] } } },
      [
        '422 invalid-relationship /data/relationships/r/data/0',
        '422 invalid-relationship /data/relationships/r/data/1',
        '422 invalid-relationship /data/relationships/r/data/2',
      ],
    ],
  ])('is refused when %s', async (_, data, faults) => {
    const refused = await client.post('/resources/a', { data });
    expect(faultsOf(refused)).toEqual(faults);
  });

  test.each([
    ['an array', []],
    ['an object without data', { meta: {} }],
    ['data that is null', { data: null }],
    ['data that is an array', { data: [{ type: 'a' }] }],
    ['a string', '"text"'],
    ['null', 'null'],
  ])('refuses a body that is %s', async (_, body) => {
    const refused = await client.post('/resources/a', body);
    expect(faultsOf(refused)).toEqual(['400 invalid-body /data']);
  });
});

describe('GET', () => {
  test('of a document answers what was stored', async () => {
    const made = await client.make('books', { title: 'T' });
    const read = await client.get(`/resources/books/${made.id}`);
    expect(read.status).toBe(200);
    expect(read.etag).toMatch(/^"[^"]+"$/);
    expect(read.body).toEqual({
      data: { type: 'books', id: made.id, attributes: { title: 'T' }, links: made.links },
      links: made.links,
    });
  });

  test('of a type answers its documents in the order of creation, with count and links', async () => {
    const made = [await client.make('shelf', { n: 1 }), await client.make('shelf', { n: 2 })];
    const reads = await Promise.all(made.map(({ links }) => client.get(links.self)));
    const list = await client.get('/resources/shelf');
    expect(list.status).toBe(200);
    expect(list.etag).toMatch(/^"[^"]+"$/);
    expect(Object.keys(list.body).sort()).toEqual(['data', 'links', 'meta']);
    expect(list.body.meta).toEqual({ count: 2 });
    expect(list.body.data).toEqual(reads.map(({ body }) => body.data));
  });

  test('of a type nobody has used answers an empty list', async () => {
    const list = await client.get('/resources/nobody');
    expect(list.status).toBe(200);
    expect(list.body.meta.count).toBe(0);
    expect(list.body.data).toEqual([]);
  });

  test('of a deleted document answers {data: null}', async () => {
    const { id, links } = await client.make('gone');
    await client.delete(`/resources/gone/${id}`);
    const read = await client.get(`/resources/gone/${id}`);
    expect([read.status, read.body]).toEqual([200, { data: null, links }]);
    const including = await client.get(`/resources/gone/${id}?include=a`);
    expect(including.body).toMatchObject({ data: null, included: [] });
  });

  test('of an id that never existed is 404', async () => {
    await client.make('some');
    expect(faultsOf(await client.get(`/resources/some/${NO_ID}`))).toEqual(['404 document-not-found']);
  });
});

describe('PATCH', () => {
  const patch = (id: string, data: object, headers = {}) =>
    client.update(`/resources/notes/${id}`, data, headers);

  test('without If-Match answers 200, the ETag and the whole document', async () => {
    const { id, etag, links } = await client.make('notes', { a: 1, b: 2 });
    const patched = await patch(id, { attributes: { b: 3 } });
    expect(patched.status).toBe(200);
    expect(patched.body).toEqual({ data: { type: 'notes', id, attributes: { a: 1, b: 3 }, links }, links });
    expect(patched.etag).toMatch(/^"[^"]+"$/);
    expect(patched.etag).not.toBe(etag);
    expect((await client.get(`/resources/notes/${id}`)).body).toEqual(patched.body);
  });

  test('with a current If-Match answers 204, the new ETag and no body', async () => {
    const { id, etag } = await client.make('notes', { a: 1 });
    const patched = await patch(id, { attributes: { a: 2 } }, { 'if-match': etag });
    expect([patched.status, patched.text]).toEqual([204, '']);
    expect(patched.headers.get('content-type')).toBeNull();
    expect(patched.etag).not.toBe(etag);
    const next = await patch(id, { attributes: { a: 3 } }, { 'if-match': patched.etag });
    expect(next.status).toBe(204);
  });

  test.each([
    ['replaces attributes and keeps the others', { a: 9 }, { a: 9, b: { c: 1, d: [1] } }],
    ['adds attributes', { e: 'new' }, { a: 1, b: { c: 1, d: [1] }, e: 'new' }],
    ['replaces whole attributes, without a deep merge', { b: { x: 1 } }, { a: 1, b: { x: 1 } }],
    ['takes null as a value', { a: null }, { a: null, b: { c: 1, d: [1] } }],
    ['may change nothing', {}, { a: 1, b: { c: 1, d: [1] } }],
  ])('%s', async (_, attributes, after) => {
    const { id } = await client.make('notes', { a: 1, b: { c: 1, d: [1] } });
    const patched = await patch(id, { attributes });
    expect(patched.body.data.attributes).toEqual(after);
  });

  test('replaces, adds and keeps relationships', async () => {
    const one = await client.make('people');
    const link = { type: 'people', id: one.id };
    const { id } = await client.make('notes', undefined, { kept: { data: link }, emptied: { data: link } });
    const patched = await patch(id, {
      relationships: { emptied: { data: null }, added: { data: [link] } },
    });
    const { relationships = {} } = patched.body.data;
    expect(Object.entries(relationships).map(([name, { data }]) => [name, data])).toEqual([
      ['kept', link],
      ['emptied', null],
      ['added', [link]],
    ]);
  });

  test.each([
    ['the type differs', { type: 'others' }, ['409 type-conflict /data/type']],
    ['the id differs', { id: NO_ID }, ['409 id-conflict /data/id']],
    ['the id is missing', { id: undefined }, ['400 invalid-body /data/id']],
    ['the type is missing', { type: undefined }, ['400 invalid-body /data/type']],
  ])('is refused when %s', async (_, data, faults) => {
    const { id } = await client.make('notes');
    expect(faultsOf(await patch(id, data))).toEqual(faults);
  });

  test('of what was deleted, or never existed, is 404', async () => {
    const { id } = await client.make('notes');
    await client.delete(`/resources/notes/${id}`);
    expect(faultsOf(await patch(id, {}))).toEqual(['404 document-not-found']);
    expect(faultsOf(await patch(NO_ID, {}))).toEqual(['404 document-not-found']);
  });

  test('changes both or neither: a refused PATCH leaves the document as it was', async () => {
    const { id } = await client.make('notes', { a: 1 });
    const refused = await patch(id, { attributes: { a: 2, $b: 1 } });
    expect(refused.status).toBe(422);
    expect((await client.get(`/resources/notes/${id}`)).body.data.attributes).toEqual({ a: 1 });
  });
});

describe('DELETE', () => {
  test('answers 204 without a body; the document leaves its list', async () => {
    const { id } = await client.make('drafts');
    const kept = await client.make('drafts');
    const deleted = await client.delete(`/resources/drafts/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const list = await client.get('/resources/drafts');
    expect(list.body.meta.count).toBe(1);
    expect(list.body.data.map((each) => each.id)).toEqual([kept.id]);
  });

  test('of what does not exist, or no more, is 404', async () => {
    const { id } = await client.make('drafts');
    await client.delete(`/resources/drafts/${id}`);
    expect(faultsOf(await client.delete(`/resources/drafts/${id}`))).toEqual(['404 document-not-found']);
    expect(faultsOf(await client.delete(`/resources/drafts/${NO_ID}`))).toEqual(['404 document-not-found']);
  });

  test('does not let an id come again', async () => {
    const { id } = await client.make('unique');
    await client.delete(`/resources/unique/${id}`);
    const next = await client.make('unique');
    expect(next.id > id).toBe(true);
  });
});

describe('ids', () => {
  test.each(['get', 'patch', 'delete'] as const)('may be written in either case for %s', async (method) => {
    const { id } = await client.make('cases', { a: 1 });
    const upper = id.toUpperCase();
    const body = { data: { type: 'cases', id: upper, attributes: { a: 2 } } };
    const answer = await client[method](
      `/resources/cases/${upper}`,
      ...((method === 'patch' ? [body] : []) as []),
    );
    expect(answer.status).toBe(method === 'delete' ? 204 : 200);
    if (method !== 'delete') expect(answer.body.data.id).toBe(id);
  });

  test.each(['x', '0', 'f'.repeat(23), 'f'.repeat(25), `${'f'.repeat(23)}g`, 'me', '%00'])(
    '%s is malformed: 404',
    async (id) => {
      const answers = [
        await client.get(`/resources/some/${id}`),
        await client.update(`/resources/some/${id}`, {}),
        await client.delete(`/resources/some/${id}`),
      ];
      expect(answers.map(faultsOf)).toEqual([['404 not-found'], ['404 not-found'], ['404 not-found']]);
    },
  );
});
