/** Uploads whose connection is lost, and uploads that nobody goes on with (docs/files.md, Large and shaky uploads). */
import { globSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { Client } from '../support/client.ts';
import { cutting } from '../support/cutting.ts';
import { contentsOf, digestOf, randomBytes } from '../support/files.ts';
import { SECRETS, workerNamed } from '../support/own-service.ts';
import { begun, digestAt, offsetOf, send, uploadBy, UPLOADS, VERSION } from '../support/resumable.ts';
import { newService } from '../support/scope.ts';

/** Bytes of a part in the bucket. */
const PART = 5 * 1024 * 1024;
const SIZE = 2 * PART + 3;
const RETRIES = { retryDelays: [0, 100, 200, 400, 800, 1_600, 3_200] };

const client = await Client.create('lost connections');

/** Begins a request with all bytes, and goes away after some of them. */
async function cutOff(id: string, bytes: Uint8Array, cut: number): Promise<void> {
  const sent = request(`${client.url}${UPLOADS}/${id}`, {
    method: 'PATCH',
    headers: {
      ...VERSION,
      'application-id': client.application,
      'api-key': client.key,
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes.length,
      'upload-offset': '0',
    },
  });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  await new Promise<void>((resolve) => {
    sent.write(bytes.subarray(0, cut), () => {
      resolve();
    });
  });
  sent.destroy();
}

describe('tus-js-client goes on', () => {
  test.each([0, PART - 1, PART, SIZE - 1])('where a request was cut off after %i bytes', async (cut) => {
    const bytes = randomBytes(SIZE);
    const id = await begun(client, SIZE);
    await cutOff(id, bytes, cut);
    const uploadUrl = `${client.url}${UPLOADS}/${id}`;
    expect(await uploadBy(client, bytes, { uploadUrl, ...RETRIES })).toBe(id);
    expect(await digestAt(client, id)).toBe(digestOf(bytes));
  });

  test('over a network that loses the connection again and again', async () => {
    const network = await cutting(client.url, [100, 20, PART - 9_000, PART, 1_000]);
    const bytes = randomBytes(SIZE);
    const id = await uploadBy(client, bytes, { endpoint: `${network}${UPLOADS}`, ...RETRIES });
    expect(await digestAt(client, id)).toBe(digestOf(bytes));
  });
});

test('uploads that nobody goes on with, a thousand of them, end after a day and leave nothing', async () => {
  const entry = workerNamed('late-picture');
  const service = await newService({ entry });
  const { client: own, url } = service;
  const setClock = (ahead: number) => fetch(`${url}/test/clock?ahead=${ahead}`, { method: 'POST' });
  const bytesOf = async () => {
    const operator = new Operator(url, SECRETS.OPERATOR_SECRET);
    const { meta } = (await operator.ask('GET', `/${own.application}/usage`)) as {
      readonly meta: { readonly bytes: number };
    };
    return meta.bytes;
  };
  await setClock(-86_400_000 - 60_000);
  const ids = [await begun(own, 12_000_000), await begun(own, 100), await begun(own, 12_000_000)];
  await send(own, ids[0] ?? '', 0, randomBytes(6_000_000));
  await send(own, ids[1] ?? '', 0, randomBytes(99));
  expect(await offsetOf(own, ids[0] ?? '')).toBe(6_000_000);
  for (let many = 0; many < 1_000; many += 50)
    await Promise.all(Array.from({ length: 50 }, () => begun(own, 100)));
  // Parts are in no list of a bucket.
  const blobs = () => globSync('data/r2/*/blobs/*', { cwd: service.folder }).length;
  expect(blobs()).toBeGreaterThan(0);
  const counted = await bytesOf();
  expect(counted).toBeGreaterThan(24_000_000);
  await setClock(0);
  for (const id of ids) await expect.poll(() => offsetOf(own, id)).toBe(404);
  expect(await contentsOf(own)).toEqual([]);
  await expect.poll(bytesOf).toBeLessThan(counted - 24_000_000);
  await expect.poll(blobs).toBe(0);
});
