/** `meta: {"atomic": false}`: a list that goes on after a failure, and tells of each operation what it came to. */
import { beforeEach, expect, test } from 'vitest';
import { Client, link, NO_ID, type ErrorObject, type Link, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, onlyAdaAndEva, operateWith, relink, remove, update } from '../support/operations.ts';
import { ACL, makeUser, may } from '../support/people.ts';

let ada: Resource;
let eva: Resource;
const client = await Client.create();
beforeEach(async () => {
  [ada, eva] = await onlyAdaAndEva(client);
});

const GOING_ON = { atomic: false };
const goOn = (operations: readonly unknown[], headers?: Readonly<Record<string, string>>, by = client) =>
  operateWith(by, { meta: GOING_ON, 'atomic:operations': operations }, headers);
const count = async (type: string): Promise<number> =>
  (await client.get(`/resources/${type}?page[limit]=1`)).body.meta.count;

/** Of each operation `done`, or its faults as `code pointer`. */
function told({ results }: Awaited<ReturnType<typeof goOn>>): readonly string[] {
  return results.map(({ meta }) => {
    const errors = (meta as { readonly errors?: readonly ErrorObject[] } | undefined)?.errors;
    return errors === undefined
      ? 'done'
      : errors.map(({ status, code, source }) => `${status} ${code} ${source?.pointer ?? ''}`).join(', ');
  });
}

const at = (position: number, rest = ''): string => `/atomic:operations/${position}${rest}`;

test('what can be done is done, and the rest is told where it stands', async () => {
  const other = await client.make('places');
  const stale = eva.links.self === '' ? '' : (await client.get(`/resources/people/${eva.id}`)).etag;
  await client.patch(`/resources/people/${eva.id}`, { data: { ...link(eva), attributes: { name: 'Eve' } } });
  const answer = await goOn([
    add('people', { name: 'Max' }),
    update(eva, { name: 'Late' }, { 'if-match': stale }),
    add('people', { born: { $date: 'x' } }),
    update({ type: 'people', id: NO_ID }, { name: 'Nobody' }),
    add('people', {}, { home: { data: { type: 'places', id: NO_ID } }, friend: { data: link(ada) } }),
    add('people', {}, { home: { data: link(other) } }),
    { op: 'update', data: { ...link(ada), meta: { update: { $inc: { name: 1 } } } } },
    relink('add', ada, 'kin', [{ type: 'people', id: NO_ID }]),
    remove(eva),
    update(eva, { name: 'Gone' }),
  ]);
  expect(answer.status).toBe(200);
  expect(told(answer)).toEqual([
    'done',
    `412 precondition-failed ${at(1, '/meta/if-match')}`,
    `422 invalid-value ${at(2, '/data/attributes/born')}`,
    `404 document-not-found ${at(3)}`,
    `404 link-not-found ${at(4, '/data/relationships/home/data')}`,
    'done',
    `422 update-failed ${at(6, '/data/meta/update/$inc/name')}`,
    `404 link-not-found ${at(7, '/data/0')}`,
    'done',
    `404 document-not-found ${at(9)}`,
  ]);
  const { body } = await client.get('/resources/people');
  expect(body.data.map(({ attributes }) => attributes)).toEqual([
    { name: 'Ada' },
    { name: 'Max' },
    undefined,
  ]);
  expect(answer.results[0]?.data?.attributes).toEqual({ name: 'Max' });
  expect(answer.results[8]).toEqual({});
});

