/** Documents as they were at a moment (docs/history.md#at-a-moment). */
import { describe, expect, test } from 'vitest';
import { NO_ID, pathOf, type Link, type Reply } from '../support/client.ts';
import { useHistoryUsers } from '../support/history-users.ts';
import { change, restore, versionsIn, versionsOf } from '../support/history.ts';
import { operate } from '../support/operations.ts';
import { EVERY_METHOD, grant, may } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { settle } from '../support/type-settings.ts';

const world = useHistoryUsers();

/** When each version of a document came about, the first one first; the clock has gone on since. */
async function timesOf(document: Link): Promise<readonly string[]> {
  return versionsIn(await versionsOf(world.client, document))
    .map(({ at = '' }) => at)
    .toReversed();
}

/** The next millisecond: what happens next has another time. */
async function later(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now) await world.client.get('/resources');
}

/** A document with n = 1, then 2, then deleted, each at another time. */
async function makePast(type: string): Promise<{ document: Link; times: readonly string[] }> {
  const document = await world.client.make(type, { n: 1 });
  await grant(world.client, pathOf(document), { read: [world.eve.link] });
  await later();
  await change(world.client, document, { n: 2 });
  await later();
  await world.client.delete(pathOf(document));
  return { document, times: await timesOf(document) };
}

const moved = (time: string, by: number) => new Date(Date.parse(time) + by).toISOString();
const at = (document: Link, time: string, by = world.client, headers = {}) =>
  by.get(`${pathOf(document)}?at=${time}`, headers);
const inOf = (documents: readonly Link[]) =>
  `filter[id]=${encodeURIComponent(JSON.stringify({ $in: documents.map(({ id }) => ({ $oid: id })) }))}`;
const listAt = (type: string, documents: readonly Link[], time: string, by = world.client, headers = {}) =>
  by.get(`/resources/${type}?at=${time}&${inOf(documents)}`, headers);
const told = (reply: Reply) => [reply.status, ...codes(reply)];
const shown = ({ body }: Reply) => body.data.map(({ id, attributes }) => [id, attributes?.['n']]);

