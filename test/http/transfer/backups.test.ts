/** Backups of applications in a bucket, and what is restored from them (docs/backups.md). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exportApplication } from '../../../scripts/transfer/export.ts';
import { Service } from '../../../scripts/transfer/service.ts';
import { toFile } from '../../../scripts/transfer/targets.ts';
import { asOperator, Client } from '../../support/client.ts';
import { change } from '../../support/history.ts';
import { SECRETS, workerNamed } from '../../support/own-service.ts';
import { makeRich } from '../../support/rich-application.ts';
import { newFile, progress } from '../../support/transfer-files.ts';
import { settle } from '../../support/type-settings.ts';
import { newFolder, newService } from '../../support/scope.ts';

const ENTRY = workerNamed('backup');
const OPERATOR = asOperator(SECRETS.OPERATOR_SECRET);
const SETTINGS = { BACKUP_DAYS: '2', BACKUP_HOURS: '5' };

const folder = newFolder();
const logged: string[] = [];
const own = await newService({
  entry: ENTRY,
  backups: folder,
  settings: SETTINGS,
  log: (line) => logged.push(line),
});
let operator = own.operator;
let service = new Service(own.url, SECRETS.OPERATOR_SECRET);

const test_ = (path: string, init?: RequestInit) => fetch(`${own.url}/test/${path}`, init);
const keys = async () => (await test_('keys')).json<string[]>();
const step = async (id: string) =>
  (await test_(`step?id=${id}`, { method: 'POST' })).json<{ state: string; name: string }>();
const pathOf = (id: string) => `${own.url}/applications/core.application/${id}/backups`;

async function newClient(name: string): Promise<Client> {
  const { id, apiKey } = await operator.create(name);
  return new Client(own.url, id, apiKey);
}

async function exportOf(application: string, history = false): Promise<string> {
  const file = newFile('export.ndjson');
  const request = { application, type: null, history };
  await exportApplication(service, request, await toFile(file, service.base, request), progress);
  return readFileSync(file, 'utf8');
}

async function contentOf(application: string, name: string): Promise<string> {
  const file = newFile('backup.ndjson.gz');
  await service.download(application, name, file);
  return gunzipSync(readFileSync(file)).toString();
}

/** Documents that do not compress: so many make several parts. */
async function makeLarge(client: Client, documents: number): Promise<void> {
  for (let n = 0; n < documents; n += 1) {
    const text = crypto.getRandomValues(new Uint8Array(60_000)).toBase64();
    await client.makeUnseen('large', { n, text });
  }
}

describe('a backup', () => {
  test('is what an export of the application writes, compressed', async () => {
    const client = await newClient('rich');
    await makeRich(client);
    const made = await service.backUp(client.application);
    expect(made).toMatchObject({ whole: true });
    const [backup, ...others] = await service.backups(client.application);
    expect(others).toEqual([]);
    expect(backup?.name).toBe(made?.backup);
    expect(await contentOf(client.application, backup?.name ?? '')).toBe(await exportOf(client.application));
  });

  test('has former versions, if that is asked for', async () => {
    const client = await newClient('past');
    await settle(client, { name: 'notes', history: 'forever' });
    const made = await client.make('notes', { n: 1 });
    await change(client, made, { n: 2 });
    const backup = await service.backUp(client.application, true);
    const content = await contentOf(client.application, backup?.backup ?? '');
    expect(content).toContain('"history":{"number":2,"change":"update"');
    expect(content).toBe(await exportOf(client.application, true));
  });

  test('of many parts is made in steps, each going on where the last has ended, across a restart', async () => {
    const client = await newClient('large');
    await makeLarge(client, 190);
    const before = await exportOf(client.application);
    const first = await step(client.application);
    expect(first.state).toBe('unfinished');
    expect(await service.backups(client.application)).toEqual([]);
    // What is written meanwhile belongs to another moment.
    await client.make('large', { n: -1 });
    await own.restart();
    service = new Service(own.url, SECRETS.OPERATOR_SECRET);
    operator = own.operator;
    const states = new Set<string>();
    for (let each = first; each.state !== 'whole'; each = await step(client.application)) {
      states.add(each.state);
      expect(each.name).toBe(first.name);
    }
    expect([...states]).toEqual(['unfinished']);
    const [backup] = await service.backups(client.application);
    expect(backup?.bytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(await contentOf(client.application, first.name)).toBe(before);
    expect((await keys()).filter((key) => key.startsWith('unfinished/'))).toEqual([]);
  });

  test('begins a type again whose moment is not kept any more', async () => {
    const client = await newClient('again');
    await makeLarge(client, 120);
    await step(client.application);
    let made = await step(client.application);
    expect(made.state).toBe('unfinished');
    await client.make('large', { n: -1 });
    // So many moments are kept at a time; the one of the backup goes.
    for (let n = 0; n < 4; n += 1) {
      const documents = `${own.url}/applications/core.application/${client.application}/documents`;
      const page = `${documents}/large?page[after]=&page[size]=1`;
      expect((await fetch(page, { headers: OPERATOR })).status).toBe(200);
    }
    while (made.state !== 'whole') made = await step(client.application);
    expect(await contentOf(client.application, made.name)).toBe(await exportOf(client.application));
  });

  test('is made by one run at a time', async () => {
    const client = await newClient('twice');
    await client.make('note', { n: 1 });
    const answers = await Promise.all(
      [1, 2, 3].map(() => fetch(pathOf(client.application), { method: 'POST', headers: OPERATOR })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '10']);
    }
    const all = await exportOf(client.application);
    for (const { name } of await service.backups(client.application)) {
      expect(await contentOf(client.application, name)).toBe(all);
    }
  });

  test('leaves nothing behind that is not whole when the bucket fails, and is begun again', async () => {
    const client = await newClient('failing');
    await makeLarge(client, 100);
    await test_(`failing?text=${client.application}/`);
    let failed: Response;
    // A step takes some seconds: on a slow machine a few of them end before the bucket is asked.
    do failed = await fetch(pathOf(client.application), { method: 'POST', headers: OPERATOR });
    while (failed.status === 200);
    await test_('failing');
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect((await keys()).filter((key) => key.includes(`${client.application}/`))).toEqual([]);
    const { backup } = (await service.backUp(client.application)) ?? { backup: '' };
    expect(await contentOf(client.application, backup)).toBe(await exportOf(client.application));
  });
});

