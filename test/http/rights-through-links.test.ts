/** Rights through a relationship (docs/types.md): who has one on the linked document has it on the linking one. */
import { describe, expect, test } from 'vitest';
import { CLOSED } from '../../src/http/live/opening.ts';
import { Client, to, type Link, type Reply, type Resource } from '../support/client.ts';
import { plainFetch } from '../support/contract-check.ts';
import { feedMeta } from '../support/feed.ts';
import { Events } from '../support/live.ts';
import { scaled } from '../support/long.ts';
import { operate } from '../support/operations.ts';
import { EVERY_METHOD, grant, makeUser, underAcl, type Person } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();
const acl = await underAcl(client);
const [ann, bob, eve] = await Promise.all([
  makeUser(client, 'ann'),
  makeUser(client, 'bob'),
  makeUser(client, 'eve'),
]);
await settle(client, { name: 'channels', rights: { read: ['$workspace', '$members'] } });
await settle(client, {
  name: 'messages',
  rights: {
    read: ['$channel'],
    update: ['$creator', '$channel.update'],
    delete: ['$channel'],
    'super-read': ['$channel'],
    create: ['$channel.read'],
  },
});

const links = (...people: readonly Person[]) => ({ data: people.map(({ link }) => link) });
const channelOf = (...members: readonly Person[]) =>
  client.make('channels', {}, { members: links(...members) });
const messageIn = (channel: Link, text = 'hello') =>
  client.make('messages', { text }, { channel: to(channel) });
const setMembers = (channel: Link, ...members: readonly Person[]) =>
  client.patch(`/resources/channels/${channel.id}/relationships/members`, links(...members));

/** Who may read a document, by its address and by the list with its count. */
async function readersOf({ type, id }: Link, people: readonly Person[] = [ann, bob, eve]) {
  return Promise.all(
    people.map(async ({ headers }) => {
      const one = await acl.get(`/resources/${type}/${id}`, headers);
      const list = await acl.get(`/resources/${type}?page[size]=1000`, headers);
      const listed = list.body.data.some((each: Resource) => each.id === id);
      expect(list.body.meta.count).toBe(list.body.data.length);
      expect([one.status, one.status === 200]).toEqual([listed ? 200 : 403, listed]);
      return listed;
    }),
  );
}

describe('whoever may read the channel reads its messages', () => {
  test('and nobody else; members come and go, at once', async () => {
    const channel = await channelOf(ann);
    const message = await messageIn(channel);
    expect(await readersOf(message)).toEqual([true, false, false]);
    await setMembers(channel, bob);
    expect(await readersOf(message)).toEqual([false, true, false]);
    await setMembers(channel, bob, eve);
    expect(await readersOf(message)).toEqual([false, true, true]);
    await grant(client, `/resources/channels/${channel.id}`, { read: [ann.link] });
    expect(await readersOf(message)).toEqual([true, true, true]);
    await grant(client, `/resources/channels/${channel.id}`, { read: '*' });
    await setMembers(channel);
    expect(await readersOf(message)).toEqual([true, true, true]);
    await grant(client, `/resources/channels/${channel.id}`, { read: [] });
    expect(await readersOf(message)).toEqual([false, false, false]);
  });

  test('through folders in folders, four levels of them, and a circle of folders gives nothing more', async () => {
    await settle(client, { name: 'folders', rights: { read: ['$in'] } });
    const folders: Link[] = [await client.make('folders', {})];
    for (const within of folders) {
      if (folders.length < 6) folders.push(await client.make('folders', {}, { in: to(within) }));
    }
    const [top, , , , fourth, fifth] = folders;
    if (top === undefined || fourth === undefined || fifth === undefined) throw new Error('No folders.');
    await grant(client, `/resources/folders/${top.id}`, { read: [ann.link] });
    expect(await readersOf(fourth)).toEqual([true, false, false]);
    expect(await readersOf(fifth)).toEqual([false, false, false]);
    await client.patch(`/resources/folders/${top.id}/relationships/in`, to(fifth));
    expect(await readersOf(fourth)).toEqual([true, false, false]);
    await grant(client, `/resources/folders/${top.id}`, { read: [] });
    expect(await readersOf(fourth)).toEqual([false, false, false]);
  });

  test('when the channel is deleted, only the rights of the message itself are left', async () => {
    const channel = await channelOf(ann, bob);
    const message = await messageIn(channel);
    await grant(client, `/resources/messages/${message.id}`, { read: [eve.link] });
    expect(await readersOf(message)).toEqual([true, true, true]);
    await client.delete(`/resources/channels/${channel.id}`);
    expect(await readersOf(message)).toEqual([false, false, true]);
  });

  test('the deletion of a message is told to those who could read it', async () => {
    const message = await messageIn(await channelOf(ann));
    await client.delete(`/resources/messages/${message.id}`);
    const path = `/resources/messages/${message.id}`;
    const told = await Promise.all([ann, bob].map(({ headers }) => acl.get(path, headers)));
    expect(told.map(({ status }) => status)).toEqual([200, 403]);
  });

  test('an include shows what may be read through a link, and a tag notices a change', async () => {
    const channel = await channelOf(ann);
    const message = await messageIn(channel);
    await settle(client, { name: 'pins', rights: { read: ['*'] } });
    const pin = await client.make('pins', {}, { of: to(message) });
    const read = ({ headers }: Person, etag = '') =>
      acl.get(`/resources/pins/${pin.id}?include=of`, { ...headers, 'if-none-match': etag });
    const before = await Promise.all([read(ann), read(bob)]);
    expect(before.map(({ body }) => body.included.length)).toEqual([1, 0]);
    await setMembers(channel, bob);
    const after = await Promise.all([read(ann, before[0].etag), read(bob, before[1].etag)]);
    expect(after.map(({ status, body }) => [status, body.included.length])).toEqual([
      [200, 0],
      [200, 1],
    ]);
  });
});

