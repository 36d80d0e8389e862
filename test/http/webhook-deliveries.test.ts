/** Deliveries of webhooks that fail: they are repeated, in order, given up in the end, shown and sent again. */
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { AT_ONCE } from '../../src/domain/limits.ts';
import type { Client, Reply } from '../support/client.ts';
import { Receiver, withStatus } from '../support/receiver.ts';
import { until } from '../support/started.ts';
import { clientOf } from '../support/starts.ts';
import { newReceiver, newService, newStarts } from '../support/scope.ts';

const SETTINGS = { WEBHOOKS_TO_PRIVATE: 'yes', DELIVERY_PAUSE: '20', DELIVERY_TRIES: '3' };

/** More messages than are out at a time. */
const MANY = 5 * AT_ONCE.deliveries;

const receiver = await newReceiver();
const service = await newService({ settings: SETTINGS });
const client = service.client;

let next = 0;
let type = '';
let path = '';

beforeEach(() => {
  receiver.reset();
  next += 1;
  type = `notes${next}`;
  path = `/${type}`;
});

/** The address of a new webhook of a type. */
async function hear(of: Client, target: string, url: string): Promise<string> {
  const attributes = { target, url };
  const made = await of.create('/webhooks/core.webhook', { attributes });
  expect(made.status, made.text).toBe(201);
  return `/webhooks/core.webhook/${made.body.data.id}`;
}

const change = (of: Client, id: string, n: number) =>
  of.update(`/resources/${type}/${id}`, { attributes: { n } });

const numbers = (id: string) =>
  receiver.calls.filter(({ body }) => body.data.id === id).map(({ body }) => body.data.attributes?.['n']);

/** The deliveries of a webhook, once so many wait and so many were given up. */
async function deliveries(
  of: Client,
  webhook: string,
  waiting: number,
  dead: number,
): Promise<Reply['body']['meta']> {
  let { meta } = (await of.get(`${webhook}/deliveries`)).body;
  await until(`${waiting} wait and ${dead} were given up`, async () => {
    ({ meta } = (await of.get(`${webhook}/deliveries`)).body);
    return meta['waiting'] === waiting && meta['dead'] === dead;
  });
  return meta;
}

describe('a delivery that fails', () => {
  test('is repeated as the same, until it is taken', async () => {
    const webhook = await hear(client, type, receiver.url(path));
    const answers = [withStatus(500), withStatus(503), withStatus(200)];
    receiver.answer = (response, call) => {
      answers.shift()?.(response, call);
    };
    await client.make(type, { n: 1 });
    const calls = await receiver.called(3, path);
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(calls.map(({ text }) => text)).size).toBe(1);
    expect(await deliveries(client, webhook, 0, 0)).toMatchObject({ deliveries: [] });
  });

  test('holds back what comes after it of the same document, and nothing of others', async () => {
    // It fails for as long as the test wants, however long that takes: it must not be given up.
    const patient = await newService({ settings: { ...SETTINGS, DELIVERY_TRIES: '100' } });
    const own = patient.client;
    const webhook = await hear(own, type, receiver.url(path));
    const state = { down: true };
    receiver.answer = (response, call) => {
      withStatus(call.body.data.attributes?.['n'] !== 10 && state.down ? 500 : 204)(response, call);
    };
    const { id: one } = await own.make(type, { n: 1 });
    await receiver.called(1, path);
    await change(own, one, 2);
    const other = await own.make(type, { n: 10 });
    await change(own, one, 3);
    await until('the other was told', () => numbers(other.id).length === 1);
    expect(new Set(numbers(one))).toEqual(new Set([1]));
    state.down = false;
    await until('the last was told', () => numbers(one).at(-1) === 3);
    expect(numbers(one).filter((n) => n !== 1)).toEqual([2, 3]);
    await deliveries(own, webhook, 0, 0);
  });

  test('comes again no sooner than the receiver asks', async () => {
    await hear(client, type, receiver.url(path));
    const times: number[] = [];
    receiver.answer = (response, call) => {
      times.push(Date.now());
      withStatus(times.length === 1 ? 429 : 204, { 'Retry-After': '1' })(response, call);
    };
    await client.make(type, { n: 1 });
    await receiver.called(2, path);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(1_000);
  });

  test('is given up after so many tries, shown, and sent again when that is asked', async () => {
    const webhook = await hear(client, type, receiver.url(path));
    receiver.answer = withStatus(500);
    const { id } = await client.make(type, { n: 1 });
    const { deliveries: shown } = await deliveries(client, webhook, 0, 1);
    expect(receiver.calls).toHaveLength(3);
    const [first] = receiver.calls;
    expect(shown).toEqual([
      {
        id: first?.headers['webhook-id'],
        state: 'dead',
        event: 'create',
        document: { type, id },
        created: expect.stringMatching(/Z$/) as string,
        tries: 3,
        failure: 'It answered 500.',
        'given-up': expect.stringMatching(/Z$/) as string,
      },
    ]);
    // What comes after it goes out, and the other may be sent again later.
    receiver.answer = withStatus(204);
    await change(client, id, 2);
    await until('the next was told', () => numbers(id).at(-1) === 2);
    const none = await client.post(`${webhook}/deliveries`, { meta: { ids: ['unknown'] } });
    expect(none.body.meta).toEqual({ count: 0 });
    const again = await client.post(`${webhook}/deliveries`, { meta: { ids: '*' } });
    expect([again.status, again.body.meta]).toEqual([200, { count: 1 }]);
    await deliveries(client, webhook, 0, 0);
    const last = receiver.calls.at(-1);
    expect([last?.text, last?.headers['webhook-id']]).toEqual([first?.text, first?.headers['webhook-id']]);
  });

  test.each([{}, { meta: {} }, { meta: { ids: [] } }, { meta: { ids: [1] } }, { meta: { ids: 'all' } }])(
    'is sent again for a body that names it, not for %j',
    async (body) => {
      const webhook = await hear(client, type, receiver.url(path));
      const refused = await client.post(`${webhook}/deliveries`, body);
      expect([refused.status, refused.body.errors[0]?.code]).toEqual([400, 'invalid-body']);
    },
  );

  test('goes with its webhook', async () => {
    const webhook = await hear(client, type, receiver.url(path));
    receiver.answer = withStatus(500);
    await client.make(type, { n: 1 });
    await deliveries(client, webhook, 0, 1);
    await client.delete(webhook);
    expect((await client.get(`${webhook}/deliveries`)).status).toBe(404);
    expect((await client.post(`${webhook}/deliveries`, { meta: { ids: '*' } })).status).toBe(404);
  });

  test('goes out with the address and the secret that the webhook has by then', async () => {
    const webhook = await hear(client, type, receiver.url(path));
    receiver.answer = (response, call) => {
      withStatus(call.path === path ? 410 : 204)(response, call);
    };
    await client.make(type, { n: 1 });
    await deliveries(client, webhook, 0, 1);
    const id = webhook.slice(-24);
    const attributes = { url: receiver.url(`${path}/new`) };
    await client.patch(webhook, { data: { type: 'core.webhook', id, attributes } });
    await client.post(`${webhook}/deliveries`, { meta: { ids: '*' } });
    const [call] = await receiver.called(1, `${path}/new`);
    expect(call?.body.data.attributes).toEqual({ n: 1 });
  });
});

