/** Checks that look at linked documents: what a write leaves must meet them at the moment of the write. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, to, type Link, type Resource } from '../../support/client.ts';
import { crowd } from '../../support/crowd.ts';
import { isLong, scaled } from '../../support/long.ts';
import { add, operate } from '../../support/operations.ts';
import { EVERY_METHOD, may } from '../../support/people.ts';
import { codes, names, under } from '../../support/rules.ts';
import { settle } from '../../support/type-settings.ts';

const OPEN = { 'channel.closed': { $ne: true } };

const draft = (name: string, channel: Link) => ({
  type: 'messages',
  attributes: { name },
  relationships: { channel: to(channel) },
});

function close(client: Client, { type, id }: Link, closed = true) {
  return client.update(`/resources/${type}/${id}`, { attributes: { closed } });
}

describe('a key whose check looks at the channel of a message', () => {
  let client: Client;
  let web: Client;
  let open: Resource;
  let closed: Resource;
  let mine: Resource;

  beforeAll(async () => {
    client = await Client.create();
    open = await client.make('channels', { closed: false });
    closed = await client.make('channels', { closed: true });
    mine = await client.make('messages', { name: 'mine' }, { channel: to(open) });
    web = await client.withPermissions([{ path: '/.*', methods: [...EVERY_METHOD, 'bulk'], check: OPEN }]);
  });

  test('is refused a message in a closed channel, and told the condition and the field', async () => {
    expect((await web.post('/resources/messages', { data: draft('open', open) })).status).toBe(201);
    const refused = await web.post('/resources/messages', { data: draft('no', closed) });
    expect([refused.status, ...codes(refused)]).toEqual([403, 'rule-violated']);
    const [{ meta, source } = {}] = refused.body.errors;
    expect([meta?.['pointer'], source?.pointer]).toEqual([
      '/permissions/0/check/channel.closed',
      '/data/relationships/channel',
    ]);
  });

  test('may not move a message there, by a change, of a relationship, in a list or in bulk', async () => {
    const path = `/resources/messages/${mine.id}`;
    const relationships = { channel: to(closed) };
    const data = { type: 'messages', id: mine.id, relationships };
    const op = { op: 'update', data };
    const replies = [
      await web.patch(path, { data }),
      await web.patch(`${path}/relationships/channel`, to(closed)),
      await operate(web, [op]),
      await operate(web, [{ op: 'add', data: { type: 'channels', attributes: { n: 1 } } }, op]),
      await web.patch('/resources/messages?filter[name]=mine', {
        data: { type: 'messages', relationships },
        meta: { limit: 5 },
      }),
    ];
    expect(replies.map((reply) => [reply.status, ...codes(reply)])).toEqual(
      replies.map(() => [403, 'rule-violated']),
    );
    expect((await client.get(path)).body.data.relationships?.['channel']?.data).toEqual(to(open).data);
  });

  test('goes by what a channel is now: by its change, and its deletion', async () => {
    const channel = await client.make('channels', { closed: false });
    const say = async () => (await web.post('/resources/messages', { data: draft('x', channel) })).status;
    expect(await say()).toBe(201);
    await close(client, channel);
    expect(await say()).toBe(403);
    await close(client, channel, false);
    expect(await say()).toBe(201);
  });

  test('makes the first of a type', async () => {
    const other = await Client.create();
    const channel = await other.make('channels', { closed: false });
    const first = await other.withPermissions([under('/resources/messages.*', { check: OPEN })]);
    expect((await first.post('/resources/messages', { data: draft('first', channel) })).status).toBe(201);
    await close(other, channel);
    expect((await first.post('/resources/messages', { data: draft('second', channel) })).status).toBe(403);
  });

  test('reads as if it had none', async () => {
    await client.make('messages', { name: 'in closed' }, { channel: to(closed) });
    expect(names(await web.get('/resources/messages?filter[name]=in closed'))).toEqual(['in closed']);
  });
});

/** Messages of one race. */
const SENT = 6;

/** How many messages are there once the channel is closed (at once, or after the first: `waits`), and in the end. */
async function race(client: Client, waits: boolean, say: (channel: Link) => Promise<number>) {
  const channel = await client.make('channels', { closed: false });
  const filter = encodeURIComponent(JSON.stringify({ 'channel.id': { $oid: channel.id } }));
  const count = async () =>
    (await client.get(`/resources/messages?filter[*]=${filter}&page[limit]=1`)).body.meta.count;
  const saying = Array.from({ length: SENT / 2 }, () => say(channel));
  const closing = async () => {
    if (waits) await saying[0];
    expect((await close(client, channel)).status).toBe(200);
    return count();
  };
  saying.push(...Array.from({ length: SENT / 2 }, () => say(channel)));
  const [then, statuses] = await Promise.all([closing(), Promise.all(saying)]);
  expect(statuses.filter((status) => status !== 403 && status !== 201 && status !== 200)).toEqual([]);
  const done = statuses.filter((status) => status !== 403).length;
  return { then, done, now: await count() };
}

/** So many races; enough of the messages are written and enough refused. */
async function races(client: Client, most: number, say: (channel: Link) => Promise<number>): Promise<void> {
  let [written, refused] = [0, 0];
  for (let round = 0; round < scaled(most, 'whole'); round += 1) {
    const { then, done, now } = await race(client, round % 2 === 1, say);
    expect([then, done]).toEqual([now, now]);
    written += done;
    refused += SENT - done;
  }
  expect(Math.min(written, refused)).toBeGreaterThan(scaled(20, 'whole'));
}

const one = (client: Client) => async (channel: Link) =>
  (await client.post('/resources/messages', { data: draft('x', channel) })).status;
const listed = (other: string) => (client: Client) => async (channel: Link) =>
  (await operate(client, [{ op: 'add', data: draft('x', channel) }, add(other, { n: 1 })])).status;

describe('no message is written after the answer that closed its channel', () => {
  test.each<[string, (web: Client) => (channel: Link) => Promise<number>]>([
    ['one by one', one],
    ['in lists of two types', listed('notes')],
  ])(
    '%s',
    async (_, send) => {
      const client = await Client.create();
      // To ask the topics takes long: the channel is closed after it was asked, and before the message is written.
      const text = 'ab'.repeat(1_000);
      await crowd(client, 'topics', 1_600, (n) => ({ text: `${text}${n}` }));
      const topic = await client.make('topics', { text: 'short' });
      await client.make('messages', {}, { topic: to(topic) });
      const check = { $and: [OPEN, { $nor: [{ 'topic.text': { $regex: '(ab)+c$' } }] }] };
      const web = await client.withPermissions([may(EVERY_METHOD, '/.*', { check })]);
      // Each of them meets the moment more often than the others do.
      await races(client, 60, send(web));
    },
    isLong('whole') ? 600_000 : 240_000,
  );

  test.each<[string, object, (web: Client) => (channel: Link) => Promise<number>]>([
    ['a filter, one by one', OPEN, one],
    ['an expression, one by one', { $expr: { $ne: ['$channel.closed', true] } }, one],
    ['in lists that others decide', OPEN, listed('notes')],
    ['in lists that decide', OPEN, listed('aaa')],
  ])(
    'by a check of the type: %s',
    async (_, filter, send) => {
      const client = await Client.create();
      expect((await settle(client, { name: 'messages', checks: [{ name: 'open', filter }] })).status).toBe(
        201,
      );
      await races(client, 170, send(client));
    },
    isLong('whole') ? 600_000 : 240_000,
  );
});
