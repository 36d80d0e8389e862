/** Settings of types: the module itself, and what it refuses. */
import { describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { settle, settingsOf } from '../support/type-settings.ts';

const client = await Client.create();

const ID = '0123456789abcdef01234567';

function faults({ status, body }: Reply): readonly unknown[] {
  return [status, ...body.errors.map(({ code, source }) => [code, source?.pointer])];
}

describe('the module', () => {
  test('creates, reads, lists, changes and deletes; settings come back as they were sent', async () => {
    const attributes = {
      name: 'things',
      rights: { read: ['*', '$creator', '$owner', { type: 'core.user', id: ID }], delete: [] },
      unique: [['a.b', 'c'], ['d']],
      inverses: { parts: { type: 'parts', through: 'thing' } },
      title: 'label',
      views: { newest: 'sort=-id' },
    };
    const made = await settle(client, attributes);
    expect(made.status).toBe(201);
    const path = `/schemas/core.type/${made.body.data.id}`;
    expect(made.headers.get('location')).toBe(client.url + path);
    expect((await client.get(path)).body.data.attributes).toEqual(attributes);
    expect((await client.get('/schemas/core.type?filter[name]=things')).body.meta.count).toBe(1);
    const data = { type: 'core.type', id: made.body.data.id, attributes: { unique: null } };
    const changed = await client.patch(path, { data }, { 'if-match': made.etag });
    expect(changed.status).toBe(204);
    expect((await client.patch(path, { data }, { 'if-match': made.etag })).status).toBe(412);
    expect((await client.get(path)).body.data.attributes).toEqual({ ...attributes, unique: null });
    expect((await client.delete(path)).status).toBe(204);
    expect((await client.get(path)).body.data).toBe(null);
    expect((await client.delete(path)).status).toBe(404);
  });

  test('a type has settings once, until they are deleted', async () => {
    const first = await settle(client, { name: 'once' });
    expect(faults(await settle(client, { name: 'once' }))).toEqual([
      409,
      ['value-taken', '/data/attributes/name'],
    ]);
    await client.delete(`/schemas/core.type/${first.body.data.id}`);
    expect((await settle(client, { name: 'once' })).status).toBe(201);
  });

  test('of several creates for one type at the same time one is done', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => settle(client, { name: 'raced' })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  test('the name never changes; the same name may be sent again', async () => {
    const made = await settle(client, { name: 'named' });
    const path = `/schemas/core.type/${made.body.data.id}`;
    const change = (name: string) => client.update(path, { attributes: { name } });
    expect((await change('named')).status).toBe(200);
    expect(faults(await change('other'))).toEqual([422, ['invalid-attribute', '/data/attributes/name']]);
  });

  test('settings of other applications, and of the registry of types, are not seen', async () => {
    const other = await Client.create();
    await settle(client, { name: 'mine' });
    expect((await other.get('/schemas/core.type')).body.meta.count).toBe(0);
    expect((await client.get('/schemas/core.type?filter[name]=core.type')).body.meta.count).toBe(0);
  });
});

describe('what is refused', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['no name', {}, 'missing-attribute', '/name'],
    ['a name that is none', { name: 1 }, 'invalid-attribute', '/name'],
    ['a type that has no settings', { name: 'core.api-key' }, 'invalid-attribute', '/name'],
    ['its own type', { name: 'core.type' }, 'invalid-attribute', '/name'],
    ['an aggregate', { name: 'agt.sums' }, 'invalid-attribute', '/name'],
    ['an unknown setting', { name: 'x', colour: 'red' }, 'invalid-attribute', '/colour'],
    ['rights that are no object', { name: 'x', rights: ['*'] }, 'invalid-attribute', '/rights'],
    [
      'a right that there is not',
      { name: 'x', rights: { write: ['*'] } },
      'invalid-attribute',
      '/rights/write',
    ],
    ['a right that is no array', { name: 'x', rights: { read: '*' } }, 'invalid-attribute', '/rights/read'],
    [
      'an entry that is none',
      { name: 'x', rights: { read: ['*', 'from'] } },
      'invalid-attribute',
      '/rights/read/1',
    ],
    [
      'an entry without a name',
      { name: 'x', rights: { read: ['$'] } },
      'invalid-attribute',
      '/rights/read/0',
    ],
    [
      'an entry with a path',
      { name: 'x', rights: { read: ['$a.b'] } },
      'invalid-attribute',
      '/rights/read/0',
    ],
    [
      'an entry that is no identity',
      { name: 'x', rights: { read: [{ type: 'things', id: ID }] } },
      'invalid-attribute',
      '/rights/read/0',
    ],
    [
      'more than 100 entries',
      { name: 'x', rights: { read: Array(101).fill('*') } },
      'invalid-attribute',
      '/rights/read',
    ],
    ['a title that is no field', { name: 'x', title: '$a' }, 'invalid-attribute', '/title'],
    ['views that are a list', { name: 'x', views: ['sort=-id'] }, 'invalid-attribute', '/views'],
    ['a view that is no query', { name: 'x', views: { a: 1 } }, 'invalid-attribute', '/views'],
    ['a view that is too long', { name: 'x', views: { a: 'x'.repeat(4001) } }, 'invalid-attribute', '/views'],
    ['unique that is no array', { name: 'x', unique: 'a' }, 'invalid-attribute', '/unique'],
    ['unique fields outside of arrays', { name: 'x', unique: ['a'] }, 'invalid-attribute', '/unique/0'],
    ['an empty array of unique fields', { name: 'x', unique: [[]] }, 'invalid-attribute', '/unique/0'],
    ['more than 8 arrays', { name: 'x', unique: Array(9).fill(['a']) }, 'invalid-attribute', '/unique'],
    ['more than 8 paths', { name: 'x', unique: ['abcdefghi'.match(/./g)] }, 'invalid-attribute', '/unique/0'],
    ['a path twice', { name: 'x', unique: [['a', 'a']] }, 'invalid-attribute', '/unique/0'],
    ['the same fields twice', { name: 'x', unique: [['a'], ['a']] }, 'invalid-attribute', '/unique/1'],
    ['a path that is no string', { name: 'x', unique: [['a', 1]] }, 'invalid-attribute', '/unique/0/1'],
    ['an empty name in a path', { name: 'x', unique: [['a..b']] }, 'invalid-attribute', '/unique/0/0'],
    ['an operator in a path', { name: 'x', unique: [['a.$b']] }, 'invalid-attribute', '/unique/0/0'],
    ['a position in a path', { name: 'x', unique: [['a.0']] }, 'invalid-attribute', '/unique/0/0'],
    ['the id', { name: 'x', unique: [['id']] }, 'invalid-attribute', '/unique/0/0'],
    ['a long path', { name: 'x', unique: [['a'.repeat(1001)]] }, 'invalid-attribute', '/unique/0/0'],
    ['a password', { name: 'core.user', unique: [['password']] }, 'invalid-attribute', '/unique/0/0'],
    ['client-ids that are no boolean', { name: 'x', 'client-ids': 1 }, 'invalid-attribute', '/client-ids'],
    ['text that is no boolean', { name: 'x', text: 'yes' }, 'invalid-attribute', '/text'],
    ['ids of users', { name: 'core.user', 'client-ids': true }, 'invalid-attribute', '/client-ids'],
    ['inverses that are no object', { name: 'x', inverses: [] }, 'invalid-attribute', '/inverses'],
    ['an inverse that is none', { name: 'x', inverses: { a: 'b' } }, 'invalid-attribute', '/inverses/a'],
    [
      'an inverse with more',
      { name: 'x', inverses: { a: { type: 'b', through: 'c', more: 1 } } },
      'invalid-attribute',
      '/inverses/a',
    ],
    [
      'an inverse of an aggregate',
      { name: 'x', inverses: { a: { type: 'agt.b', through: 'c' } } },
      'invalid-attribute',
      '/inverses/a/type',
    ],
    [
      'an inverse through what is no name',
      { name: 'x', inverses: { a: { type: 'b', through: 'a,b' } } },
      'invalid-attribute',
      '/inverses/a/through',
    ],
    [
      'an inverse that no document could have as a field',
      { name: 'x', inverses: { id: { type: 'b', through: 'c' } } },
      'invalid-attribute',
      '/inverses/id',
    ],
  ])('%s', async (_, attributes, code, pointer) => {
    const reply = await settle(client, attributes);
    expect(faults(reply)).toEqual([422, [code, `/data/attributes${pointer}`]]);
    expect((await client.get('/schemas/core.type?filter[name]=x')).body.meta.count).toBe(0);
  });

  test.each([
    ['files', 'relationships'],
    ['aggregate-links', 'relationships'],
    ['viewer', 'attributes'],
  ])('%s that are no names of %s, which the answer asks for', async (name, what) => {
    const { body } = await settle(client, { name: 'x', [name]: 'a' });
    expect(body.errors[0]?.detail).toMatch(
      new RegExp(`^The attribute ${name} must be .* names of ${what}[.]$`),
    );
  });

  test('a change is checked as a creation is, and by what it makes of the whole', async () => {
    await settle(client, { name: 'changed' });
    const before = await settingsOf(client, 'changed');
    const path = `/schemas/core.type/${before.id}`;
    const change = (attributes: object) => client.update(path, { attributes });
    expect(faults(await change({ unique: [['$a']] }))).toEqual([
      422,
      ['invalid-attribute', '/data/attributes/unique/0/0'],
    ]);
    expect(faults(await change({ colour: 1 }))).toEqual([
      422,
      ['invalid-attribute', '/data/attributes/colour'],
    ]);
    const update = { $push: { unique: ['a'] } };
    const pushed = await client.update(path, { meta: { update } });
    expect(pushed.status).toBe(422);
    expect((await client.get(path)).etag).toBe(before.etag);
  });

  test('settings are no input of a pipeline, and no operation writes them', async () => {
    const attributes = { 'input-type': 'core.type', 'output-type': 'agt.settings', pipeline: [] };
    const made = await client.create('/aggregates/core.aggregate', { attributes });
    expect(made.status).toBe(422);
    const link = { type: 'core.type', id: ID };
    expect((await client.create('/resources/x', { relationships: { a: { data: link } } })).status).toBe(404);
  });
});