describe('each right is that of the linked document', () => {
  const rewrite = ({ id }: Link, { headers }: Person, more = {}) =>
    acl.update(`/resources/messages/${id}`, { attributes: { text: 'changed' }, ...more }, headers);

  test('rights on rights come through links, too', async () => {
    const channel = await channelOf(bob);
    const message = await messageIn(channel);
    const read = () => acl.get(`/resources/messages.acl/${message.id}`, bob.headers);
    expect((await read()).status).toBe(403);
    await client.update(`/resources/channels.acl.acl/${channel.id}`, { attributes: { read: [bob.link] } });
    expect((await read()).status).toBe(200);
  });

  const create = ({ headers }: Person, relationships: object) =>
    acl.create('/resources/messages', { attributes: {}, relationships }, headers);

  test('create: a message is made where one may, and moved nowhere else', async () => {
    const [mine, yours] = [await channelOf(bob), await channelOf(ann)];
    expect((await create(bob, { channel: to(mine) })).status).toBe(201);
    const refused = await create(bob, { channel: to(yours) });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([403, 'forbidden']);
    expect((await create(bob, {})).status).toBe(403);
    const made = await create(bob, { channel: to(mine) });
    const path = `/resources/messages/${made.body.data.id}`;
    const moved = await acl.patch(`${path}/relationships/channel`, to(yours), bob.headers);
    expect([moved.status, moved.body.errors[0]?.code]).toEqual([403, 'forbidden']);
    expect((await rewrite(made.body.data, bob, { relationships: { channel: to(yours) } })).status).toBe(403);
    expect((await rewrite(made.body.data, bob)).status).toBe(200);
    await setMembers(mine);
    expect((await create(bob, { channel: to(mine) })).status).toBe(403);
  });

  test('without create the key alone decides where one is made', async () => {
    await settle(client, { name: 'drafts', rights: { read: ['$in'] } });
    const data = { type: 'drafts', relationships: { in: to(await channelOf(ann)) } };
    const made = await acl.post('/resources/drafts', { data }, bob.headers);
    expect(made.status).toBe(201);
    expect(await readersOf(made.body.data)).toEqual([true, false, false]);
  });

  test('a relationship alone asks for the right to update, to create', async () => {
    await settle(client, { name: 'topics', rights: { read: ['*'], create: ['$in'] } });
    const channel = await channelOf(ann, bob);
    await grant(client, `/resources/channels/${channel.id}`, { update: [bob.link] });
    const data = { type: 'topics', relationships: { in: to(channel) } };
    const post = ({ headers }: Person) => acl.post('/resources/topics', { data }, headers);
    expect([(await post(ann)).status, (await post(bob)).status]).toEqual([403, 201]);
  });

  test('of several linked documents, create needs the right on each', async () => {
    await settle(client, { name: 'posts', rights: { read: ['$in'], create: ['$in.read'] } });
    const [mine, yours] = [await channelOf(bob), await channelOf(ann)];
    const post = (...channels: readonly Link[]) =>
      acl.create(
        '/resources/posts',
        { relationships: { in: { data: channels.map((each) => to(each).data) } } },
        bob.headers,
      );
    expect((await post(mine)).status).toBe(201);
    expect((await post(mine, yours)).status).toBe(403);
    expect((await post()).status).toBe(403);
  });
});

