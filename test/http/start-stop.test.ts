/** Stopping drains: nothing more is taken, what is in flight is answered whole, and then the server ends. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { some } from '../support/long.ts';
import { isAlive, isFree, NPM_START, until, type Started } from '../support/started.ts';
import { clientOf, Starts } from '../support/starts.ts';

let starts: Starts;
let sockets: Socket[];
beforeEach(async () => {
  starts = await Starts.prepare(NPM_START);
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await starts.end();
});

/** A request on a connection of its own, of which the service has got all but the last byte. */
interface Pending {
  readonly socket: Socket;
  /** All that came back once the connection is closed. */
  readonly answer: Promise<string>;
  readonly finish: () => void;
}

/** Until a connection is closed; that it was cut off is no failure. */
function closing(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.on('close', () => {
      resolve();
    });
  });
}

async function open(): Promise<Socket> {
  const socket = connect(starts.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

function begin(socket: Socket, { credentials }: Started, name: string): Pending {
  const body = JSON.stringify({ data: { type: 'entries', attributes: { name } } });
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  const answer = closing(socket).then(() => text);
  const head = [
    'POST /resources/entries HTTP/1.1',
    `host: 127.0.0.1:${starts.port}`,
    `application-id: ${credentials.application_id}`,
    `api-key: ${credentials.api_key}`,
    'content-type: application/vnd.api+json',
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
  return { socket, answer, finish: () => socket.write(body.slice(-1)) };
}

/** Requests of which the runtime knows: those that were sent later have been answered. */
async function beginAll(started: Started, count: number): Promise<readonly Pending[]> {
  const pending = await Promise.all(
    Array.from({ length: count }, async (_, n) => begin(await open(), started, `entry ${n}`)),
  );
  for (let round = 0; round < 3; round += 1) await clientOf(started).get('/resources/entries');
  return pending;
}

/** A connection without a request in flight, which the server closes when it begins to stop. */
async function idle(): Promise<{ readonly closed: Promise<unknown> }> {
  const socket = connect(starts.port, '127.0.0.1');
  sockets.push(socket);
  socket.write(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${starts.port}\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
  return { closed: closing(socket) };
}

const IN_FLIGHT = 32;

const SIGNALS: readonly (readonly [string, (started: Started) => unknown])[] = [
  ['SIGTERM to the command', (started: Started) => started.process.kill('SIGTERM')],
  ['SIGINT to the command', (started: Started) => started.process.kill('SIGINT')],
  ['SIGTERM to the server itself', (started: Started) => process.kill(started.idOf('server.pid'), 'SIGTERM')],
  [
    'SIGINT to the whole group, as Ctrl-C sends it',
    (started: Started) => {
      started.signalAll('SIGINT');
    },
  ],
];

describe('what is in flight is answered', () => {
  test.each(some(SIGNALS, 3, 'whole'))('at %s', async (_, signal) => {
    // Lines of the log would wait for longer than the server lives.
    const started = await starts.run({ STOP_SECONDS: '600', LOG_DELAY: '10000' });
    const { closed } = await idle();
    const runtime = started.idOf('workerd.pid');
    const pending = await beginAll(started, IN_FLIGHT);
    signal(started);
    await closed;
    const late = begin(await open(), started, 'late');
    late.finish();
    for (const { finish } of pending) finish();
    const answers = await Promise.all(pending.map(({ answer }) => answer));
    expect(await started.ended()).toEqual({ code: 0, signal: null });
    expect([await isFree(starts.port), isAlive(runtime)]).toEqual([true, false]);
    for (const [n, answer] of answers.entries()) {
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      const { data } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { data: unknown };
      expect(data).toMatchObject({ attributes: { name: `entry ${n}` } });
    }
    expect(await late.answer).toBe('');
    // Nothing of the log is lost either.
    expect(started.output.match(/"path":"\/resources\/entries","status":201/g)).toHaveLength(IN_FLIGHT);
  });
});

test('what a busy runtime has not read yet is answered as well', async () => {
  const started = await starts.run();
  const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => open()));
  for (let round = 0; round < 3; round += 1) await clientOf(started).get('/resources/entries');
  // It gets to nothing for a while, as under a load.
  const runtime = started.idOf('workerd.pid');
  process.kill(runtime, 'SIGSTOP');
  const pending = connections.map((each, n) => begin(each, started, `entry ${n}`));
  for (const { finish } of pending) finish();
  started.process.kill('SIGTERM');
  await wait(3_000);
  process.kill(runtime, 'SIGCONT');
  const answers = await Promise.all(pending.map(({ answer }) => answer));
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(answers.map(() => 'HTTP/1.1 201'));
  expect(await started.ended()).toEqual({ code: 0, signal: null });
});

describe('what is never finished', () => {
  test('is cut off after the time that stopping may take', async () => {
    const started = await starts.run({ STOP_SECONDS: '1' });
    const [pending] = await beginAll(started, 1);
    expect(await started.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await pending?.answer).toBe('');
    expect(await isFree(starts.port)).toBe(true);
  });

  test('is cut off by a second signal', async () => {
    const started = await starts.run({ STOP_SECONDS: '3600' });
    const [pending] = await beginAll(started, 1);
    const state = { ended: false };
    void started.ended().then(() => (state.ended = true));
    const server = started.idOf('server.pid');
    await until('signals have ended it', () => {
      if (isAlive(server)) process.kill(server, 'SIGTERM');
      return state.ended;
    });
    expect(await started.ended()).toEqual({ code: 1, signal: null });
    expect(await pending?.answer).toBe('');
  });
});
