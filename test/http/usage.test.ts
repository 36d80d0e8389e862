/** What an application uses (docs/operating.md): the figures are compared with what was really done. */
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storedAs } from '../../src/collection/rpc/maintenance/usage.ts';
import type { Usage } from '../../scripts/transfer/usage.ts';
import { asOperator, Client, counts, NO_ID, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';
import { callOperator } from '../support/transfer.ts';
import { settle } from '../support/type-settings.ts';
import { until } from '../support/started.ts';
import { may } from '../support/people.ts';
import { newService } from '../support/scope.ts';
import { counted } from '../support/own-service.ts';

async function usageOf({ application }: Pick<Client, 'application'>): Promise<Usage> {
  const { status, body } = await callOperator('GET', `${application}/usage`);
  expect(status).toBe(200);
  return body.meta as unknown as Usage;
}

const typeIn = ({ types }: Usage, type: string) => {
  const found = types.find(({ name }) => name === type);
  if (found === undefined) throw new Error(`No usage of ${type}`);
  return found;
};

describe('the usage of an application', () => {
  test('has the requests and errors of each key', async () => {
    const client = await Client.create('used');
    const reader = await client.withPermissions([may('get', '/resources/notes')]);
    await client.make('notes');
    await client.get('/resources/notes?no=1');
    for (const path of ['/resources/notes', '/resources/others', '/nowhere']) await reader.get(path);
    const usage = await usageOf(client);
    expect([usage.requests, usage.errors]).toEqual([6, 3]);
    const keys = usage['api-keys'].map(({ name, requests, errors }) => ({ name, requests, errors }));
    expect(keys).toEqual(
      expect.arrayContaining([
        { name: 'first key', requests: 3, errors: 1 },
        { name: 'a key', requests: 3, errors: 2 },
      ]),
    );
    const { requests, errors } = typeIn(usage, 'notes');
    expect({ requests, errors }).toEqual({ requests: 3, errors: 1 });
    await client.get('/resources/notes');
    expect((await usageOf(client)).requests).toBe(7);
    expect(typeIn(await usageOf(client), 'notes').requests).toBe(4);
  });

  test('has the documents, bytes, calls and rows of each type', async () => {
    const client = await Client.create('rows');
    const { id } = await client.make('notes', { n: 0 });
    await crowd(client, 'notes', 300, (n) => ({ n }));
    const before = await usageOf(client);
    const notes = typeIn(before, 'notes');
    const types = (await callOperator('GET', `${client.application}/types`)).body.meta['types'] as object[];
    expect(types).toContainEqual({
      name: 'notes',
      documents: 301,
      bytes: notes.bytes,
      exported: true,
    });
    expect(notes.documents).toBe(301);
    // At least a row of the documents and one of the index on their ids.
    expect(notes['rows-written']).toBeGreaterThanOrEqual(2 * 301);
    expect(before.documents).toBe(302);

    for (let count = 0; count < 5; count += 1) await client.get(`/resources/notes/${id}`);
    const read = typeIn(await usageOf(client), 'notes');
    expect(read.calls).toBe(notes.calls + 6);
    expect(read['rows-written']).toBe(notes['rows-written']);
    expect(read['rows-read'] - notes['rows-read']).toBeGreaterThanOrEqual(5);
    expect(read['rows-read'] - notes['rows-read']).toBeLessThan(100);

    await client.get(searchPath('notes', { n: 7 }));
    expect(typeIn(await usageOf(client), 'notes')['rows-read'] - read['rows-read']).toBeGreaterThanOrEqual(
      301,
    );
  });

  test('has the indexes that were learned', async () => {
    const client = await Client.create('learning');
    await crowd(client, 'notes', 1200, (n) => ({ n, m: n % 7 }));
    expect(typeIn(await usageOf(client), 'notes').indexes).toBe(0);
    let value = 0;
    const search = async () => {
      value -= 1;
      await client.get(searchPath('notes', { n: value }));
      return typeIn(await usageOf(client), 'notes').indexes;
    };
    await expect.poll(search).toBe(1);
    const indexed = async () => typeIn(await usageOf(client), 'notes').indexed;
    await expect.poll(indexed).toEqual([{ path: 'n', built: 1 }]);
  });

  test('tells the index of words, which a setting of the type has made before anybody searches', async () => {
    const client = await Client.create('words');
    await crowd(client, 'said', 300, (n) => ({ text: `word${n % 3} and others` }));
    const indexed = async () => typeIn(await usageOf(client), 'said').indexed;
    expect(await indexed()).toEqual([]);
    expect((await settle(client, { name: 'said', text: true })).status).toBe(201);
    await expect.poll(indexed).toEqual([{ path: '$text', built: 1 }]);
    await client.make('said', { text: 'word1' });
    const { body } = await client.get(searchPath('said', { $text: { $search: 'word1' } }));
    expect(body.meta.count).toBe(101);
  });

  test('is the operator’s alone, and of an application that there is', async () => {
    const client = await Client.create('private');
    const path = `/applications/core.application/${client.application}/usage`;
    expect(faultsOf(await client.get(path))).toEqual(['401 operator-required Authorization:']);
    expect(faultsOf(await callOperator('GET', `${NO_ID}/usage`))).toEqual(['404 document-not-found']);
  });

  test('has nothing of made-up keys, of types that nobody has stored, and of other applications', async () => {
    const [client, other] = [await Client.create('one'), await Client.create('other')];
    await client.make('notes');
    const before = await usageOf(client);
    const forged = new Client(client.url, client.application, `${client.key.slice(0, -4)}abcd`);
    const strange = new Client(client.url, other.application, client.key);
    for (let count = 0; count < 20; count += 1) {
      expect((await forged.get('/resources/notes')).status).toBe(401);
      expect((await strange.get('/resources/notes')).status).toBe(401);
      await other.get(`/resources/type-${count}`);
    }
    const after = await usageOf(client);
    expect(after.requests).toBe(before.requests);
    expect(after['api-keys']).toEqual(before['api-keys']);
    const ofOther = await usageOf(other);
    expect(ofOther.requests).toBe(20);
    expect(ofOther.types.map(({ name }) => name)).toEqual(['core.api-key']);
  });

  test('has a place for a key however many types were asked for, and none for types that were refused', () => {
    const counts = new Map(Array.from({ length: 1000 }, (_, n) => [`type/t${n}`, null]));
    const served = { requests: 2, errors: 1 };
    const refused = { requests: 2, errors: 2 };
    expect(storedAs('a key', refused, counts)).toBe('a key');
    expect(storedAs('type/another', served, counts)).toBe('type/others');
    expect(storedAs('type/t7', refused, counts)).toBe('type/t7');
    expect(storedAs('type/first', served, new Map())).toBe('type/first');
    expect(storedAs('type/first', refused, new Map())).toBe('type/others');
  });

  test('of a deleted application is gone', async () => {
    const client = await Client.create('going');
    await client.make('notes');
    await operator().delete(client.application);
    expect((await callOperator('GET', `${client.application}/usage`)).status).toBe(404);
  });
});

describe('counting costs no request a call', () => {
  test('a read and a create are one call each, and write nothing to KV', async () => {
    const { client } = await newService(counted({ USAGE_DELAY: '25000' }));
    const { id } = await client.make('notes');
    // Of the application and its key, for look-ups: they come a second after these.
    await until('their copies are there', async () => (await counts(client.url)).writes === 2);
    const before = await counts(client.url);
    for (let count = 0; count < 20; count += 1) {
      await client.get(`/resources/notes/${id}`);
      await client.make('notes');
    }
    const after = await counts(client.url);
    expect({ ...after, calls: after.calls - before.calls }).toEqual({ ...before, calls: 40 });
  });
});

describe('figures are written down', () => {
  /** The keys of all objects' storage that begin so. */
  const storedUnder = (folder: string, beginning: string): number => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files
      .filter((file) => file.endsWith('.sqlite') && file.includes('Collection'))
      .map((file) => {
        const database = new DatabaseSync(join(folder, file), { readOnly: true });
        try {
          const tables = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = '_cf_KV'`).all();
          if (tables.length === 0) return 0;
          return database.prepare('SELECT key FROM _cf_KV WHERE key GLOB ?').all(`${beginning}*`).length;
        } finally {
          database.close();
        }
      })
      .reduce((sum, count) => sum + count, 0);
  };

  test('and are there after the process was killed: of the first calls, and of many rows', async () => {
    const own = await newService({ settings: { USAGE_DELAY: '25000' } });
    const { client, folder } = own;
    const usageAt = async (): Promise<Usage> =>
      ((await own.operator.ask('GET', `/${client.application}/usage`)) as { readonly meta: Usage }).meta;
    const { id: note } = await client.make('notes');
    await crowd(client, 'notes', 1_000);
    for (let count = 0; count < 8; count += 1) await client.get(`/resources/notes/${note}`);
    const { requests } = await usageAt();
    // Of the key and of the type.
    await expect.poll(() => storedUnder(folder, 'requests/')).toBe(2);
    // Of the application, its keys, its registry and the notes.
    await expect.poll(() => storedUnder(folder, 'usage')).toBe(4);
    await own.restart();
    const usage = await usageAt();
    expect(usage.requests).toBe(requests);
    expect(typeIn(usage, 'notes')['rows-written']).toBeGreaterThanOrEqual(1_000);
  });
});

test('the metrics of an isolate say nothing of applications', async () => {
  const client = await Client.create('metrics');
  const { text } = await client.get('/metrics', asOperator());
  expect(text).not.toContain(client.application);
});
