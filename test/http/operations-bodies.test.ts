/** What is no list of operations: media types, shapes, sizes, and bodies that mean harm. Never a 500. */
import { describe, expect, test } from 'vitest';
import { ATOMIC_MEDIA_TYPE, Client, MEDIA_TYPE, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, operateWith, type Operation } from '../support/operations.ts';

const client = await Client.create();

const EXTENSION = 'https://jsonapi.org/ext/atomic';

describe('the Content-Type of a list', () => {
  test.each([
    ATOMIC_MEDIA_TYPE,
    `Application/VND.API+JSON ; EXT="${EXTENSION}"`,
    `${MEDIA_TYPE};ext=${EXTENSION}`,
    `${MEDIA_TYPE}; ext=" ${EXTENSION}  "`,
    `${MEDIA_TYPE}; ext="${EXTENSION}"; profile="https://example.com/a;b,c"`,
  ])('%s is taken', async (type) => {
    expect((await operate(client, [add('things')], { 'content-type': type })).status).toBe(200);
  });

  test.each([
    MEDIA_TYPE,
    'application/json',
    'text/plain',
    '',
    `${MEDIA_TYPE};ext=""`,
    `${MEDIA_TYPE};ext="https://jsonapi.org/ext/other"`,
    `${MEDIA_TYPE};ext="${EXTENSION} https://jsonapi.org/ext/other"`,
    `${MEDIA_TYPE};ext="${EXTENSION.toUpperCase()}"`,
    `${MEDIA_TYPE};ext="${EXTENSION}";charset=utf-8`,
    `${MEDIA_TYPE};profile="${EXTENSION}"`,
    `application/json;ext="${EXTENSION}"`,
    `${MEDIA_TYPE};ext="${'\\"'.repeat(3000)}`,
  ])('%s is 415', async (type) => {
    expect(faultsOf(await operate(client, [add('things')], { 'content-type': type }))).toEqual([
      '415 unsupported-media-type Content-Type:',
    ]);
  });
});

describe('the Accept of a list', () => {
  test.each([
    '*/*',
    'application/*',
    MEDIA_TYPE,
    ATOMIC_MEDIA_TYPE,
    `${ATOMIC_MEDIA_TYPE};q=0.5`,
    `text/html, ${ATOMIC_MEDIA_TYPE}`,
    `${MEDIA_TYPE};ext="https://jsonapi.org/ext/other", ${MEDIA_TYPE}`,
    `${MEDIA_TYPE};profile="a,b;c"`,
  ])('%s is served', async (accept) => {
    const { status, headers } = await operate(client, [add('things')], { accept });
    expect([status, headers.get('content-type')]).toEqual([200, ATOMIC_MEDIA_TYPE]);
  });

  test.each([
    'text/html',
    'application/json',
    `${MEDIA_TYPE};ext="https://jsonapi.org/ext/other"`,
    `${MEDIA_TYPE};ext="${EXTENSION} https://jsonapi.org/ext/other"`,
    `${MEDIA_TYPE};charset=utf-8`,
    `${ATOMIC_MEDIA_TYPE};q=0`,
  ])('%s is 406', async (accept) => {
    expect(faultsOf(await operate(client, [add('things')], { accept }))).toEqual([
      '406 not-acceptable Accept:',
    ]);
  });

  test('elsewhere, the extension is not to be had', async () => {
    const { id } = await client.make('things');
    const read = await client.get(`/resources/things/${id}`, { accept: ATOMIC_MEDIA_TYPE });
    expect(faultsOf(read)).toEqual(['406 not-acceptable Accept:']);
    const create = await client.create('/resources/things', {}, { 'content-type': ATOMIC_MEDIA_TYPE });
    expect(faultsOf(create)).toEqual(['415 unsupported-media-type Content-Type:']);
  });
});

