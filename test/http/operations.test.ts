/** `POST /operations`: what each operation does, in order, all or none (JSON:API, Atomic Operations). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ATOMIC_MEDIA_TYPE, Client, NO_ID, type Link, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, relink, remove, update } from '../support/operations.ts';

let client: Client;
let ada: Resource;
let eva: Resource;
beforeAll(async () => {
  client = await Client.create();
});

beforeEach(async () => {
  const { body } = await client.get('/resources/people?page[limit]=1000');
  if (body.data.length > 0)
    await operate(
      client,
      body.data.map((each) => remove(each)),
    );
  ada = await client.make('people', { name: 'Ada' }, { kin: { data: null } });
  eva = await client.make('people', { name: 'Eva' });
});

const link = ({ type, id }: Link): Link => ({ type, id });
const read = async ({ type, id }: Link): Promise<unknown> =>
  (await client.get(`/resources/${type}/${id}`)).body.data;

describe('add', () => {
  test('creates a document: the result is what a read gives, with its etag', async () => {
    const { status, results, etag } = await operate(client, [
      add(
        'people',
        { name: 'Max', born: { $date: '1990-02-03' }, long: { $numberLong: '7' } },
        { kin: { data: link(ada) } },
      ),
    ]);
    expect(status).toBe(200);
    const [{ data, meta } = {}] = results;
    expect(await read(data ?? ada)).toEqual(data);
    expect(data?.attributes).toEqual({ name: 'Max', born: '1990-02-03T00:00:00.000Z', long: 7 });
    expect(meta).toEqual({ etag });
    const again = await client.get(`/resources/people/${data?.id ?? ''}`, { 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  test('takes the collection as its href', async () => {
    const operation = { ...add('people', { name: 'Max' }), href: '/resources/people' };
    expect((await operate(client, [operation])).results[0]?.data?.attributes).toEqual({ name: 'Max' });
  });

  test('gives ids that ascend in the order of the list', async () => {
    const { results } = await operate(
      client,
      Array.from({ length: 20 }, (_, n) => add('people', { n })),
    );
    const ids = results.map(({ data }) => data?.id ?? '');
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(20);
    const { body } = await client.get('/resources/people?page[limit]=100');
    expect(body.meta.count).toBe(22);
    expect(body.data.map(({ id }) => id)).toEqual([ada.id, eva.id, ...ids]);
  });

  test('makes the first documents of a type', async () => {
    const { results } = await operate(client, [add('new'), add('new')]);
    expect(results).toHaveLength(2);
    expect((await client.get('/resources/new')).body.meta.count).toBe(2);
  });

  test('answers with the fields that are asked for', async () => {
    const operations = [add('people', { name: 'Max', age: 3 })];
    const none = await operate(client, operations, {}, '?fields[people]=');
    expect(Object.keys(none.results[0]?.data ?? {})).toEqual(['type', 'id', 'links']);
    const one = await operate(client, operations, {}, '?fields[people]=age');
    expect(one.results[0]?.data?.attributes).toEqual({ age: 3 });
  });

  test('stores a link that is given twice once', async () => {
    const { results } = await operate(client, [
      add('people', {}, { kin: { data: [link(ada), link(eva), link(ada)] } }),
    ]);
    expect(results[0]?.data?.relationships?.['kin']?.data).toEqual([link(ada), link(eva)]);
    expect(await read(results[0]?.data ?? ada)).toEqual(results[0]?.data);
  });
});

describe('update', () => {
  test('changes the attributes that are given; the result is the whole document', async () => {
    const { status, results } = await operate(client, [update(ada, { age: 36 })]);
    expect(status).toBe(200);
    expect(results[0]?.data?.attributes).toEqual({ name: 'Ada', age: 36 });
    expect(await read(ada)).toEqual(results[0]?.data);
  });

  test('is about the document in its data where nothing else says so', async () => {
    const data = { type: 'people', id: ada.id.toUpperCase(), attributes: { age: 1 } };
    expect((await operate(client, [{ op: 'update', data }])).results[0]?.data?.attributes).toEqual({
      name: 'Ada',
      age: 1,
    });
  });

  test('sees what operations before it have done', async () => {
    const { results } = await operate(client, [
      update(ada, { a: 1 }),
      update(ada, { b: 2 }),
      update(ada, { a: 3 }),
    ]);
    expect(results.map(({ data }) => data?.attributes)).toEqual([
      { name: 'Ada', a: 1 },
      { name: 'Ada', a: 1, b: 2 },
      { name: 'Ada', a: 3, b: 2 },
    ]);
    expect(new Set(results.map(({ meta }) => meta?.etag)).size).toBe(3);
  });
});

describe('remove', () => {
  test('deletes; a list that only removes answers 204', async () => {
    const { status, text, headers } = await operate(client, [remove(ada), remove(eva)]);
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
    expect((await client.get(`/resources/people/${ada.id}`)).text).toBe('{"data":null}');
    expect((await client.get('/resources/people')).body.meta.count).toBe(0);
  });

  test('has an empty result beside others', async () => {
    const { results } = await operate(client, [remove(ada), add('people')]);
    expect(results[0]).toEqual({});
    expect(results[1]?.data?.type).toBe('people');
  });

  test('leaves nothing to later operations', async () => {
    for (const operation of [remove(ada), update(ada, {}), relink('update', ada, 'kin', null)]) {
      expect(faultsOf(await operate(client, [remove(ada), operation]))).toEqual([
        '404 document-not-found /atomic:operations/1',
      ]);
    }
  });
});

describe('operations on a relationship', () => {
  const one = (): Link => link(ada);
  const two = (): Link => link(eva);
  const cases: readonly (readonly [string, string, () => unknown, () => unknown, () => unknown])[] = [
    ['update: to one', 'update', () => null, () => one(), () => one()],
    ['update: to none', 'update', () => one(), () => null, () => null],
    ['update: to many', 'update', () => one(), () => [two(), one()], () => [two(), one()]],
    ['add: to many', 'add', () => [one()], () => [two(), one()], () => [one(), two()]],
    [
      'add: a to-one relationship becomes a to-many one',
      'add',
      () => one(),
      () => [two()],
      () => [one(), two()],
    ],
    ['remove: from many', 'remove', () => [one(), two()], () => [one()], () => [two()]],
    ['remove: a to-one relationship becomes a to-many one', 'remove', () => one(), () => [one()], () => []],
    [
      'remove: what is not there',
      'remove',
      () => [one()],
      () => [{ type: 'dogs', id: NO_ID }],
      () => [one()],
    ],
  ];
  test.each(cases)('%s', async (_, op, before, data, after) => {
    const document = await client.make('people', {}, { kin: { data: before() } });
    const { status, results, etag } = await operate(client, [relink(op, document, 'kin', data())]);
    expect([status, results]).toEqual([200, [{ data: after(), meta: { etag } }]]);
    const { body } = await client.get(`/resources/people/${document.id}/relationships/kin`);
    expect(body.data).toEqual(after());
  });

  test.each([
    ['an attribute', 'update', 'name', null, '409 field-conflict /atomic:operations/0'],
    [
      'an attribute, whatever its links',
      'update',
      'name',
      { type: 'people', id: NO_ID },
      '409 field-conflict /atomic:operations/0',
    ],
    ['nothing there to remove from', 'remove', 'x', [], '404 relationship-not-found /atomic:operations/0'],
    [
      'one link to add',
      'add',
      'kin',
      { type: 'people', id: NO_ID },
      '400 invalid-body /atomic:operations/0/data',
    ],
    [
      'a link to nothing',
      'add',
      'kin',
      [{ type: 'people', id: NO_ID }],
      '422 link-not-found /atomic:operations/0/data/0',
    ],
    [
      'a link to nothing of another type',
      'update',
      'kin',
      { type: 'dogs', id: NO_ID },
      '422 link-not-found /atomic:operations/0/data',
    ],
    [
      'no field name',
      'update',
      'a.b',
      null,
      '404 relationship-not-found /atomic:operations/0/ref/relationship',
    ],
  ])('%s is refused', async (_, op, name, data, fault) => {
    expect(faultsOf(await operate(client, [relink(op, ada, name, data)]))).toEqual([fault]);
  });
});

describe('href', () => {
  test.each([
    ['update', (id: string) => `/resources/people/${id}`],
    ['update', (id: string) => `${client.url}/resources/people/${id}`],
    ['update', (id: string) => `resources/people/${id.toUpperCase()}`],
    ['update', (id: string) => `/x/../resources/%70eople/${id}`],
    ['remove', (id: string) => `/resources/people/${id}`],
  ])('%s by %o', async (op, href) => {
    const data = { type: 'people', id: ada.id, attributes: { age: 1 } };
    const { status } = await operate(client, [{ op, href: href(ada.id), ...(op === 'update' && { data }) }]);
    expect(status).toBe(op === 'update' ? 200 : 204);
  });

  test('of a relationship', async () => {
    const href = `/resources/people/${ada.id}/relationships/kin`;
    const { results } = await operate(client, [{ op: 'update', href, data: link(eva) }]);
    expect(results[0]?.data).toEqual(link(eva));
  });

  test.each([
    '',
    '/',
    '/resources',
    '/resources/',
    '/resources/core.user',
    '/resources/people.acl',
    '/resources/people/x',
    `/resources/people/${NO_ID}/`,
    `/resources/people/${NO_ID}/kin`,
    `/resources/people/${NO_ID}/relationships`,
    `/resources/people/${NO_ID}/relationships/`,
    `/resources/people/${NO_ID}/relationships/a.b`,
    `/resources/people/${NO_ID}/relationships/a/b`,
    `/resources/people/${NO_ID}?x=1`,
    `/resources/people/${NO_ID}#x`,
    `/users/core.user/${NO_ID}`,
    `https://example.com/resources/people/${NO_ID}`,
    `//example.com/resources/people/${NO_ID}`,
    `/resources/people/%`,
    `/resources/${'x'.repeat(3000)}`,
    'http://[',
  ])('%s is 400', async (href) => {
    const fault = '400 invalid-body /atomic:operations/0/href';
    expect(faultsOf(await operate(client, [{ op: 'remove', href }]))).toEqual([fault]);
  });
});

describe('all or none', () => {
  const failures: readonly (readonly [string, () => object, string])[] = [
    [
      'an unknown document',
      () => remove({ type: 'people', id: NO_ID }),
      '404 document-not-found /atomic:operations/4',
    ],
    [
      'a stale precondition',
      () => update(ada, {}, { 'if-match': '"AA"' }),
      '412 precondition-failed /atomic:operations/4/meta/if-match',
    ],
    [
      'a name that is none',
      () => add('people', { $x: 1 }),
      '422 invalid-field-name /atomic:operations/4/data/attributes/$x',
    ],
    [
      'a value that is none',
      () => update(ada, { a: { $date: 'x' } }),
      '422 invalid-value /atomic:operations/4/data/attributes/a',
    ],
    [
      'a link to nothing',
      () => add('people', {}, { r: { data: [link(ada), { type: 'dogs', id: NO_ID }] } }),
      '422 link-not-found /atomic:operations/4/data/relationships/r/data/1',
    ],
    [
      'a link to what the list removes',
      () => add('people', {}, { r: { data: link(eva) } }),
      '422 link-not-found /atomic:operations/4/data/relationships/r/data',
    ],
    [
      'an id of the client',
      () => ({ op: 'add', data: { type: 'people', id: NO_ID } }),
      '403 client-id /atomic:operations/4/data/id',
    ],
    [
      'another id in the data',
      () => ({ ...update(ada), data: { type: 'people', id: NO_ID } }),
      '409 id-conflict /atomic:operations/4/data/id',
    ],
    [
      'another type in the data',
      () => ({ ...update(ada), data: { type: 'dogs', id: ada.id } }),
      '409 type-conflict /atomic:operations/4/data/type',
    ],
    [
      'a field of two kinds',
      () => update(ada, { kin: 1 }),
      '422 field-collision /atomic:operations/4/data/attributes/kin',
    ],
    ['an operation that is none', () => ({ op: 'move' }), '400 invalid-body /atomic:operations/4/op'],
  ];

  test.each(failures)('%s at the end of a list undoes everything', async (_, last, fault) => {
    const before = await client.get('/resources/people');
    const answer = await operate(client, [
      add('people', { name: 'Max' }, {}, 'max'),
      update(ada, { age: 1 }),
      relink('add', ada, 'kin', [{ type: 'people', lid: 'max' }]),
      remove(eva),
      last(),
    ]);
    expect(faultsOf(answer)).toEqual([fault]);
    const after = await client.get('/resources/people');
    expect([after.text, after.etag]).toEqual([before.text, before.etag]);
  });

  test('a type whose first list fails has no documents, and takes the next list', async () => {
    const bad = add('fresh', { $x: 1 });
    expect((await operate(client, [add('fresh'), bad])).status).toBe(422);
    expect((await client.get('/resources/fresh')).body.meta.count).toBe(0);
    expect((await operate(client, [add('fresh')])).status).toBe(200);
    expect((await client.get('/resources/fresh')).body.meta.count).toBe(1);
  });

  test('a type that was never written has nothing to change', async () => {
    const nothing = { type: 'never', id: NO_ID };
    expect(faultsOf(await operate(client, [remove(nothing)]))).toEqual([
      '404 document-not-found /atomic:operations/0',
    ]);
    expect((await client.get('/resources/never')).body.meta.count).toBe(0);
  });

  test('what comes first in the list is told first', async () => {
    const missing = remove({ type: 'people', id: NO_ID });
    const bad = add('people', { $x: 1 });
    expect(faultsOf(await operate(client, [missing, bad]))).toEqual([
      '404 document-not-found /atomic:operations/0',
    ]);
    expect(faultsOf(await operate(client, [bad, missing]))).toEqual([
      '422 invalid-field-name /atomic:operations/0/data/attributes/$x',
    ]);
  });

  test('of one operation, the precondition comes before the content', async () => {
    const stale = update(ada, { $x: 1, kin: 2 }, { 'if-match': '"AA"' });
    expect(faultsOf(await operate(client, [stale]))).toEqual([
      '412 precondition-failed /atomic:operations/0/meta/if-match',
    ]);
  });
});

describe('one list writes one collection', () => {
  test.each([
    ['an add', add('dogs'), '/data/type'],
    ['an update', update({ type: 'dogs', id: NO_ID }), '/ref/type'],
    ['an href', { op: 'remove', href: `/resources/dogs/${NO_ID}` }, '/href'],
    ['a user', update({ type: 'core.user', id: NO_ID }), '/ref/type'],
    ['an ACL', update({ type: 'people.acl', id: NO_ID }), '/ref/type'],
    ['an aggregate', add('agt.sums'), '/data/type'],
  ])('%s of another type is 422', async (_, operation, place) => {
    const answer = await operate(client, [add('people'), operation]);
    expect(faultsOf(answer)).toEqual([`422 invalid-type /atomic:operations/1${place}`]);
    expect((await client.get('/resources/people')).body.meta.count).toBe(2);
  });

  test('but links to any', async () => {
    const dog = await client.make('dogs');
    const { status } = await operate(client, [add('people', {}, { dog: { data: link(dog) } })]);
    expect(status).toBe(200);
  });
});

describe('if-match', () => {
  test('a current etag lets the operation through, without the document in its result', async () => {
    const { etag } = await client.get('/resources/people');
    const { status, results } = await operate(client, [
      update(ada, { age: 1 }, { 'if-match': etag }),
      remove(eva, { 'if-match': etag }),
    ]);
    expect(status).toBe(200);
    expect(results).toEqual([{ meta: { etag: results[0]?.meta?.etag } }, {}]);
    expect(results[0]?.meta?.etag).not.toBe(etag);
  });

  test('an etag of a result is good for the next list, once', async () => {
    const first = await operate(client, [add('people'), add('people')]);
    const [one, two] = first.results;
    const next = [one, two].map((each) =>
      update(each?.data ?? ada, { age: 1 }, { 'if-match': each?.meta?.etag }),
    );
    expect((await operate(client, next)).status).toBe(200);
    expect(faultsOf(await operate(client, next))).toEqual([
      '412 precondition-failed /atomic:operations/0/meta/if-match',
    ]);
  });

  test('a change by the same list counts', async () => {
    const { etag } = await client.get(`/resources/people/${ada.id}`);
    const change = update(ada, { age: 1 }, { 'if-match': etag });
    expect(faultsOf(await operate(client, [change, change]))).toEqual([
      '412 precondition-failed /atomic:operations/1/meta/if-match',
    ]);
  });

  test.each([
    ['*', 200],
    ['', 412],
    ['"nonsense"', 412],
    ['W/"AA"', 412],
  ])('%s answers %i', async (tag, status) => {
    expect((await operate(client, [update(ada, {}, { 'if-match': tag })])).status).toBe(status);
  });

  test('of what is gone, and of what never was, is 412', async () => {
    await client.delete(`/resources/people/${eva.id}`);
    for (const id of [eva.id, NO_ID]) {
      const operation = update({ type: 'people', id }, {}, { 'if-match': '*' });
      expect((await operate(client, [operation])).status).toBe(412);
    }
  });

  test('of lists in parallel with one etag, one wins', async () => {
    const { etag } = await client.get('/resources/people');
    const lists = Array.from({ length: 8 }, (_, n) => [
      add('people', { n }),
      update(ada, { n }, { 'if-match': etag }),
    ]);
    const answers = await Promise.all(lists.map((list) => operate(client, list)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { body } = await client.get('/resources/people');
    expect(body.data.map(({ attributes }) => attributes?.['n'])).toEqual([winner, undefined, winner]);
  });
});

test('the answer names the extension, and varies by what is accepted', async () => {
  const { headers } = await operate(client, [add('people')]);
  expect(headers.get('content-type')).toBe(ATOMIC_MEDIA_TYPE);
  expect(headers.get('vary')).toContain('Accept');
});
