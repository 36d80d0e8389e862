/** Lists of operations on several types: all or none, for whoever looks. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, link, operator, type Link, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, operateWith, relink, remove, update } from '../support/operations.ts';
import { makeUser, underAcl } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();

const read = async ({ type, id }: Link) => (await client.get(`/resources/${type}/${id}`)).body.data;
const countOf = async (type: string) => (await client.get(`/resources/${type}`)).body.meta.count;
const balanceOf = async (account: Link) => Number((await read(account)).attributes?.['balance']);
const adds = (account: Link, n: number) => ({
  op: 'update',
  data: { ...link(account), meta: { update: { $inc: { balance: n } } } },
});

describe('a list of several types', () => {
  test('is performed, each operation with the result of its single request', async () => {
    const [product, wallet] = await Promise.all([
      client.make('t1-products', { stock: 3 }),
      client.make('t1-wallets', { balance: 10 }),
    ]);
    const { status, results, etag } = await operate(client, [
      update(product, { stock: 2 }),
      add('t1-orders', { total: 4 }, { product: { data: link(product) } }, 'order'),
      { op: 'update', ref: link(wallet), data: { ...link(wallet), attributes: { balance: 6 } } },
      add('t1-entries', { amount: -4 }, { order: { data: { type: 't1-orders', lid: 'order' } } }),
    ]);
    expect(status).toBe(200);
    expect(results).toHaveLength(4);
    const [, order, , entry] = results;
    expect(await read(order?.data ?? product)).toEqual(order?.data);
    expect(await read(entry?.data ?? product)).toEqual(entry?.data);
    expect(entry?.data?.relationships?.['order']?.data).toEqual(link(order?.data ?? product));
    expect((await read(product)).attributes).toEqual({ stock: 2 });
    // One tag is valid for what the list has written of any type.
    for (const each of [product, wallet, order?.data, entry?.data]) {
      const path = `/resources/${each?.type}/${each?.id}`;
      expect((await client.get(path, { 'if-none-match': etag })).status, path).toBe(304);
      const body = { data: { ...link(each ?? product), attributes: { seen: true } } };
      expect((await client.patch(path, body, { 'if-match': etag })).status, path).toBe(204);
    }
  });

  test('names what it adds by lids in any type, in both directions', async () => {
    const { results } = await operate(
      client,
      [
        add('t2-a', { n: 1 }, { self: { data: { type: 't2-a', lid: 'a' } } }, 'a'),
        add('t2-z', { n: 2 }, { of: { data: [{ type: 't2-a', lid: 'a' }] } }, 'z'),
        add('t2-a', { n: 3 }),
        relink('update', { type: 't2-a', id: '' }, 'z', { type: 't2-z', lid: 'z' }),
      ].map((each, at) => (at < 3 ? each : { ...each, ref: { type: 't2-a', lid: 'a', relationship: 'z' } })),
    );
    const [a, z, last] = results.map(({ data }) => data as Resource);
    expect((await read(a as Resource)).relationships?.['z']?.data).toEqual(link(z as Resource));
    expect((await read(a as Resource)).relationships?.['self']?.data).toEqual(link(a as Resource));
    expect((await read(z as Resource)).relationships?.['of']?.data).toEqual([link(a as Resource)]);
    expect([a?.id ?? '', last?.id ?? ''].toSorted()).toEqual([a?.id, last?.id]);
    const { body } = await client.get('/resources/t2-a');
    expect(body.data.map(({ id }) => id)).toEqual([a?.id, last?.id]);
  });

  test.each([
    ['itself', [add('t11-a'), add('t11-z', {}, { z: { data: { type: 't11-z', lid: 'z' } } }, 'z')], '200'],
    [
      'one of its type that was added before',
      [
        add('t11-a'),
        add('t11-a'),
        add('t11-z', {}, undefined, 'z'),
        add('t11-z', {}, { z: { data: { type: 't11-z', lid: 'z' } } }),
      ],
      '200',
    ],
    [
      'one of its type that was removed again',
      [
        add('t11-a'),
        add('t11-a'),
        add('t11-z', {}, undefined, 'z'),
        { op: 'remove', ref: { type: 't11-z', lid: 'z' } },
        add('t11-z'),
        add('t11-z', {}, { z: { data: { type: 't11-z', lid: 'z' } } }),
      ],
      '404 link-not-found /atomic:operations/5/data/relationships/z/data',
    ],
  ])('links by lid to %s, wherever the operations of other types stand', async (_, list, expected) => {
    const reply = await operate(client, list);
    expect(reply.status === 200 ? ['200'] : faultsOf(reply)).toEqual([expected]);
  });

  test('with an Idempotency-Key is done once, and answered alike', async () => {
    const headers = { 'idempotency-key': 'transaction' };
    const list = [
      add('t4-0', { n: 0 }),
      add('t4-a', { n: 1 }, undefined, 'a'),
      add('t4-b', {}, { a: { data: { type: 't4-a', lid: 'a' } } }),
    ];
    const first = await operate(client, list, headers);
    const again = await operate(client, list, headers);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect([await countOf('t4-a'), await countOf('t4-b')]).toEqual([1, 1]);
    const other = await operate(client, [add('t4-b'), add('t4-a')], headers);
    expect(other.body.errors[0]?.code).toBe('idempotency-key-reused');
  });

  test('may have 10 types', async () => {
    const list = Array.from({ length: 10 }, (_, n) => add(`t5-${n}`));
    expect((await operate(client, list)).status).toBe(200);
    const { status, body } = await operate(client, [...list, add('t5-10')]);
    expect([status, body.errors[0]?.code, body.errors[0]?.source?.pointer]).toEqual([
      422,
      'invalid-type',
      '/atomic:operations/10/data/type',
    ]);
  });

  test('that goes on after a failure has one', async () => {
    const list = [add('t6-a'), add('t6-b')];
    const { status, body } = await operateWith(client, {
      meta: { atomic: false },
      'atomic:operations': list,
    });
    expect([status, body.errors[0]?.source?.pointer]).toEqual([422, '/atomic:operations/1/data/type']);
  });
});

describe('a failure anywhere leaves nothing', () => {
  let there: Resource & { readonly etag: string };
  let gone: Resource;
  beforeAll(async () => {
    there = await client.make('f-m', { n: 1 });
    gone = await client.make('f-m', { n: 2 });
    await client.delete(`/resources/f-m/${gone.id}`);
    await client.patch(`/resources/f-m/${there.id}`, { data: { ...link(there), attributes: { n: 3 } } });
    await settle(client, { name: 'f-z', checks: [{ name: 'named', filter: { name: { $exists: true } } }] });
    const content = { properties: { attributes: { properties: { n: { type: 'number' } } } } };
    const schema = { type: 'core.schema', attributes: { target: 'f-s', content } };
    expect((await client.post('/schemas/core.schema', { data: schema })).status).toBe(201);
    await settle(client, { name: 'f-m', unique: [['code']] });
    await client.make('f-m', { code: 1 });
  });

  test.each<[string, number, string, () => unknown[], number]>([
    [
      'a document that is not there',
      404,
      'document-not-found',
      () => [add('f-a'), update(gone, { n: 1 }), add('f-z', { name: 'x' })],
      1,
    ],
    ['a check', 403, 'rule-violated', () => [add('f-a'), add('f-m'), add('f-z', {})], 2],
    ['a schema', 422, 'schema-violation', () => [add('f-a'), add('f-s', { n: 'x' })], 1],
    ['a unique value that is taken', 409, 'value-taken', () => [add('f-a'), add('f-m', { code: 1 })], 1],
    [
      'a missing link',
      404,
      'link-not-found',
      () => [add('f-m'), add('f-a', {}, { to: { data: link(gone) } })],
      1,
    ],
    [
      'a link to what the list has removed before',
      404,
      'link-not-found',
      () => [remove(there), add('f-a', {}, { to: { data: link(there) } })],
      1,
    ],
    [
      'the first of several failures, whatever the names of their types',
      404,
      'document-not-found',
      () => [
        add('f-a'),
        { ...update(gone, { n: 1 }) },
        add('f-z', {}),
        update({ type: 'f-a', id: gone.id }, { n: 1 }),
      ],
      1,
    ],
    [
      'the first, in the last type',
      403,
      'rule-violated',
      () => [add('f-z', {}), update({ type: 'f-a', id: gone.id }, { n: 1 })],
      0,
    ],
  ])('%s', async (_, status, code, operations, at) => {
    const before = await Promise.all(['f-a', 'f-m', 'f-s', 'f-z'].map(countOf));
    const reply = await operate(client, operations());
    expect([reply.status, reply.body.errors[0]?.code]).toEqual([status, code]);
    expect(reply.body.errors[0]?.source?.pointer).toMatch(new RegExp(`^/atomic:operations/${at}`));
    expect(await Promise.all(['f-a', 'f-m', 'f-s', 'f-z'].map(countOf))).toEqual(before);
    // Nothing is locked.
    const { data } = { data: { ...link(there), attributes: { free: true } } };
    expect((await client.patch(`/resources/f-m/${there.id}`, { data })).status).toBe(200);
    expect((await operate(client, [add('f-free'), add('f-m', { transient: true })])).status).toBe(200);
  });
});

test('a list with a document that the user may not write leaves nothing, nor an entry of the audit trail', async () => {
  const own = await Client.create('aborted');
  await operator().change(own.application, { 'audit-days': 30 });
  const acl = await underAcl(own);
  const [ada, eve] = [await makeUser(own, 'ada'), await makeUser(own, 'eve')];
  const { body } = await acl.create('/resources/r-b', {}, eve.headers);
  const list = (document: Link) => [add('r-a'), update(document, { n: 1 }), add('r-c')];
  const refused = await operate(acl, list(body.data), ada.headers);
  expect([refused.status, refused.body.errors[0]?.source?.pointer]).toEqual([
    403,
    expect.stringMatching(/^\/atomic:operations\/1/),
  ]);
  const counts = async () =>
    Promise.all(
      ['r-a', 'r-b', 'r-c'].map(async (type) => (await own.get(`/resources/${type}`)).body.meta.count),
    );
  expect(await counts()).toEqual([0, 1, 0]);
  expect((await operate(acl, list(body.data), eve.headers)).status).toBe(200);
  // The trail has the entries of this list, whose writes came later than what was refused.
  const users = async () => {
    const { data } = (await own.get('/audit/core.audit-entry?page[limit]=100')).body;
    return data.flatMap(({ attributes }) => {
      const user = (attributes?.['user'] as Link | undefined)?.id;
      return user === ada.link.id || user === eve.link.id ? [user] : [];
    });
  };
  await expect.poll(async () => (await users()).filter((id) => id === eve.link.id).length).toBe(4);
  expect(await users()).not.toContain(ada.link.id);
});

test('a list of several types links to what it adds by an id of its own or a lid, until it removes that', async () => {
  await settle(client, { name: 'own-answers', 'client-ids': true });
  const answer = { type: 'own-answers', id: 'a'.repeat(24) };
  const local = { type: 'own-answers', lid: 'answer' };
  const made = { op: 'add', data: { ...answer, ...local } };
  const linking = (to: object) => add('own-notes', {}, { of: { data: to } });
  for (const removed of [answer, local]) {
    for (const linked of [answer, local]) {
      const list = [made, { op: 'remove', ref: removed }, linking(linked)];
      expect(faultsOf(await operate(client, list)), JSON.stringify(list)).toEqual([
        '404 link-not-found /atomic:operations/2/data/relationships/of/data',
      ]);
    }
  }
  expect((await operate(client, [made, linking(answer), linking(local)])).status).toBe(200);
});

test('a list of several types obeys quotas as a whole', async () => {
  const own = await Client.create('quota');
  await operator().change(own.application, { quotas: { documents: 3 } });
  const list = (count: number) => ['q-a', 'q-b'].flatMap((type) => Array(count).fill(add(type)) as object[]);
  const refused = await operate(own, list(2));
  expect(faultsOf(refused)).toEqual(['507 quota-exceeded']);
  for (const type of ['q-a', 'q-b']) expect((await own.get(`/resources/${type}`)).body.meta.count).toBe(0);
  // What was granted for the refused one is soon free again.
  await expect.poll(async () => (await operate(own, list(1))).status).toBe(200);
  for (const type of ['q-a', 'q-b']) expect((await own.get(`/resources/${type}`)).body.meta.count).toBe(1);
});

describe('in parallel', () => {
  test('money moves and is never made or lost, whoever reads', async () => {
    const [a, b, c] = await Promise.all(
      ['bank-a', 'bank-b', 'bank-c'].map((type) => client.make(type, { balance: 100 })),
    );
    if (a === undefined || b === undefined || c === undefined) throw new Error('There are accounts.');
    const accounts = [a, b, c];
    const pick = (n: number) => accounts[n % 3] ?? a;
    const transfer = async (n: number) =>
      (await operate(client, [adds(pick(n), -1), adds(pick(n + 1 + (n % 2)), 1), add('bank-entries', { n })]))
        .status;
    const tagged = async ({ type, id }: Link) => {
      const { body, etag } = await client.get(`/resources/${type}/${id}`);
      return { tag: etag, balance: Number(body.data.attributes?.['balance']) };
    };
    let done = false;
    const sums: number[] = [];
    const watch = async () => {
      while (!done) {
        // What has the same tag before and after the last was read had these values together at that moment.
        const round = [await tagged(a), await tagged(b), await tagged(c)];
        const again = [await tagged(c), await tagged(b), await tagged(a)].toReversed();
        if (round.every(({ tag }, at) => tag === again[at]?.tag))
          sums.push(round.reduce((sum, { balance }) => sum + balance, 0));
      }
    };
    const watching = watch();
    const statuses: number[] = [];
    for (let wave = 0; wave < 6; wave += 1) {
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => transfer(10 * wave + n)))));
      const taken = sums.length;
      await expect.poll(() => sums.length).toBeGreaterThan(taken);
    }
    done = true;
    await watching;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(new Set(sums)).toEqual(new Set([300]));
    expect(await countOf('bank-entries')).toBe(60);
    expect((await balanceOf(a)) + (await balanceOf(b)) + (await balanceOf(c))).toBe(300);
  });

  test('nothing is lost of lists that are decided in different collections', async () => {
    const counters = await Promise.all(['race-a', 'race-b'].map((type) => client.make(type, { balance: 0 })));
    const send = (n: number) =>
      operate(client, [...counters.map((each) => adds(each, 1)), add(`race-z${n % 5}`, { n })]);
    const replies = await Promise.all(Array.from({ length: 60 }, (_, n) => send(n)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await Promise.all(counters.map(balanceOf))).toEqual([60, 60]);
  });

  test('of ten lists with one unique value one has it', async () => {
    await settle(client, { name: 'race-names', unique: [['name']] });
    const list = (n: number) => [add('race-people', { n }), add('race-names', { name: 'one' })];
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => operate(client, list(n))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect([await countOf('race-people'), await countOf('race-names')]).toEqual([1, 1]);
  });
});
