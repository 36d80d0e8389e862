/** What may take long is built by the alarm, with processor time of its own, and not by the requests that need it. */
import { expect, test } from 'vitest';
import type { Reply } from '../support/client.ts';
import { HALTING } from '../support/own-service.ts';
import { until } from '../support/started.ts';
import { newService } from '../support/scope.ts';

const service = await newService({ entry: HALTING });
const { client } = service;

const search = (type: string) =>
  client.get(`/resources/${type}?filter[*]=${encodeURIComponent('{"$text":{"$search":"whale"}}')}`);
const setUnique = (type: string) =>
  client.create('/schemas/core.type', { attributes: { name: type, unique: [['title']] } });

test.each([
  ['the index of words for the first search', search, 200],
  ['the check of a unique field', setUnique, 201],
] as const)('%s', async (_, ask, status) => {
  const type = `built${status}`;
  await client.make(type, { title: 'The white whale' });
  await service.halt('alarm', 'hold');
  let reply: Reply | null = null;
  const asked = ask(type).then((answer) => (reply = answer));
  await until('the alarm has begun', async () => (await service.held()) > 0);
  // Others are served, and this one is not.
  expect((await client.get(`/resources/${type}`)).body.data).toHaveLength(1);
  expect(reply).toBeNull();
  await service.halt('alarm', 'free');
  expect((await asked).status).toBe(status);
  if (status === 200) expect((await asked).body.data).toHaveLength(1);
});

test('a search that waits for it ends when its application is deleted', async () => {
  await client.make('deleted', { title: 'The white whale' });
  await service.halt('alarm', 'hold');
  const asked = search('deleted');
  await until('the alarm has begun', async () => (await service.held()) > 0);
  await service.operator.delete(client.application);
  expect((await asked).status).toBeLessThan(500);
  await service.halt('alarm', 'free');
});
