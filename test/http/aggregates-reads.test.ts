/** The documents of aggregates are searched, paged and read like stored ones. */
import { describe, expect, test } from 'vitest';
import { defined, idsOf, includedOf, outputPath, outputsPath, valuesOf } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { crowd } from '../support/crowd.ts';

const CITIES = [
  '{"k":"d","n":3,"tags":["x","y"],"at":{"$date":"2026-03-01"},"price":{"$numberDecimal":"0.30"},"word":"a red fox"}',
  '{"k":"a","n":1.5,"tags":[],"at":{"$date":"2026-01-01"},"price":{"$numberDecimal":"0.10"},"word":"a dog"}',
  '{"k":"c","n":{"$numberLong":"9007199254740993"},"place":{"type":"Point","coordinates":[2,48]},' +
    '"deep":{"a":[{"b":7}]}}',
  '{"k":"b","n":null,"place":{"type":"Point","coordinates":[3,48]}}',
];

const client = await Client.create();
const stored = await crowd(client, 'cities', CITIES);
await defined(client, 'city', 'cities', [
  { sort: '-k' },
  {
    project: {
      id: { $concat: ['city ', '$k'] },
      k: 1,
      n: 1,
      tags: 1,
      at: 1,
      price: 1,
      word: 1,
      place: 1,
      deep: 1,
      source: { type: '$type', id: '$id' },
    },
  },
  {
    output: {
      attributes: ['k', 'n', 'tags', 'at', 'price', 'word', 'place', 'deep'],
      relationships: ['source'],
    },
  },
]);

const letters = async (query: Readonly<Record<string, unknown>>): Promise<string> => {
  const reply = await client.get(outputsPath('city', query));
  return reply.status === 200 ? valuesOf(reply, 'k').join('') : faultsOf(reply).join();
};

describe('a filter over outputs', () => {
  test.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['equality', { 'filter[k]': '"a"' }, 'a'],
    ['numbers across kinds', { 'filter[n]': { $gte: 1.5, $lt: 4 } }, 'da'],
    ['full text', { 'filter[*]': { $text: { $search: 'fox' } } }, 'd'],
    ['ids, which are strings', { 'filter[id]': { $in: ['city a', 'city b', 'city z'] } }, 'ba'],
    ['the type', { 'filter[type]': '"agt.city"' }, 'dcba'],
    [
      'distance, which orders',
      { 'filter[place]': { $near: { $geometry: { type: 'Point', coordinates: [4, 48] } } } },
      'bc',
    ],
    ['an unknown operator', { 'filter[k]': { $like: 'a' } }, '400 invalid-filter ?filter[k]'],
    ['a word', { 'filter[k]': 'a' }, 'a'],
  ])('%s', async (_, query, expected) => {
    expect(await letters(query)).toBe(expected);
  });

  test('links by the ids of their targets', async () => {
    expect(await letters({ 'filter[source.id]': { $oid: stored[1] } })).toBe('a');
  });
});

describe('the order', () => {
  test.each([
    ['is the pipeline’s without sort', {}, 'dcba'],
    ['goes by value across kinds', { sort: 'n' }, 'badc'],
    ['of equal ones is the pipeline’s', { sort: 'word' }, 'cbad'],
    ['goes by ids', { sort: 'id' }, 'abcd'],
  ])('%s', async (_, query, expected) => {
    expect(await letters(query)).toBe(expected);
  });

  test('by a field twice is refused', async () => {
    expect(await letters({ sort: 'k,-k' })).toBe('400 invalid-parameter ?sort');
  });
});

