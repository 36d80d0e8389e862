/** Streams under attack: frames that are none of ours, too many, too large; and who else is on the object. */
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { openSocket } from '../../scripts/bench/live/socket.ts';
import { Client } from '../support/client.ts';
import { Stream, type Event } from '../support/live.ts';
import { makeUser, may, underAcl } from '../support/people.ts';

const client = await Client.create();

const headersOf = ({ application, key }: Client) => ({ 'application-id': application, 'api-key': key });

class Raw {
  readonly #events: Event[] = [];
  #wake: () => void = () => undefined;
  readonly socket: Promise<WebSocket>;
  readonly closed: Promise<number>;

  constructor(by: Client, path: string, headers: Readonly<Record<string, string>> = {}) {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.closed = promise;
    this.socket = openSocket(
      by.url,
      path,
      { ...headersOf(by), ...headers },
      {
        text: (read) => {
          this.#events.push(JSON.parse(read()) as Event);
          this.#wake();
        },
        close: resolve,
      },
    );
  }

  async next(): Promise<Event> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

test('an upgrade may bring its credentials in headers, as any request does', async () => {
  const acl = await underAcl(client);
  const ada = await makeUser(client, 'ada');
  const raw = new Raw(acl, '/resources/notes/changes', ada.headers);
  const socket = await raw.socket;
  expect(socket.protocol).toBe('');
  expect(await raw.next()).toMatchObject({ event: 'ready' });
  socket.terminate();
  await expect(new Raw(acl, '/resources/notes/changes').socket).rejects.toThrow('401');
  const forged = { authorization: 'Token x.y.z' };
  await expect(new Raw(acl, '/resources/notes/changes', forged).socket).rejects.toThrow('401');
  const other = await client.withPermissions([may('get', '/resources/other')]);
  await expect(new Raw(other, '/resources/notes/changes').socket).rejects.toThrow('403');
});

const frames: [sentence: string, frame: string | Uint8Array][] = [
  ['binary', new Uint8Array([1, 2, 3])],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['JSON that is deep', '['.repeat(4000)],
  ['an id of half a megabyte', JSON.stringify({ op: 'subscribe', id: 'x'.repeat(500_000), query: '' })],
  ['a prototype', '{"__proto__": {"op": "subscribe"}}'],
  ['a query of another kind', '{"op": "subscribe", "id": "x", "query": {}}'],
];

test('frames that are no messages are answered with an error, and disturb nobody', async () => {
  const stream = new Stream(client, '/resources/frames/changes');
  await stream.until('ready');
  const raw = new Raw(client, '/resources/frames/changes');
  const socket = await raw.socket;
  expect((await raw.next()).event).toBe('ready');
  for (const [sentence, frame] of frames) {
    socket.send(frame);
    expect((await raw.next()).event, sentence).toBe('error');
  }
  const made = await client.make('frames', { n: 1 });
  expect(await raw.next()).toMatchObject({ event: 'add', data: { id: made.id } });
  expect(await stream.next()).toMatchObject({ event: 'add', data: { id: made.id } });
  socket.terminate();
  stream.end();
});

test('of ten thousand subscriptions at once ten are made', async () => {
  const raw = new Raw(client, '/resources/many/changes');
  const socket = await raw.socket;
  expect((await raw.next()).event).toBe('ready');
  for (let n = 0; n < 10_000; n += 1)
    socket.send(JSON.stringify({ op: 'subscribe', id: `s${n}`, query: '' }));
  const counts = { ready: 0, error: 0 };
  while (counts.ready + counts.error < 10_000) {
    const { event } = await raw.next();
    expect(['ready', 'error']).toContain(event);
    counts[event === 'ready' ? 'ready' : 'error'] += 1;
  }
  expect(counts).toEqual({ ready: 9, error: 9_991 });
  socket.terminate();
});

test('the longest query of any alphabet goes with a stream that sleeps', async () => {
  const type = 't'.repeat(128);
  const raw = new Raw(client, `/resources/${type}/changes`);
  const socket = await raw.socket;
  expect((await raw.next()).event).toBe('ready');
  const name = '字'.repeat(980);
  socket.send(JSON.stringify({ op: 'subscribe', id: 'x'.repeat(40), query: `filter[name]=${name}` }));
  expect((await raw.next()).event).toBe('ready');
  socket.send(JSON.stringify({ op: 'unsubscribe', id: '' }));
  const made = await client.make(type, { name });
  expect(await raw.next()).toMatchObject({ id: 'x'.repeat(40), event: 'add', data: { id: made.id } });
  socket.terminate();
});

test('a token with thousands of blanks before it disturbs no stream, not even its own', async () => {
  const stream = new Stream(client, '/resources/blanks/changes');
  await stream.until('ready');
  const acl = await underAcl(client);
  const { authorization = '' } = (await makeUser(client, 'blank')).headers;
  const long = { authorization: authorization.replace(' ', ' '.repeat(11_000)) };
  const raw = new Raw(acl, `/resources/blanks/changes?filter[n]=${'b'.repeat(900)}`, long);
  const socket = await raw.socket;
  expect((await raw.next()).event).toBe('ready');
  const made = await client.make('blanks', { n: 1 });
  expect(await stream.next()).toMatchObject({ event: 'add', data: { id: made.id } });
  socket.terminate();
  stream.end();
});
