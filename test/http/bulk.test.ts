/** PATCH and DELETE on a collection: every document that a filter finds, all or none, for keys that may. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, operator, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, grant, makeUser, may, type Person } from '../support/people.ts';

const BULK = [...EVERY_METHOD, 'bulk'];
const WHOLE = '/resources/[a-z0-9-]+(/[0-9a-f]{24})?';

const trusted = await Client.create();
const client = await trusted.withPermissions([{ path: WHOLE, methods: BULK }]);

let type = '';
let types = 0;
beforeEach(() => {
  type = `many-${(types += 1)}`;
});

interface Asked {
  readonly filter?: unknown;
  readonly limit?: unknown;
  readonly by?: Client;
  readonly headers?: Readonly<Record<string, string>>;
}

function bulk(method: string, data: object | undefined, asked: Asked): Promise<Reply> {
  const { filter = {}, limit = 100, by = client, headers = {} } = asked;
  const query = filter === null ? '' : `?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`;
  return by.send(method, `/resources/${type}${query}`, { headers, body: { data, meta: { limit } } });
}

const patch = (content: object, asked: Asked = {}) => bulk('PATCH', { type, ...content }, asked);
const remove = (asked: Asked = {}) => bulk('DELETE', undefined, asked);
const countOf = ({ status, body }: Reply) => [status, body.meta.count];

async function make(...all: readonly object[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const attributes of all) ids.push((await trusted.make(type, attributes)).id);
  return ids;
}

/** A value of every document, in the order of creation. */
async function valuesOf(name: string): Promise<readonly unknown[]> {
  const { body } = await trusted.get(`/resources/${type}?page[limit]=1000`);
  return body.data.map(({ attributes }) => attributes?.[name] ?? null);
}

describe('what a filter finds', () => {
  test('is changed, and nothing else; the answer tells how many', async () => {
    await make({ n: 1 }, { n: 2 }, { n: 3 });
    const changed = await patch({ attributes: { done: true } }, { filter: { n: { $gte: 2 } } });
    expect(countOf(changed)).toEqual([200, 2]);
    expect(await valuesOf('done')).toEqual([null, true, true]);
    expect(changed.body).toEqual({ meta: { count: 2 } });
  });

  test('is changed by operators and relationships, and takes new versions', async () => {
    const [id = ''] = await make({ n: 1 });
    const { etag } = await trusted.get(`/resources/${type}/${id}`);
    const relationships = { kin: { data: { type, id } } };
    const changed = await patch({ relationships, meta: { update: { $inc: { n: 5 } } } });
    expect(countOf(changed)).toEqual([200, 1]);
    const read = await trusted.get(`/resources/${type}/${id}`, { 'if-none-match': etag });
    expect(read.body.data.attributes).toEqual({ n: 6 });
    expect(read.body.data.relationships?.['kin']?.data).toEqual({ type, id });
  });

  test('is deleted', async () => {
    const [, second = ''] = await make({ n: 1 }, { n: 2 }, { n: 3 });
    expect(countOf(await remove({ filter: { n: 2 } }))).toEqual([200, 1]);
    expect(await valuesOf('n')).toEqual([1, 3]);
    expect((await trusted.get(`/resources/${type}/${second}`)).body.data).toBeNull();
  });

  test('may be words, and places', async () => {
    await make({ text: 'whale', at: { type: 'Point', coordinates: [0, 0] } }, { text: 'sea' });
    expect(
      countOf(await patch({ attributes: { a: 1 } }, { filter: { $text: { $search: 'whale' } } })),
    ).toEqual([200, 1]);
    const near = { $geometry: { type: 'Point', coordinates: [0, 0] } };
    expect(countOf(await remove({ filter: { at: { $near: near } } }))).toEqual([200, 1]);
    expect(await valuesOf('text')).toEqual(['sea']);
  });

  test('is nothing where no document is, or the type is not used', async () => {
    expect(countOf(await patch({ attributes: { a: 1 } }))).toEqual([200, 0]);
    await make({ n: 1 });
    expect(countOf(await remove({ filter: { n: 2 } }))).toEqual([200, 0]);
  });

  test('may be asked by a linked document', async () => {
    const { id } = await trusted.make('authors', { name: 'Ann' });
    const other = await trusted.make('authors', { name: 'Bob' });
    await trusted.make(type, { n: 1 }, { author: { data: { type: 'authors', id } } });
    await trusted.make(type, { n: 2 }, { author: { data: { type: 'authors', id: other.id } } });
    expect(countOf(await remove({ filter: { 'author.name': { $ne: 'Ann' } } }))).toEqual([200, 1]);
    expect(await valuesOf('n')).toEqual([1]);
  });

  test('is everything in several pages of the search', async () => {
    await crowd(trusted, type, 330);
    expect(countOf(await patch({ attributes: { a: 1 } }, { limit: 330 }))).toEqual([200, 330]);
    expect(new Set(await valuesOf('a'))).toEqual(new Set([1]));
    expect(countOf(await remove({ limit: 1000 }))).toEqual([200, 330]);
  });
});

