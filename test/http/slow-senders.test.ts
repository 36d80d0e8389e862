/** Clients that begin large bodies and never end them: what they may hold is bounded, as what answers hold is. */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { MEDIA_TYPE } from '../support/client.ts';
import { newService } from '../support/scope.ts';
import { until } from '../support/started.ts';

const CONTENT_TYPE = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`;
const LENGTH = 6 * 1024 * 1024;
/** A body, and what is read of it. */
const FIT = Math.floor(LIMITS.answersLeaving / (2 * LENGTH));

const service = await newService();
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends all of a list of operations but its end; what comes back. */
function begin(framing: string, body: readonly string[]): { answer: string } {
  const { url, application, key } = service.client;
  const { host, hostname, port } = new URL(url);
  const come = { answer: '' };
  const head = [
    'POST /operations HTTP/1.1',
    `Host: ${host}`,
    `application-id: ${application}`,
    `api-key: ${key}`,
    `Accept: ${CONTENT_TYPE}`,
    `Content-Type: ${CONTENT_TYPE}`,
    framing,
  ];
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.on('data', (part: Buffer) => (come.answer += part.toString('latin1')));
  for (const text of [`${head.join('\r\n')}\r\n\r\n`, ...body]) socket.write(text);
  return come;
}

const text = 'x'.repeat(LENGTH - 1);
test.each<[string, string, readonly string[]]>([
  ['say how long they are', `Content-Length: ${LENGTH}`, [text]],
  ['come in chunks', 'Transfer-Encoding: chunked', [`${text.length.toString(16)}\r\n`, text]],
])('one more than fit is refused while they come, of bodies that %s', async (_, framing, body) => {
  const begun = Array.from({ length: FIT + 1 }, () => begin(framing, body));
  const refused = () => begun.filter(({ answer }) => answer !== '');
  await until('one is refused', () => refused().length > 0);
  for (const { answer } of refused()) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^retry-after: \d+\r$/im);
  }
  expect((await service.client.get('/resources/small')).status).toBe(200);
});