describe('a body that is no list', () => {
  const list = '400 invalid-body /atomic:operations';
  test.each([
    ['no JSON', '{', '400 invalid-json'],
    ['no object', '[]', list],
    ['null', 'null', list],
    ['a document', { data: { type: 'things' } }, list],
    ['an object of operations', { 'atomic:operations': { 0: add('things') } }, list],
    ['no operations', { 'atomic:operations': [] }, list],
    [
      'operations that are inherited',
      '{"__proto__": {"atomic:operations": [{"op": "add", "data": {"type": "x"}}]}}',
      list,
    ],
    [
      'data beside operations',
      { 'atomic:operations': [add('things')], data: null },
      '400 invalid-body /data',
    ],
    [
      'included beside operations',
      { 'atomic:operations': [add('things')], included: [] },
      '400 invalid-body /included',
    ],
    [
      'results',
      { 'atomic:operations': [add('things')], 'atomic:results': [] },
      '400 invalid-body /atomic:results',
    ],
  ])('%s', async (_, body, fault) => {
    expect(faultsOf(await operateWith(client, body))).toEqual([fault]);
  });

  test('members that nobody knows are passed over', async () => {
    const operations = [{ ...add('things'), note: 1, meta: { source: 'x' } }];
    const body = { 'atomic:operations': operations, meta: {}, jsonapi: {}, links: {}, x: 1 };
    expect((await operateWith(client, body)).status).toBe(200);
  });
});

describe('an operation that is none', () => {
  const ref = { type: 'things', id: NO_ID };
  const data = { type: 'things' };
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['a string', 'add', ''],
    ['null', null, ''],
    ['a list', [], ''],
    ['a long', 9_007_199_254_740_993n, ''],
    ['no op', { data }, '/op'],
    ['an op of another kind', { op: ['add'], data }, '/op'],
    ['an op of another case', { op: 'ADD', data }, '/op'],
    ['an inherited op', { op: 'constructor', data }, '/op'],
    ['ref and href', { op: 'remove', ref, href: '/' }, ''],
    ['a ref that is none', { op: 'remove', ref: 'x' }, '/ref'],
    ['a ref that is null', { op: 'remove', ref: null }, '/ref'],
    ['a ref without type', { op: 'remove', ref: { id: NO_ID } }, '/ref/type'],
    ['a ref without id', { op: 'remove', ref: { type: 'things' } }, '/ref'],
    ['a ref whose id is a number', { op: 'remove', ref: { type: 'things', id: 7 } }, '/ref/id'],
    [
      'a ref whose relationship is no name',
      { op: 'remove', ref: { ...ref, relationship: 7 }, data: [] },
      '/ref/relationship',
    ],
    ['an href that is no string', { op: 'remove', href: {} }, '/href'],
    ['a remove without a target', { op: 'remove', data: ref }, ''],
    ['an update without a target', { op: 'update' }, '/data'],
    ['an update of a collection', { op: 'update', href: '/resources/things', data }, '/href'],
    ['a remove of a collection', { op: 'remove', href: '/resources/things' }, '/href'],
    ['an add to a document', { op: 'add', ref, data }, '/ref'],
    ['an add without data', { op: 'add' }, '/data'],
    ['an add of a list', { op: 'add', data: [data] }, '/data'],
    ['an add of null', { op: 'add', href: '/resources/things', data: null }, '/data'],
    ['an add without type', { op: 'add', data: {} }, '/data/type'],
    ['an add without type to a collection', { op: 'add', href: '/resources/things', data: {} }, '/data/type'],
    ['attributes that are none', { op: 'add', data: { ...data, attributes: [] } }, '/data/attributes'],
    [
      'a relationship that is none',
      { op: 'add', data: { ...data, relationships: { r: 1 } } },
      '/data/relationships/r',
    ],
    [
      'a relationship that has no links',
      { op: 'add', data: { ...data, relationships: { r: {} } } },
      '/data/relationships/r/data',
    ],
    ['links of a relationship that are none', { op: 'update', ref: { ...ref, relationship: 'r' } }, '/data'],
    ['meta that is none', { op: 'add', data, meta: 'x' }, '/meta'],
    ['an if-match that is none', { op: 'update', ref, data: ref, meta: { 'if-match': 7 } }, '/meta/if-match'],
    ['an if-match of an add', { op: 'add', data, meta: { 'if-match': '*' } }, '/meta/if-match'],
  ];
  test.each(cases)('%s', async (_, operation, place) => {
    const body = JSON.stringify({ 'atomic:operations': [add('things'), operation] }, (_key, value: unknown) =>
      typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value,
    );
    expect(faultsOf(await operateWith(client, body))).toEqual([
      `400 invalid-body /atomic:operations/1${place}`,
    ]);
  });

  test('several are told together, at most 50', async () => {
    const few = await operate(client, [{}, add('things'), { op: 'add' }]);
    expect(faultsOf(few)).toEqual([
      '400 invalid-body /atomic:operations/0/op',
      '400 invalid-body /atomic:operations/2/data',
    ]);
    expect(faultsOf(await operate(client, Array<Operation>(1000).fill({})))).toHaveLength(50);
  });
});