describe('all or nothing', () => {
  test('more than the limit: nothing is done', async () => {
    await make({ n: 1 }, { n: 2 }, { n: 3 });
    expect(faultsOf(await patch({ attributes: { a: 1 } }, { limit: 2 }))).toEqual([
      '409 too-many-matches /meta/limit',
    ]);
    expect(faultsOf(await remove({ limit: 2 }))).toEqual(['409 too-many-matches /meta/limit']);
    expect(await valuesOf('a')).toEqual([null, null, null]);
    expect(countOf(await remove({ limit: 3 }))).toEqual([200, 3]);
  });

  test('one that does not take the change undoes all, and is named', async () => {
    const [, , last = ''] = await make({ n: 1 }, { n: 2 }, { n: 'x' });
    const changed = await patch({ meta: { update: { $inc: { n: 1 } } } });
    expect([
      changed.status,
      changed.body.errors.map(({ code, source, meta }) => [code, source, meta]),
    ]).toEqual([422, [['update-failed', undefined, { id: last }]]]);
    expect(await valuesOf('n')).toEqual([1, 2, 'x']);
  });

  test('the work of one request is bounded', async () => {
    const text = 'x'.repeat(900_000);
    for (let n = 0; n < 8; n += 1) await trusted.make(type, { text });
    expect(faultsOf(await patch({ attributes: { a: 1 } }))[0]).toContain('413 list-too-large');
    expect(new Set(await valuesOf('a'))).toEqual(new Set([null]));
  });
});

describe('under rights', () => {
  let ann: Person;
  let user: Client;
  beforeAll(async () => {
    ann = await makeUser(trusted, 'ann');
    user = await trusted.withPermissions([{ path: WHOLE, methods: BULK, acl: { active: true } }]);
  });
  const asAnn = () => ({ by: user, headers: ann.headers });

  test('only what the user may read and change is found', async () => {
    const ids = await make({ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 });
    const rights = [
      { read: [ann.link], update: [ann.link], delete: [ann.link] },
      { read: [ann.link] },
      { update: [ann.link], delete: [ann.link] },
    ];
    for (const [at, acl] of rights.entries())
      await grant(trusted, `/resources/${type}/${ids[at] ?? ''}`, acl);
    expect(countOf(await patch({ attributes: { a: 1 } }, { ...asAnn(), limit: 1 }))).toEqual([200, 1]);
    expect(await valuesOf('a')).toEqual([1, null, null, null]);
    expect(countOf(await remove({ ...asAnn(), limit: 1 }))).toEqual([200, 1]);
    expect(await valuesOf('n')).toEqual([2, 3, 4]);
  });

  test('a change asks for the right to change, a deletion for the right to delete', async () => {
    const [changeable = '', deletable = ''] = await make({ n: 1 }, { n: 2 });
    await grant(trusted, `/resources/${type}/${changeable}`, { read: [ann.link], update: [ann.link] });
    await grant(trusted, `/resources/${type}/${deletable}`, { read: [ann.link], delete: [ann.link] });
    expect(countOf(await patch({ attributes: { a: 1 } }, { ...asAnn(), limit: 1 }))).toEqual([200, 1]);
    expect(await valuesOf('a')).toEqual([1, null]);
    expect(countOf(await remove({ ...asAnn(), limit: 1 }))).toEqual([200, 1]);
    expect(await valuesOf('n')).toEqual([1]);
  });

  test('without a token it is 401', async () => {
    expect(faultsOf(await remove({ by: user }))[0]).toContain('401 token-required');
  });
});

describe('under rules', () => {
  test('what a rule hides is not found, and fields that are not shown find nothing', async () => {
    await make({ open: true, secret: 1 }, { open: false, secret: 1 });
    const ruled = await trusted.withPermissions([
      may('get', WHOLE, { fields: { read: ['open'] } }),
      may('patch delete bulk', WHOLE, { where: { open: true } }),
    ]);
    expect(countOf(await patch({ attributes: { a: 1 } }, { by: ruled, limit: 1 }))).toEqual([200, 1]);
    expect(await valuesOf('a')).toEqual([1, null]);
    expect(countOf(await remove({ by: ruled, filter: { secret: 1 } }))).toEqual([200, 0]);
    const moved = await patch({ meta: { update: { $rename: { secret: 'open' } } } }, { by: ruled });
    expect(faultsOf(moved)).toEqual(['403 field-not-permitted /data/meta/update']);
    const refused = await patch({ attributes: { open: false } }, { by: ruled });
    expect(countOf(refused)).toEqual([200, 1]);
  });
});

