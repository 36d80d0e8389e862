/** Rights through links (docs/types.md) beyond single messages: aggregates, webhooks, exports and imports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined, outputPath, outputsPath, valuesOf } from '../support/aggregates.ts';
import { Client, to, type Link, type Reply } from '../support/client.ts';
import { fetchContent, storePicture } from '../support/files.ts';
import { versionsOf } from '../support/history.ts';
import { OwnService } from '../support/own-service.ts';
import {
  ACL,
  EVERY_METHOD,
  grant,
  linkOf,
  logIn,
  makeUser,
  may,
  PASSWORD,
  tokenOf,
  underAcl,
  type Person,
} from '../support/people.ts';
import { Receiver } from '../support/receiver.ts';
import { exported, imported } from '../support/transfer.ts';
import { resettle, settle } from '../support/type-settings.ts';

const links = (...people: readonly Person[]) => ({ data: people.map(({ link }) => link) });

/** An application with channels, and with messages that are under the rights of their channel. */
async function chat(client: Client) {
  await settle(client, { name: 'channels', rights: { read: ['$members'] } });
  await settle(client, {
    name: 'messages',
    rights: { read: ['$channel'], update: ['$channel.read'], create: ['$channel.read'] },
  });
  const [acl, ann, bob] = await Promise.all([
    underAcl(client),
    makeUser(client, 'ann'),
    makeUser(client, 'bob'),
  ]);
  return {
    ...{ client, acl, ann, bob },
    channelOf: (...members: readonly Person[]) => client.make('channels', {}, { members: links(...members) }),
    messageIn: (channel: Link, n: number) => client.make('messages', { n }, { channel: to(channel) }),
    setMembers: ({ id }: Link, ...members: readonly Person[]) =>
      client.patch(`/resources/channels/${id}/relationships/members`, links(...members)),
  };
}

describe('an aggregate', () => {
  let made: Awaited<ReturnType<typeof chat>>;
  beforeAll(async () => {
    made = await chat(await Client.create());
    await defined(made.client, 'sum', 'messages', [{ group: { id: 'sum', total: { $sum: '$n' } } }]);
    await defined(made.client, 'each', 'messages', [{ project: { id: { $toString: '$n' }, n: 1 } }]);
  });

  /** The sum of what each of the two may read, and of all, the kept one as well as a fresh one. */
  async function totals() {
    const { client, acl, ann, bob } = made;
    const read = async (by: Client, person?: Person) =>
      valuesOf(await by.get(outputsPath('sum'), person?.headers), 'total')[0];
    const seen = await Promise.all([read(acl, ann), read(acl, bob), read(client)]);
    expect(await Promise.all([read(acl, ann), read(acl, bob), read(client)])).toEqual(seen);
    return seen;
  }

  test('is over the messages of one’s channels, and follows each change at once', async () => {
    const { client, ann, bob, channelOf, messageIn, setMembers } = made;
    const [one, other] = [await channelOf(ann), await channelOf(bob)];
    await messageIn(one, 1);
    const moved = await messageIn(other, 2);
    expect(await totals()).toEqual([1, 2, 3]);
    await setMembers(other, ann, bob);
    expect(await totals()).toEqual([3, 2, 3]);
    await setMembers(other);
    expect(await totals()).toEqual([1, undefined, 3]);
    await grant(client, `/resources/channels/${other.id}`, { read: [bob.link] });
    expect(await totals()).toEqual([1, 2, 3]);
    await client.patch(`/resources/messages/${moved.id}/relationships/channel`, to(one));
    expect(await totals()).toEqual([3, undefined, 3]);
    await client.delete(`/resources/channels/${one.id}`);
    expect(await totals()).toEqual([undefined, undefined, 3]);
  });

  test('has no document of a message that is hidden, and none of one whose channel was left', async () => {
    const { acl, ann, bob, channelOf, messageIn, setMembers } = made;
    const channel = await channelOf(ann);
    await messageIn(channel, 64);
    const read = ({ headers }: Person) => acl.get(outputPath('each', '64'), headers);
    const statuses = async () => Promise.all([ann, bob].map(async (each) => (await read(each)).status));
    expect(await statuses()).toEqual([200, 404]);
    await setMembers(channel, bob);
    expect(await statuses()).toEqual([404, 200]);
  });
});

