/** Uploads whose service is killed meanwhile (docs/files.md) go on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, randomBytes } from '../support/files.ts';
import { begun, digestAt, offsetOf, send, uploadBy, UPLOADS } from '../support/resumable.ts';
import { clientOf, Starts } from '../support/starts.ts';

describe('an upload', () => {
  let starts: Starts;
  beforeAll(async () => {
    starts = await Starts.prepare();
  });
  afterAll(() => starts.end());

  test('goes on after kill -9', async () => {
    const bytes = randomBytes(13_000_000);
    const first = await starts.run();
    const before = clientOf(first);
    const id = await begun(before, bytes.length);
    await send(before, id, 0, bytes.slice(0, 7_000_000));
    await first.killAll();
    const second = await starts.run();
    const client = clientOf(second);
    expect(await offsetOf(client, id)).toBe(7_000_000);
    expect(await uploadBy(client, bytes, { uploadUrl: `${client.url}${UPLOADS}/${id}` })).toBe(id);
    expect(await digestAt(client, id)).toBe(digestOf(bytes));
    await second.stop('SIGTERM');
  });
});