describe('the cron trigger', () => {
  test('makes the backups that are due, each once, whatever becomes of others', async () => {
    const [one, other] = [await newClient('one'), await newClient('other')];
    await test_(`failing?text=${one.application}`);
    await own.scheduled();
    await test_('failing');
    expect(await service.backups(one.application)).toEqual([]);
    expect(await service.backups(other.application)).toHaveLength(1);
    expect(logged.filter((line) => line.includes(`backup of ${one.application}`))).toHaveLength(1);
    expect(logged.filter((line) => line.includes(`{"backup":"${other.application}"`))).toHaveLength(1);
    await own.scheduled();
    expect(await service.backups(one.application)).toHaveLength(1);
    expect(await service.backups(other.application)).toHaveLength(1);
  });

  test('deletes old backups once a newer one is whole', async () => {
    const client = await newClient('old');
    const key = (name: string) => `${client.application}/${name}.ndjson.gz`;
    const recent = `${new Date(Date.now() - 6 * 3_600_000).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
    for (const name of ['2020-01-01T00-00-00Z', '2021-01-01T00-00-00Z', recent]) {
      await test_(`put?key=${key(name)}`, { method: 'PUT', body: 'old' });
    }
    await test_(`failing?text=${client.application}`);
    await own.scheduled();
    await test_('failing');
    expect(await service.backups(client.application)).toHaveLength(3);
    await own.scheduled();
    const left = (await service.backups(client.application)).map(({ name }) => name);
    expect([left.length, left[0]]).toEqual([2, recent]);
  });
});

describe('the endpoints', () => {
  test.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/2026-11-22T03-17-00Z'],
  ])('%s backups%s needs the operator secret', async (method, rest) => {
    const answer = await fetch(`${pathOf('a'.repeat(24))}${rest}`, { method });
    expect(answer.status).toBe(401);
  });

  test.each([
    ['GET', 'a'.repeat(24), '', 200],
    ['POST', 'a'.repeat(24), '', 404],
    ['GET', 'a'.repeat(24), '/2026-11-22T03-17-00Z', 404],
    ['GET', 'a'.repeat(24), '/..%2F..%2Funfinished', 404],
    ['GET', 'a'.repeat(24), `/${'x'.repeat(1500)}`, 404],
    ['GET', 'a'.repeat(24), '/%00', 404],
    ['DELETE', 'a'.repeat(24), '', 405],
    ['GET', 'nothing', '', 404],
  ])('%s %s/backups%s answers %d', async (method, id, rest, status) => {
    expect((await fetch(`${pathOf(id)}${rest}`, { method, headers: OPERATOR })).status).toBe(status);
  });

  test('a backup is sent as a compressed file, which no cache keeps', async () => {
    const client = await newClient('file');
    const { backup } = (await service.backUp(client.application)) ?? { backup: '' };
    const { headers, status } = await fetch(`${pathOf(client.application)}/${backup}`, { headers: OPERATOR });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/gzip',
      'no-store',
    ]);
    const refused = await fetch(`${pathOf(client.application)}/${backup}`, {
      headers: { ...OPERATOR, accept: 'application/vnd.api+json' },
    });
    expect(refused.status).toBe(406);
  });
});
