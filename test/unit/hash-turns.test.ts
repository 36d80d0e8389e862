/** Turns at hashing passwords: a hash holds its thread, and others are served between two, however long each takes. */
import { expect, test } from 'vitest';
import { inTurn } from '../../src/auth/login/hash-turns.ts';
import { AT_ONCE } from '../../src/domain/limits.ts';

/** Holds the thread, as a hash does; longer than one takes on a quiet machine. */
function hash(): void {
  const until = performance.now() + 600;
  while (performance.now() < until);
}

test('what needs the thread a few times is served between two hashes', async () => {
  let hashed = 0;
  const hashes = Array.from({ length: 4 }, () =>
    inTurn(() => {
      hash();
      hashed += 1;
      return Promise.resolve(true);
    }),
  );
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(hashed).toBeLessThanOrEqual(2);
  expect(await Promise.all(hashes)).toEqual([true, true, true, true]);
});

test('as many wait for a hash as may, the others are refused', async () => {
  const taken = AT_ONCE.hashesWaiting + 1;
  const made = await Promise.all(
    Array.from({ length: taken + 10 }, () => inTurn(() => Promise.resolve(true))),
  );
  // A machine that needs longer than they may wait refuses more.
  expect(made.filter((each) => each === null).length).toBeGreaterThanOrEqual(10);
  expect(made).toContain(true);
});