describe('names that mean something to the language', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a field', async (name) => {
    const body = `{"atomic:operations": [
      {"op": "add", "data": {"type": "things", "lid": "${name}", "attributes": {"${name}": {"${name}": 1}}}},
      {"op": "add", "ref": {"type": "things", "lid": "${name}", "relationship": "r${name}"}, "data": []}]}`;
    const { results, text } = await operateWith(client, body);
    expect(results).toHaveLength(2);
    expect(text).toContain(`"attributes":{"${name}":{"${name}":1}}`);
  });
});

test('half a character is no name of a relationship, and none of a local id', async () => {
  const half = '"\\ud800"';
  const ref = (member: string) =>
    `{"atomic:operations": [{"op": "update", "ref": {"type": "things", ${member}}, "data": []}]}`;
  const named = await operateWith(client, ref(`"id": "${NO_ID}", "relationship": ${half}`));
  expect(faultsOf(named)).toEqual(['404 relationship-not-found /atomic:operations/0/ref/relationship']);
  expect(faultsOf(await operateWith(client, ref(`"lid": ${half}`)))).toEqual([
    '400 invalid-body /atomic:operations/0/ref/lid',
  ]);
  const added = `{"op": "add", "data": {"type": "things", "lid": ${half}, "relationships": {"r": {"data": null}}}}`;
  expect((await operateWith(client, `{"atomic:operations": [${added}]}`)).status).toBe(200);
});

