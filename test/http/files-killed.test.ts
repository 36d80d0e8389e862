/** Uploads whose service is killed meanwhile (docs/files.md): what was answered is whole, and what was not goes on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, FILES, randomBytes, upload } from '../support/files.ts';
import { begun, digestAt, offsetOf, send, uploadBy, UPLOADS } from '../support/resumable.ts';
import { clientOf, Starts } from '../support/starts.ts';

describe('an upload', () => {
  let starts: Starts;
  beforeAll(async () => {
    starts = await Starts.prepare();
  });
  afterAll(() => starts.end());

  test('that was answered is whole after kill -9, and no document lacks its content', async () => {
    const first = await starts.run();
    const before = clientOf(first);
    const answered = new Map<string, string>();
    const sizes = Array.from({ length: 60 }, (_, n) => 1 + n * 70_000);
    const running = sizes.map(async (size) => {
      const bytes = randomBytes(size);
      const made = await upload(before, bytes);
      if (made.status === 201) answered.set(made.body.data.id, digestOf(bytes));
    });
    for (const each of running) each.catch(() => undefined);
    await Promise.race(running.slice(30));
    await first.killAll();
    await Promise.allSettled(running);
    expect(answered.size).toBeGreaterThan(0);
    const second = await starts.run();
    const client = clientOf(second);
    const listed = (await client.get(`${FILES}?page[limit]=1000`)).body.data;
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([...answered.keys()]));
    for (const { attributes, id } of listed) {
      expect(await digestAt(client, id)).toBe(attributes?.['sha-256']);
      expect(answered.get(id) ?? attributes?.['sha-256']).toBe(attributes?.['sha-256']);
    }
    await second.stop('SIGTERM');
  }, 120_000);

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
  }, 120_000);
});