test('what depends on an add that failed fails, and says so; what depends on another does not', async () => {
  const answer = await goOn([
    add('people', { born: { $date: 'x' } }, undefined, 'lost'),
    add('people', { name: 'Max' }, undefined, 'max'),
    add('people', {}, { friend: { data: { type: 'people', lid: 'lost' } } }),
    { op: 'update', data: { type: 'people', lid: 'lost', attributes: { name: 'X' } } },
    { op: 'remove', ref: { type: 'people', lid: 'lost' } },
    relink('remove', ada, 'kin', [{ type: 'people', lid: 'lost' }]),
    relink('add', ada, 'kin', [{ type: 'people', lid: 'max' }]),
    { op: 'update', data: { type: 'people', lid: 'max', attributes: { age: 5 } } },
  ]);
  expect(told(answer)).toEqual([
    `422 invalid-value ${at(0, '/data/attributes/born')}`,
    'done',
    `404 link-not-found ${at(2, '/data/relationships/friend/data')}`,
    `404 document-not-found ${at(3)}`,
    `404 document-not-found ${at(4)}`,
    `404 document-not-found ${at(5)}`,
    'done',
    'done',
  ]);
  expect(answer.results[7]?.data?.attributes).toEqual({ name: 'Max', age: 5 });
  expect(answer.text).toContain('Operation 0, which was to add the document, has failed.');
  expect(await count('people')).toBe(3);
});

test('ids ascend and every document is found, though operations between failed', async () => {
  const operations = Array.from({ length: 30 }, (_, n) =>
    add('kept', n % 3 === 1 ? { n: { $date: 'x' } } : { n, t: `word${n}` }),
  );
  expect(told(await goOn(operations)).filter((each) => each === 'done')).toHaveLength(20);
  const { body } = await client.get('/resources/kept?page[limit]=100&sort=n');
  const wanted = Array.from({ length: 30 }, (_, n) => n).filter((n) => n % 3 !== 1);
  expect(body.data.map(({ attributes }) => attributes?.['n'])).toEqual(wanted);
  expect(body.data.map(({ id }) => id)).toEqual(body.data.map(({ id }) => id).toSorted());
  expect(body.meta.count).toBe(20);
});

test('an operation that is done and is too much is undone', async () => {
  const large = await client.make('large', { text: 'x'.repeat(900_000) });
  const before = large.etag;
  const operations = Array.from({ length: 12 }, (_, n) => ({
    op: 'update',
    data: { ...link(large), meta: { update: { $push: { seen: n } } } },
  }));
  const answer = await goOn(operations);
  const done = told(answer).filter((each) => each === 'done').length;
  expect(done).toBeGreaterThan(2);
  expect(done).toBeLessThan(12);
  expect(told(answer).slice(done)).toEqual(
    Array.from({ length: 12 - done }, (_, n) => `413 list-too-large ${at(done + n)}`),
  );
  const read = await client.get(`/resources/large/${large.id}`);
  expect(read.body.data.attributes?.['seen']).toEqual(Array.from({ length: done }, (_, n) => n));
  expect(read.etag).not.toBe(before);
});

const grown = (post: Link, operator: object) => ({
  op: 'update',
  data: { ...link(post), meta: { update: operator } },
});

test('an operation that fails counts as done: a list must not read a large document a thousand times', async () => {
  const large = await client.make('large', { text: 'x'.repeat(900_000) });
  const answer = await goOn([
    ...Array.from({ length: 20 }, () => grown(large, { $inc: { text: 1 } })),
    add('large'),
  ]);
  const failed = told(answer).filter((each) => each.startsWith('422 update-failed')).length;
  expect(failed).toBeGreaterThan(9);
  expect(failed).toBeLessThan(16);
  expect(told(answer).slice(failed)).toEqual(
    Array.from({ length: 21 - failed }, (_, n) => `413 list-too-large ${at(failed + n)}`),
  );
});

test('what one may not change counts nothing: no document is looked at', async () => {
  const large = await client.make('large', { text: 'x'.repeat(900_000) });
  const user = await makeUser(client, 'nobody');
  const web = await client.withPermissions([may('post patch delete', '/.*', ACL)]);
  const refused = Array.from({ length: 100 }, () => grown(large, { $inc: { text: 1 } }));
  const answer = await goOn([...refused, add('large')], user.headers, web);
  expect(told(answer)).toEqual([...refused.map((_, n) => `403 forbidden ${at(n)}`), 'done']);
});

