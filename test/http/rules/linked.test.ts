/** Rules that look at linked documents: each way to read and to write goes by what these say when it begins. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../support/aggregates.ts';
import { Client, to, type Resource } from '../../support/client.ts';
import { names, under } from '../../support/rules.ts';
import { settle } from '../../support/type-settings.ts';

describe('a key whose rule looks at the channel of a message', () => {
  let client: Client;
  let web: Client;
  let open: Resource;
  let closed: Resource;
  let mine: Resource;
  let theirs: Resource;

  beforeAll(async () => {
    client = await Client.create();
    open = await client.make('channels', { name: 'open', closed: false });
    closed = await client.make('channels', { name: 'closed', closed: true });
    mine = await client.make('messages', { name: 'mine', n: 1 }, { channel: to(open) });
    theirs = await client.make('messages', { name: 'theirs', n: 2 }, { channel: to(closed) });
    await client.make('boards', { name: 'board' }, { pinned: { data: [to(mine).data, to(theirs).data] } });
    await defined(client, 'sums', 'messages', [{ group: { id: null, sum: { $sum: '$n' } } }]);
    const rule = { where: { 'channel.closed': { $ne: true } } };
    web = await client.withPermissions([
      under('/resources/messages.*', rule),
      under('/aggregates/agt\\.sums', rule, ['get']),
      under('/resources/boards.*', {}),
    ]);
  });

  test('sees its message in no list, count, page, include, aggregate and filter', async () => {
    const list = await web.get('/resources/messages');
    expect([names(list), list.body.meta.count]).toEqual([['mine'], 1]);
    expect(names(await web.get('/resources/messages?page[size]=5&page[after]='))).toEqual(['mine']);
    expect(names(await web.get('/resources/messages?filter[n]=2'))).toEqual([]);
    const boards = await web.get('/resources/boards?include=pinned');
    expect(boards.body.included.map(({ attributes }) => attributes?.['name'])).toEqual(['mine']);
    const through = await web.get('/resources/boards?filter[pinned.n]=2');
    expect(names(through)).toEqual([]);
    const sums = await web.get('/aggregates/agt.sums');
    expect(sums.body.data.map(({ attributes }) => attributes?.['sum'])).toEqual([1]);
  });

  test('sees the change of a channel with the next request, also by the tag of a list', async () => {
    const before = await web.get('/resources/messages');
    const set = (to: boolean) =>
      client.update(`/resources/channels/${closed.id}`, { attributes: { closed: to } });
    await set(false);
    const after = await web.get('/resources/messages', { 'if-none-match': before.etag });
    expect([after.status, names(after)]).toEqual([200, ['mine', 'theirs']]);
    await set(true);
    expect(names(await web.get('/resources/messages'))).toEqual(['mine']);
  });

  test('makes the first document of a type, and is shown it', async () => {
    const rule = { where: { 'channel.closed': { $ne: true } } };
    const first = await client.withPermissions([under('/resources/notes.*', rule)]);
    const make = (channel: Resource) =>
      first.create('/resources/notes', {
        attributes: { name: 'new' },
        relationships: { channel: to(channel) },
      });
    expect((await make(open)).body.data.attributes).toEqual({ name: 'new' });
    const unseen = await make(closed);
    expect([unseen.status, unseen.body.data.attributes]).toEqual([201, undefined]);
  });
});

describe('links of links', () => {
  const chain = async (client: Client, closed: boolean, length: number): Promise<Resource> => {
    let last = await client.make(`t${length}`, { closed });
    for (let at = length - 1; at >= 0; at -= 1) {
      last = await client.make(`t${at}`, { name: closed ? 'closed' : 'open' }, { up: to(last) });
    }
    return last;
  };

  test('that are longer hide, whatever they say', async () => {
    const client = await Client.create();
    for (const closed of [true, false]) await chain(client, closed, 4);
    for (const where of [{ 'up.up.up.up.closed': true }, { 'up.up.up.up.closed': { $ne: true } }]) {
      const web = await client.withPermissions([under('/resources/t0', { where })]);
      expect(names(await web.get('/resources/t0'))).toEqual([]);
    }
  });
});

test('links to documents of aggregates hide, whatever the rule says', async () => {
  const client = await Client.create();
  const where = { 'numbers.total': { $ne: 5 } };
  const web = await client.withPermissions([under('/resources/sellers', { where })]);
  // What is stored already.
  await settle(client, { name: 'sellers', 'aggregate-links': ['numbers'] });
  await client.make('sellers', { name: 'linked' }, { numbers: { data: { type: 'agt.sales', id: 'x' } } });
  await client.make('sellers', { name: 'alone' });
  expect(names(await web.get('/resources/sellers'))).toEqual(['alone']);
});

test('more linked documents than a rule may look at hide all that link', async () => {
  const client = await Client.create();
  const where = { $or: Array.from({ length: 50 }, (_, n) => ({ 'channel.n': n })) };
  const one = await client.make('channels', { n: 1 });
  await client.make('messages', { name: 'linked' }, { channel: to(one) });
  const web = await client.withPermissions([under('/resources/messages', { where })]);
  expect(names(await web.get('/resources/messages'))).toEqual([]);
});
