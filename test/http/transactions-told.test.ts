/** What others hear of a list, of several types or of one, and when: as of single writes. */
import { beforeEach, describe, expect, test } from 'vitest';
import { to } from '../support/client.ts';
import { feedMeta, Follower } from '../support/feed.ts';
import { listed, versionsOf } from '../support/history.ts';
import { Stream } from '../support/live.ts';
import { add, operate, operateWith, relink, remove, update } from '../support/operations.ts';
import { grant, makeUser, underAcl } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';
import { newReceiver, newService } from '../support/scope.ts';

const receiver = await newReceiver();
const service = await newService({ settings: { WEBHOOKS_TO_PRIVATE: 'yes' } });
const client = service.client;
const acl = await underAcl(client);
const ann = await makeUser(client, 'ann');
await settle(client, { name: 'rooms', rights: { read: ['$members'] } });
await settle(client, { name: 'notes', rights: { read: ['$room'] } });
await settle(client, { name: 'kept', history: 'forever' });

describe('before the answer', () => {
  test('whoever has lost a right through a link has lost it, and gained it who has', async () => {
    const room = await client.make('rooms', {}, { members: { data: [ann.link] } });
    const note = await client.make('notes', {}, { room: to(room) });
    const reads = async () => (await acl.get(`/resources/notes/${note.id}`, ann.headers)).status;
    const lists = async () => (await acl.get('/resources/notes', ann.headers)).body.meta.count;
    for (let round = 0; round < 20; round += 1) {
      // The room decides in one list, and another type in the next.
      const other = round % 2 === 0 ? 'a-log' : 'z-log';
      const members = round % 4 < 2 ? [] : [ann.link];
      const sent = await operate(client, [relink('update', room, 'members', members), add(other, { round })]);
      expect(sent.status).toBe(200);
      expect([round, await reads(), await lists()]).toEqual([
        round,
        members.length === 0 ? 403 : 200,
        members.length,
      ]);
    }
  });

  test('feeds have it, and versions are numbered', async () => {
    const kept = await client.make('kept', { n: 0 });
    const followers = ['kept', 'lines'].map((type) => new Follower(client, {}, `/resources/${type}`));
    for (const follower of followers) await follower.turn();
    await operate(client, [update(kept, { n: 1 }), add('lines', { n: 1 })]);
    const failed = await operate(client, [update(kept, { n: 2 }), remove({ type: 'lines', id: kept.id })]);
    expect(failed.status).toBe(404);
    for (const follower of followers) await follower.turn();
    const known = followers.map((each) => Array.from(each.known.values(), ({ attributes }) => attributes));
    expect(known).toEqual([[{ n: 1 }], [{ n: 1 }]]);
    expect(listed(await versionsOf(client, kept))).toEqual(['2 update', '1 create']);
  });
});

test('webhooks are called for each type once, and not for what fails', async () => {
  const types = ['heard-a', 'heard-b'];
  for (const target of types) {
    const attributes = { target, url: receiver.url(`/${target}`) };
    await client.create('/webhooks/core.webhook', { attributes });
  }
  const gone = { type: 'heard-b', id: 'f'.repeat(24) };
  expect((await operate(client, [add('heard-a', { lost: true }), remove(gone)])).status).toBe(404);
  const { results } = await operate(client, [add('heard-a', { n: 1 }), add('heard-b', { n: 2 })]);
  for (const [index, type] of types.entries()) {
    await client.make(type, { last: true });
    const calls = await receiver.called(2, `/${type}`);
    const told = calls.map(({ body }) => [body.type, body.data.id]);
    expect(told[0]).toEqual([`${type}.create`, results[index]?.data?.id]);
    expect(calls[1]?.body.data.attributes).toEqual({ last: true });
  }
});

