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
  test.each<[string, Record<string, unknown>, string]>([
    ['a name that is none', { name: 1 }, '/name'],
    ['a type that has no settings', { name: 'core.api-key' }, '/name'],
    ['its own type', { name: 'core.type' }, '/name'],
    ['an aggregate', { name: 'agt.sums' }, '/name'],
    ['an unknown setting', { colour: 'red' }, '/colour'],
    ['rights that are no object', { rights: ['*'] }, '/rights'],
    ['a right that there is not', { rights: { write: ['*'] } }, '/rights/write'],
    ['a right that is no array', { rights: { read: '*' } }, '/rights/read'],
    ['an entry that is none', { rights: { read: ['*', 'from'] } }, '/rights/read/1'],
    ['an entry without a name', { rights: { read: ['$'] } }, '/rights/read/0'],
    ['an entry with a path', { rights: { read: ['$a.b'] } }, '/rights/read/0'],
    ['an entry that is no identity', { rights: { read: [{ type: 'things', id: ID }] } }, '/rights/read/0'],
    ['more than 100 entries', { rights: { read: Array(101).fill('*') } }, '/rights/read'],
    ['a title that is no field', { title: '$a' }, '/title'],
    ['views that are a list', { views: ['sort=-id'] }, '/views'],
    ['a view that is no query', { views: { a: 1 } }, '/views'],
    ['a view that is too long', { views: { a: 'x'.repeat(4001) } }, '/views'],
    ['unique that is no array', { unique: 'a' }, '/unique'],
    ['unique fields outside of arrays', { unique: ['a'] }, '/unique/0'],
    ['an empty array of unique fields', { unique: [[]] }, '/unique/0'],
    ['more than 8 arrays', { unique: Array(9).fill(['a']) }, '/unique'],
    ['more than 8 paths', { unique: ['abcdefghi'.match(/./g)] }, '/unique/0'],
    ['a path twice', { unique: [['a', 'a']] }, '/unique/0'],
    ['the same fields twice', { unique: [['a'], ['a']] }, '/unique/1'],
    ['a path that is no string', { unique: [['a', 1]] }, '/unique/0/1'],
    ['an empty name in a path', { unique: [['a..b']] }, '/unique/0/0'],
    ['an operator in a path', { unique: [['a.$b']] }, '/unique/0/0'],
    ['a position in a path', { unique: [['a.0']] }, '/unique/0/0'],
    ['the id', { unique: [['id']] }, '/unique/0/0'],
    ['a long path', { unique: [['a'.repeat(1001)]] }, '/unique/0/0'],
    ['a password', { name: 'core.user', unique: [['password']] }, '/unique/0/0'],
    ['client-ids that are no boolean', { 'client-ids': 1 }, '/client-ids'],
    ['text that is no boolean', { text: 'yes' }, '/text'],
    ['ids of users', { name: 'core.user', 'client-ids': true }, '/client-ids'],
    ['inverses that are no object', { inverses: [] }, '/inverses'],
    ['an inverse that is none', { inverses: { a: 'b' } }, '/inverses/a'],
    ['an inverse with more', { inverses: { a: { type: 'b', through: 'c', more: 1 } } }, '/inverses/a'],
    ['an inverse of an aggregate', { inverses: { a: { type: 'agt.b', through: 'c' } } }, '/inverses/a/type'],
    [
      'an inverse through what is no name',
      { inverses: { a: { type: 'b', through: 'a,b' } } },
      '/inverses/a/through',
    ],
    [
      'an inverse that no document could have as a field',
      { inverses: { id: { type: 'b', through: 'c' } } },
      '/inverses/id',
    ],
  ])('%s', async (_, settings, pointer) => {
    const reply = await settle(client, { name: 'x', ...settings });
    expect(faults(reply)).toEqual([422, ['invalid-attribute', `/data/attributes${pointer}`]]);
    expect((await client.get('/schemas/core.type?filter[name]=x')).body.meta.count).toBe(0);
  });

  test('no name', async () => {
    expect(faults(await settle(client, {}))).toEqual([422, ['missing-attribute', '/data/attributes/name']]);
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
