/**
 * What one request may touch: rows of unique values, rights, indexes and words count beside the documents, in lists of
 * operations and in changes of many documents. Where a list is refused says how much was done for it.
 */
import { describe, expect, test } from 'vitest';
import { Client, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, type Operation } from '../support/operations.ts';
import { EVERY_METHOD, makeUser, underAcl, type Person } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();
const web = await underAcl(client);
const [ada, eva] = [await makeUser(client, 'ada'), await makeUser(client, 'eva')];

const MOST = 1000;

/** Identities that are nobody: rights check their form only. */
const nobodies = (count: number, first = 0): readonly Link[] =>
  Array.from({ length: count }, (_, n) => ({
    type: 'core.user',
    id: (first + n * 7919).toString(16).padStart(24, '0'),
  }));

const rightsOf = (type: string, id: string, attributes: object, level = '.acl'): Operation => ({
  op: 'update',
  ref: { type: `${type}${level}`, id },
  data: { type: `${type}${level}`, id, attributes },
});
const removal = (type: string, id: string): Operation => ({ op: 'remove', ref: { type, id } });
const tooLargeAt = (position: number) => [`413 list-too-large /atomic:operations/${position}`];

/** Adds documents in the name of a user, and gives their ids. */
async function addedBy(person: Person, type: string, count: number): Promise<readonly string[]> {
  const list = Array<Operation>(count).fill(add(type));
  const { results } = await operate(web, list, person.headers);
  return results.map(({ data }) => data?.id ?? '');
}

/** Has documents name so many for each right, a few documents at a time. */
async function share(type: string, ids: readonly string[], grants: object): Promise<void> {
  for (const id of ids) {
    const attributes = { attributes: grants, type: `${type}.acl`, id };
    expect((await client.patch(`/resources/${type}.acl/${id}`, { data: attributes })).status).toBe(200);
  }
}

describe('a list is refused where it touches too much', () => {
  test('by unique values', async () => {
    const others = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const unique = [['tags'], ...others.map((name) => ['tags', name])];
    expect((await settle(client, { name: 'tagged', unique })).status).toBe(201);
    const fixed = Object.fromEntries(others.map((name) => [name, 1]));
    const tagged = (n: number) =>
      add('tagged', { ...fixed, tags: Array.from({ length: MOST }, (_, tag) => n * MOST + tag) });
    const operations = Array.from({ length: MOST }, (_, n) => tagged(n));
    expect(faultsOf(await operate(client, operations))).toEqual(tooLargeAt(3));
    expect((await operate(client, operations.slice(0, 3))).status).toBe(200);
  });

  test('by rights that are set', async () => {
    const ids = await addedBy(ada, 'set', 100);
    const operations = ids.map((id, n) => rightsOf('set', id, { read: nobodies(MOST, n) }));
    expect(faultsOf(await operate(client, operations))).toEqual(tooLargeAt(42));
    expect((await operate(client, operations.slice(0, 42))).status).toBe(200);
    // What stays is not written again.
    expect((await operate(client, operations.slice(0, 42))).status).toBe(200);
  });

  test('by rights that go with their documents', async () => {
    const ids = await addedBy(ada, 'owned', 20);
    const all = nobodies(MOST - 1);
    const own = [...all, ada.link];
    await share('owned', ids, { read: own, update: own, delete: own });
    const operations = ids.map((id) => removal('owned', id));
    expect(faultsOf(await operate(web, operations, ada.headers))).toEqual(tooLargeAt(16));
    expect((await operate(web, operations.slice(0, 16), ada.headers)).status).toBe(204);
  });

  test('a change of many documents by the same measure', async () => {
    const ids = await addedBy(ada, 'bulk', 20);
    const all = nobodies(MOST);
    await share('bulk', ids, { read: all, update: all, delete: all });
    const key = await client.withPermissions([{ path: '/.*', methods: [...EVERY_METHOD, 'bulk'] }]);
    const remove = (filter: object) =>
      key.delete(`/resources/bulk?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`, {
        meta: { limit: 100 },
      });
    expect(faultsOf(await remove({}))).toEqual(['413 list-too-large']);
    const some = { id: { $in: ids.slice(0, 16).map((id) => ({ $oid: id })) } };
    expect((await remove(some)).body.meta.count).toBe(16);
  });

  test('but not for what it touches first, which could be done alone', async () => {
    const [id = ''] = await addedBy(ada, 'first', 1);
    const grants = { read: nobodies(MOST), update: nobodies(MOST), delete: nobodies(MOST) };
    expect((await operate(client, [rightsOf('first', id, grants), add('first')])).status).toBe(200);
  });
});

test('a thousand small operations are a list, with unique values, rights and all', async () => {
  const unique = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => [name]);
  expect((await settle(client, { name: 'small', unique })).status).toBe(201);
  const acl = { read: nobodies(5), update: nobodies(5) };
  const operations = Array.from({ length: 1000 }, (_, n) => ({
    op: 'add',
    data: {
      type: 'small',
      attributes: Object.fromEntries(unique.map(([name = '']) => [name, n])),
      meta: { acl },
    },
  }));
  const { results } = await operate(web, operations, ada.headers);
  expect(results).toHaveLength(1000);
  const removals = results.map(({ data }) => removal('small', data?.id ?? ''));
  expect((await operate(web, removals, ada.headers)).status).toBe(204);
});

test('who may not read the rights of a document does not learn how many they are', async () => {
  const refusedAt = async (type: string, count: number) => {
    const ids = await addedBy(ada, type, 25);
    const grants = { read: [...nobodies(count), eva.link], delete: [eva.link] };
    const lists = ids.map((id) => rightsOf(type, id, grants));
    expect((await operate(client, lists)).status).toBe(200);
    const removed = await operate(
      web,
      ids.map((id) => removal(type, id)),
      eva.headers,
    );
    return removed.status === 204 ? [] : faultsOf(removed);
  };
  expect(await refusedAt('some', 300)).toEqual(tooLargeAt(19));
  expect(await refusedAt('more', 900)).toEqual(tooLargeAt(19));
  expect(await refusedAt('none', 0)).toEqual([]);
});

describe('a right names at most 4,000 identities', () => {
  const fault = (pointer: string) => [`422 invalid-attribute ${pointer}`];
  const most = nobodies(4000);
  const over = nobodies(4001);

  test('at its address', async () => {
    const { id } = await client.make('named');
    const patch = (read: unknown) => client.update(`/resources/named.acl/${id}`, { attributes: { read } });
    expect((await patch(most)).status).toBe(200);
    expect(faultsOf(await patch(over))).toEqual(fault('/data/attributes/read'));
    // The same one twice is one.
    expect((await patch([...most, ...most])).status).toBe(200);
  });

  test('where a document is made, and in a list', async () => {
    const made = (read: unknown) => ({ type: 'named', meta: { acl: { read } } });
    expect((await client.post('/resources/named', { data: made(most) })).status).toBe(201);
    expect(faultsOf(await client.post('/resources/named', { data: made(over) }))).toEqual(
      fault('/data/meta/acl/read'),
    );
    expect(faultsOf(await operate(client, [{ op: 'add', data: made(over) }]))).toEqual(
      fault('/atomic:operations/0/data/meta/acl/read'),
    );
  });
});
