/** The pace at which streams are told: others get two thirds of the time while they write, and all of it else. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace } from '../../src/http/live/rounds.ts';

const waits: number[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  waits.length = 0;
  const wait = (milliseconds: number) => {
    waits.push(milliseconds);
    return Promise.resolve();
  };
  vi.stubGlobal('scheduler', { wait });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('work goes on for four milliseconds, or fifty pieces where the clock stands still', async () => {
  const pace = new Pace();
  pace.begin();
  expect(pace.rest(49)).toBeNull();
  await expect(pace.rest(1)).resolves.toBeUndefined();
  expect(pace.rest(1)).toBeNull();
  vi.advanceTimersByTime(4);
  await expect(pace.rest(1)).resolves.toBeUndefined();
  // Nobody writes.
  expect(waits).toEqual([0, 0]);
});

test('after a write, others have twice the time of the work, and a quarter of a second at most', async () => {
  const pace = new Pace();
  for (const worked of [0, 10, 90, 500]) {
    pace.begin();
    vi.advanceTimersByTime(worked);
    pace.written();
    await pace.end();
  }
  expect(waits).toEqual([1, 20, 180, 250]);
  // The write was long ago.
  vi.advanceTimersByTime(100);
  await pace.end();
  expect(waits.at(-1)).toBe(0);
});
