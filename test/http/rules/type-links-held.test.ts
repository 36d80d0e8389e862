/** A write that looked at linked documents before they changed: it is judged by what they are once the change was answered. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { HALTING, OwnService } from '../../support/own-service.ts';
import { until } from '../../support/started.ts';
import { settle } from '../../support/type-settings.ts';

let service: OwnService;
let client: Client;

beforeAll(async () => {
  service = await OwnService.start({ entry: HALTING });
  ({ client } = service);
  await settle(client, {
    name: 'messages',
    set: { topic: '$channel.topic' },
    checks: [{ name: 'open', filter: { 'channel.closed': { $ne: true } } }],
  });
});
afterAll(() => service.stop());

test.each([
  ['a check', { closed: true }, [403, undefined]],
  ['a computed field', { topic: 'new' }, [201, 'new']],
])('%s of it knows the change', async (_, change, answer) => {
  const { type, id } = await client.make('channels', { topic: 'old' });
  const post = () => {
    const relationships = { channel: { data: { type, id } } };
    return client.post('/resources/messages', { data: { type: 'messages', relationships } });
  };
  // From now on, the collection of channels tells of changes.
  expect((await post()).status).toBe(201);
  await service.halt('readMany', 'hold-answer');
  const posted = post();
  await until('it has looked', async () => (await service.held()) > 0);
  const changed = await client.patch(`/resources/${type}/${id}`, { data: { type, id, attributes: change } });
  expect(changed.status).toBe(200);
  await service.halt('readMany', 'free');
  const { status, body } = await posted;
  expect([status, status === 201 ? body.data.attributes?.['topic'] : undefined]).toEqual(answer);
});
