/** Fields that are unique together (`unique` in the settings of a type): what counts as the same, and who is told. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { operate } from '../support/operations.ts';
import { ACL, grant, makeUser, may } from '../support/people.ts';
import { resettle, settle, settingsOf } from '../support/type-settings.ts';

const client = await Client.create();

function make(type: string, attributes: object, relationships: object = {}): Promise<Reply> {
  return client.create(`/resources/${type}`, { attributes, relationships });
}

const taken = (pointer: string) => [409, 'value-taken', pointer];
const told = ({ status, body }: Reply) => [status, body.errors[0]?.code, body.errors[0]?.source?.pointer];

const OID = { $oid: '0123456789abcdef01234567' };

describe('what is the same', () => {
  beforeAll(async () => {
    await settle(client, { name: 'same', unique: [['v']] });
  });

  test.each<[string, unknown, unknown]>([
    ['a long beyond doubles', { $numberLong: '9007199254740993' }, { $numberDecimal: '9007199254740993' }],
    ['a date', { $date: '2026-01-01T00:00:00Z' }, { $date: '2026-01-01T01:00:00+01:00' }],
    ['an object id', OID, OID],
    ['an object', { a: 1, b: [2] }, { a: 1, b: [{ $numberDecimal: '2' }] }],
    ['an element that is an array', [['y']], ['z', ['y']]],
    ['a value and an element', 'w', ['w']],
    ['an empty object', {}, {}],
    ['a long string', 'l'.repeat(5000), 'l'.repeat(5000)],
  ])('%s', async (_, one, other) => {
    expect((await make('same', { v: one })).status).toBe(201);
    expect(told(await make('same', { v: other }))).toEqual(taken('/data/attributes/v'));
  });

  test.each<[string, unknown, unknown]>([
    ['an array of null', [null], [null]],
    ['strings in other letters', 'Aa', 'aA'],
    ['neighbours beyond doubles', { $numberLong: '9007199254740995' }, { $numberLong: '9007199254740994' }],
    ['long strings that differ at the end', `${'m'.repeat(5000)}1`, `${'m'.repeat(5000)}2`],
    ['objects in another order', { p: 1, q: 2 }, { q: 2, p: 1 }],
  ])('not %s', async (_, one, other) => {
    expect((await make('same', { v: one })).status).toBe(201);
    expect((await make('same', { v: other })).status).toBe(201);
  });

  test('the same value twice in one document', async () => {
    expect((await make('same', { v: ['twice', 'twice'] })).status).toBe(201);
  });
});

describe('several fields', () => {
  beforeAll(async () => {
    await settle(client, {
      name: 'bookings',
      unique: [
        ['user.id', 'room'],
        ['items.sku', 'items.lot'],
        ['a.x', 'b.y'],
      ],
    });
  });

  test('count together, the pointer leads to the first', async () => {
    const [ann, bob] = [await client.make('guests'), await client.make('guests')];
    const user = ({ id }: { id: string }) => ({ user: { data: { type: 'guests', id } } });
    expect((await make('bookings', { room: 1 }, user(ann))).status).toBe(201);
    expect((await make('bookings', { room: 2 }, user(ann))).status).toBe(201);
    expect((await make('bookings', { room: 1 }, user(bob))).status).toBe(201);
    expect((await make('bookings', { room: 1 })).status).toBe(201);
    expect((await make('bookings', { room: 1 })).status).toBe(201);
    expect(told(await make('bookings', { room: 1 }, user(bob)))).toEqual(taken('/data/relationships/user'));
  });

  test('paths through one array take the values of one element', async () => {
    const items = (...pairs: [string, number][]) => ({ items: pairs.map(([sku, lot]) => ({ sku, lot })) });
    expect((await make('bookings', items(['s', 1], ['t', 2]))).status).toBe(201);
    expect((await make('bookings', items(['s', 2]))).status).toBe(201);
    expect(told(await make('bookings', items(['u', 1], ['t', 2])))).toEqual(taken('/data/attributes/items'));
  });

  test.each<[string, object]>([
    ['two arrays', { a: [{ x: 1 }], b: [{ y: 1 }] }],
    ['a thousand and one values', { a: { x: 1 }, b: Array.from({ length: 1001 }, (_, y) => ({ y })) }],
  ])('%s are 422', async (_, attributes) => {
    const reply = await make('bookings', attributes);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([
      { code: 'invalid-value', source: { pointer: '/data/attributes/a' } },
    ]);
  });
});

describe('changes', () => {
  beforeAll(async () => {
    await settle(client, { name: 'pages', unique: [['slug']] });
  });
  const change = (id: string, attributes: object) => client.update(`/resources/pages/${id}`, { attributes });

  test('an operator that changes fields, and a relationship, are held to it', async () => {
    const first = await client.make('pages', { slug: 'op-1', other: 'op-2' });
    await client.make('pages', { slug: 'op-2' });
    const data = { type: 'pages', id: first.id, meta: { update: { $rename: { other: 'slug' } } } };
    expect(told(await client.patch(`/resources/pages/${first.id}`, { data }))).toEqual(
      taken('/data/attributes/slug'),
    );
  });

  test('of a list of operations none is done', async () => {
    const add = (slug: string) => ({ op: 'add', data: { type: 'pages', attributes: { slug } } });
    const list = (...slugs: string[]) => operate(client, slugs.map(add));
    const refused = await list('l1', 'l2', 'l1');
    expect(told(refused)).toEqual(taken('/atomic:operations/2/data/attributes/slug'));
    expect((await list('l1', 'l2')).status).toBe(200);
  });

  test('of parallel creates and changes with one value one is done', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => client.make('pages')));
    const replies = await Promise.all([
      ...Array.from({ length: 10 }, () => make('pages', { slug: 'raced' })),
      ...others.map(({ id }) => change(id, { slug: 'raced' })),
    ]);
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await client.get('/resources/pages?filter[slug]=raced')).body.meta.count).toBe(1);
  });

  test('who may not read what they change learns nothing of others', async () => {
    const user = await makeUser(client, 'blind');
    const path = '/resources/pages';
    const acl = await client.withPermissions([may('patch', '/resources/.*', ACL)]);
    const document = await client.make('pages', { slug: 'mine' });
    await client.make('pages', { slug: 'theirs' });
    await grant(client, `${path}/${document.id}`, { update: [user.link] });
    const data = { type: 'pages', id: document.id, attributes: { slug: 'theirs' } };
    const refused = await acl.patch(`${path}/${document.id}`, { data }, user.headers);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([409, 'change-refused']);
    expect(refused.text).not.toContain('slug');
  });
});

describe('existing documents', () => {
  test('are asked: two with one value refuse the setting, an example says which', async () => {
    const documents = await Promise.all([1, 2, 1, 3].map((v) => client.make('old', { v })));
    const refused = await settle(client, { name: 'old', unique: [['w'], ['v']] });
    expect(told(refused)).toEqual([409, 'value-taken', '/data/attributes/unique/1']);
    const detail = String(refused.body.errors[0]?.detail);
    const named = documents
      .filter(({ id }) => detail.includes(id))
      .map(({ attributes }) => attributes?.['v']);
    expect(named).toEqual([1, 1]);
    // Nothing of it holds.
    expect((await client.get('/schemas/core.type?filter[name]=old')).body.meta.count).toBe(0);
    expect((await make('old', { v: 2 })).status).toBe(201);
    expect((await make('old', { w: 1 })).status).toBe(201);
    expect((await make('old', { w: 1 })).status).toBe(201);
  });

  test('that have two arrays refuse the setting', async () => {
    await client.make('arrays', { a: [1], b: [2] });
    const refused = await settle(client, { name: 'arrays', unique: [['a', 'b']] });
    expect(told(refused)).toEqual([422, 'invalid-attribute', '/data/attributes/unique/0']);
  });

  test('a refused change leaves what was there', async () => {
    await settle(client, { name: 'kept', unique: [['a']] });
    await make('kept', { a: 1, b: 1 });
    await make('kept', { a: 2, b: 1 });
    expect(told(await resettle(client, 'kept', { unique: [['a'], ['b']] }))[1]).toBe('value-taken');
    expect((await settingsOf(client, 'kept')).attributes?.['unique']).toEqual([['a']]);
    expect(told(await make('kept', { a: 1 }))).toEqual(taken('/data/attributes/a'));
    expect((await make('kept', { b: 1 })).status).toBe(201);
  });

  test('once the setting or its document is gone, nothing is unique, and it may come back', async () => {
    await settle(client, { name: 'freed', unique: [['a']] });
    const first = await client.make('freed', { a: 1 });
    expect((await make('freed', { a: 1 })).status).toBe(409);
    await resettle(client, 'freed', { unique: [] });
    const second = await client.make('freed', { a: 1 });
    expect((await resettle(client, 'freed', { unique: [['a']] })).status).toBe(409);
    await client.delete(`/resources/freed/${second.id}`);
    await client.update(`/resources/freed/${first.id}`, { attributes: { a: 2 } });
    expect((await resettle(client, 'freed', { unique: [['a']] })).status).toBe(200);
    expect((await make('freed', { a: 1 })).status).toBe(201);
    expect((await make('freed', { a: 2 })).status).toBe(409);
    await client.delete(`/schemas/core.type/${(await settingsOf(client, 'freed')).id}`);
    expect((await make('freed', { a: 2 })).status).toBe(201);
  });

  test('writes while thousands are asked are held to it from the first moment', async () => {
    await crowd(client, 'many', 3000, (v) => ({ v }));
    const state = { done: false };
    const settled = settle(client, { name: 'many', unique: [['v']] }).finally(() => {
      state.done = true;
    });
    const made: Reply[] = [];
    // Values that no document has: each is written twice at the same time while the setting comes.
    for (let v = 10_000; !state.done && v < 10_200; v += 1) {
      made.push(...(await Promise.all([make('many', { v }), make('many', { v })])));
    }
    const { status } = await settled;
    const values = (await client.get('/resources/many?page[size]=1000&sort=-v')).body.data.map(
      ({ attributes }) => attributes?.['v'],
    );
    const repeated = values.length - new Set(values).size;
    // Either no value stands twice, or those that came before the setting refuse it.
    expect(status).toBe(repeated === 0 ? 201 : 409);
    const again = await settle(client, { name: 'many', unique: [['v']] });
    expect(again.status).toBe(409);
  });

  test('a user has an address of their own', async () => {
    const person = (email: string, username: string) =>
      client.create('/users/core.user', { attributes: { username, password: 'a good secret', email } });
    expect((await settle(client, { name: 'core.user', unique: [['email']] })).status).toBe(201);
    expect((await person('a@b.example', 'first')).status).toBe(201);
    expect(told(await person('a@b.example', 'second'))).toEqual(taken('/data/attributes/email'));
  });
});
