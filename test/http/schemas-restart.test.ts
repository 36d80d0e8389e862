/** Schemas and the end of the process: none is lost, and one that was still on its way arrives. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import type { Started } from '../support/started.ts';
import { clientOf, Starts } from '../support/starts.ts';

let starts: Starts;

beforeEach(async () => {
  starts = await Starts.prepare();
});
afterEach(() => starts.end());

async function run(): Promise<{ readonly server: Started; readonly client: Client }> {
  const server = await starts.run();
  return { server, client: clientOf(server) };
}

const CONTENT = { properties: { attributes: { properties: { v: { type: 'string' } } } } };

function define(client: Client, target: string): Promise<Reply> {
  return client.post('/schemas/core.schema', {
    data: { type: 'core.schema', attributes: { target, content: CONTENT } },
  });
}

async function statusOf(client: Client, type: string): Promise<number> {
  return (await client.post(`/resources/${type}`, { data: { type, attributes: { v: 1 } } })).status;
}

test('a restart loses no schema, and brings back none that was deleted', async () => {
  const first = await run();
  await define(first.client, 'strict');
  const gone = await define(first.client, 'free');
  await first.client.delete(`/schemas/core.schema/${gone.body.data.id}`);
  expect(await first.server.stop('SIGTERM')).toEqual({ code: 0, signal: null });

  const { client } = await run();
  expect(await statusOf(client, 'strict')).toBe(422);
  expect(await statusOf(client, 'free')).toBe(201);
  expect((await client.get('/schemas/core.schema')).body.meta.count).toBe(1);
});

test('kill -9 amid 150 schemas: those answered hold at once, those shown hold at once', async () => {
  const first = await run();
  const answered: string[] = [];
  const kills: Promise<void>[] = [];
  const defining = Array.from({ length: 150 }, async (_, index) => {
    const target = `target-${index}`;
    try {
      if ((await define(first.client, target)).status === 201) answered.push(target);
      // At an early answer, while the pushes of schemas that are stored already wait for their turn.
      if (answered.length === 5) kills.push(first.server.killAll());
    } catch {
      // The connection ended with the process.
    }
  });
  await Promise.all(defining);
  await Promise.all(kills);

  const { client } = await run();
  const stored = await client.get('/schemas/core.schema?page[size]=1000');
  const targets = stored.body.data.map(({ attributes }) => String(attributes?.['target']));
  expect(targets).toEqual(expect.arrayContaining(answered));
  // What is shown is in force, of those too whose push was cut short.
  for (const target of targets) expect(await statusOf(client, target), target).toBe(422);
});
