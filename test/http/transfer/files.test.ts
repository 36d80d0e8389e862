/** Exports, imports, backups and restores have the contents of files (docs/moving.md, docs/backups.md). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operator } from '../../../scripts/operator.ts';
import { withBackup } from '../../../scripts/transfer/backups.ts';
import { Service } from '../../../scripts/transfer/service.ts';
import { asOperator, Client, NO_ID } from '../../support/client.ts';
import { faultsOf } from '../../support/faults.ts';
import { digestOf, fetchContent, FILES, PNG, randomBytes, upload } from '../../support/files.ts';
import { HeldRequest } from '../../support/held-request.ts';
import { OwnService, SECRETS, workerNamed } from '../../support/own-service.ts';
import { callOperator, exported, imported } from '../../support/transfer.ts';
import { exportTo, fileOf, importOf, newFile } from '../../support/transfer-files.ts';
import { newFolder } from '../../support/scope.ts';

const PIECE = 768 * 1024;

const store = async (client: Client, bytes: Uint8Array) => {
  const made = await upload(client, bytes);
  expect(made.status).toBe(201);
  return made.body.data.id;
};

const digestAt = async (client: Client, id: string) => {
  const { bytes, status } = await fetchContent(client, id);
  return status === 200 ? digestOf(bytes) : status;
};

describe('an export', () => {
  let client: Client;
  let ids: readonly string[];
  const contents = [0, PNG.length, PIECE, 2 * PIECE + 1].map((size) =>
    size === PNG.length ? PNG : randomBytes(size),
  );
  beforeAll(async () => {
    client = await Client.create('exported');
    ids = [];
    for (const bytes of contents) ids = [...ids, await store(client, bytes)];
    await client.make('notes', {}, { file: { data: { type: 'core.file', id: ids[0] } } });
  });

  test.each(['files.ndjson', 'files.ndjson.gz'])(
    '%s has all contents, and an import stores them once',
    async (name) => {
      const file = newFile(name);
      await exportTo(file, client.application);
      const other = await Client.create('imported');
      const report = await importOf(file, { into: other.application });
      expect(report).toMatchObject({ refused: 0, whole: true, told: [] });
      expect(await Promise.all(ids.map((id) => digestAt(other, id)))).toEqual(contents.map(digestOf));
      expect(await importOf(file, { into: other.application })).toMatchObject({
        stored: 0,
        refused: 0,
        told: [],
      });
      const again = newFile(name);
      await exportTo(again, other.application, 'core.file');
      const linesOf = (path: string) => {
        const read = readFileSync(path);
        const text = (name.endsWith('.gz') ? gunzipSync(read) : read).toString();
        return text
          .split('\n')
          .filter((line) => /^\{"(type":"core\.file|foredge":\{"content)"/.test(line))
          .join('\n');
      };
      expect(digestOf(linesOf(again))).toBe(digestOf(linesOf(file)));
    },
  );

  test('with a wrong content stores none, and never replaces one', async () => {
    const file = newFile('wrong.ndjson');
    await exportTo(file, client.application, 'core.file');
    const right = readFileSync(file, 'utf8');
    const wrong = right.replace(PNG.toBase64(), new Uint8Array(PNG.length).fill(7).toBase64());
    expect(wrong).not.toBe(right);
    const other = await Client.create('wrong');
    const report = await importOf(fileOf(wrong), { into: other.application });
    expect(report.refused).toBe(1);
    expect(report.told).toEqual([expect.stringMatching(/The SHA-256 of the content is/)]);
    const [, picture = ''] = ids;
    expect(await digestAt(other, picture)).toBe(503);
    await importOf(fileOf(right), { into: other.application });
    expect(await digestAt(other, picture)).toBe(digestOf(PNG));
    await importOf(fileOf(wrong), { into: other.application });
    expect(await digestAt(other, picture)).toBe(digestOf(PNG));
  });

  test('and a content that another request brings at once, with other bytes, leaves it', async () => {
    const right = `"${'y'.repeat(PIECE)}"`;
    const id = await store(client, new TextEncoder().encode(right));
    const other = await Client.create('at once');
    await imported(other.application, 'core.file', await exported(client.application, 'core.file'));
    const path = `${other.application}/contents/${id}`;
    const headers = {
      ...asOperator(),
      'content-type': 'application/octet-stream',
    };
    const at = `/applications/core.application/${path}`;
    const wrong = new HeldRequest(other, 'POST', at, 'x'.repeat(PIECE), { declared: true, headers });
    await other.get('/resources/things');
    expect((await callOperator('POST', path, right)).status).toBe(204);
    // Where the right one came first, the other is not looked at.
    const done = await wrong.finish();
    expect([204, 400]).toContain(done.status);
    expect(await digestAt(other, id)).toBe(digestOf(right));
  });

  test('may have a content whose document the import lacks', async () => {
    const line = JSON.stringify({ foredge: { content: { id: NO_ID, size: 1, at: 0, data: 'AA==' } } });
    const head = '{"foredge":{"export":1}}';
    const other = await Client.create('lacking');
    const file = fileOf(`${head}\n${line}\n{"foredge":{"end":0}}\n`);
    const { told } = await importOf(file, { into: other.application });
    expect(told).toEqual([`2: There is no file ${NO_ID} in the application.`]);
  });
});

test.each([
  ['GET', `contents/${NO_ID}`, '404 document-not-found'],
  ['GET', 'contents/x', '404 document-not-found'],
  ['POST', `contents/${NO_ID}`, '404 document-not-found'],
])('%s %s of a file that is not there is refused', async (method, path, fault) => {
  const { application } = await Client.create('none');
  const answer = await callOperator(method, `${application}/${path}`, method === 'POST' ? 'x' : undefined);
  expect(faultsOf(answer)).toEqual([fault]);
});

describe('a backup', () => {
  const folder = newFolder();
  let own: OwnService;
  let service: Service;
  let operator: Operator;
  beforeAll(async () => {
    own = await OwnService.start({
      backups: folder,
      entry: workerNamed('backup'),
    });
    service = new Service(own.url, SECRETS.OPERATOR_SECRET);
    operator = own.operator;
  });
  afterAll(() => own.stop());

  const newClient = async (name: string) => {
    const { id, apiKey } = await operator.create(name);
    return new Client(own.url, id, apiKey);
  };
  const restore = async (from: string, into: string) => {
    const [backup] = await service.backups(from);
    await withBackup(service, from, backup?.name ?? '', async (file) => {
      await importOf(file, { into, checked: false }, service);
    });
    return service.restoreContents(into, from);
  };
  const kept = async (application: string) => {
    const keys = await (await fetch(`${own.url}/test/keys`)).json<string[]>();
    return keys.filter((key) => key.startsWith(`${application}/contents/`)).map((key) => key.slice(-24));
  };

  test('is restored with contents: of files that are there, that were deleted, of applications that were', async () => {
    const client = await newClient('backed up');
    const [there, gone] = [await store(client, PNG), await store(client, randomBytes(100_000))];
    const digest = await digestAt(client, gone);
    await service.backUp(client.application);
    await client.delete(`${FILES}/${gone}`);
    await expect.poll(() => kept(client.application)).toEqual([gone]);
    const other = await newClient('restored');
    expect(await restore(client.application, other.application)).toEqual({ restored: 2, missing: 0 });
    expect([await digestAt(other, there), await digestAt(other, gone)]).toEqual([digestOf(PNG), digest]);
    expect(await service.restoreContents(other.application, client.application)).toEqual({
      restored: 0,
      missing: 0,
    });
    await operator.delete(client.application);
    expect(await kept(client.application)).toEqual([there, gone].sort());
    const third = await newClient('restored again');
    expect(await restore(client.application, third.application)).toEqual({ restored: 2, missing: 0 });
    expect(await digestAt(third, gone)).toBe(digest);
  });

  test('keeps deleted contents as long as backups, and nothing of uploads that came to nothing', async () => {
    const client = await newClient('old');
    const id = await store(client, PNG);
    await client.delete(`${FILES}/${id}`);
    const wrong = { 'content-digest': `sha-256=:${new Uint8Array(32).toBase64()}:` };
    expect((await upload(client, randomBytes(10), wrong)).status).toBe(400);
    await expect.poll(() => kept(client.application)).toEqual([id]);
    await fetch(`${own.url}/test/old?id=${client.application}&days=1`);
    expect(await kept(client.application)).toEqual([id]);
    await fetch(`${own.url}/test/old?id=${client.application}&days=-1`);
    expect(await kept(client.application)).toEqual([]);
  });

  test('does not bring back a content with another digest', async () => {
    const client = await newClient('broken');
    const id = await store(client, PNG);
    await service.backUp(client.application);
    await client.delete(`${FILES}/${id}`);
    await expect.poll(() => kept(client.application)).toEqual([id]);
    await fetch(`${own.url}/test/put?key=${client.application}/contents/${id}`, {
      method: 'POST',
      body: 'x',
    });
    const other = await newClient('not restored');
    expect(await restore(client.application, other.application)).toEqual({ restored: 0, missing: 1 });
    expect(await digestAt(other, id)).toBe(503);
  });

  test('is none for an application that comes back by itself', async () => {
    const client = await newClient('undeleted');
    const id = await store(client, PNG);
    await operator.end(client.application);
    await expect.poll(() => digestAt(client, id)).toBe(401);
    await operator.keep(client.application);
    await expect.poll(() => digestAt(client, id)).toBe(digestOf(PNG));
  });
});
