/** A disk without room: writes are told so, reads and searches go on, and nothing is half done. */
import { expect, test } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { type OwnService, SECRETS, workerNamed, type OwnOptions } from '../support/own-service.ts';
import { until } from '../support/started.ts';
import { newService } from '../support/scope.ts';
import { explain, planOf } from '../support/plan.ts';

const PLENTY = 1e12;

let service: OwnService;

async function serve(options: OwnOptions): Promise<Client> {
  service = await newService(options);
  return service.client;
}

function expectFull({ status, headers, body }: Reply): void {
  expect(status).toBe(507);
  expect(body.errors.map(({ code }) => code)).toEqual(['storage-full']);
  expect(headers.get('content-type')).toBe('application/vnd.api+json');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

function add(client: Client, type: string, attributes: unknown): Promise<Reply> {
  return client.create(`/resources/${type}`, { attributes });
}

const SEARCHES = [
  '/resources/a',
  '/resources/a?filter[n]=1',
  '/resources/a?sort=-n',
  '/resources/a?page[after]=',
  '/resources/never-used',
];

test('with too little room left for reads, writes end, and deletions, reads and searches do not', async () => {
  const disk = { free: PLENTY };
  const client = await serve({ freeBytes: () => Promise.resolve(disk.free) });
  const [first, second] = [await client.make('a', { n: 1, t: 'a word' }), await client.make('a', { n: 2 })];
  disk.free = 1_000_000;
  await until('the service knows', async () => (await add(client, 'a', { n: 3 })).status === 507);

  expectFull(await add(client, 'a', { n: 4 }));
  expectFull(await add(client, 'new', { n: 4 }));
  expectFull(await client.update(`/resources/a/${first.id}`, { attributes: { n: 5 } }));
  const key = { name: 'k', permissions: [] };
  expectFull(await client.create('/api-keys/core.api-key', { attributes: key }));
  for (const path of SEARCHES) expect((await client.get(path)).status, path).toBe(200);
  // The first such search makes the index of words where there is room.
  const text = '/resources/a?filter[*]={"$text":{"$search":"word"}}';
  const looked = async () => {
    const reply = await explain(client, text, SECRETS.OPERATOR_SECRET);
    expect(reply.body.data.map(({ id }) => id)).toEqual([first.id]);
    return planOf(reply);
  };
  expect(await looked()).not.toMatchObject({ 'documents-decoded': 0 });
  expect((await client.get(`/resources/a/${first.id}`)).body.data.attributes).toEqual({ n: 1, t: 'a word' });
  expect((await client.delete(`/resources/a/${second.id}`)).status).toBe(204);

  disk.free = PLENTY;
  await until('there is room', async () => (await add(client, 'a', { n: 6 })).status === 201);
  // Objects ask by themselves, a second apart.
  await until(
    'there is an index',
    async () => Reflect.get(Object(await looked()), 'documents-decoded') === 0,
  );
});

test('writes that SQLite has no room for are undone, all of those that were done together', async () => {
  const entry = workerNamed('full');
  const client = await serve({ entry });
  const { id } = await client.make('a', { n: 0 });
  const counted = async () => (await client.get('/resources/a')).body.meta.count;
  const before = await counted();

  await fetch(`${client.url}/test/full`, { method: 'POST' });
  const together = await Promise.all(Array.from({ length: 20 }, (_, n) => add(client, 'a', { n })));
  for (const reply of together) expectFull(reply);
  expectFull(await client.delete(`/resources/a/${id}`));
  expectFull(await add(client, 'new', { n: 1 }));
  expectFull(await client.update(`/resources/a/${id}`, { attributes: { n: 9 } }));
  for (const path of SEARCHES) expect((await client.get(path)).status, path).toBe(200);
  expect((await client.get(`/resources/a/${id}`)).body.data.attributes).toEqual({ n: 0 });
  expect(await counted()).toBe(before);

  await fetch(`${client.url}/test/empty`, { method: 'POST' });
  expect((await add(client, 'a', { n: 10 })).status).toBe(201);
  expect((await add(client, 'new', { n: 1 })).status).toBe(201);
  expect(await counted()).toBe(before + 1);
});