describe('sizes', () => {
  test('1,000 operations are a list, and 1,001 are too many', async () => {
    const operations = Array<Operation>(1001).fill(add('many'));
    expect((await operate(client, operations.slice(1))).results).toHaveLength(1000);
    const fault = '413 list-too-large /atomic:operations';
    expect(faultsOf(await operate(client, operations))).toEqual([fault]);
    expect(faultsOf(await operate(client, Array(10_000).fill(0)))).toEqual([fault]);
    expect((await client.get('/resources/many')).body.meta.count).toBe(1000);
  });

  test('a body of 8 MiB may be one, and one byte more is 413', async () => {
    const body = JSON.stringify({
      'atomic:operations': Array.from({ length: 10 }, () => add('large', { text: 'x'.repeat(800_000) })),
    });
    const whole = 8 * 1024 * 1024;
    expect((await operateWith(client, body.padEnd(whole))).results).toHaveLength(10);
    expect(faultsOf(await operateWith(client, body.padEnd(whole + 1)))).toEqual(['413 body-too-large']);
  });

  test('a document is as large as alone', async () => {
    const operations = [add('large', { text: 'x'.repeat(1024 * 1024) })];
    expect(faultsOf(await operate(client, operations))).toEqual([
      '413 document-too-large /atomic:operations/0',
    ]);
  });

  test('a document is as deep as alone', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const document = (levels: number) => `{"type": "deep", "attributes": {"a": ${nested(levels)}}}`;
    const alone = async (levels: number) =>
      (await client.post('/resources/deep', `{"data": ${document(levels)}}`)).status;
    const listed = async (levels: number) =>
      (await operateWith(client, `{"atomic:operations": [{"op": "add", "data": ${document(levels)}}]}`))
        .status;
    expect([await alone(61), await alone(62)]).toEqual([201, 400]);
    expect([await listed(61), await listed(62)]).toEqual([200, 400]);
    expect(await listed(100_000)).toBe(400);
  });

  test('what grows at rest is counted there', async () => {
    const numbers = `[${Array(2500).fill('1.0').join(',')}]`;
    const operation = `{"op": "add", "data": {"type": "grown", "attributes": {"a": ${numbers}}}}`;
    const body = `{"atomic:operations": [${Array(800).fill(operation).join(',')}]}`;
    expect(faultsOf(await operateWith(client, body))[0]).toMatch(
      /^413 list-too-large \/atomic:operations\/\d+$/,
    );
  });

  test('a large document is not rewritten without end', async () => {
    const { id } = await client.make('large', { text: 'x'.repeat(900_000) }, { r: { data: [] } });
    const operations = Array.from({ length: 100 }, () => ({
      op: 'add',
      ref: { type: 'large', id, relationship: 'r' },
      data: [],
    }));
    expect(faultsOf(await operate(client, operations))[0]).toMatch(
      /^413 list-too-large \/atomic:operations\/\d+$/,
    );
    expect((await operate(client, operations.slice(0, 3))).status).toBe(200);
  });

  test('nor are a thousand large documents deleted at once', async () => {
    const documents = await Promise.all(
      Array.from({ length: 15 }, () => client.make('huge', { text: 'x'.repeat(900_000) })),
    );
    const operations = documents.map(({ type, id }) => ({ op: 'remove', ref: { type, id } }));
    expect(faultsOf(await operate(client, operations))).toEqual(['413 list-too-large /atomic:operations/13']);
    expect((await operate(client, operations.slice(0, 13))).status).toBe(204);
  });

  test('25,000 links are as many as a list sets', async () => {
    const { type, id } = await client.make('linked');
    const links = (count: number) => add('linking', {}, { r: { data: Array(count).fill({ type, id }) } });
    expect((await operate(client, [links(12_500), links(12_500)])).status).toBe(200);
    expect(faultsOf(await operate(client, [links(12_500), links(12_501)]))).toEqual([
      '413 list-too-large /atomic:operations',
    ]);
  });

  test('links to more types than a write may have are refused', async () => {
    const operations = Array.from({ length: 51 }, (_, n) =>
      add('linked', {}, { r: { data: { type: `type${n}`, id: NO_ID } } }),
    );
    expect(faultsOf(await operate(client, operations))).toEqual([
      '422 invalid-relationship /atomic:operations',
    ]);
    expect(faultsOf(await operate(client, operations.slice(1)))).toEqual([
      '404 link-not-found /atomic:operations/0/data/relationships/r/data',
    ]);
  });
});

test('a link that is none is 422, set or removed', async () => {
  const { type, id } = await client.make('things', {}, { r: { data: [] } });
  const ref = { type, id, relationship: 'r' };
  const at = '422 invalid-relationship /atomic:operations/0/data';
  for (const [operation, place] of [
    [add('things', {}, { r: { data: 1 } }), '/relationships/r/data'],
    [add('things', {}, { r: { data: { type: 'agt.x', id: NO_ID } } }), '/relationships/r/data'],
    [{ op: 'update', ref, data: { type, id: 'x' } }, ''],
    [{ op: 'add', ref, data: [{ type }] }, '/0'],
    [{ op: 'remove', ref, data: [{ type, id: 'x' }] }, '/0'],
  ] as const) {
    expect(faultsOf(await operate(client, [operation]))).toEqual([`${at}${place}`]);
  }
});

test('query parameters but fields are 400', async () => {
  for (const query of ['?include=x', '?sort=x', '?page[limit]=1', '?x=1']) {
    expect((await operate(client, [add('things')], {}, query)).status).toBe(400);
  }
});