test.for([
  [{ read: ['$channel.write'] }, '/data/attributes/rights/read/0'],
  [{ read: ['$channel.read.read'] }, '/data/attributes/rights/read/0'],
  [{ create: ['$creator'] }, '/data/attributes/rights/create/0'],
  [{ creates: ['*'] }, '/data/attributes/rights/creates'],
  [{ 'super-read': '$channel' }, '/data/attributes/rights/super-read'],
] as const)('the rights %j are refused', async ([rights, pointer]) => {
  const refused = await settle(client, { name: 'refused', rights });
  expect([refused.status, refused.body.errors[0]?.source?.pointer]).toEqual([422, pointer]);
});

describe('whoever follows the messages', () => {
  /** Follows as somebody, and has been told what there was. */
  async function follow({ headers }: Person): Promise<Events> {
    const events = await Events.open(acl, '/resources/messages/changes', headers);
    while ((await events.next()).event !== 'ready');
    return events;
  }
  const codeOf = async (events: Events) => {
    const { event, data } = await events.next();
    return event === 'end' && (data as { readonly code: number }).code;
  };
  const textOf = async (events: Events) =>
    ((await events.next()).data as { readonly data: Resource }).data.attributes?.['text'];
  const changes = (person: Person, since: string) =>
    acl.get(`/resources/messages/changes?changes[since]=${since}`, person.headers);

  test('begins anew when he gains or loses a channel; others are told on', async () => {
    const [mine, other] = [await channelOf(ann), await channelOf(bob)];
    await messageIn(other, 'before');
    const streams = { ann: await follow(ann), bob: await follow(bob), eve: await follow(eve) };
    const marks = await Promise.all(
      [ann, bob].map(async (each) => feedMeta(await changes(each, 'now')).mark),
    );
    await setMembers(other, bob, eve);
    expect(await codeOf(streams.eve)).toBe(CLOSED.anew);
    await messageIn(mine, 'to ann');
    await messageIn(other, 'to bob');
    expect([await textOf(streams.ann), await textOf(streams.bob)]).toEqual(['to ann', 'to bob']);
    const read = await Promise.all([changes(ann, marks[0] ?? ''), changes(bob, marks[1] ?? '')]);
    expect(read.map(textsOf)).toEqual([['to ann'], ['to bob']]);
    await setMembers(other, eve);
    expect(await codeOf(streams.bob)).toBe(CLOSED.anew);
    expect((await changes(bob, marks[1] ?? '')).status).toBe(410);
    for (const each of Object.values(streams)) each.end();
  });
});

const textsOf = ({ body }: Reply) => body.data.map(({ attributes }) => attributes?.['text']);

test('no message is read, and none is made, after the answer that took the right', async () => {
  const channel = await channelOf(bob, eve);
  const message = await messageIn(channel);
  const read = ({ headers }: Person) => acl.get(`/resources/messages/${message.id}`, headers);
  for (let round = 0; round < scaled(60); round += 1) {
    const person = round % 2 === 0 ? bob : eve;
    expect((await read(person)).status).toBe(200);
    const state = { isTaken: false };
    const reader = (async () => {
      for (;;) {
        const { isTaken } = state;
        const [seen, made] = await Promise.all([
          read(person),
          acl.create('/resources/messages', { relationships: { channel: to(channel) } }, person.headers),
        ]);
        if (isTaken) return [seen.status, made.status];
      }
    })();
    await setMembers(channel, person === bob ? eve : bob);
    state.isTaken = true;
    expect(await reader).toEqual([403, 403]);
    await setMembers(channel, bob, eve);
  }
});

test('an answer that took the right on many channels came after all of them were told', async () => {
  const data = { type: 'channels', attributes: { many: true }, relationships: { members: links(eve) } };
  const { results } = await operate(client, Array(500).fill({ op: 'add', data }));
  const last = results.at(-1)?.data;
  if (last === undefined) throw new Error('No channels.');
  const message = await messageIn(last);
  expect(await readersOf(message)).toEqual([false, false, true]);
  const bulk = await client.withPermissions([{ path: '/.*', methods: [...EVERY_METHOD, 'bulk'] }]);
  // The answer is short, and the next request follows at once.
  const headersOf = ({ application, key }: Client) => ({ 'application-id': application, 'api-key': key });
  const taken = await plainFetch(`${client.url}/resources/channels?filter[many]=true`, {
    method: 'DELETE',
    headers: { ...headersOf(bulk), 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ meta: { limit: 500 } }),
  });
  const read = await plainFetch(`${client.url}/resources/messages/${message.id}`, {
    headers: { ...headersOf(acl), ...eve.headers },
  });
  expect([taken.status, read.status]).toEqual([200, 403]);
  await Promise.all([taken.text(), read.text()]);
});
