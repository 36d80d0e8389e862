/** Clients that ask for large answers and never read them: what they may hold is bounded, and ends. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import type { Client } from '../support/client.ts';
import { OwnService } from '../support/own-service.ts';
import { until } from '../support/started.ts';

/** Ten documents make an answer that takes eight million bytes of memory. */
const PAD = 'x'.repeat(800_000);
/** The same, where each character takes two. */
const WIDE = 'ж'.repeat(400_000);
const UNITS = 10 * PAD.length;

let service: OwnService;
let log: string[];
let sockets: Socket[];

/** A service that waits so long for a client, and ten large documents in it. */
async function serve(patience: number, pad = PAD): Promise<Client> {
  log = [];
  sockets = [];
  service = await OwnService.start({
    settings: { ANSWER_PATIENCE: String(patience) },
    log: (line) => log.push(line),
  });
  const { client } = service;
  for (let made = 0; made < 10; made += 1) await client.make('large', { pad });
  await client.make('small', { n: 1 });
  return client;
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

/** Asks for all of them, and gives what has come of the answer when its first bytes are there. Reads no further. */
async function ask({ url, application, key }: Client): Promise<{ socket: Socket; head: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  const head = ['GET /resources/large HTTP/1.1', `Host: ${hostname}`];
  socket.write(`${[...head, `application-id: ${application}`, `api-key: ${key}`].join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  return { socket, head: String(socket.read()) };
}

test.each([
  ['characters of one byte', PAD],
  ['characters of two', WIDE],
])('so many large answers are under way at a time; one more is refused: %s', async (_, pad) => {
  const client = await serve(600_000, pad);
  const answers = await Promise.all(Array.from({ length: 24 }, () => ask(client)));
  const begun = answers.filter(({ head }) => head.startsWith('HTTP/1.1 200'));
  const refused = answers.filter(({ head }) => head.startsWith('HTTP/1.1 503'));
  expect(begun.length).toBe(Math.floor(LIMITS.answersLeaving / UNITS));
  expect(begun.length + refused.length).toBe(24);
  for (const { head } of refused) {
    expect(head).toMatch(/^retry-after: \d+\r$/im);
    expect(head).toMatch(/^content-type: application\/vnd\.api\+json\r$/im);
  }
  const small = await client.get('/resources/small');
  expect(small.status).toBe(200);

  // Those who go away make room.
  for (const { socket } of answers) socket.destroy();
  await until('there is room again', async () => (await client.get('/resources/large')).status === 200);
});

test('an answer that nobody takes is given up', async () => {
  const client = await serve(100);
  const { socket } = await ask(client);
  await until('the answer is given up', () => log.some((line) => line.includes('has not taken its answer')));
  let units = 0;
  socket.on('data', (bytes: Buffer) => (units += bytes.length));
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'close');
  expect(units).toBeLessThan(UNITS);
});

test('a client that reads gets the whole of a large answer, characters of two units included', async () => {
  const client = await serve(600_000);
  const text = `${'a'.repeat(65_535)}${'😀'.repeat(150_000)}`;
  const made = await client.make('emoji', { text });
  const read = await client.get(`/resources/emoji/${made.id}`);
  expect(read.body.data.attributes?.['text']).toBe(text);
});