describe('a webhook', () => {
  let service: OwnService;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await OwnService.start({ settings: { WEBHOOKS_TO_PRIVATE: 'yes', DELIVERY_PAUSE: '20' } });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  test('is called for what members write, and neither for what is refused nor for who comes and goes', async () => {
    const { client, acl, ann, bob, channelOf, messageIn, setMembers } = await chat(service.client);
    const webhook = { target: 'messages', url: receiver.url() };
    expect((await client.create('/webhooks/core.webhook', { attributes: webhook })).status).toBe(201);
    const channel = await channelOf(ann);
    const write = (person: Person, n: number) =>
      acl.create(
        '/resources/messages',
        { attributes: { n }, relationships: { channel: to(channel) } },
        person.headers,
      );
    const posted = await write(ann, 1);
    expect([posted.status, (await write(bob, 2)).status]).toEqual([201, 403]);
    const { id } = linkOf(posted);
    const change = { data: { type: 'messages', id, attributes: { n: 3 } } };
    const rewrite = ({ headers }: Person) => acl.patch(`/resources/messages/${id}`, change, headers);
    expect((await rewrite(bob)).status).toBe(403);
    await setMembers(channel, bob);
    expect([(await rewrite(ann)).status, (await rewrite(bob)).status]).toEqual([403, 200]);
    await receiver.called(2);
    await messageIn(channel, 4);
    const calls = await receiver.called(3);
    const told = calls.map(({ body }) => `${String(body.data.attributes?.['n'])} ${body.type}`);
    expect(told.sort()).toEqual(['1 messages.create', '3 messages.update', '4 messages.create']);
  });

  test('is made by nobody under ACL, however many channels he reads', async () => {
    const client = await Client.create();
    const { acl, ann, channelOf } = await chat(client);
    await channelOf(ann);
    const attributes = { target: 'messages', url: 'https://example.com/hook' };
    const refused = await acl.create('/webhooks/core.webhook', { attributes }, ann.headers);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([403, 'forbidden']);
  });
});

describe('an export', () => {
  test.for([
    [['core.user', 'core.type', 'channels', 'messages']],
    [['messages', 'channels', 'core.type', 'core.user']],
    [['core.type', 'messages', 'channels', 'core.user']],
  ])('imported in the order %j, gives the rights again', async ([types = []]) => {
    const { client, ann, bob, channelOf, messageIn, setMembers } = await chat(await Client.create());
    const channel = await channelOf(ann, bob);
    const { id } = await messageIn(channel, 1);
    await setMembers(channel, ann);
    const other = await Client.create();
    for (const type of types) {
      const lines = (await exported(client.application, type)).split('\n').slice(0, -1);
      // A message keeps none of the rights that come to it.
      if (type === 'messages') expect(lines.join()).not.toContain(ann.link.id);
      const expects = [channel, ann.link, bob.link].map((each) => `${each.type} ${each.id}`);
      for (const line of lines) {
        const head = JSON.stringify({ import: { expects } });
        const taken = await imported(other.application, type, [head, line]);
        expect(taken.status, taken.text).toBe(200);
      }
    }
    const acl = await underAcl(other);
    const readers = ['ann', 'bob'].map(async (name) => {
      const headers = tokenOf(await logIn(other, name, PASSWORD));
      return (await acl.get(`/resources/messages/${id}`, headers)).status;
    });
    expect(await Promise.all(readers)).toEqual([200, 403]);
  });
});