test('of a document that the sender may not read, failures do not tell the size', async () => {
  const user = await makeUser(client, 'blind');
  const web = await client.withPermissions([may('post patch delete', '/.*', ACL)]);
  const counts = await Promise.all(
    ['x', 'x'.repeat(900_000)].map(async (text) => {
      const post = await client.make('unread', { text });
      const body = { data: { type: 'unread.acl', id: post.id, attributes: { update: [user.link] } } };
      expect((await client.patch(`/resources/unread.acl/${post.id}`, body)).status).toBe(200);
      const refused = Array.from({ length: 10 }, () => grown(post, { $push: { 'text.x': 1 } }));
      return told(await goOn(refused, user.headers, web)).map((each) => each.slice(0, 18));
    }),
  );
  expect(counts[0]).toEqual(counts[1]);
  expect(counts[0]?.filter((each) => each === '409 change-refused').length).toBeLessThan(8);
});

test('the conditions of its updates share what they may take', async () => {
  const post = await client.make('patterns', { words: ['a'.repeat(22)] });
  const pull = grown(post, { $pull: { words: { $regex: '(?:a|aa)+$(?<=b)' } } });
  const answer = await goOn(Array.from({ length: 1000 }, () => pull));
  const done = told(answer).filter((each) => each === 'done').length;
  expect(done).toBeGreaterThan(0);
  expect(
    new Set(
      told(answer)
        .slice(done)
        .map((each) => each.slice(0, 17)),
    ),
  ).toEqual(new Set(['422 update-failed']));
});

test('a malformed list, and one that the key does not permit, is refused as a whole', async () => {
  const malformed = await goOn([add('people'), { op: 'fly' }]);
  expect(faultsOf(malformed)).toEqual([`400 invalid-body ${at(1, '/op')}`]);
  const narrow = await client.withPermissions([may('post', '/operations'), may('post', '/resources/people')]);
  expect((await goOn([add('people'), remove(ada)], undefined, narrow)).status).toBe(403);
  for (const meta of [{ atomic: 'no' }, { atomic: 0 }, [], 5]) {
    const refused = await operateWith(client, { meta, 'atomic:operations': [add('people')] });
    expect(faultsOf(refused)).toEqual(['400 invalid-body /meta']);
  }
  expect(await count('people')).toBe(2);
});

test('without it, or with true, a list is all or nothing', async () => {
  for (const meta of [{}, { atomic: true }, { other: 1 }]) {
    const refused = await operateWith(client, {
      meta,
      'atomic:operations': [add('people'), remove({ ...ada, id: NO_ID })],
    });
    expect(faultsOf(refused)).toEqual([`404 document-not-found ${at(1)}`]);
  }
  expect(await count('people')).toBe(2);
});

test('sent again with its Idempotency-Key it answers the same, failures too', async () => {
  const place = await client.make('places');
  const key = { 'idempotency-key': 'going-on' };
  const operations = [
    add('people', {}, { home: { data: { type: 'places', id: NO_ID } } }),
    add('people', { name: 'Max' }, { home: { data: link(place) } }),
    remove({ type: 'people', id: NO_ID }),
  ];
  const first = await goOn(operations, key);
  await client.delete(`/resources/places/${place.id}`);
  const again = await goOn(operations, key);
  expect([again.status, again.text, again.etag]).toEqual([first.status, first.text, first.etag]);
  expect(told(first).map((each) => each === 'done')).toEqual([false, true, false]);
});

test('rights are those of the user: what may not be changed is told as a single request tells it', async () => {
  const user = await makeUser(client, 'mallory');
  const web = await client.withPermissions([may('post patch delete', '/.*', ACL)]);
  const answer = await goOn(
    [update(ada, { name: 'X' }), update({ type: 'people', id: NO_ID }, {}), add('people')],
    user.headers,
    web,
  );
  expect(told(answer)).toEqual([`403 forbidden ${at(0)}`, `403 forbidden ${at(1)}`, 'done']);
});
