/** Which names types and fields may have (decisions, section 2). */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();

describe('a type name', () => {
  test.each([
    'a',
    '0',
    'Articles',
    'a_b-c.d',
    'a..b',
    'x'.repeat(128),
    'core',
    'agt',
    'acl',
    'cores.x',
    'a.aclx',
    'constructor',
    'toString',
    'relationships',
  ])('may be %s', async (type) => {
    const made = await client.make(type, { own: type });
    expect(made.type).toBe(type);
    const read = await client.get(`/resources/${type}/${made.id}`);
    expect(read.body.data.attributes).toEqual({ own: type });
    const list = await client.get(`/resources/${type}?fields[${type}]=own&include=x`);
    expect(list.body.data.map(({ attributes }) => attributes)).toEqual([{ own: type }]);
  });

  test('tells upper from lower case', async () => {
    await client.make('Case');
    expect((await client.get('/resources/case')).body.meta.count).toBe(0);
  });

  test.each([
    ['starts with neither letter nor digit', '_a'],
    ['starts with neither letter nor digit', '-a'],
    ['starts with neither letter nor digit', '.a'],
    ['starts with neither letter nor digit', '__proto__'],
    ['holds a space', 'a%20b'],
    ['holds a dollar', 'a$'],
    ['holds a slash', 'a%2Fb'],
    ['holds a letter that is not ASCII', '%C3%BC'],
    ['is too long', 'x'.repeat(129)],
    ['is empty', ''],
    ['is reserved', 'core.user'],
    ['is reserved', 'core.anything'],
    ['is reserved', 'agt.sums'],
    ['is reserved', 'a.acl'],
    ['is reserved', 'a.acl.acl'],
  ])('that %s (%s) is 404', async (_, type) => {
    const body = { data: { type: decodeURIComponent(type) } };
    const answers = [await client.get(`/resources/${type}`), await client.post(`/resources/${type}`, body)];
    expect(answers.map(faultsOf)).toEqual([['404 not-found'], ['404 not-found']]);
  });
});

describe('a field name', () => {
  const names = [
    'a',
    'A',
    '0',
    'with space',
    'ünï~"',
    '__proto__',
    'constructor',
    'links',
    'data',
    '-x',
    '*',
  ];

  test.each(names)('may be %s', async (name) => {
    const target = await client.make('targets');
    const field = (value: unknown) => Object.fromEntries([[name, value]]);
    const attribute = await client.make('fields', field({ nested: field(1) }));
    const relationship = await client.make(
      'fields',
      undefined,
      field({ data: { type: 'targets', id: target.id } }),
    );
    const read = await client.get(`/resources/fields/${attribute.id}`);
    expect(Object.entries(read.body.data.attributes ?? {})).toEqual([[name, { nested: field(1) }]]);
    const linked = await client.get(
      `/resources/fields/${relationship.id}/relationships/${encodeURIComponent(name)}`,
    );
    expect(linked.body.data.id).toBe(target.id);
    const related = await client.get(`/resources/fields/${relationship.id}/${encodeURIComponent(name)}`);
    expect(related.body.data.map(({ id }) => id)).toEqual([target.id]);
    const [linkToItself, linkToRelated] = Object.values(relationship.relationships ?? {}).flatMap(
      ({ links }) => [links.self, links.related],
    );
    expect((await client.get(linkToItself ?? '')).body.data.id).toBe(target.id);
    expect((await client.get(linkToRelated ?? '')).body.data.map(({ id }) => id)).toEqual([target.id]);
  });

  const refused = [
    ['id', 'id'],
    ['type', 'type'],
    ['', ''],
    ['$a', '$a'],
    ['a.b', 'a.b'],
    ['a/b', 'a~1b'],
    ['a,b', 'a,b'],
    ['[a', '[a'],
    ['a]', 'a]'],
    [' a', ' a'],
    ['a\u00a0', 'a\u00a0'],
    ['a\tb', 'a\tb'],
    ['a\u0000', 'a\u0000'],
    ['a\u0085b', 'a\u0085b'],
    ['~.', '~0.'],
  ] as const;

  test.each(refused)('must not be "%s" for an attribute', async (name, step) => {
    const data = { type: 'fields', attributes: { [name]: 1 } };
    const expected = [`422 invalid-field-name /data/attributes/${step}`];
    expect(faultsOf(await client.post('/resources/fields', { data }))).toEqual(expected);
    const { id } = await client.make('fields');
    const patched = await client.patch(`/resources/fields/${id}`, { data: { ...data, id } });
    expect(faultsOf(patched)).toEqual(expected);
  });

  test.each(refused)('must not be "%s" for a relationship', async (name, step) => {
    const data = { type: 'fields', relationships: { [name]: { data: null } } };
    expect(faultsOf(await client.post('/resources/fields', { data }))).toEqual([
      `422 invalid-field-name /data/relationships/${step}`,
    ]);
  });

  test.each([
    ['', '/data/attributes/a/0/b/'],
    ['x.y', '/data/attributes/a/0/b/x.y'],
  ])('must not be "%s" at any depth', async (name, pointer) => {
    const data = { type: 'fields', attributes: { a: [{ b: { ok: 1, [name]: 1 } }] } };
    expect(faultsOf(await client.post('/resources/fields', { data }))).toEqual([
      `422 invalid-field-name ${pointer}`,
    ]);
  });

  test.each(['a/b', 'a,b', '[a]', ' a ', 'a\tb'])('may be %j inside a value', async (name) => {
    const made = await client.make('fields', { a: { [name]: 1 } });
    expect(made.attributes).toEqual({ a: { [name]: 1 } });
  });

  test('may be id or type inside a value, where there is no document to confuse it with', async () => {
    const made = await client.make('fields', { a: { id: 1, type: 'Point' } });
    expect(made.attributes).toEqual({ a: { id: 1, type: 'Point' } });
  });
});

test('half a character may be in the name of an attribute, not of a relationship: no address has it', async () => {
  const attribute = '{"data": {"type": "fields", "attributes": {"a\\ud800": 1}}}';
  expect((await client.post('/resources/fields', attribute)).status).toBe(201);
  const relationship = '{"data": {"type": "fields", "relationships": {"a\\ud800": {"data": null}}}}';
  const [fault = ''] = faultsOf(await client.post('/resources/fields', relationship));
  expect(fault).toMatch(/^422 invalid-field-name \/data\/relationships\/a/);
});

describe('attributes and relationships share one namespace', () => {
  test('on create', async () => {
    const data = { type: 'fields', attributes: { a: 1 }, relationships: { a: { data: null } } };
    expect(faultsOf(await client.post('/resources/fields', { data }))).toEqual([
      '422 field-collision /data/relationships/a',
    ]);
  });

  test.each([
    ['an attribute', { a: 1 }, undefined, { relationships: { a: { data: null } } }, 'relationships'],
    ['a relationship', undefined, { a: { data: null } }, { attributes: { a: 1 } }, 'attributes'],
  ])('on PATCH: the name of %s', async (_, attributes, relationships, change, member) => {
    const { id } = await client.make('fields', attributes, relationships);
    const patched = await client.update(`/resources/fields/${id}`, change);
    expect(faultsOf(patched)).toEqual([`422 field-collision /data/${member}/a`]);
  });
});