describe('pages', () => {
  test.each([
    ['by offset', { 'page[offset]': '0', 'page[limit]': '3' }],
    ['by number', { 'page[number]': '1', 'page[size]': '3' }],
    ['by cursor', { 'page[after]': '', 'page[size]': '3' }],
    ['by cursor with a sort', { 'page[after]': '', 'page[size]': '3', sort: '-k' }],
    ['with a filter', { 'page[limit]': '3', 'filter[k]': { $ne: 'z' } }],
  ])('%s', async (_, query) => {
    const first = await client.get(outputsPath('city', query));
    expect([valuesOf(first, 'k').join(''), first.body.meta.count]).toEqual(['dcb', 4]);
    expect(first.body.links.prev).toBeNull();
    const second = await client.get(first.body.links.next ?? 'no next page');
    expect([valuesOf(second, 'k').join(''), second.body.meta.count]).toEqual(['a', 4]);
    expect(second.body.links.next).toBeNull();
    const again = await client.get(second.body.links.first ?? 'no first page');
    expect(again.body.data).toEqual(first.body.data);
    if (second.body.links.prev !== null) {
      const back = await client.get(second.body.links.prev);
      expect(valuesOf(back, 'k').join('')).toBe('dcb');
    }
  });

  test.each([
    ['a page behind the end is empty', { 'page[offset]': '9' }, ''],
    ['both styles are refused', { 'page[offset]': '0', 'page[number]': '1' }, /^400 invalid-parameter/],
    ['a page of 1001 is refused', { 'page[limit]': '1001' }, /^400 invalid-parameter/],
    [
      'a cursor of another list is refused',
      { 'page[after]': 'abc', 'page[size]': '1' },
      /^400 invalid-parameter/,
    ],
  ])('%s', async (_, query, expected) => {
    expect(await letters(query)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  test('without a match, all links are null and there is nothing', async () => {
    const reply = await client.get(outputsPath('city', { 'filter[k]': '"z"', include: 'source' }));
    expect(reply.body).toEqual({
      meta: { count: 0 },
      data: [],
      links: { self: expect.any(String) as string, first: null, last: null, prev: null, next: null },
      included: [],
    });
  });

  test('without a count, where page[count] is false', async () => {
    const first = await client.get(outputsPath('city', { 'page[limit]': '3', 'page[count]': 'false' }));
    expect(first.body).not.toHaveProperty('meta');
    expect(first.body.links.last).toBeNull();
    const path = first.body.links.next ?? '';
    const next = await client.get(path);
    expect([valuesOf(next, 'k').join(''), next.body.links.next]).toEqual(['a', null]);
    expect((await client.get(path, { 'if-none-match': next.etag })).status).toBe(304);
  });

  test('hold 20 documents when the request does not say', async () => {
    await defined(client, 'many', 'cities', [
      { limit: 1 },
      { project: { i: { $range: [0, 50] } } },
      { unwind: '$i' },
      { project: { id: '$i' } },
    ]);
    const reply = await client.get(outputsPath('many'));
    expect([reply.body.data.length, reply.body.meta.count]).toEqual([20, 50]);
  });
});

describe('fields', () => {
  test('name the attributes and relationships that show, in lists and single reads', async () => {
    const query = { 'fields[agt.city]': 'k,source', 'filter[k]': '"a"' };
    const [listed] = (await client.get(outputsPath('city', query))).body.data;
    expect(Object.keys(listed?.attributes ?? {})).toEqual(['k']);
    expect(Object.keys(listed?.relationships ?? {})).toEqual(['source']);
    const one = await client.get(`${outputPath('city', 'city a')}?fields[agt.city]=n`);
    expect(one.body.data).toEqual({
      type: 'agt.city',
      id: 'city a',
      attributes: { n: 1.5 },
      links: { self: `${client.url}/aggregates/agt.city/city%20a` },
    });
  });

  test('empty show none, and includes are followed all the same', async () => {
    const path = `${outputPath('city', 'city a')}?fields[agt.city]=&include=source&fields[cities]=k`;
    const { body } = await client.get(path);
    expect(Object.keys(body.data)).toEqual(['type', 'id', 'links']);
    expect(body.included.map(({ id, attributes }) => [id, attributes])).toEqual([[stored[1], { k: 'a' }]]);
  });
});

describe('values', () => {
  test('come in their response form, every digit kept', async () => {
    const { text } = await client.get(outputsPath('city', { 'filter[k]': { $in: ['c', 'd'] } }));
    expect(text).toContain('"n":9007199254740993');
    expect(text).toContain('"price":0.30');
    expect(text).toContain('"at":"2026-03-01T00:00:00.000Z"');
  });
});

describe('what is not known is refused', () => {
  test.each([
    ['/aggregates/agt.city?limit=1', '400 unknown-parameter ?limit'],
    ['/aggregates/agt.city/city%20a?filter[k]=1', '400 unknown-parameter ?filter[k]'],
    ['/aggregates/agt.city/city%20a?sort=k', '400 unknown-parameter ?sort'],
    ['/aggregates/agt.city/city%20a/relationships/source?include=x', '400 unknown-parameter ?include'],
    ['/aggregates/agt.city/none', '404 document-not-found'],
    ['/aggregates/agt.city/none/source', '404 document-not-found'],
    ['/aggregates/agt.city/city%20a/k', '404 relationship-not-found'],
    ['/aggregates/agt.city/city%20a/relationships/none', '404 relationship-not-found'],
    ['/aggregates/agt.none', '404 not-found'],
    ['/resources/agt.city', '404 not-found'],
  ])('GET %s', async (path, fault) => {
    expect(faultsOf(await client.get(path))).toEqual([fault]);
  });

  test('an include of a name that no document has leads to nothing', async () => {
    const reply = await client.get(outputsPath('city', { include: 'none' }));
    expect([idsOf(reply).length, includedOf(reply)]).toEqual([4, []]);
  });

  test.each(['POST', 'PATCH', 'DELETE'])('%s writes nothing: 405', async (method) => {
    for (const path of ['', '/city%20a', '/city%20a/relationships/source', '/city%20a/source']) {
      const reply = await client.send(method, `/aggregates/agt.city${path}`, { body: { data: null } });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('HEAD is a GET without its body', async () => {
    const head = await client.send('HEAD', outputsPath('city'));
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.etag).toBe((await client.get(outputsPath('city'))).etag);
  });
});

describe('equal requests at one time', () => {
  test('give equal answers, and see a change that was answered before them', async () => {
    const made = await client.make('shared', { n: 1 });
    await defined(client, 'shared', 'shared', [{ group: { sum: { $sum: '$n' } } }]);
    for (const n of [2, 3, 4]) {
      const changed = await client.update(`/resources/shared/${made.id}`, { attributes: { n } });
      expect(changed.status).toBe(200);
      const replies = await Promise.all(Array.from({ length: 6 }, () => client.get(outputsPath('shared'))));
      expect(replies.map(({ body }) => body.data[0]?.attributes?.['sum'])).toEqual(Array(6).fill(n));
    }
  });

  test('a failure on the data lasts until the data changes', async () => {
    const made = await client.make('failing', { n: 'text' });
    await defined(client, 'failing', 'failing', [{ project: { n: { $add: ['$n', 1] } } }]);
    for (let time = 0; time < 2; time += 1)
      expect((await client.get(outputsPath('failing'))).status).toBe(422);
    await client.update(`/resources/failing/${made.id}`, { attributes: { n: 1 } });
    const mended = await client.get(outputsPath('failing'));
    expect(mended.body.data[0]?.attributes?.['n']).toBe(2);
  });
});
