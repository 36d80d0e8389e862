/** `POST /operations` as a whole: all or none, of one collection, each under its precondition. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ATOMIC_MEDIA_TYPE, Client, link, NO_ID, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, onlyAdaAndEva, operate, relink, remove, update } from '../support/operations.ts';
import { newService } from '../support/scope.ts';

let ada: Resource;
let eva: Resource;
const client = await Client.create();

beforeEach(async () => {
  [ada, eva] = await onlyAdaAndEva(client);
});

describe('all or none', () => {
  const failures: readonly (readonly [string, () => object, string])[] = [
    [
      'an unknown document',
      () => remove({ type: 'people', id: NO_ID }),
      '404 document-not-found /atomic:operations/4',
    ],
    [
      'a value that is none',
      () => update(ada, { a: { $date: 'x' } }),
      '422 invalid-value /atomic:operations/4/data/attributes/a',
    ],
    [
      'a link to what the list removes',
      () => add('people', {}, { r: { data: link(eva) } }),
      '404 link-not-found /atomic:operations/4/data/relationships/r/data',
    ],
    [
      'another id in the data',
      () => ({ ...update(ada), data: { type: 'people', id: NO_ID } }),
      '409 id-conflict /atomic:operations/4/data/id',
    ],
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

describe('a list writes types under /resources', () => {
  test.each([
    ['a user', update({ type: 'core.user', id: NO_ID }), '/ref/type'],
    ['an href', { op: 'remove', href: `/users/core.user/${NO_ID}` }, '/href'],
    ['an ACL of users', update({ type: 'core.user.acl', id: NO_ID }), '/ref/type'],
    ['an aggregate', add('agt.sums'), '/data/type'],
  ])('%s is none of them', async (_, operation, place) => {
    const answer = await operate(client, [add('people'), operation]);
    expect(faultsOf(answer)[0]).toMatch(new RegExp(`^4\\d\\d \\S+ /atomic:operations/1${place}$`));
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

test('what a list that failed has linked is no part of what the collection remembers', async () => {
  const service = await newService();
  const book = await service.client.make('books', {});
  const ann = await service.client.make('people', { name: 'Ann' });
  const acme = await service.client.make('firms', { name: 'Acme' });
  const byFirm = add('books', {}, { author: { data: link(acme) } });
  const byFirms = async () =>
    (await service.client.get('/resources/books?filter[author.name]=Acme')).body.meta.count;
  // From here on the collection knows to which types the authors of books lead.
  await operate(service.client, [add('books', {}, { author: { data: link(ann) } })]);
  expect(await byFirms()).toBe(0);
  const failed = await operate(service.client, [byFirm, update(book, {}, { 'if-match': '"other"' })]);
  expect(failed.status).toBe(412);
  await operate(service.client, [byFirm]);
  await service.restart();
  expect(await byFirms()).toBe(1);
});
