/** The benchmark's floor must do what it is said to do, or everything held against it is wrong. */
import { afterAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { startRuntime } from '../../scripts/runtime.ts';

const runtime = await startRuntime({
  port: 0,
  data: null,
  secrets: { CREDENTIAL_SECRETS: '', OPERATOR_SECRET: '' },
  entry: join(import.meta.dirname, '../../scripts/bench/floor/worker.ts'),
  className: 'Floor',
  log: () => undefined,
});

afterAll(async () => {
  await runtime.stop();
});

function post(path: string, body: string): Promise<Response> {
  return fetch(`${runtime.url}${path}`, { method: 'POST', body });
}

test('what is created is answered byte by byte', async () => {
  const body = '{ "data": {"name": "Ä", "n": 1.0} }';
  const answer = await post('/documents', body);
  expect([answer.status, await answer.text()]).toEqual([201, body]);
});

test('what was brought in together is read by id, and grouped', async () => {
  const documents = ['a', 'b', 'a'].map((category, index) => ({
    id: `id${index}`,
    attributes: { category, price: index, visits: 10 - index },
  }));
  expect((await post('/many', JSON.stringify(documents))).status).toBe(200);
  const read = await fetch(`${runtime.url}/documents/id1`);
  expect(await read.text()).toBe(JSON.stringify(documents[1]));
  expect((await fetch(`${runtime.url}/documents/id9`)).status).toBe(404);
  expect((await post('/fields', '')).status).toBe(204);
  const groups = await fetch(`${runtime.url}/groups`);
  expect(await groups.json()).toEqual([
    { category: 'a', count: 2, total: 2, most: 10 },
    { category: 'b', count: 1, total: 1, most: 9 },
  ]);
});
