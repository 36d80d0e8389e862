/** What rules let be told beside documents: rights on them, and refusals of changes. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { EVERY_METHOD, may } from '../support/people.ts';
import { makeSchema, settle } from '../support/type-settings.ts';

const trusted = await Client.create();

const errorsOf = (body: Partial<Reply['body']>) => body.errors ?? [];
const told = ({ status, body }: Reply) => [status, ...errorsOf(body).map(({ code }) => code)].join(' ');

describe('the rights on a document are a field of it, $acl', () => {
  test.each([
    ['no fields', undefined, '200', '200', '201'],
    ['no lists', {}, '200', '200', '201'],
    [
      'fields without it',
      { read: ['title'], write: ['title'] },
      '403 field-not-permitted',
      '403 field-not-permitted',
      '403 field-not-permitted',
    ],
    [
      'its members are no fields of the document',
      { read: ['read', 'update', 'delete'], write: ['read', 'update', 'delete', 'title'] },
      '403 field-not-permitted',
      '403 field-not-permitted',
      '403 field-not-permitted',
    ],
    [
      'to be read',
      { read: ['$acl'], write: ['title'] },
      '200',
      '403 field-not-permitted',
      '403 field-not-permitted',
    ],
    ['to be written', { read: ['title'], write: ['title', '$acl'] }, '403 field-not-permitted', '204', '201'],
    ['both', { read: ['$acl'], write: ['title', '$acl'] }, '200', '200', '201'],
  ])('%s', async (_, fields, read, change, create) => {
    const note = await trusted.make('notes', { title: 'a' });
    const web = await trusted.withPermissions([
      may('post', '/operations'),
      may(EVERY_METHOD, '/resources/notes.*', { ...(fields && { fields }) }),
    ]);
    const attributes = { read: '*' };
    const first = (result: Reply) =>
      result.status === 200 ? JSON.stringify(result.body).includes('"attributes"') : told(result);
    for (const type of ['notes.acl', 'notes.acl.acl']) {
      const path = `/resources/${type}/${note.id}`;
      const data = { type, id: note.id, attributes };
      expect(told(await web.get(path))).toBe(read);
      expect(told(await web.get(`/resources/${type}/${'0'.repeat(24)}`))).toBe(
        read === '200' ? '404 document-not-found' : read,
      );
      expect(told(await web.patch(path, { data }))).toBe(change);
      expect(first(await operate(web, [{ op: 'update', data }]))).toBe(
        change.startsWith('403') ? change : change === '200',
      );
    }
    const data = { type: 'notes', attributes: { title: 'b' }, meta: { acl: attributes } };
    expect(told(await web.post('/resources/notes', { data }))).toBe(create);
    expect(told(await operate(web, [{ op: 'add', data }]))).toBe(create === '201' ? '200' : create);
  });

  test('an answer shows no ACL that the key may not GET', async () => {
    const note = await trusted.make('notes', { title: 'a' });
    const path = `/resources/notes.acl/${note.id}`;
    const data = { type: 'notes.acl', id: note.id, attributes: { read: '*' } };
    for (const [get, status] of [
      [{ where: { title: 'b' } }, 204],
      [{ fields: { read: ['title'] } }, 204],
      [{ where: { title: 'a' } }, 200],
    ] as const) {
      const web = await trusted.withPermissions([
        may('post', '/operations'),
        may('patch', '/resources/notes\\.acl/.*'),
        may('get', '/resources/notes\\.acl/.*', { ...get }),
      ]);
      expect([get, (await web.patch(path, { data })).status]).toEqual([get, status]);
      expect((await operate(web, [{ op: 'update', data }])).text).not.toContain('attributes');
    }
  });
});

describe('a refusal tells no more than a GET at the address of the document would show', () => {
  beforeAll(async () => {
    await makeSchema(trusted, 'books', {
      attributes: {
        properties: { pages: { maximum: 500 } },
        if: { properties: { secret: { const: 'x' } }, required: ['secret'] },
        then: { properties: { title: { maxLength: 3 } } },
      },
    });
    await settle(trusted, { name: 'books', unique: [['title', 'secret']] });
  });
  const change = { title: 'long', pages: 9 };
  let books = 0;

  test.each([
    ['where no GET is permitted, what the permission itself shows', null, '422 schema-violated'],
    ['where GET is as open', {}, '422 schema-violated'],
    ['GET hides the field', { fields: { read: ['pages'] } }, '409 change-refused'],
    ['GET hides the document', { where: { open: true } }, '409 change-refused'],
    ['GET asks for a right', { acl: { active: true }, fields: { read: ['title'] } }, '409 change-refused'],
  ])('%s', async (_, get, refused) => {
    books += 1;
    // Unique, and short enough for the schema.
    const book = await trusted.make('books', { title: String(books), secret: 'x', open: false });
    const web = await trusted.withPermissions([
      may('post', '/operations'),
      may('patch post', '/resources/books/.*'),
      ...(get === null ? [] : [may('get', '/resources/books/.*', { ...get })]),
      // A key with some rule: what GETs show is asked of those alone.
      may('get', '/resources/others', { where: {} }),
    ]);
    const data = { type: 'books', id: book.id, attributes: change };
    const expected = refused.replace('schema-violated', 'schema-violation');
    const code = told(await web.patch(`/resources/books/${book.id}`, { data }));
    const token = get !== null && 'acl' in get;
    if (!token) expect(code).toBe(expected);
    const listed = await operate(web, [{ op: 'update', data }]);
    if (!token) expect(told(listed)).toBe(expected);
    const own = `/resources/books/${book.id}/relationships/title`;
    const hides = refused.startsWith('409');
    const linked = await web.patch(own, { data: null });
    const malformed = await web.patch(own, { data: 'x' });
    if (token) return;
    expect(told(linked)).toBe(hides ? '409 change-refused' : '409 field-conflict');
    expect(told(malformed)).toBe(hides ? '422 invalid-relationship' : '409 field-conflict');
  });

  test('of values that are unique together every one must be shown', async () => {
    await trusted.make('books', { title: 'a', secret: 's' });
    const book = await trusted.make('books', { title: 'b', secret: 's' });
    for (const [read, refused] of [
      [['title', 'secret'], '409 value-taken'],
      [['title'], '409 change-refused'],
    ] as const) {
      const web = await trusted.withPermissions([
        may(EVERY_METHOD, '/resources/books/.*', { fields: { read } }),
      ]);
      const reply = await web.update(`/resources/books/${book.id}`, { attributes: { title: 'a' } });
      expect(told(reply)).toBe(refused);
      if (read.length === 2) expect(reply.body.errors[0]?.meta).toEqual({ paths: ['title', 'secret'] });
      else expect(reply.text).not.toContain('secret');
    }
  });
});
