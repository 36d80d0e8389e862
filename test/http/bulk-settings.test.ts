/** Changes and deletions of many documents whose type has settings: these hold for each of them. */
import { beforeEach, describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, makeGroup, makeUser } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

const PAST = { $date: '2020-01-01T00:00:00Z' };

let trusted: Client;
let client: Client;
beforeEach(async () => {
  trusted = await Client.create();
  client = await trusted.withPermissions([{ path: '/resources/.*', methods: [...EVERY_METHOD, 'bulk'] }]);
});

const query = (filter: object) => `?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`;
const patch = (type: string, filter: object, content: object, by = client, headers = {}) =>
  by.patch(
    `/resources/${type}${query(filter)}`,
    { data: { type, ...content }, meta: { limit: 100 } },
    headers,
  );
const remove = (type: string, filter: object) =>
  client.delete(`/resources/${type}${query(filter)}`, { meta: { limit: 100 } });
const countOf = ({ status, body }: Reply) => [status, body.meta.count];
const listOf = async (type: string) => (await trusted.get(`/resources/${type}?page[limit]=100`)).body.data;

describe('unique', () => {
  beforeEach(async () => {
    await settle(trusted, { name: 'seats', unique: [['row', 'seat']] });
    for (const seat of [1, 2]) await trusted.make('seats', { row: 'a', seat });
  });

  test('two of the found cannot get one value: then none is changed', async () => {
    const [, second] = await listOf('seats');
    const refused = await patch('seats', { row: 'a' }, { attributes: { row: 'b', seat: 9 } });
    expect(refused.status).toBe(409);
    expect(refused.body.errors.map(({ code, meta }) => [code, meta?.['id']])).toEqual([
      ['value-taken', second?.id],
    ]);
    expect((await listOf('seats')).map(({ attributes }) => attributes?.['row'])).toEqual(['a', 'a']);
  });

  test('values that stay apart may change, and what is deleted frees its own', async () => {
    expect(countOf(await patch('seats', { row: 'a' }, { attributes: { row: 'b' } }))).toEqual([200, 2]);
    expect(countOf(await remove('seats', { seat: 1 }))).toEqual([200, 1]);
    expect((await trusted.make('seats', { row: 'b', seat: 1 })).type).toBe('seats');
    expect(countOf(await patch('seats', {}, { meta: { update: { $inc: { seat: 5 } } } }))).toEqual([200, 2]);
  });
});

test('rights: who finds and may change changes, and changed links change who may', async () => {
  await settle(trusted, { name: 'tasks', rights: { read: ['$team', '$chief'], update: ['$team'] } });
  const [ann, bob] = [await makeUser(trusted, 'ann'), await makeUser(trusted, 'bob')];
  const team = await makeGroup(trusted, [ann]);
  for (const n of [1, 2])
    await trusted.make('tasks', { n }, { team: { data: team }, chief: { data: bob.link } });
  await trusted.make('tasks', { n: 3 }, { team: { data: null }, chief: { data: ann.link } });
  const acl = await trusted.withPermissions([
    { path: '/resources/.*', methods: [...EVERY_METHOD, 'bulk'], acl: { active: true } },
  ]);
  const change = { attributes: { done: true } };
  expect(countOf(await patch('tasks', {}, change, acl, bob.headers))).toEqual([200, 0]);
  expect(countOf(await patch('tasks', {}, change, acl, ann.headers))).toEqual([200, 2]);
  const release = { relationships: { team: { data: null } } };
  expect(countOf(await patch('tasks', {}, release, acl, ann.headers))).toEqual([200, 2]);
  expect((await acl.get('/resources/tasks', ann.headers)).body.meta.count).toBe(1);
  expect((await acl.get('/resources/tasks', bob.headers)).body.meta.count).toBe(2);
  expect(countOf(await patch('tasks', {}, change, acl, ann.headers))).toEqual([200, 0]);
});

test('expires: what is given a date in the past ends, and what has ended is not found', async () => {
  await settle(trusted, { name: 'stories', expires: 'until' });
  const made = await Promise.all([1, 2, 3].map((n) => trusted.make('stories', { n })));
  await trusted.make('stories', { n: 4, until: PAST });
  expect(countOf(await patch('stories', { n: { $gte: 2 } }, { attributes: { until: PAST } }))).toEqual([
    200, 2,
  ]);
  expect((await listOf('stories')).map(({ id }) => id)).toEqual([made[0]?.id]);
  expect(countOf(await patch('stories', {}, { attributes: { until: null } }))).toEqual([200, 1]);
  expect(countOf(await remove('stories', {}))).toEqual([200, 1]);
});

test('client-ids: a change of many names no id, and the ids of what is deleted stay taken', async () => {
  await settle(trusted, { name: 'answers', 'client-ids': true });
  const ids = ['a1', 'b2'].map((digits) => digits.repeat(12));
  const make = (id: string) => client.create('/resources/answers', { id });
  for (const id of ids) expect((await make(id)).status).toBe(201);
  expect(faultsOf(await patch('answers', {}, { id: ids[0], attributes: { n: 1 } }))).toEqual([
    '400 invalid-body /data/id',
  ]);
  expect(countOf(await patch('answers', { id: { $oid: ids[1] } }, { attributes: { n: 1 } }))).toEqual([
    200, 1,
  ]);
  expect(countOf(await remove('answers', { n: 1 }))).toEqual([200, 1]);
  expect(faultsOf(await make(ids[1] ?? ''))).toEqual(['409 id-conflict /data/id']);
});

test('inverses: changed links move documents from one inverse to another, and no field takes their name', async () => {
  await settle(trusted, { name: 'posts', inverses: { comments: { type: 'comments', through: 'post' } } });
  const [one, other] = [await trusted.make('posts'), await trusted.make('posts')];
  const to = (id: string) => ({ post: { data: { type: 'posts', id } } });
  for (const n of [1, 2, 3]) await trusted.make('comments', { n }, to(one.id));
  const moved = await patch('comments', { n: { $gte: 2 } }, { relationships: to(other.id) });
  expect(countOf(moved)).toEqual([200, 2]);
  const counts = await Promise.all(
    [one, other].map(async ({ id }) => (await client.get(`/resources/posts/${id}/comments`)).body.meta.count),
  );
  expect(counts).toEqual([1, 2]);
  const named = await patch('posts', {}, { attributes: { comments: [] } });
  expect(named.body.errors.map(({ code }) => code)).toEqual(['field-conflict']);
});

test('aggregate-links: only relationships that the settings name take links to outputs', async () => {
  await defined(trusted, 'sums', 'sales', [{ group: { id: 'all', n: { $sum: 1 } } }]);
  await settle(trusted, { name: 'shops', 'aggregate-links': ['sums'] });
  for (const n of [1, 2]) await trusted.make('shops', { n });
  const link = { data: { type: 'agt.sums', id: 'all' } };
  expect(countOf(await patch('shops', {}, { relationships: { sums: link } }))).toEqual([200, 2]);
  const refused = await patch('shops', {}, { relationships: { others: link } });
  expect(faultsOf(refused)).toEqual(['422 invalid-relationship /data/relationships/others/data']);
});