describe('a list has an id, in each call, and in its answer where it is of several types', () => {
  let at = 0;
  let [one, two] = ['', ''];
  const heard = (target: string) => receiver.url(`/${target}`);
  const hear = async (target: string, filter?: object) => {
    const attributes = { target, url: heard(target), ...(filter !== undefined && { filter }) };
    const made = await client.create('/webhooks/core.webhook', { attributes });
    expect(made.status, made.text).toBe(201);
  };
  /** The `meta` of the first calls, of which each is about another document, in the order of its `n`. */
  const metasOf = async (type: string, count: number) =>
    (await receiver.called(count, `/${type}`))
      .toSorted((a, b) => Number(a.body.data.attributes?.['n']) - Number(b.body.data.attributes?.['n']))
      .map(({ body }) => body.meta);
  beforeEach(() => {
    at += 1;
    [one, two] = [`one${at}`, `two${at}`];
  });

  test.each<[string, () => readonly unknown[], object, number, number]>([
    ['of one type', () => [add(one, { n: 1 }), add(one, { n: 2 })], {}, 2, 0],
    ['of several types', () => [add(two, { n: 1 }), add(one, { n: 1 }), add(two, { n: 2 })], {}, 1, 2],
    [
      'that goes on after its first operation has failed',
      () => [remove({ type: one, id: 'f'.repeat(24) }), add(one, { n: 1 })],
      { meta: { atomic: false } },
      1,
      0,
    ],
  ])(
    'one %s, the same when it is sent again, and another list another',
    async (_name, list, top, ones, twos) => {
      await hear(one);
      await hear(two);
      const send = (key: string) =>
        operateWith(client, { ...top, 'atomic:operations': list() }, { 'idempotency-key': key });
      const first = await send('first');
      expect(first.status, first.text).toBe(200);
      const [meta, ...others] = [...(await metasOf(one, ones)), ...(await metasOf(two, twos))];
      expect(meta).toEqual({ transaction: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
      for (const each of others) expect(each).toEqual(meta);
      // Of one type, the answer is as it always was.
      expect(first.body.meta).toEqual(twos > 0 ? meta : undefined);
      expect((await send('first')).body.meta).toEqual(first.body.meta);
      const second = (await send('second')).body.meta;
      await client.make(one, { n: 9 });
      const all = await metasOf(one, 2 * ones + 1);
      const later = all.filter((each) => each !== undefined && JSON.stringify(each) !== JSON.stringify(meta));
      expect(later).toHaveLength(ones);
      if (twos > 0) expect(later[0]).toEqual(second);
      // Of a single write there is none.
      expect(all.at(-1)).toBeUndefined();
    },
  );

  test('beside what a filter says, also of what it changes and deletes', async () => {
    await hear(one, { n: { $lt: 2 } });
    const [changed, removed] = [await client.make(one, { n: 0 }), await client.make(one, { n: 1 })];
    await receiver.called(2, `/${one}`);
    await operate(client, [update(changed, { n: 2 }), remove(removed), add(one, { n: 2 })]);
    const calls = (await receiver.called(4, `/${one}`)).slice(2);
    const transaction = expect.any(String) as string;
    expect(calls.map(({ body: { type, meta } }) => [type, meta]).toSorted()).toEqual([
      [`${one}.delete`, { matched: true, matches: false, transaction }],
      [`${one}.update`, { matched: true, matches: false, transaction }],
    ]);
    expect(JSON.stringify(calls[0]?.body.meta)).toBe(JSON.stringify(calls[1]?.body.meta));
  });

  test.each<[string, () => object]>([
    [
      'fails',
      () => ({ meta: { atomic: false }, 'atomic:operations': [remove({ type: one, id: '0'.repeat(24) })] }),
    ],
    [
      'only tests',
      () => ({
        meta: { atomic: false },
        'atomic:operations': [
          { op: 'test', ref: { type: one, id: '0'.repeat(24) }, meta: { 'if-none-match': '*' } },
        ],
      }),
    ],
  ])('a list that %s has none', async (_name, list) => {
    await client.make(one);
    const sent = await operateWith(client, list());
    expect([sent.status, sent.body.meta]).toEqual([200, undefined]);
  });
});

describe('feeds have the id of the list that has made the last change of a document', () => {
  const since = (type: string, mark = 'now', by = client, headers = {}) =>
    by.get(`/resources/${type}/changes?changes[since]=${mark}`, headers);
  const markOf = async (...of: Parameters<typeof since>) => feedMeta(await since(...of)).mark;

  test('in pages, and in streams', async () => {
    const [kept, gone] = [await client.make('fed', { n: 0 }), await client.make('fed', { n: 0 })];
    await client.make('fed-too');
    const [mark, other] = [await markOf('fed'), await markOf('fed-too')];
    const stream = new Stream(client, '/resources/fed/changes?changes[since]=now');
    await stream.until('ready');
    const answer = await operate(client, [add('fed-too', { n: 1 }), update(kept, { n: 1 }), remove(gone)]);
    const { transaction } = answer.body.meta;
    for (const event of ['update', 'remove'])
      expect(await stream.next()).toMatchObject({ event, transaction });
    const later = await client.make('fed');
    expect(await stream.next()).not.toHaveProperty('transaction');
    stream.end();
    const changed = await since('fed', mark);
    expect(changed.body.data.map(({ id }) => id)).toEqual([kept.id, later.id]);
    expect(changed.body.meta['transactions']).toEqual({ [kept.id]: transaction, [gone.id]: transaction });
    const added = answer.results[0]?.data?.id ?? '';
    expect((await since('fed-too', other)).body.meta['transactions']).toEqual({ [added]: transaction });
    await client.update(`/resources/fed/${kept.id}`, { attributes: { n: 2 } });
    expect((await since('fed', mark)).body.meta['transactions']).toEqual({ [gone.id]: transaction });
  });

  test('but not for who may not read the document', async () => {
    const [read, lost] = [await client.make('lost', { n: 0 }), await client.make('lost', { n: 0 })];
    for (const { id } of [read, lost]) await grant(client, `/resources/lost/${id}`, { read: [ann.link] });
    const mark = await markOf('lost', 'now', acl, ann.headers);
    const rights = { type: 'lost.acl', id: lost.id, attributes: { read: [] } };
    const list = [{ op: 'update', data: rights }, update(read, { n: 1 }), add('lost-log', {})];
    const { body } = await operate(client, list);
    const changed = await since('lost', mark, acl, ann.headers);
    expect(feedMeta(changed).deleted).toEqual([{ type: 'lost', id: lost.id }]);
    expect(changed.body.meta['transactions']).toEqual({ [read.id]: body.meta['transaction'] });
  });
});