test('one that hangs holds up no other, whose messages are all told', async () => {
  const [hanging, good] = [`${path}/hanging`, `${path}/good`];
  const stuck = await hear(client, type, receiver.url(hanging));
  const webhook = await hear(client, type, receiver.url(good));
  const held: ServerResponse[] = [];
  receiver.answer = (response, call) => {
    if (call.path === hanging) held.push(response);
    else withStatus(204)(response, call);
  };
  await client.make(type, { n: 0 });
  await receiver.called(1, hanging);
  // What comes while the alarm waits for the first is told at once, too.
  for (let n = 1; n < MANY; n += 1) await client.make(type, { n });
  await receiver.called(MANY, good);
  expect(held.length).toBeLessThan(AT_ONCE.deliveries);
  await deliveries(client, webhook, 0, 0);
  await client.delete(stuck);
  for (const response of held) response.writeHead(204).end();
});

test('a redirect is not followed', async () => {
  const webhook = await hear(client, type, receiver.url(path));
  receiver.answer = withStatus(307, { Location: receiver.url('/elsewhere') });
  await client.make(type, { n: 1 });
  const { deliveries: shown } = await deliveries(client, webhook, 0, 1);
  expect(shown).toMatchObject([{ failure: 'It answered 307.' }]);
  expect(receiver.calls.filter(({ path: at }) => at === '/elsewhere')).toEqual([]);
});

test('an answer without end is not read', async () => {
  const webhook = await hear(client, type, receiver.url(path));
  receiver.answer = (response) => {
    response.writeHead(200);
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  };
  await client.make(type, { n: 1 });
  await deliveries(client, webhook, 0, 0);
});

test('who is not there is told to the owner, and nothing of this machine', async () => {
  const other = await Receiver.start();
  const webhook = await hear(client, type, other.url(path));
  await other.stop();
  await client.make(type, { n: 1 });
  const { deliveries: shown } = await deliveries(client, webhook, 0, 1);
  expect(shown).toMatchObject([{ failure: 'It could not be reached.' }]);
});

test('kill -9 between the commit and the delivery loses nothing: it comes after the next start, unasked', async () => {
  const starts = await newStarts();
  const running = await starts.run(SETTINGS);
  const own = clientOf(running);
  await hear(own, type, receiver.url(path));
  // The receiver never answers, so the delivery is under way for as long as the process lives.
  receiver.answer = () => undefined;
  const { id } = await own.make(type, { n: 1 });
  await receiver.called(1, path);
  await own.update(`/resources/${type}/${id}`, { attributes: { n: 2 } });
  await running.killAll();
  receiver.answer = withStatus(204);
  const before = receiver.calls.length;
  await starts.run(SETTINGS);
  await until('the last was told', () => numbers(id).at(-1) === 2);
  expect(receiver.calls.slice(before).map(({ body }) => body.data.attributes?.['n'])).toEqual([1, 2]);
  expect(new Set(receiver.calls.slice(0, before + 1).map(({ headers }) => headers['webhook-id'])).size).toBe(
    1,
  );
});
