/** Live lists on a WebSocket, or without: told of changes at once, through lost sockets, other users, ended tokens. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect, type Database, type Document, type Untyped } from '../../src/client/index.ts';
import { live, type Live, type LiveOptions } from '../../src/client/live.ts';
import { Client } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { until } from '../support/started.ts';
import { ACL, may } from '../support/people.ts';

type Note = Document<Untyped, string>;
type Notes = Live<Note>;

/** So long that a list that looks by itself would not look again in a test. */
const NEVER = 3_600_000;

/** The sockets that were opened, and where the next ones lead. */
const sockets: WebSocket[] = [];
const Original = globalThis.WebSocket;
const spoiled: { address: string | null } = { address: null };
class Watched extends Original {
  constructor(url: string, protocols?: string | string[]) {
    super(spoiled.address ?? url, protocols);
    sockets.push(this);
  }
}

const open: Notes[] = [];
let next = 0;
let type = '';
vi.stubGlobal('WebSocket', Watched);
const client = await Client.create();
afterEach(() => {
  for (const each of open.splice(0)) each.stop();
  sockets.length = 0;
  spoiled.address = null;
  vi.stubGlobal('WebSocket', Watched);
});
afterAll(() => vi.unstubAllGlobals());

const requests: string[] = [];
function database(
  { url, application, key } = client,
  { token, logs = requests }: { token?: string | null; logs?: string[] } = {},
): Database<Untyped> {
  const told: typeof fetch = (input, init) => {
    logs.push(input instanceof Request ? input.url : String(input));
    return fetch(input, init);
  };
  return connect({ url, application, key, token, retries: 0, fetch: told });
}

function follow(
  db: Database<Untyped>,
  query: Parameters<typeof live<Untyped, string>>[2] = {},
  options: LiveOptions = { every: NEVER },
): Notes {
  const list = live<Untyped, string>(db, type, query, options);
  open.push(list);
  return list;
}

const texts = (list: Notes) => list.array.map((note) => note['text']).join();
const comes = (list: Notes, expected: string) =>
  until(`there is ${expected}`, () => texts(list) === expected);
const connected = (count = 1) =>
  until('the socket is open', () => sockets.length >= count && sockets.at(-1)?.readyState === Original.OPEN);

/** A list that was told all there is, by a socket that is open. */
async function followed(db = database(), query: Parameters<typeof follow>[1] = {}): Promise<Notes> {
  const list = follow(db, query);
  await list.refresh();
  await connected();
  return list;
}

describe('a live list with a socket', () => {
  test('is told at once, and asks nothing while nothing changes', async () => {
    type = `told${(next += 1)}`;
    const list = await followed();
    const { id } = await client.make(type, { text: 'one' });
    await comes(list, 'one');
    await client.update(`/resources/${type}/${id}`, { attributes: { text: 'first' } });
    await comes(list, 'first');
    await client.delete(`/resources/${type}/${id}`);
    await comes(list, '');
    const asked = requests.length;
    // Another type changes: nobody is told, and the next change comes in its turn.
    await client.make(`${type}x`, { text: 'elsewhere' });
    expect(requests.length).toBe(asked);
    expect(sockets).toHaveLength(1);
  });

  test('has exact values, and documents that save and tell conflicts', async () => {
    type = `exact${(next += 1)}`;
    const db = database();
    const list = await followed(db);
    await database().create(type, { text: 'one', at: new Date(0), views: 2n ** 60n });
    await comes(list, 'one');
    const [note] = list.array;
    if (note === undefined) throw new Error('There is no note.');
    expect([note['at'], note['views']]).toEqual([new Date(0), 2n ** 60n]);
    await client.update(`/resources/${type}/${note.id}`, { attributes: { text: 'theirs' } });
    await expect(db.save({ ...note, text: 'mine' })).rejects.toMatchObject({ name: 'ConflictError' });
  });

  test('of a filter, is told what begins to match and what ends', async () => {
    type = `filtered${(next += 1)}`;
    const list = await followed(database(), { filter: { n: { $gte: 10 } } });
    const { id } = await client.make(type, { text: 'one', n: 1 });
    const set = (n: number) => client.update(`/resources/${type}/${id}`, { attributes: { n } });
    await set(10);
    await comes(list, 'one');
    await set(9);
    await comes(list, '');
  });

  test('misses nothing when its socket is cut, and opens another', async () => {
    type = `cut${(next += 1)}`;
    const list = await followed();
    for (const text of ['a', 'b', 'c']) {
      const before = sockets.length;
      sockets.at(-1)?.close();
      await client.make(type, { text });
      await until(`${text} is there`, () => texts(list).endsWith(text));
      await connected(before + 1);
    }
    await comes(list, 'a,b,c');
  });

  test('opens another when the service has closed one whose connection goes on', async () => {
    type = `closing${(next += 1)}`;
    const list = await followed();
    Object.defineProperty(sockets.at(-1), 'readyState', { value: Original.CLOSING });
    await client.make(type, { text: 'meanwhile' });
    await connected(2);
    await comes(list, 'meanwhile');
  });

  test('opens another in its time when it is lost while the list looks', async () => {
    type = `looking${(next += 1)}`;
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    let holding: Promise<undefined> | null = null;
    const db = connect({
      ...{ url: client.url, application: client.application, key: client.key, retries: 0 },
      fetch: async (...given) => {
        await holding;
        return fetch(...given);
      },
    });
    const list = await followed(db);
    const [socket] = sockets;
    if (socket === undefined) throw new Error('There is no socket.');
    holding = held;
    const looked = list.refresh();
    const lost = new Promise((ended) => {
      socket.addEventListener('close', ended);
    });
    Object.defineProperty(socket, 'readyState', { value: Original.CLOSING });
    await lost;
    release(undefined);
    await looked;
    await connected(2);
  });

  test('acknowledges what it is told: a thousand changes and more do not cut it off', async () => {
    type = `many${(next += 1)}`;
    const list = await followed();
    const sent: string[] = [];
    const [socket] = sockets;
    if (socket === undefined) throw new Error('There is no socket.');
    const send = socket.send.bind(socket);
    socket.send = (data: string) => {
      sent.push(data);
      send(data);
    };
    for (let round = 0; round < 6; round += 1) {
      await crowd(client, type, 100, (at) => ({ text: `${round * 100 + at}` }));
    }
    await until('all are there', () => list.documents.size === 600);
    await until('they are acknowledged', () => sent.filter((each) => each.includes('ack')).length >= 2);
    expect(sockets).toHaveLength(1);
  });

  test('stops by its signal: nothing is asked or told any more', async () => {
    type = `stopped${(next += 1)}`;
    const ending = new AbortController();
    const list = await followed(database(), { signal: ending.signal });
    ending.abort();
    // It is CLOSED when the server ends the connection; nothing is told from now on.
    expect(sockets.map(({ readyState }) => readyState)).not.toContain(Original.OPEN);
    const asked = requests.length;
    await client.make(type, { text: 'unseen' });
    await list.refresh();
    expect([texts(list), requests.length]).toEqual(['', asked]);
  });
});

