/** Writes that ask linked documents anew in turns (collection/rpc/following.ts): whoever is cut off holds up nobody. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled } from '../../src/collection/rpc/following.ts';
import { seenChanged } from '../../src/collection/rpc/refusals.ts';
import { ok } from '../../src/domain/problems.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('scheduler', {
    wait: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A write that meets a change, and then does what is given. */
function meeting<T>(then: () => Promise<T>) {
  let isFirst = true;
  return async () => {
    if (!isFirst) return then();
    isFirst = false;
    return seenChanged();
  };
}

test('those that have met a change go on one after the other', async () => {
  const going: string[] = [];
  const writes = ['a', 'b', 'c'].map((name) =>
    settled(
      'in turn',
      meeting(async () => {
        going.push(`${name} begins`);
        await scheduler.wait(20);
        going.push(`${name} ends`);
        return ok(null);
      }),
    ),
  );
  await vi.advanceTimersByTimeAsync(200);
  expect(await Promise.all(writes)).toEqual([ok(null), ok(null), ok(null)]);
  for (let at = 0; at < going.length; at += 2)
    expect(going[at + 1]).toBe(going[at]?.replace('begins', 'ends'));
});

test('a request that has ended without a word in its turn holds up no other for long', async () => {
  void settled(
    'cut off',
    meeting(() => new Promise<ReturnType<typeof seenChanged>>(() => undefined)),
  );
  await vi.advanceTimersByTimeAsync(0);
  let done = false;
  const other = settled(
    'cut off',
    meeting(() => Promise.resolve(ok(null))),
  ).then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(500);
  expect(done).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await other;
});