test('a list of operations has happened at one moment: no other one shows a part of it', async () => {
  const type = await world.newType();
  const documents = [await world.client.make(type, { n: 1 }), await world.client.make(type, { n: 1 })];
  const [first, last] = documents.map(({ id }) => ({
    op: 'update',
    data: { type, id, attributes: { n: 2 } },
  }));
  const others = Array.from({ length: 100 }, () => ({ op: 'add', data: { type } }));
  await later();
  expect((await operate(world.client, [first, ...others, last])).status).toBe(200);
  const [[, one = ''] = [], [, other = ''] = []] = await Promise.all(documents.map(timesOf));
  expect(other).toBe(one);
  const numbers = async (time: string) => shown(await listAt(type, documents, time)).map(([, n]) => n);
  expect([await numbers(moved(one, -1)), await numbers(one)]).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

describe('a document', () => {
  test('is as it was from the moment of each version on, until the next', async () => {
    const { document, times } = await makePast(await world.newType());
    const [made = '', changed = '', deleted = ''] = times;
    for (const [time, n, number] of [
      [made, 1, 1],
      [moved(changed, -1), 1, 1],
      [changed, 2, 2],
      [moved(deleted, -1), 2, 2],
    ] as const) {
      const read = await at(document, time);
      expect([read.body.data.attributes, read.body.meta['number']]).toEqual([{ n }, number]);
    }
    expect((await at(document, deleted)).body).toMatchObject({
      data: null,
      meta: { change: 'delete' },
    });
    expect(told(await at(document, moved(made, -1)))).toEqual([404, 'version-not-found']);
  });

  test('from before the history is known from its last change on', async () => {
    const document = await world.client.make('plain', { n: 1 });
    await settle(world.client, { name: document.type, history: 'forever' });
    const [made = ''] = await timesOf(document);
    expect((await at(document, made)).body.data.attributes).toEqual({ n: 1 });
    expect(told(await at(document, moved(made, -1)))).toEqual([404, 'version-not-found']);
  });

  test('with fields, in the zone of the moment', async () => {
    const { document, times } = await makePast(await world.newType());
    const zoned = moved(times[1] ?? '', 3_600_000).replace('Z', '%2B01:00');
    const read = await world.client.get(`${pathOf(document)}?at=${zoned}&fields[${document.type}]=other`);
    expect([read.status, read.body.data.attributes, read.body.meta['number']]).toEqual([200, undefined, 2]);
  });

  test('has a tag of its own', async () => {
    const { document, times } = await makePast(await world.newType());
    const read = await at(document, times[0] ?? '');
    const again = (time = '') => at(document, time, world.client, { 'if-none-match': read.etag });
    expect((await again(times[0])).status).toBe(304);
    expect((await again(times[1])).status).toBe(200);
  });

  test('is for those who may see that version', async () => {
    const { document, times } = await makePast(await world.newType());
    const [time = ''] = times;
    expect((await at(document, time, world.acl, world.eve.headers)).body.data.attributes).toEqual({ n: 1 });
    expect(told(await at(document, time, world.acl, world.ada.headers))).toEqual([404, 'version-not-found']);
    expect(told(await at({ ...document, id: NO_ID }, time, world.acl, world.ada.headers))).toEqual([
      404,
      'version-not-found',
    ]);
    const some = await world.client.withPermissions([
      may(EVERY_METHOD, '/.*', { where: { n: { $gte: 2 } }, fields: { read: ['m'] } }),
    ]);
    expect(told(await at(document, time, some))).toEqual([404, 'version-not-found']);
    const hidden = await at(document, times[1] ?? '', some);
    expect([hidden.body.data.attributes, hidden.body.meta['at']]).toEqual([undefined, undefined]);
  });
});

describe('a list of ids', () => {
  test('has the documents that were there, with their versions', async () => {
    const type = await world.newType();
    const one = await makePast(type);
    await later();
    const two = await makePast(type);
    const list = async (time = '') => shown(await listAt(type, [two.document, one.document], time));
    expect(await list(one.times[1])).toEqual([[one.document.id, 2]]);
    expect(await list(two.times[1])).toEqual([[two.document.id, 2]]);
    await later();
    await restore(world.client, one.document, 1);
    const now = await listAt(type, [two.document, one.document], '2999-01-01T00:00:00Z');
    expect(shown(now)).toEqual([[one.document.id, 1]]);
    expect(now.body.data).toMatchObject([{ meta: { version: { number: 4, change: 'restore' } } }]);
    expect(now.body.meta.count).toBe(1);
  });

  test('of one id', async () => {
    const { document, times } = await makePast(await world.newType());
    const filter = `filter[id]=${encodeURIComponent(JSON.stringify({ $oid: document.id }))}`;
    const list = await world.client.get(`/resources/${document.type}?at=${times[0]}&${filter}`);
    expect(shown(list)).toEqual([[document.id, 1]]);
  });

  test('lacks what may not be seen, and what never was', async () => {
    const { document, times } = await makePast(await world.newType());
    const { type } = document;
    const asked = [document, { type, id: NO_ID }];
    expect(shown(await listAt(type, asked, times[0] ?? '', world.acl, world.eve.headers))).toEqual([
      [document.id, 1],
    ]);
    const none = await listAt(type, asked, times[0] ?? '', world.acl, world.ada.headers);
    expect(none.body).toMatchObject({ data: [], meta: { count: 0 } });
  });

  const TIME = 'at=2026-11-20T00:00:00Z';
  const ID = `filter[id]={"$oid":"${NO_ID}"}`;
  const MANY = JSON.stringify({
    $in: Array.from({ length: 101 }, (_, n) => ({ $oid: String(n).padStart(24, '0') })),
  });
  test.each([
    ['no filter', TIME, 'filter[id]'],
    ['another filter', `${TIME}&filter[n]=1`, 'filter[id]'],
    ['two filters', `${TIME}&${ID}&filter[n]=1`, 'filter[id]'],
    ['a range of ids', `${TIME}&filter[id]={"$gt":{"$oid":"${NO_ID}"}}`, 'filter[id]'],
    ['no ids', `${TIME}&filter[id]={"$in":[]}`, 'filter[id]'],
    ['a text for an id', `${TIME}&filter[id]={"$in":[{"$oid":"${NO_ID}"},"x"]}`, 'filter[id]'],
    ['too many ids', `${TIME}&filter[id]=${MANY}`, 'filter[id]'],
    ['a page', `${TIME}&${ID}&page[size]=1`, 'page[size]'],
    ['an order', `${TIME}&${ID}&sort=n`, 'sort'],
    ['included documents', `${TIME}&${ID}&include=next`, 'include'],
    ['the trash', `${TIME}&deleted=true`, 'at'],
  ])('%s is 400', async (_, query, parameter) => {
    const reply = await world.client.get(`/resources/${await world.newType()}?${query}`);
    expect(told(reply)).toEqual([400, 'invalid-parameter']);
    expect(reply.body.errors[0]?.source).toEqual({ parameter });
  });
});

test.each([
  '',
  '2026-11-20',
  '2026-11-20T00:00:00',
  '2026-13-20T00:00:00Z',
  'now',
  '1795132800000',
  '2026-11-20T00Z',
])('%j is no moment', async (time) => {
  const document = await world.client.make(await world.newType(), { n: 1 });
  for (const reply of [await at(document, time), await listAt(document.type, [document], time)]) {
    expect(told(reply)).toEqual([400, 'invalid-parameter']);
    expect(reply.body.errors[0]?.source).toEqual({ parameter: 'at' });
  }
});

test('a document as it was takes no included documents', async () => {
  const document = await world.client.make(await world.newType(), { n: 1 });
  const reply = await world.client.get(`${pathOf(document)}?at=2026-11-20T00:00:00Z&include=next`);
  expect([...told(reply), reply.body.errors[0]?.source]).toEqual([
    400,
    'invalid-parameter',
    { parameter: 'include' },
  ]);
});

test('where there is no history, no moment is known', async () => {
  const document = await world.client.make('without', { n: 1 });
  const time = '2026-11-20T00:00:00Z';
  expect(told(await at(document, time))).toEqual([404, 'version-not-found']);
  expect(told(await listAt(document.type, [document], time))).toEqual([400, 'invalid-parameter']);
});

test('documents that are too large together are refused', async () => {
  const type = await world.newType();
  const text = 'x'.repeat(1_000_000);
  const documents: Link[] = [];
  for (let n = 0; n < 5; n += 1) documents.push(await world.client.make(type, { text }));
  const time = '2999-01-01T00:00:00Z';
  expect((await listAt(type, documents.slice(1), time)).status).toBe(200);
  expect(told(await listAt(type, documents, time))).toEqual([400, 'answer-too-large']);
});
