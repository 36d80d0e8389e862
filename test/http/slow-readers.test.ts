/** Clients that ask for large answers and never read them: what they may hold is bounded, and ends. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import type { Client } from '../support/client.ts';
import { OwnService } from '../support/own-service.ts';
import { until } from '../support/started.ts';
import { newService } from '../support/scope.ts';

/** Ten documents of a type make an answer that takes eight million bytes of memory: a character takes one, or two. */
const PADS = { narrow: 'x'.repeat(800_000), wide: 'ж'.repeat(400_000) };
const UNITS = 8_000_000;

const sockets: Socket[] = [];

async function fill(client: Client, type: keyof typeof PADS): Promise<void> {
  for (let made = 0; made < 10; made += 1) await client.makeUnseen(type, { pad: PADS[type] });
}

/** A service that waits long for a client, and ten large documents of both types in it. */
const service = await newService({ settings: { ANSWER_PATIENCE: '600000' } });
for (const type of ['narrow', 'wide'] as const) await fill(service.client, type);
await service.client.make('small', { n: 1 });

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Asks for all of a type, and gives what has come of the answer when its first bytes are there. Reads no further. */
async function ask(
  { url, application, key }: Client,
  type: keyof typeof PADS,
): Promise<{ socket: Socket; head: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  const head = [`GET /resources/${type} HTTP/1.1`, `Host: ${hostname}`];
  socket.write(`${[...head, `application-id: ${application}`, `api-key: ${key}`].join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  return { socket, head: String(socket.read()) };
}

test.each([
  ['characters of one byte', 'narrow'],
  ['characters of two', 'wide'],
] as const)('so many large answers are under way at a time; one more is refused: %s', async (_, type) => {
  const { client } = service;
  const answers = await Promise.all(Array.from({ length: 24 }, () => ask(client, type)));
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
  await until('there is room again', async () => (await client.get(`/resources/${type}`)).status === 200);
});

test('an answer that nobody takes is given up', async () => {
  const log: string[] = [];
  const hasty = await OwnService.start({
    settings: { ANSWER_PATIENCE: '100' },
    log: (line) => log.push(line),
  });
  await fill(hasty.client, 'narrow');
  const { socket } = await ask(hasty.client, 'narrow');
  await until('the answer is given up', () => log.some((line) => line.includes('has not taken its answer')));
  let units = 0;
  socket.on('data', (bytes: Buffer) => (units += bytes.length));
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'close');
  expect(units).toBeLessThan(UNITS);
  await hasty.stop();
});

test('a client that reads gets the whole of a large answer, characters of two units included', async () => {
  const { client } = service;
  const text = `${'a'.repeat(65_535)}${'😀'.repeat(150_000)}`;
  const made = await client.make('emoji', { text });
  const read = await client.get(`/resources/emoji/${made.id}`);
  expect(read.body.data.attributes?.['text']).toBe(text);
});
