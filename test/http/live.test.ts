/** Streams of changes (docs/live.md): what comes, in which order, from where on, and to whom. */
import { describe, expect, test } from 'vitest';
import { Client, type Link } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { Events, Stream } from '../support/live.ts';
import { add, operate } from '../support/operations.ts';
import { ACL, EVERY_METHOD, makeGroup, makeUser, may, underAcl, type Person } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';

let types = 0;
const client = await Client.create();

const newType = () => `live${(types += 1)}`;
const change = (type: string, id: string, attributes: object, by = client) =>
  by.update(`/resources/${type}/${id}`, { attributes });

const setReaders = (type: string, id: string, read: unknown) =>
  client.update(`/resources/${type}.acl/${id}`, { attributes: { read } });

describe('a WebSocket', () => {
  test('tells what there is, that it is ready, and then each change after it', async () => {
    const type = newType();
    const a = await client.make(type, { name: 'a', n: 1 });
    const stream = new Stream(client, `/resources/${type}/changes?filter[n]={"$lt":5}`);
    expect(await stream.until('ready')).toEqual(['add a']);
    const b = await client.make(type, { name: 'b', n: 2 });
    expect(await stream.next()).toMatchObject({
      event: 'add',
      data: { id: b.id, attributes: { name: 'b' } },
    });
    await change(type, a.id, { name: 'A' });
    expect(await stream.next()).toMatchObject({ event: 'update', data: { id: a.id } });
    await change(type, a.id, { n: 9 });
    expect(await stream.next()).toMatchObject({ event: 'remove', data: { type, id: a.id } });
    await client.delete(`/resources/${type}/${b.id}`);
    expect(await stream.next()).toMatchObject({ event: 'remove', data: { type, id: b.id } });
    stream.end();
  });

  test('goes on after a mark: nothing is missed, and nothing comes twice', async () => {
    const type = newType();
    const a = await client.make(type, { name: 'a' });
    await client.make(type, { name: 'b' });
    const path = `/resources/${type}/changes`;
    const first = new Stream(client, path);
    expect((await first.next()).data.id).toBe(a.id);
    const { mark } = await first.next();
    first.end();
    await first.closed;
    await client.delete(`/resources/${type}/${a.id}`);
    await client.make(type, { name: 'c' });
    const second = new Stream(client, `${path}?changes[since]=${mark}`);
    expect(await second.until('ready')).toEqual([`remove ${a.id}`, 'add c']);
    await client.make(type, { name: 'd' });
    const last = await second.next();
    expect(last.data.attributes).toEqual({ name: 'd' });
    // A mark of a stream is one of the feed, too.
    expect((await client.get(`${path}?changes[since]=${last.mark}`)).body.data).toEqual([]);
    second.end();
  });

  test('goes on after the first of several documents that came at once into an empty type', async () => {
    const type = newType();
    const path = `/resources/${type}/changes`;
    const first = new Stream(client, path);
    expect(await first.until('ready')).toEqual([]);
    await operate(client, [add(type, { name: 'a' }), add(type, { name: 'b' })]);
    const { data, mark } = await first.next();
    expect(data.attributes).toEqual({ name: 'a' });
    first.end();
    const second = new Stream(client, `${path}?changes[since]=${mark}`);
    expect(await second.until('ready')).toEqual(['add b']);
    second.end();
  });

  test('has several subscriptions, which come and go', async () => {
    const type = newType();
    const stream = new Stream(client, `/resources/${type}/changes?filter[n]={"$lt":5}`);
    expect(await stream.next()).toMatchObject({ id: '', event: 'ready' });
    stream.say({ op: 'subscribe', id: 'high', query: `filter[n]={"$gte":5}&fields[${type}]=name` });
    expect(await stream.next()).toMatchObject({ id: 'high', event: 'ready' });
    const a = await client.make(type, { name: 'a', n: 1 });
    expect(await stream.next()).toMatchObject({ id: '', event: 'add', data: { id: a.id } });
    await change(type, a.id, { n: 7 });
    const both = [await stream.next(), await stream.next()].toSorted((x, y) => (x.id < y.id ? -1 : 1));
    expect(both).toMatchObject([
      { id: '', event: 'remove' },
      { id: 'high', event: 'add', data: { attributes: { name: 'a' } } },
    ]);
    expect(both[1]?.data.attributes).toEqual({ name: 'a' });
    stream.say({ op: 'unsubscribe', id: 'high' });
    stream.say({ op: 'subscribe', id: 'all', query: '' });
    expect(await stream.until('ready')).toEqual(['add a']);
    await change(type, a.id, { n: 8 });
    expect(await stream.next()).toMatchObject({ id: 'all', event: 'update' });
    stream.end();
  });

  const wrong: [sentence: string, message: unknown, code: string][] = [
    ['a filter that is none', { op: 'subscribe', id: 'x', query: 'filter[n]={"$no":1}' }, 'invalid-filter'],
    ['a parameter of lists', { op: 'subscribe', id: 'x', query: 'sort=n' }, 'unknown-parameter'],
    ['an id that is taken', { op: 'subscribe', id: 'taken', query: '' }, 'invalid-body'],
    ['a mark of nobody', { op: 'subscribe', id: 'x', query: 'changes[since]=AAAA' }, 'invalid-parameter'],
    [
      'a query that is too long',
      { op: 'subscribe', id: 'x', query: `filter[name]=${'x'.repeat(1001)}` },
      'invalid-body',
    ],
    ['another op', { op: 'publish' }, 'invalid-body'],
    ['no object', null, 'invalid-body'],
    ['an id that is none', { op: 'subscribe', id: 'a"b', query: '' }, 'invalid-body'],
    ['a message that is too long', { op: 'ack', more: 'x'.repeat(5000) }, 'invalid-body'],
  ];
  test('answers a message that is wrong with an error, and goes on', async () => {
    const type = newType();
    const stream = new Stream(client, `/resources/${type}/changes?filter[name]=none`);
    expect((await stream.next()).event).toBe('ready');
    stream.say({ op: 'subscribe', id: 'taken', query: '' });
    expect((await stream.next()).event).toBe('ready');
    for (const [sentence, message, code] of wrong) {
      stream.say(message);
      const { event, errors } = await stream.next();
      expect([event, errors.map((each) => each.code)], sentence).toEqual(['error', [code]]);
    }
    await client.make(type, { name: 'a' });
    expect(await stream.next()).toMatchObject({ id: 'taken', event: 'add' });
    stream.end();
  });

  test('is refused as a GET of the feed is', async () => {
    const type = newType();
    const path = `/resources/${type}/changes`;
    const other = await client.withPermissions([may('get', '/resources/other')]);
    const strangers = [other, new Client(client.url, client.application, 'x'), await underAcl(client)];
    for (const by of strangers) {
      expect((await new Stream(by, path).closed).code).toBe(1006);
    }
    expect((await new Stream(client, `${path}?sort=n`).closed).code).toBe(1006);
    expect((await new Stream(client, `${path}?include=a`).closed).code).toBe(1006);
  });

  test('answers a ping by itself, and ends whoever acknowledges nothing', async () => {
    const type = newType();
    const stream = new Stream(client, `/resources/${type}/changes`);
    await stream.opened;
    expect(await stream.ping()).toBe('pong');
    // What it has not told is one page.
    for (let round = 0; round < 2; round += 1) await crowd(client, type, 600, (n) => ({ n }));
    expect((await stream.closed).code).toBe(4408);
    const { mark } = stream.events.at(-1) ?? { mark: '' };
    const { body } = await client.get(`/resources/${type}/changes?changes[since]=${mark}&page[size]=1000`);
    const told = new Set(stream.events.flatMap(({ event, data }) => (event === 'add' ? data.id : [])));
    expect(told.size + body.data.length).toBe(1200);
    expect(body.data.filter(({ id }) => told.has(id))).toEqual([]);
  });
});

