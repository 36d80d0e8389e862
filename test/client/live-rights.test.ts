/** Rights on messages come through a channel; membership is given and taken: a live list and a WebSocket follow. */
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { live } from '../../src/client/live.ts';
import { CLOSED } from '../../src/http/live/opening.ts';
import { Client, type Link } from '../support/client.ts';
import { Stream } from '../support/live.ts';
import { makeUser, underAcl, type Person } from '../support/people.ts';
import { until } from '../support/started.ts';
import { settle } from '../support/type-settings.ts';

const ends: (() => void)[] = [];

const client = await Client.create();
const acl = await underAcl(client);
const bob = await makeUser(client, 'bob');
await settle(client, { name: 'channels', rights: { read: ['$members'] } });
await settle(client, { name: 'messages', rights: { read: ['$channel'] } });
afterAll(() => {
  for (const end of ends) end();
});

const membersOf = ({ id }: Link, ...people: readonly Person[]) =>
  client.patch(`/resources/channels/${id}/relationships/members`, {
    data: people.map(({ link }) => link),
  });
const messageIn = ({ type, id }: Link, text: string) =>
  client.make('messages', { text }, { channel: { data: { type, id } } });

test('in a live list messages come with the channel, and go with it', async () => {
  const [one, other] = [await client.make('channels'), await client.make('channels')];
  await membersOf(one, bob);
  await messageIn(one, 'one');
  await messageIn(other, 'other');
  const db = connect({
    url: client.url,
    application: client.application,
    key: acl.key,
    token: bob.headers['authorization']?.replace('Token ', ''),
  });
  const list = live(db, 'messages', {}, { every: 20 });
  ends.push(() => {
    list.stop();
  });
  const comes = (...expected: string[]) =>
    until(
      `there is ${expected.join(', ')}`,
      () =>
        list.array
          .map((each) => each['text'])
          .sort()
          .join() === expected.join(),
    );
  await comes('one');
  await membersOf(other, bob);
  await comes('one', 'other');
  await messageIn(other, 'third');
  await comes('one', 'other', 'third');
  await membersOf(one);
  await comes('other', 'third');
  await messageIn(one, 'unseen');
  await messageIn(other, 'zero');
  await comes('other', 'third', 'zero');
  await membersOf(other);
  await comes();
});

test('a WebSocket tells of messages of his channels, and ends to begin anew when he loses one', async () => {
  const channel = await client.make('channels');
  await membersOf(channel, bob);
  const follow = async () => {
    const stream = new Stream(acl, '/resources/messages/changes', bob.headers);
    ends.push(() => {
      stream.end();
    });
    await stream.until('ready');
    return stream;
  };
  const stream = await follow();
  await messageIn(await client.make('channels'), 'hidden');
  const shown = await messageIn(channel, 'shown');
  expect((await stream.next()).data).toMatchObject({ id: shown.id, attributes: { text: 'shown' } });
  await membersOf(channel);
  expect((await stream.closed).code).toBe(CLOSED.anew);
  const again = await follow();
  await messageIn(channel, 'hidden');
  await membersOf(channel, bob);
  expect((await again.closed).code).toBe(CLOSED.anew);
  expect(again.events.map(({ event }) => event)).toEqual(['ready']);
});
