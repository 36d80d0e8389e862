/**
 * The leading filters of a pipeline teach a collection its indexes as searches do, and use them. What it costs is
 * counted in documents.
 */
import { describe, expect, test } from 'vitest';
import { feedbackOf } from '../../src/collection/search/index-feedback.ts';
import { defined, outputPath, outputsPath, valuesOf } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { explain, planOf, type Plan } from '../support/plan.ts';

const SIZE = 1200;

const client = await Client.create();
await crowd(client, 'sold', SIZE, (n) => ({ n, shop: n % 40, price: 1 + (n % 3) }));
const [first] = (await client.get('/resources/sold?page[limit]=1')).body.data;
const touched = first?.id ?? '';

/** A write after which no result is valid. */
async function touch(): Promise<void> {
  const data = { type: 'sold', id: touched, attributes: { at: Math.random() } };
  expect((await client.patch(`/resources/sold/${touched}`, { data })).status).toBe(200);
}

/** Reads an aggregate after writes until an index serves; the test's own time limit ends it otherwise. */
async function taught(path: string): Promise<Reply> {
  for (;;) {
    await touch();
    const reply = await explain(client, path);
    expect(reply.status).toBe(200);
    if (planOf(reply).indexes.length > 0) return reply;
  }
}

describe('a pipeline that begins with a filter', () => {
  test('gets an index for it, and looks at what matches alone', async () => {
    await defined(client, 'shop', 'sold', [
      { filter: { shop: 7 } },
      { group: { id: '$shop', total: { $sum: '$price' }, count: { $sum: 1 } } },
    ]);
    const first = await explain(client, outputsPath('shop'));
    expect(planOf(first)).toMatchObject({ way: 'everything', scan: true, indexes: [] });
    expect(planOf(first)['documents-visited']).toBe(SIZE);
    const learned = await taught(outputsPath('shop'));
    expect(planOf(learned)).toMatchObject({ scan: false, indexes: ['shop'] });
    expect(planOf(learned)['documents-visited']).toBe(SIZE / 40);
    expect(planOf(learned)['rows-read']).toBeLessThan(SIZE / 5);
    expect(valuesOf(learned, 'total')).toEqual(valuesOf(first, 'total'));
  });

  test('that no document can match looks at none', async () => {
    await defined(client, 'none', 'sold', [{ filter: { type: 'other' } }, { group: { id: '$shop' } }]);
    const reply = await explain(client, outputsPath('none'));
    expect(planOf(reply)).toMatchObject({ way: 'nothing', 'documents-visited': 0, 'rows-read': 0 });
  });
});

describe('one output, read after a write,', () => {
  const BY_SHOP = [
    { project: { at: '$shop', price: 1 } },
    { group: { id: '$at', total: { $sum: '$price' }, count: { $sum: 1 } } },
  ];

  test('is made of the documents of its group alone, once an index finds them', async () => {
    await defined(client, 'by-shop', 'sold', BY_SHOP);
    const list = await explain(client, outputsPath('by-shop', { 'page[limit]': '100' }));
    const learned = await taught(outputPath('by-shop', '7'));
    expect(planOf(learned)).toMatchObject({ scan: false, indexes: ['shop'] });
    expect(planOf(learned)['documents-visited']).toBe(SIZE / 40);
    expect(learned.body.data).toEqual(list.body.data.find(({ id }) => id === '7'));
    expect((await client.get(outputPath('by-shop', '40'))).status).toBe(404);
  });

  test('is the one in the list, whatever its id is', async () => {
    const values = [
      '"a b"',
      '1',
      '1.5',
      'true',
      'null',
      '"[x"',
      '{"$date":"2026-03-01"}',
      '{"$numberDecimal":"0.10"}',
      '{"$numberLong":"9007199254740993"}',
      '["x"]',
      '{"a":1}',
      '1e300',
    ];
    await crowd(
      client,
      'strange',
      [...values, ...values].map((value, n) => `{"k":${value},"n":${n}}`),
    );
    await defined(client, 'strange', 'strange', [{ group: { id: '$k', all: { $push: '$n' } } }]);
    const path = outputsPath('strange', { 'page[limit]': '100' });
    const { data } = (await client.get(path)).body;
    expect(data).toHaveLength(values.length);
    for (const each of data) {
      await crowd(client, 'strange', [`{"k":"other","n":0}`]);
      const reply = await client.get(outputPath('strange', each.id));
      expect([reply.status, reply.body.data]).toEqual([200, each]);
    }
  });

  test('is made with all the others where each of them would take a pass', async () => {
    await defined(client, 'by-price', 'sold', [
      { group: { id: { $add: ['$price', 100] }, count: { $sum: 1 } } },
    ]);
    await touch();
    const plans: Plan[] = [];
    for (const id of ['101', '102', '103'])
      plans.push(planOf(await explain(client, outputPath('by-price', id))));
    const ways = plans.map(({ way, 'documents-visited': visited }) => [way, visited]);
    // The second pass makes all of them, and the third asks for what it made.
    expect(ways).toEqual([
      ['everything', SIZE],
      ['everything', SIZE],
      ['nothing', 0],
    ]);
  });
});

