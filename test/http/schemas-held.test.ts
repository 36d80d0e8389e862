/** No read shows a schema that its target does not obey yet: while the push is held back, or when the process ends. */
import { beforeEach, expect, test } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { HALTING, type OwnService } from '../support/own-service.ts';
import { until } from '../support/started.ts';
import { newService } from '../support/scope.ts';

let service: OwnService;
let client: Client;

beforeEach(async () => {
  service = await newService({ entry: HALTING });
  ({ client } = service);
});

const halt = (how: 'hold' | 'free') => service.halt('setPushed', how);

const contentFor = (kind: string) => ({ properties: { attributes: { properties: { v: { type: kind } } } } });

/** The status of a write that a schema for strings refuses, and one for numbers takes. */
async function writeNumber(): Promise<number> {
  return (await client.create('/resources/targets', { attributes: { v: 1 } })).status;
}

test('while the push of a changed schema is held back, every read of it waits, and is 503 in the end', async () => {
  const path = '/schemas/core.schema';
  const attributes = { target: 'targets', content: contentFor('number') };
  const made = await client.create(path, { attributes });
  const { id } = made.body.data;
  const schema = { data: { type: 'core.schema', id } };
  const pointing = await client.make('pointers', {}, { schema });
  const reads = [path, `${path}/${id}`, `/resources/pointers/${pointing.id}?include=schema`];
  const read = (): Promise<readonly Reply[]> => Promise.all(reads.map((each) => client.get(each)));
  const expectHeld = async () => {
    for (const reply of await read()) {
      expect(reply.status).toBe(503);
      expect(reply.text).not.toContain('string');
    }
    expect(await writeNumber()).toBe(201);
  };

  await halt('hold');
  const change = { data: { ...schema.data, attributes: { content: contentFor('string') } } };
  const answered = client.patch(`${path}/${id}`, change).then(
    () => true,
    () => false,
  );
  await until('the push is under way', async () => (await service.held()) > 0);
  await expectHeld();

  // The process ends with the push; after the restart it is held back from the start.
  await service.restart({ HALT: 'setPushed hold' });
  ({ client } = service);
  expect(await answered).toBe(false);
  await expectHeld();

  await halt('free');
  for (const reply of await read()) {
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('string');
  }
  expect(await writeNumber()).toBe(422);
});
