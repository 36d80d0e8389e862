/** Feeds and streams under rules over linked documents: nobody hears what these hide, or what changes with them. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CLOSED } from '../../../src/http/live/opening.ts';
import { to, type Link, type Reply, type Resource } from '../../support/client.ts';
import { feedMeta } from '../../support/feed.ts';
import { Events } from '../../support/live.ts';
import { HALTING } from '../../support/own-service.ts';
import { codes, names, under } from '../../support/rules.ts';
import { until } from '../../support/started.ts';
import { newService } from '../../support/scope.ts';

const OPEN = { 'channel.closed': { $ne: true } };
const FEED = '/resources/messages/changes';
const LEASE = 300;

const service = await newService({ entry: HALTING, settings: { SESSION_LEASE: String(LEASE) } });
const client = service.client;
const web = await client.withPermissions([under('/resources/messages.*', { where: OPEN })]);

const channelOf = (name: string, closed = false) => client.make('channels', { name, closed });
const messageIn = (channel: Resource, name: string) =>
  client.make('messages', { name }, { channel: to(channel) });

async function change({ type, id }: Link, attributes: object): Promise<void> {
  const { status } = await client.update(`/resources/${type}/${id}`, { attributes });
  expect(status).toBe(200);
}

/** Follows messages, and has been told what there was. */
async function follow(): Promise<Events> {
  const events = await Events.open(web, FEED);
  while ((await events.next()).event !== 'ready');
  return events;
}

/** The name in the next event. */
const told = async (events: Events): Promise<unknown> =>
  ((await events.next()).data as { readonly data?: Resource }).data?.attributes?.['name'];

const since = (mark: string, filter = ''): Promise<Reply> =>
  web.get(`${FEED}?${filter}changes[since]=${mark}`);

/** The mark of all that there is; what a feed gives from there on is by the same mark. */
async function markNow(): Promise<string> {
  return feedMeta(await since('now')).mark;
}

test('a feed has what the list has, and goes on while the same linked documents meet the rule', async () => {
  const [open, closed] = [await channelOf('open'), await channelOf('closed', true)];
  await messageIn(open, 'seen');
  await messageIn(closed, 'unseen');
  expect(names(await web.get(FEED))).toContain('seen');
  expect(names(await web.get(FEED))).not.toContain('unseen');
  const marks = [
    await markNow(),
    String((await web.get('/resources/messages?changes[since]=now')).body.meta['mark']),
  ];
  await change(open, { name: 'renamed' });
  const moved = await messageIn(open, 'moved');
  await messageIn(closed, 'unseen too');
  await messageIn(await channelOf('new'), 'in a new one');
  await messageIn(await channelOf('closed from the first', true), 'unseen again');
  for (const mark of marks) expect(names(await since(mark))).toEqual(['moved', 'in a new one']);
  const mark = await markNow();
  const relationships = { channel: to(closed) };
  await client.update(`/resources/messages/${moved.id}`, { relationships });
  await change(moved, { name: 'changed where it is hidden' });
  const told = await since(mark);
  expect([names(told), feedMeta(told).deleted.map(({ id }) => id)]).toEqual([[], [moved.id]]);
});

test.each(['closed', 'opened'])('a mark ends when a channel is %s, and the feed begins anew', async (to) => {
  const channel = await channelOf('one', to === 'opened');
  const other = await channelOf('other');
  await messageIn(channel, `in what is ${to}`);
  const mark = await markNow();
  await change(channel, { closed: to === 'closed' });
  await messageIn(other, 'later');
  const ended = await since(mark);
  expect([ended.status, codes(ended)]).toEqual([410, ['mark-expired']]);
  const shown = names(await web.get(FEED));
  expect([shown.includes('later'), shown.includes(`in what is ${to}`)]).toEqual([true, to === 'opened']);
});

async function passing(when: string): Promise<void> {
  if (when === 'asleep') await service.sleep('messages');
  else if (when !== 'at once') await setTimeout(2 * LEASE + 1_000);
}

test.each(['at once', 'when nothing was told for longer than a lease', 'asleep'])(
  'a stream ends when a channel is closed: %s',
  async (when) => {
    const [one, other] = [await channelOf('one'), await channelOf('other')];
    const events = await follow();
    await messageIn(one, 'first');
    expect(await told(events)).toBe('first');
    await passing(when);
    await change(other, { name: 'renamed' });
    const later = await channelOf('later');
    await messageIn(later, 'second');
    expect(await told(events)).toBe('second');
    await passing(when);
    await change(when === 'at once' ? one : later, { closed: true });
    expect(await events.next()).toMatchObject({ event: 'end', data: { code: CLOSED.anew } });
  },
);

test('a stream that sleeps under a rule that looks at many types ends when a document of one changes', async () => {
  const types = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => each.repeat(48));
  const channels = await Promise.all(types.map((type) => client.make(type, { closed: false })));
  for (const channel of channels) await client.make('letters', {}, { channel: to(channel) });
  const key = await client.withPermissions([under('/resources/letters.*', { where: OPEN })]);
  const events = await Events.open(key, '/resources/letters/changes');
  while ((await events.next()).event !== 'ready');
  await service.sleep('letters');
  const [first] = channels;
  if (first !== undefined) await change(first, { closed: true });
  expect(await events.next()).toMatchObject({ event: 'end', data: { code: CLOSED.anew } });
});

test('nothing is told that was written into a channel after the answer that closed it', async () => {
  const [channel, other] = [await channelOf('closing'), await channelOf('other')];
  const events = await follow();
  await service.halt('matchingSince', 'hold-answer');
  await messageIn(other, 'before');
  await until('the stream has looked', async () => (await service.held()) > 0);
  await change(channel, { closed: true });
  await messageIn(channel, 'after');
  await service.halt('matchingSince', 'free');
  expect(await events.next()).toMatchObject({ event: 'end', data: { code: CLOSED.anew } });
});

test.each(['hidden', 'shown'])('a beginning says that there is more where it is seen: %s', async (what) => {
  const [open, closed] = [await channelOf('open'), await channelOf('closed', true)];
  const filter = `filter[name]=${what} now&`;
  for (let n = 0; n < 3; n += 1) await messageIn(open, `${what} now`);
  const first = await web.get(`${FEED}?${filter}page[size]=2`);
  await messageIn(what === 'shown' ? open : closed, `${what} now`);
  const last = await web.get(first.body.links.next ?? '');
  expect([names(last).length, last.body.links.next !== null]).toEqual([1, what === 'shown']);
  expect(names(await since(feedMeta(last).mark, filter)).length).toBe(what === 'shown' ? 1 : 0);
});

test('a feed is refused whose documents another permission admits, with such a rule', async () => {
  const two = await client.withPermissions([
    under('/resources/messages/changes', {}),
    under('/resources/messages.*', { where: OPEN }),
  ]);
  await messageIn(await channelOf('open'), 'seen');
  const refused = await two.get(FEED);
  expect([refused.status, codes(refused)]).toEqual([403, ['forbidden']]);
});
