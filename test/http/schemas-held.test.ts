/** No read shows a schema that its target does not obey yet: while the push is held back, and when the process ends meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { startRuntime, type Runtime } from '../../scripts/runtime.ts';
import { Client, type Reply } from '../support/client.ts';
import { until } from '../support/started.ts';

const SECRETS = { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET: 'o'.repeat(40) };
const ENTRY = join(import.meta.dirname, '../support/halting-worker.ts');

let folder: string;
let runtime: Runtime;
let client: Client;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foredge-held-'));
  await run();
  const { id, apiKey } = await new Operator(runtime.url, SECRETS.OPERATOR_SECRET).create('held');
  client = new Client(runtime.url, id, apiKey);
});
afterEach(async () => {
  await runtime.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const log = () => undefined;
  runtime = await startRuntime({ port: 0, data: folder, secrets: SECRETS, settings, log, entry: ENTRY });
}

function halt(how: 'hold' | 'free'): Promise<Response> {
  return fetch(`${runtime.url}/test/halt?method=setSchemas&how=${how}`, { method: 'POST' });
}

const contentFor = (kind: string) => ({ properties: { attributes: { properties: { v: { type: kind } } } } });

/** The status of a write that a schema for strings refuses, and one for numbers takes. */
async function writeNumber(): Promise<number> {
  const data = { type: 'targets', attributes: { v: 1 } };
  return (await client.post('/resources/targets', { data })).status;
}

test('while the push of a changed schema is held back, every read of it waits, and is 503 in the end', async () => {
  const path = '/schemas/core.schema';
  const attributes = { target: 'targets', content: contentFor('number') };
  const made = await client.post(path, { data: { type: 'core.schema', attributes } });
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
  const waits = async () => Number(await (await fetch(`${runtime.url}/test/waiting`)).text()) > 0;
  await until('the push is under way', waits);
  await expectHeld();

  // The process ends with the push; after the restart it is held back from the start.
  await runtime.stop();
  expect(await answered).toBe(false);
  await run({ HALT: 'setSchemas hold' });
  client = new Client(runtime.url, client.application, client.key);
  await expectHeld();

  await halt('free');
  for (const reply of await read()) {
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('string');
  }
  expect(await writeNumber()).toBe(422);
});