describe('through types one after the other, t0 in t1 up to t5', () => {
  const ORDERS = [
    [0, 1, 2, 3, 4],
    [4, 3, 2, 1, 0],
    [2, 0, 4, 1, 3],
  ] as const;
  test.for(ORDERS.flatMap((order) => [['before', order] as const, ['after', order] as const]))(
    'four links give a right, and a circle no more: settings %s the documents, in the order %j',
    async ([when, order]) => {
      const client = await Client.create();
      const [acl, ann] = [await underAcl(client), await makeUser(client, 'ann')];
      const given = (n: number) => settle(client, { name: `t${n}`, rights: { read: ['$in'] } });
      if (when === 'before') for (const n of order) await given(n);
      const documents: Link[] = [];
      for (const n of [5, 4, 3, 2, 1, 0]) {
        const [above] = documents;
        documents.unshift(await client.make(`t${n}`, {}, above && { in: to(above) }));
      }
      if (when === 'after') for (const n of order) await given(n);
      const at = (n: number) => `/resources/t${n}/${documents[n]?.id}`;
      /** The numbers of those that ann reads, at their addresses as in lists. */
      const read = async () => {
        const found = await Promise.all(
          documents.map(async (_, n) => {
            const list = await acl.get(`/resources/t${n}`, ann.headers);
            const { status } = await acl.get(at(n), ann.headers);
            expect([status, list.body.data.length]).toEqual([status, list.body.meta.count]);
            expect(list.body.meta.count).toBe(status === 200 ? 1 : 0);
            return status === 200 ? n : [];
          }),
        );
        return found.flat();
      };
      expect(await read()).toEqual([]);
      await grant(client, at(5), { read: [ann.link] });
      expect(await read()).toEqual([1, 2, 3, 4, 5]);
      // Now t5 is in t0.
      await given(5);
      const [first] = documents;
      if (first === undefined) throw new Error('No documents.');
      await client.patch(`${at(5)}/relationships/in`, to(first));
      expect(await read()).toEqual([1, 2, 3, 4, 5]);
      await grant(client, at(5), { read: [] });
      expect(await read()).toEqual([]);
      await grant(client, at(0), { read: [ann.link] });
      expect(await read()).toEqual([0, 2, 3, 4, 5]);
      await grant(client, at(0), { read: [] });
      expect(await read()).toEqual([]);
    },
  );
});