describe('is refused:', () => {
  test.each<[string, Asked, string]>([
    ['without a filter', { filter: null }, '400 invalid-parameter ?filter'],
    ['without a limit', { limit: null }, '400 invalid-body /meta/limit'],
    ['a limit of none', { limit: 0 }, '400 invalid-body /meta/limit'],
    ['a limit beyond the largest', { limit: 1001 }, '400 invalid-body /meta/limit'],
    ['with If-Match', { headers: { 'if-match': '*' } }, '400 invalid-header If-Match:'],
    ['with If-None-Match', { headers: { 'if-none-match': '*' } }, '400 invalid-header If-None-Match:'],
    ['with Idempotency-Key', { headers: { 'idempotency-key': 'a' } }, '400 invalid-header Idempotency-Key:'],
    ['a filter that is none', { filter: { n: { $above: 1 } } }, '400 invalid-filter ?filter[*]'],
  ])('%s', async (_what, asked, fault) => {
    expect(faultsOf(await patch({ attributes: { a: 1 } }, asked))).toEqual([fault]);
    expect(faultsOf(await remove(asked))).toEqual([fault]);
  });

  test('an id, another type, data of a deletion, a link to nothing', async () => {
    expect(faultsOf(await patch({ id: 'me' }))).toEqual(['400 invalid-body /data/id']);
    expect(faultsOf(await bulk('PATCH', { type: 'other' }, {}))).toEqual(['409 type-conflict /data/type']);
    expect(faultsOf(await bulk('DELETE', { type }, {}))).toEqual(['400 invalid-body /data']);
    const kin = { data: { type, id: '0'.repeat(24) } };
    expect(faultsOf(await patch({ relationships: { kin } }))).toEqual([
      '404 link-not-found /data/relationships/kin/data',
    ]);
  });

  test.each([
    ['bulk alone', ['get', 'bulk'], '403 forbidden api-key:'],
    // There is no such endpoint for it.
    ['the methods without bulk', EVERY_METHOD, '405 method-not-allowed'],
    ['bulk without get', ['patch', 'delete', 'bulk'], '403 forbidden api-key:'],
  ])('for a key that holds %s', async (_what, methods, fault) => {
    await make({ n: 1 });
    const by = await trusted.withPermissions([{ path: WHOLE, methods }]);
    expect(faultsOf(await patch({ attributes: { a: 1 } }, { by }))).toEqual([fault]);
    const refused = await remove({ by });
    expect(faultsOf(refused)).toEqual([fault]);
    expect(refused.text.includes('has bulk beside delete')).toBe(fault.startsWith('405'));
    expect(await valuesOf('a')).toEqual([null]);
  });

  test('for the first key of an application, and those that the operator makes', async () => {
    const first = await Client.create();
    const made = new Client(first.url, first.application, await operator().key(first.application, 'spare'));
    for (const by of [first, made]) {
      await first.make('gone');
      const reply = await by.send('DELETE', '/resources/gone?filter[*]={}', { body: { meta: { limit: 5 } } });
      expect([reply.status, reply.body.meta.count]).toEqual([200, 1]);
    }
  });

  test('bulk in one permission and the method in another permit nothing', async () => {
    const by = await trusted.withPermissions([may('get bulk', WHOLE), may('get patch delete', WHOLE)]);
    expect(faultsOf(await remove({ by }))).toEqual(['405 method-not-allowed']);
  });

  test.each(['/users/core.user', '/api-keys/core.api-key', '/schemas/core.schema'])('on %s', async (path) => {
    const by = await trusted.withPermissions([{ path: '.*', methods: BULK }]);
    const reply = await by.send('DELETE', `${path}?filter[*]={}`, { body: { meta: { limit: 5 } } });
    expect(faultsOf(reply)).toEqual(['405 method-not-allowed']);
  });
});

test('beside writers, each document is changed once and no change is lost', async () => {
  const ids = await make(...Array.from({ length: 30 }, () => ({ n: 0, m: 0 })));
  const increase = (name: string) => ({ meta: { update: { $inc: { [name]: 1 } } } });
  const single = (id: string) => trusted.update(`/resources/${type}/${id}`, { ...increase('m') });
  const replies = await Promise.all([
    ...ids.map(single),
    ...Array.from({ length: 5 }, () => patch(increase('n'))),
    ...ids.map(single),
  ]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await valuesOf('n'))).toEqual(new Set([5]));
  expect(new Set(await valuesOf('m'))).toEqual(new Set([2]));
});

test('what two claim at once is claimed by one', async () => {
  await make(...Array.from({ length: 20 }, (_, n) => ({ n })));
  const claim = (by: string) => patch({ attributes: { by } }, { filter: { by: { $exists: false } } });
  const replies = await Promise.all(Array.from({ length: 6 }, (_, at) => claim(`worker-${at}`)));
  expect(replies.reduce((sum, { body }) => sum + body.meta.count, 0)).toBe(20);
});
