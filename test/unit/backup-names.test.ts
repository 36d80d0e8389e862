/** Names of backups, which of them a restore takes, and how one ends that was cut off after its last part. */
import { describe, expect, test } from 'vitest';
import { chosen } from '../../scripts/transfer/backups.ts';
import { backUpStep } from '../../src/modules/applications/backups/back-up.ts';
import {
  keyOfBackup,
  keyOfUnfinished,
  nameAt,
  timeOf,
} from '../../src/modules/applications/backups/names.ts';
import { Claim } from '../../src/modules/applications/backups/unfinished.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { storedId } from '../../src/domain/ids.ts';

test('a name is a moment, to the second', () => {
  const at = Date.parse('2026-11-22T03:17:05.678Z');
  expect(nameAt(at)).toBe('2026-11-22T03-17-05Z');
  expect(timeOf(nameAt(at))).toBe(at - 678);
});

test.each([
  '',
  'x',
  '2026-11-22T03:17:05Z',
  '2026-13-22T03-17-05Z',
  '2026-11-22T03-17-05Z/',
  ' 2026-11-22T03-17-05Z',
])('%j is no name', (text) => {
  expect(timeOf(text)).toBeUndefined();
});

describe('a restore takes', () => {
  const names = ['2026-11-20T03-17-00Z', '2026-11-21T03-17-00Z', '2026-11-22T03-17-00Z'];
  const backups = names.map((name) => ({ name, bytes: 1 }));
  test.each([
    [null, null, names[2]],
    ['2026-11-22T03:16:59Z', null, names[1]],
    ['2026-11-22T03:17:00Z', null, names[2]],
    ['2026-11-21', null, names[0]],
    [null, '2026-11-20T03-17-00Z', names[0]],
  ])('at %s, name %s: %s', (at, name, taken) => {
    expect(chosen(backups, { at, name })).toBe(taken);
  });

  test.each([
    ['2026-11-19', null, 'There is no such backup'],
    ['soon', null, '--at takes a time'],
    [null, '2026-11-23T03-17-00Z', 'There is no such backup'],
    ['2026-11-22', '2026-11-20T03-17-00Z', 'not both'],
  ])('nothing at %s, name %s: %s', (at, name, reason) => {
    expect(() => chosen(backups, { at, name })).toThrow(reason);
  });
});

describe('one that has come to its end', () => {
  const APPLICATION = storedId('a'.repeat(24));
  const NAME = nameAt(Date.now());
  const nothing = { parts: [], rest: new Uint8Array(), lines: 7 };

  /** A step, where all but the end is noted: with what is left in the bucket, and whether that lets go of the notes. */
  async function end({
    isThere,
    upload,
    forgets,
  }: {
    isThere: boolean;
    upload: string | null;
    forgets: boolean;
  }) {
    const objects = new Map<string, Uint8Array>();
    if (isThere) objects.set(keyOfBackup(APPLICATION, NAME), new Uint8Array(3));
    const bucket = {
      get: (key: string) => {
        const found = objects.get(key);
        return Promise.resolve(
          found ? { etag: 'e', arrayBuffer: () => Promise.resolve(found.slice().buffer) } : null,
        );
      },
      head: (key: string) => Promise.resolve(objects.has(key) ? { size: objects.get(key)?.length } : null),
      put: (key: string, bytes: Uint8Array) => {
        objects.set(key, bytes);
        return Promise.resolve({ etag: 'e', size: bytes.length });
      },
      delete: (key: string) =>
        forgets
          ? Promise.resolve(objects.delete(key))
          : Promise.reject(new Error('The bucket does not answer.')),
      resumeMultipartUpload: () => ({
        uploadPart: () => Promise.reject(new Error('There is no such upload.')),
        abort: () => Promise.resolve(),
      }),
    } as unknown as R2Bucket;
    const taken = await Claim.take(bucket, APPLICATION, Date.now());
    if (taken === 'held') return expect.fail();
    await taken.claim.leave({ ...nothing, name: NAME, upload, types: [], next: null, before: nothing });
    const environment: Pick<Environment, 'COLLECTIONS'> = { COLLECTIONS: {} as Environment['COLLECTIONS'] };
    const step = await backUpStep({ environment, bucket, step: 0, pace: 0 }, APPLICATION);
    return [step, objects.has(keyOfUnfinished(APPLICATION))];
  }

  test('is whole, if the run was cut off after its last part', async () => {
    const whole = { state: 'whole', name: NAME, bytes: 3, lines: 7 };
    expect(await end({ isThere: true, upload: 'u', forgets: true })).toEqual([whole, false]);
  });

  test('is whole, if the bucket does not let go of what is noted of it', async () => {
    const [step, isNoted] = await end({ isThere: false, upload: null, forgets: false });
    expect([step, isNoted]).toMatchObject([{ state: 'whole' }, true]);
  });

  test('has failed, if its upload is gone and its file is not there', async () => {
    await expect(end({ isThere: false, upload: 'u', forgets: true })).rejects.toThrow('no such upload');
  });
});
