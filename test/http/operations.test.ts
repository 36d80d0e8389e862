/** `POST /operations`: what each operation does, in order, all or none (JSON:API, Atomic Operations). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Client, link, NO_ID, type Link, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, onlyAdaAndEva, operate, relink, remove, update } from '../support/operations.ts';

let ada: Resource;
let eva: Resource;
const client = await Client.create();

beforeEach(async () => {
  [ada, eva] = await onlyAdaAndEva(client);
});

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
    expect((await client.get(`/resources/people/${ada.id}`)).body.data).toBeNull();
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

/** What they do when they are done: property/operations. */
describe('operations on a relationship', () => {
  test.each([
    ['an attribute', 'update', 'name', null, '409 field-conflict /atomic:operations/0'],
    [
      'an attribute, but a link to nothing comes first',
      'update',
      'name',
      { type: 'people', id: NO_ID },
      '404 link-not-found /atomic:operations/0/data',
    ],
    ['to remove from an attribute', 'remove', 'name', [], '404 relationship-not-found /atomic:operations/0'],
    [
      'a new name that nobody can ask for',
      'update',
      'a/b',
      null,
      '422 invalid-field-name /atomic:operations/0',
    ],
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
      '404 link-not-found /atomic:operations/0/data/0',
    ],
    [
      'a link to nothing of another type',
      'update',
      'kin',
      { type: 'dogs', id: NO_ID },
      '404 link-not-found /atomic:operations/0/data',
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
    const { results, etag } = await operate(client, [{ op: 'update', href, data: link(eva) }]);
    expect(results).toEqual([{ data: link(eva), meta: { etag } }]);
  });

  test.each([
    '',
    '/resources/core.user',
    `/resources/people/${NO_ID}/kin`,
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
