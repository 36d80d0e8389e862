/** What streams may cost the object of their type, and how they end (docs/live.md). */
import { describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { openSocket } from '../../scripts/bench/live/socket.ts';
import type { Usage } from '../../scripts/transfer/usage.ts';
import { Client } from '../support/client.ts';
import { Events, Stream } from '../support/live.ts';
import { makeGroup, makeUser, may, underAcl } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';
import { crowd } from '../support/crowd.ts';
import { callOperator } from '../support/transfer.ts';

let types = 0;
const client = await Client.create();

const newType = () => `bounds${(types += 1)}`;

describe('a change', () => {
  test('is read once for all subscriptions of a type, whatever their filters', async () => {
    const type = newType();
    await client.make(type, { n: -1 });
    const streams = Array.from(
      { length: 10 },
      (_, s) => new Stream(client, `/resources/${type}/changes?filter[n]=${s * 10}`),
    );
    for (const [s, stream] of streams.entries()) {
      await stream.until('ready');
      for (let k = 1; k < 10; k += 1) {
        stream.say({ op: 'subscribe', id: `s${k}`, query: `filter[n]=${s * 10 + k}` });
        await stream.until('ready');
      }
    }
    const used = async () => {
      const { body } = await callOperator('GET', `${client.application}/usage`);
      const { types: all } = body.meta as unknown as Usage;
      return all.find(({ name }) => name === type) ?? { 'rows-read': 0 };
    };
    const before = await used();
    // The last subscription of the last stream: all before it were asked for.
    await client.make(type, { n: 99 });
    expect(await streams.at(-1)?.next()).toMatchObject({ id: 's9', event: 'add' });
    const after = await used();
    // The state of the feed for each; the document, its change and what it was before only once.
    expect(after['rows-read'] - before['rows-read']).toBeLessThan(100 * 7);
    for (const stream of streams) stream.end();
  });
});

test('streams without a user are at most 200 of one address and type; another address has its own', async () => {
  const open = (from: string) =>
    openSocket(
      client.url,
      '/resources/addresses/changes',
      { 'application-id': client.application, 'api-key': client.key, 'cf-connecting-ip': from },
      { text: () => undefined, close: () => undefined },
    );
  const opened: WebSocket[] = [];
  for (let n = 0; n < 200; n += 1) opened.push(await open('192.0.2.1'));
  await expect(open('192.0.2.1')).rejects.toThrow('429');
  opened.push(await open('192.0.2.2'));
  for (const socket of opened) socket.terminate();
});

test('a subscription counts as a request of the key, and is refused as one', async () => {
  const permissions = [may('get', '/.*', { acl: { active: false } })];
  const { client: slow } = await client.newKey(permissions, { quotas: { requests: 1 } });
  const stream = new Stream(slow, '/resources/paced/changes');
  await stream.until('ready');
  for (let n = 0; n < 9; n += 1) stream.say({ op: 'subscribe', id: `s${n}`, query: `filter[n]=${n}` });
  const answers: string[] = [];
  for (let n = 0; n < 9; n += 1) {
    const { errors, event } = await stream.next();
    answers.push(event === 'error' ? errors.map(({ code }) => code).join() : event);
  }
  expect(answers).toContain('rate-exceeded');
  expect(answers.filter((each) => each === 'ready').length).toBeLessThan(9);
  stream.end();
});

describe('a stream that begins after a mark that has expired', () => {
  const expired = async () => {
    const type = newType();
    const acl = await underAcl(client);
    const ada = await makeUser(client, `ada-${type}`);
    await settle(client, { name: type, rights: { read: ['*'] } });
    await client.make(type, { name: 'a' });
    const first = new Stream(acl, `/resources/${type}/changes`, ada.headers);
    const { mark } = await first.next();
    first.end();
    // What the user could see then is not known any more.
    await makeGroup(client, [ada]);
    return { acl, ada, path: `/resources/${type}/changes?changes[since]=${mark}` };
  };

  test('ends with 4410 as Server-Sent Events', async () => {
    const { acl, ada, path } = await expired();
    const events = await Events.open(acl, path, ada.headers);
    expect(await events.next()).toMatchObject({ event: 'end', data: { code: 4410 } });
    await expect(events.next()).rejects.toThrow('The stream has ended.');
  });

  test('ends with 4410 as a WebSocket', async () => {
    const { acl, ada, path } = await expired();
    expect((await new Stream(acl, path, ada.headers).closed).code).toBe(4410);
  });
});

test('Server-Sent Events whose subscription is refused end after the error', async () => {
  const events = await Events.open(client, '/resources/notes/changes?changes[since]=AAAA');
  expect(await events.next()).toMatchObject({ event: 'error' });
  await expect(events.next()).rejects.toThrow('The stream has ended.');
});

test('after a logout Server-Sent Events tell nothing of what still waited', async () => {
  const type = newType();
  const acl = await underAcl(client);
  const ada = await makeUser(client, `ada-${type}`);
  await settle(client, { name: type, rights: { read: ['*'] } });
  // More than the connection takes before anybody reads.
  const pad = 'x'.repeat(20_000);
  await crowd(client, type, 400, (n) => ({ n, pad }));
  const events = await Events.open(acl, `/resources/${type}/changes`, ada.headers);
  expect((await events.next()).event).toBe('add');
  // One that is told at once ends when the object has ended both.
  const stream = new Stream(acl, `/resources/${type}/changes?changes[since]=now`, ada.headers);
  await stream.until('ready');
  const ended = await client.delete('/users/core.user.token/me', undefined, ada.headers);
  expect(ended.status).toBeLessThan(300);
  expect((await stream.closed).code).toBe(4401);
  let told = 1;
  for (;;) {
    const { event, data } = await events.next();
    if (event !== 'end') {
      told += 1;
      continue;
    }
    expect(data).toMatchObject({ code: 4401 });
    break;
  }
  expect(told).toBeLessThan(400);
});