describe('Server-Sent Events', () => {
  test('are the same events, and go on after the last id', async () => {
    const type = newType();
    const path = `/resources/${type}/changes?filter[name]={"$ne":"hidden"}`;
    const a = await client.make(type, { name: 'a' });
    const first = await Events.open(client, path);
    expect(first.response.headers.get('content-type')).toBe('text/event-stream');
    expect(first.response.headers.get('cache-control')).toBe('no-store');
    expect(await first.next()).toMatchObject({ event: 'add', data: { data: { id: a.id } } });
    expect(await first.next()).toMatchObject({ event: 'ready' });
    const b = await client.make(type, { name: 'b' });
    const added = await first.next();
    expect(added).toMatchObject({ event: 'add', data: { data: { id: b.id } } });
    first.end();
    await change(type, a.id, { name: 'hidden' });
    const second = await Events.open(client, path, { 'last-event-id': added.id });
    expect(await second.next()).toMatchObject({ event: 'remove', data: { data: { type, id: a.id } } });
    expect(await second.next()).toMatchObject({ event: 'ready' });
    second.end();
  });
});

describe('a stream shows what a GET at that moment would', () => {
  test('rights on a document that come and go', async () => {
    const type = newType();
    const acl = await underAcl(client);
    const ada = await makeUser(client, `ada-${type}`);
    const a = await client.make(type, { name: 'a' });
    const stream = new Stream(acl, `/resources/${type}/changes`, ada.headers);
    expect(await stream.until('ready')).toEqual([]);
    await setReaders(type, a.id, [ada.link]);
    expect(await stream.next()).toMatchObject({ event: 'add', data: { id: a.id } });
    await setReaders(type, a.id, []);
    expect(await stream.next()).toMatchObject({ event: 'remove', data: { id: a.id } });
    await change(type, a.id, { name: 'secret' });
    await client.make(type, { name: 'secret' });
    const b = await client.make(type, { name: 'b' });
    await setReaders(type, b.id, '*');
    expect(await stream.next()).toMatchObject({ event: 'add', data: { id: b.id } });
    stream.end();
  });

  interface Scene {
    readonly application: Client;
    readonly key: Link;
    readonly ada: Person;
    readonly group: Link;
    readonly type: string;
  }

  /** One of each that ends streams; all of them: live-rights.test.ts. */
  const ends: [what: string, end: (scene: Scene) => Promise<unknown>, code: number][] = [
    [
      'the user logs out',
      ({ application, ada }) => application.delete('/users/core.user.token/me', undefined, ada.headers),
      4401,
    ],
    [
      'the user leaves a group',
      ({ application, group }) =>
        application.update(`/users/core.user-group/${group.id}`, { relationships: { users: { data: [] } } }),
      4410,
    ],
    [
      'the key gets a rule',
      ({ application, key }) =>
        application.update(`/api-keys/core.api-key/${key.id}`, {
          attributes: {
            permissions: [may('get', '/.*', { acl: { active: true }, where: { name: 'none' } })],
          },
        }),
      4410,
    ],
    [
      'the settings of the type give other rights',
      ({ application, type }) => resettle(application, type, { rights: { read: [] } }),
      4410,
    ],
  ];

  test.each(ends)('it ends when %s, and tells nothing of what comes after', async (_, end, code) => {
    const scene = await sceneOf(newType());
    const { application, ada, key, type } = scene;
    const a = await application.make(type, { name: 'a' });
    const by = new Client(client.url, application.application, secretOf.get(key.id) ?? '');
    const streams = [
      new Stream(by, `/resources/${type}/changes`, ada.headers),
      new Stream(by, `/resources/${type}/changes?filter[name]={"$ne":"x"}`, ada.headers),
    ];
    await Promise.all(
      streams.map(async (stream) => {
        expect(await stream.until('ready')).toEqual(['add a']);
        stream.say({ op: 'subscribe', id: 'all', query: '' });
        expect(await stream.until('ready')).toEqual(['add a']);
      }),
    );
    const ended = await end(scene);
    expect((ended as { readonly status: number }).status).toBeLessThan(300);
    await change(type, a.id, { name: 'secret' }, application);
    for (const stream of streams) {
      expect((await stream.closed).code).toBe(code);
      expect(JSON.stringify(stream.events)).not.toContain('secret');
    }
  });

  /** The secrets of keys by their ids. */
  const secretOf = new Map<string, string>();

  async function sceneOf(type: string): Promise<Scene> {
    const application = await Client.create();
    const ada = await makeUser(application, 'ada');
    const group = await makeGroup(application, [ada]);
    const permissions = [may(EVERY_METHOD, '/.*', ACL)];
    const { client, link: key } = await application.newKey(permissions);
    secretOf.set(key.id, client.key);
    await settle(application, { name: type, rights: { read: ['*'] } });
    return { application, key, ada, group, type };
  }
});
