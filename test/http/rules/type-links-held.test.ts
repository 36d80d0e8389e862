/** A write that looked at linked documents before a change: it is judged by what they are once that is answered. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Link } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { HALTING } from '../../support/own-service.ts';
import { until } from '../../support/started.ts';
import { settle } from '../../support/type-settings.ts';
import { may } from '../../support/people.ts';
import { newService } from '../../support/scope.ts';

const service = await newService({ entry: HALTING });
const { client } = service;
await settle(client, {
  name: 'messages',
  set: { topic: '$channel.topic' },
  checks: [{ name: 'open', filter: { 'channel.closed': { $ne: true } } }],
});

test.each([
  ['a check', { closed: true }, [403, undefined]],
  ['a computed field', { topic: 'new' }, [201, 'new']],
])('%s of it knows the change', async (_, change, answer) => {
  const channel = () => client.make('channels', { topic: 'old' });
  const post = ({ type, id }: Link) => {
    const relationships = { channel: { data: { type, id } } };
    return client.create('/resources/messages', { relationships });
  };
  // From now on, the collection of channels tells of changes.
  expect((await post(await channel())).status).toBe(201);
  const { type, id } = await channel();
  await service.halt('watch', 'hold-answer');
  const posted = post({ type, id });
  await until('it has looked', async () => (await service.held()) > 0);
  const changed = await client.update(`/resources/${type}/${id}`, { attributes: change });
  expect(changed.status).toBe(200);
  await service.halt('watch', 'free');
  const { status, body } = await posted;
  expect([status, status === 201 ? body.data.attributes?.['topic'] : undefined]).toEqual(answer);
});

describe('a channel that somebody has seen closed is closed for it', () => {
  const open = async () => {
    const channel = await client.make('channels', {});
    const { type, id } = await client.make('messages', {}, { channel: { data: channel } });
    const change = async () => {
      const data = { type, id, attributes: { n: 1 } };
      return (await client.patch(`/resources/messages/${id}`, { data })).status;
    };
    expect(await change()).toBe(200);
    return { change, closed: { ...channel, attributes: { closed: true } } };
  };

  test('before the change is answered', async () => {
    const { change, closed } = await open();
    const path = `/resources/channels/${closed.id}`;
    await service.halt('linkedChanged', 'hold');
    const changed = client.patch(path, { data: closed });
    await until('it shows', async () => (await client.get(path)).text.includes('closed'));
    const status = await change();
    await service.halt('linkedChanged', 'free');
    expect([(await changed).status, status]).toEqual([200, 403]);
  });

  test('by a transaction that its collection has not heard of', async () => {
    const { change, closed } = await open();
    const note = await client.make('notes', {});
    const operations = [closed, { ...note, attributes: { done: true } }].map((data) => ({
      op: 'update',
      data,
    }));
    await service.halt('decide', 'hold');
    const changed = operate(client, operations);
    const path = `/resources/notes/${note.id}`;
    await until('it shows', async () => (await client.get(path)).text.includes('done'));
    const status = await change();
    await service.halt('decide', 'free');
    expect([(await changed).status, status]).toEqual([200, 403]);
  });
});

describe('a channel that ends is none for it', () => {
  let own: Client;
  /** A message, which has been changed, in a channel that ends at a time. */
  const messageOf = async (ends: number) => {
    const channel = await own.make('channels', { n: 1 });
    const { type, id } = await own.make(
      'messages',
      {},
      { channel: { data: { type: 'channels', id: channel.id } } },
    );
    const change = async () =>
      (await own.patch(`/resources/messages/${id}`, { data: { type, id, attributes: { n: 1 } } })).status;
    await change();
    const path = `/resources/channels/${channel.id}`;
    await own.update(path, { attributes: { ends: { $date: new Date(ends).toISOString() } } });
    return { path, change };
  };

  beforeAll(async () => {
    own = await Client.create();
    await settle(own, { name: 'messages', checks: [{ name: 'there', filter: { 'channel.n': 1 } }] });
  });

  test('from the answer on that puts the setting into force', async () => {
    const { change } = await messageOf(0);
    expect((await settle(own, { name: 'channels', expires: 'ends' })).status).toBe(201);
    expect(await change()).toBe(403);
  });

  test('as soon as it is gone', async () => {
    const { path, change } = await messageOf(Date.now() + 2_000);
    await until('it has ended', async () => (await own.get(path)).text.includes('"data":null'));
    expect(await change()).toBe(403);
  });
});

describe('a write whose channel changes whenever it has looked', () => {
  test.each([
    ['of the key', 'matchingSince', 'notes'],
    ['of the type', 'watch', 'messages'],
  ])('is refused after 20 tries, and told when to come again: a check %s', async (_, method, type) => {
    const check = { 'channel.closed': { $ne: true } };
    const web = await client.withPermissions([
      may('post', '/resources/messages'),
      may('post', '/resources/notes', { check }),
    ]);
    const channel = await client.make('channels', {});
    const relationships = { channel: { data: { type: channel.type, id: channel.id } } };
    const post = () => web.create(`/resources/${type}`, { relationships });
    const written = async () => (await client.get(`/resources/${type}`)).body.meta.count;
    expect((await post()).status).toBe(201);
    const before = await written();
    await service.halt(method, 'hold-answer');
    const state = { isAnswered: false };
    const posted = post().finally(() => {
      state.isAnswered = true;
    });
    let tries = 0;
    for (; ; tries += 1) {
      await until('it has looked, or gives up', async () => state.isAnswered || (await service.held()) > 0);
      if (state.isAnswered) break;
      const data = { type: channel.type, id: channel.id, attributes: { tries } };
      expect((await client.patch(`/resources/channels/${channel.id}`, { data })).status).toBe(200);
      await service.halt(method, 'hold-next');
    }
    await service.halt(method, 'free');
    const { status, headers, body } = await posted;
    expect([status, headers.get('retry-after'), body.errors.map(({ code }) => code)]).toEqual([
      503,
      '1',
      ['unavailable'],
    ]);
    expect(tries).toBeGreaterThan(20);
    expect(await written()).toBe(before);
    expect((await post()).status).toBe(201);
  });
});