test('a tag holds as long as the rights through links, and others may come and go', async () => {
  const { client, acl, ann, bob, channelOf, messageIn, setMembers } = await chat(await Client.create());
  await defined(client, 'total', 'messages', [{ group: { id: 'total', n: { $sum: '$n' } } }]);
  const channel = await channelOf(ann);
  const { id } = await messageIn(channel, 1);
  await settle(client, { name: 'boards', rights: { read: ['*'] } });
  const board = await client.make('boards', {}, { pins: { data: [{ type: 'messages', id }] } });
  const paths = [
    `/resources/messages/${id}`,
    `/resources/messages/${id}/relationships/channel`,
    '/resources/messages',
    '/resources/messages?filter[n]=1&page[count]=false',
    `/resources/boards/${board.id}?include=pins`,
    `/resources/boards/${board.id}/pins`,
    outputsPath('total'),
  ];
  const read = (path: string, etag = '') => acl.get(path, { ...ann.headers, 'if-none-match': etag });
  const before = await Promise.all(paths.map((path) => read(path)));
  const again = async () => {
    const replies = await Promise.all(paths.map((path, at) => read(path, before[at]?.etag)));
    return replies.map(({ status }) => status);
  };
  await setMembers(channel, ann, bob);
  expect(await again()).toEqual(paths.map(() => 304));
  await setMembers(channel, bob);
  expect(await again()).toEqual([403, 403, 200, 200, 200, 200, 200]);
  await setMembers(channel, ann);
  const shown = await Promise.all(paths.map((path) => read(path)));
  expect(shown.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
});

test('relationships that give rights link to 20 types', async () => {
  const client = await Client.create();
  await settle(client, { name: 'pins', rights: { read: ['$of'] } });
  const links: Link[] = [];
  for (let n = 0; n <= 20; n += 1) links.push(await client.make(`kind${n}`));
  const pin = (targets: readonly Link[]) =>
    client.create('/resources/pins', {
      relationships: { of: { data: targets.map((each) => to(each).data) } },
    });
  const refused = await pin(links);
  expect([refused.status, refused.body.errors[0]?.code]).toEqual([422, 'invalid-relationship']);
  expect((await pin(links.slice(0, 20))).status).toBe(201);
  expect((await pin(links.slice(20))).status).toBe(422);
});

test('each way to ask for many sees what a channel shows, as members come', async () => {
  const { client, acl, ann, bob, channelOf, messageIn, setMembers } = await chat(await Client.create());
  await resettle(client, 'messages', { history: 'forever' });
  const inverses = { messages: { type: 'messages', through: 'board' } };
  await settle(client, { name: 'boards', rights: { read: ['*'] }, inverses });
  await settle(client, { name: 'core.file', rights: { read: ['$message'] } });
  const board = await client.make('boards');
  const [one, other] = [await channelOf(ann), await channelOf(bob)];
  const messages = [await messageIn(one, 1), await messageIn(other, 2)];
  const files: string[] = [];
  for (const message of messages) {
    const relationships = { board: to(board) };
    await client.update(`/resources/messages/${message.id}`, { attributes: { text: 'tea' }, relationships });
    await client.make('pins', {}, { of: to(message), board: to(board) });
    const id = await storePicture(client, new TextEncoder().encode('a text'));
    await client.update(`/files/core.file/${id}`, { relationships: { message: to(message) } });
    files.push(id);
  }
  await settle(client, { name: 'pins', rights: { read: ['*'] } });
  const bulk = await client.withPermissions([may([...EVERY_METHOD, 'bulk'], '/.*', ACL)]);
  const data = { type: 'messages', attributes: { seen: true } };
  const count = ({ body }: Reply) => body.meta.count;
  const ways: Readonly<Record<string, (headers: Person['headers']) => Promise<unknown>>> = {
    CSV: async (headers) =>
      (await acl.get('/resources/messages', { ...headers, accept: 'text/csv' })).text.trim().split('\n')
        .length - 1,
    words: async (headers) =>
      count(await acl.get('/resources/messages?filter[*]={"$text":{"$search":"tea"}}', headers)),
    'a field behind a link': async (headers) =>
      count(await acl.get('/resources/pins?filter[of.text]=tea', headers)),
    'an inverse': async (headers) => count(await acl.get(`/resources/boards/${board.id}/messages`, headers)),
    'an included inverse': async (headers) =>
      (await acl.get(`/resources/boards/${board.id}?include=messages`, headers)).body.included.length,
    'a change of many': async (headers) =>
      count(
        await bulk.patch('/resources/messages?filter[n]={"$gt":0}', { data, meta: { limit: 9 } }, headers),
      ),
    versions: (headers) => among(messages, (each) => versionsOf(acl, each, headers)),
    contents: (headers) => among(files, (id) => fetchContent(acl, id, headers)),
  };
  const seen = async ({ headers }: Person) => {
    const entries: (readonly [string, unknown])[] = [];
    for (const [name, ask] of Object.entries(ways)) entries.push([name, await ask(headers)]);
    return Object.fromEntries(entries);
  };
  const all = (many: number) => Object.fromEntries(Object.keys(ways).map((name) => [name, many]));
  expect([await seen(ann), await seen(bob)]).toEqual([all(1), all(1)]);
  await setMembers(one, bob);
  expect([await seen(ann), await seen(bob)]).toEqual([all(0), all(2)]);
});

/** How many are shown. */
async function among<T>(each: readonly T[], read: (one: T) => Promise<{ readonly status: number }>) {
  const replies = await Promise.all(each.map(read));
  return replies.filter(({ status }) => status === 200).length;
}
