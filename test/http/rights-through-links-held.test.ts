/** Rights through a relationship, while one collection cannot reach the other: nobody keeps a right that was taken. */
import { beforeEach, expect, test } from 'vitest';
import type { Link } from '../support/client.ts';
import { HALTING } from '../support/own-service.ts';
import { add, operate } from '../support/operations.ts';
import { makeUser, underAcl, type Person } from '../support/people.ts';
import { until } from '../support/started.ts';
import { settle } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';

const LEASE = 300;

let channel: Link;
let message: Link;

const members = (...people: readonly Person[]) => ({ data: people.map(({ link }) => link) });
const read = ({ headers }: Person) =>
  Promise.all([`/resources/messages/${message.id}`, '/resources/messages'].map((at) => acl.get(at, headers)));
const statuses = async (person: Person) => (await read(person)).map(({ status }) => status);

beforeEach(async () => {
  channel = await client.make('channels', {}, { members: members(ann, bob) });
  message = await client.make('messages', {}, { channel: { data: { type: 'channels', id: channel.id } } });
  expect(await statuses(bob)).toEqual([200, 200]);
});

const service = await newService({ entry: HALTING, settings: { SESSION_LEASE: String(LEASE) } });
const client = service.client;
const acl = await underAcl(client);
const [ann, bob] = [await makeUser(client, 'ann'), await makeUser(client, 'bob')];
await settle(client, { name: 'channels', rights: { read: ['$members'] } });
await settle(client, { name: 'messages', rights: { read: ['$channel'] } });

test('the answer that takes a right comes when the messages have heard of it, or can rely on it no more', async () => {
  await service.halt('rightsChanged', 'before');
  const at = `/resources/channels/${channel.id}/relationships/members`;
  // The lease begins when messages ask: here before the write.
  await statuses(bob);
  const taken = await client.patch(at, members(ann));
  const [one, list] = await read(bob);
  await service.halt('rightsChanged', 'free');
  expect([taken.status, one?.status, list?.body.data.some(({ id }) => id === message.id)]).toEqual([
    200,
    403,
    false,
  ]);
});

test('past the lease, nobody is answered by rights that cannot be asked for', async () => {
  await service.halt('rights', 'before');
  await until('the lease has ended', async () => (await statuses(ann)).includes(503));
  const refused = await Promise.all([statuses(ann), statuses(bob)]);
  await service.halt('rights', 'free');
  expect(refused.flat()).toEqual([503, 503, 503, 503]);
  expect(await statuses(bob)).toEqual([200, 200]);
});

test('who asks for rights does not wait for those who are told of the same transaction', async () => {
  const own = await newService({ entry: HALTING });
  const [reader, eve] = [await underAcl(own.client), await makeUser(own.client, 'eve')];
  await settle(own.client, { name: 'channels', rights: { read: ['$members'] } });
  await settle(own.client, { name: 'messages', rights: { read: ['$channel'] } });
  const { id } = await own.client.make('channels', {}, { members: members(eve) });
  await own.client.make('messages', {}, { channel: { data: { type: 'channels', id } } });
  const seen = async () => (await reader.get('/resources/messages', eve.headers)).body.meta.count;
  expect(await seen()).toBe(1);
  await own.halt('decide channels', 'hold');
  const sent = operate(own.client, [add('channels', {}, { members: members(eve) }), add('stock')]);
  await until('the list is committed', async () => (await own.held()) === 1);
  // What it knew of rights, and for how long, goes with its memory: it asks before it answers.
  await own.sleep('messages');
  expect(await seen()).toBe(1);
  await own.halt('decide channels', 'free');
  expect((await sent).status).toBe(200);
  // Before that, a lease would end.
}, 30_000);