describe('an aggregate that is read again and again after writes', () => {
  test('keeps its groups: a write costs the documents around it', async () => {
    await defined(client, 'kept', 'sold', [
      { project: { price: 1, double: { $multiply: ['$price', 2] } } },
      { group: { id: '$price', n: { $sum: 1 }, doubled: { $sum: '$double' } } },
      { sort: '-n' },
    ]);
    const first = await explain(client, outputsPath('kept'));
    expect(planOf(first)).toMatchObject({ way: 'everything', scan: true, 'documents-visited': SIZE });
    let last = first;
    for (let times = 0; times < 4; times += 1) {
      await touch();
      last = await explain(client, outputsPath('kept'));
      expect(last.body.data).toEqual(first.body.data);
    }
    expect(planOf(last)).toMatchObject({ way: 'kept-groups', scan: false, 'documents-visited': 512 });
    // One output is taken from them, too.
    await touch();
    const one = await explain(client, outputPath('kept', '2'));
    expect(planOf(one)).toMatchObject({ way: 'kept-groups', 'documents-visited': 512 });
    expect(one.body.data).toEqual(first.body.data.find(({ id }) => id === '2'));
  });

  test('keeps them as well where an index lists most documents of its filter, and learns none from parts', async () => {
    const indexed = outputsPath('one-price');
    await defined(client, 'one-price', 'sold', [
      { filter: { price: 2 } },
      { group: { id: null, deviation: { $stdDevPop: '$n' } } },
    ]);
    expect(planOf(await taught(indexed)).indexes).toEqual(['price']);
    await defined(client, 'broad', 'sold', [
      { filter: { price: { $gte: 1 } } },
      { group: { id: '$shop', n: { $sum: 1 } } },
    ]);
    const ways: unknown[] = [];
    for (let times = 0; times < 6; times += 1) {
      await touch();
      const {
        way,
        indexes,
        'documents-visited': visited,
      } = planOf(await explain(client, outputsPath('broad')));
      ways.push([way, indexes, visited]);
    }
    const kept = ['kept-groups', [], 512];
    expect(ways).toEqual([
      ['positions-of-an-index', ['price'], SIZE],
      ['kept-groups', [], SIZE],
      ...Array.from({ length: 4 }, () => kept),
    ]);
  });
});

describe('passes over all documents', () => {
  test('get an index of the columns that they need', async () => {
    const deviation = { group: { id: '$shop', deviation: { $stdDevPop: '$price' } } };
    await defined(client, 'deviations', 'sold', [deviation]);
    const first = await explain(client, outputsPath('deviations'));
    expect(planOf(first)).toMatchObject({ way: 'everything', scan: true, indexes: [] });
    const learned = await taught(outputsPath('deviations'));
    const served = { way: 'everything', scan: true, indexes: ['$columns.price.shop'] };
    expect(planOf(learned)).toMatchObject({ ...served, 'documents-visited': SIZE });
    expect(learned.body.data).toEqual(first.body.data);
  });
});

describe('what a pass teaches', () => {
  const query = { sources: [], used: [], wanted: ['shop'] };
  test.each<readonly [string, number, readonly string[]]>([
    ['of few matches, that an index is missing', 5_000, ['shop']],
    ['of an eighth, too', 12_500, ['shop']],
    ['of more, nothing: no index would have served', 12_501, []],
  ])('%s', (_, matched, wanted) => {
    const passed = { documents: 100_000, visited: 100_000, matched };
    expect(feedbackOf(null, query, passed)).toEqual({ used: [], saved: 0, wanted, looked: 100_000 });
  });
});