describe('a live list without a socket', () => {
  test.each<readonly [string, () => void]>([
    ['where the runtime has none', () => Reflect.deleteProperty(globalThis, 'WebSocket')],
    ['where a proxy lets none through', () => (spoiled.address = 'ws://127.0.0.1:9/')],
  ])('looks by itself: %s', async (_, spoil) => {
    type = `polled${(next += 1)}`;
    spoil();
    const list = follow(database(), {}, { every: 20 });
    await list.refresh();
    await client.make(type, { text: 'one' });
    await comes(list, 'one');
    expect(list.error).toBe(null);
  });

  test('looks by itself where the filter is too long for one', async () => {
    type = `long${(next += 1)}`;
    const names = Array.from({ length: 200 }, (_, at) => `name number ${at}`);
    const list = follow(database(), { filter: { text: { $in: names } } }, { every: 20 });
    await list.refresh();
    await client.make(type, { text: 'name number 7' });
    await comes(list, 'name number 7');
    expect(list.error).toBe(null);
  });
});

describe('with a user', () => {
  const KEY = [
    may('post', '/users/core\\.user'),
    may('post', '/users/core\\.user\\.token'),
    may('delete', '/users/core\\.user\\.token/(me|[0-9a-f]{24})', ACL),
    may('get post delete', '/resources/.*', ACL),
  ];
  let people: Client;
  beforeAll(async () => {
    people = await client.withPermissions(KEY);
  });

  test('an ended token ends the list, which says so and asks no more', async () => {
    type = `ended${(next += 1)}`;
    const logs: string[] = [];
    const db = database(people, { logs });
    await db.signUp({ username: 'ada', password: 'difference engine' });
    await db.create(type, { text: 'mine' });
    const told: unknown[] = [];
    const list = follow(db, {}, { every: NEVER, onError: (error) => told.push(error) });
    await comes(list, 'mine');
    await connected();
    // Elsewhere, with the same token.
    await database(people, { token: db.token }).logout();
    // A reason to look: what all may read.
    await client.create(`/resources/${type}`, { meta: { acl: { read: '*' } } });
    await until('it is told', () => told.length > 0);
    expect(told).toEqual([expect.objectContaining({ status: 401 })]);
    expect(list.error).toBe(told[0]);
    expect(sockets.at(-1)?.readyState).not.toBe(Original.OPEN);
    const asked = logs.length;
    await list.refresh();
    expect(logs.length).toBe(asked);
  });

  test('another user begins anew, and sees nothing of the first', async () => {
    type = `other${(next += 1)}`;
    const db = database(people);
    await db.signUp({ username: 'bram', password: 'a good secret' });
    await db.create(type, { text: 'of bram' });
    const list = follow(db);
    await comes(list, 'of bram');
    await db.signUp({ username: 'carol', password: 'a good secret' });
    await db.create(type, { text: 'of carol' });
    await list.refresh();
    expect(texts(list)).toBe('of carol');
    await db.create(type, { text: 'later' });
    await comes(list, 'of carol,later');
  });
});
