/** The memory that large answers of an isolate may take together. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { bytesInMemory, RequestMemory, SortMemory, takeMemory } from '../../src/domain/work/memory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // What is still held counts no more.
  vi.advanceTimersByTime(3_600_000);
  takeMemory(0, 0);
  vi.useRealTimers();
});

test.each([
  ['plain', 5],
  ['übel', 4],
  ['a→b', 6],
  ['😀', 4],
  ['', 0],
])('%j takes %i bytes', (text, bytes) => {
  expect(bytesInMemory(text)).toBe(bytes);
});

describe('a request that needs more than is left', () => {
  const half = LIMITS.answersLeaving / 2;

  test('waits until another gives back', async () => {
    const [one, other] = [new RequestMemory(), new RequestMemory()];
    expect(await one.hold(half + 1)).toBe(true);
    const waiting = other.hold(half);
    one.release();
    await vi.advanceTimersByTimeAsync(100);
    expect(await waiting).toBe(true);
    other.release();
  });

  test('is told so after a while, and holds nothing', async () => {
    const [one, other] = [new RequestMemory(), new RequestMemory()];
    await one.hold(half + 1);
    const waiting = other.hold(half);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toBe(false);
    one.release();
    expect(await other.hold(2 * half)).toBe(true);
    other.release();
  });

  test('has what one held that ended without a word, after a deadline', () => {
    expect(takeMemory(2 * half, 1_000)).not.toBeNull();
    expect(takeMemory(1, 1_000)).toBeNull();
    vi.advanceTimersByTime(1_001);
    expect(takeMemory(2 * half, 1_000)).not.toBeNull();
  });
});

describe('the keys of a sort', () => {
  test('take four megabytes without asking', () => {
    takeMemory(LIMITS.answersLeaving, 1_000);
    const memory = new SortMemory();
    expect(memory.hold(4 * 1024 * 1024)).toBe(true);
    expect([memory.hold(4 * 1024 * 1024 + 1), memory.isDenied]).toEqual([false, true]);
  });

  test('share the rest with all others, and give it back', () => {
    const memory = new SortMemory();
    expect(memory.hold(LIMITS.answersLeaving)).toBe(true);
    expect(takeMemory(5 * 1024 * 1024, 1_000)).toBeNull();
    memory.release();
    expect(takeMemory(LIMITS.answersLeaving, 1_000)).not.toBeNull();
  });
});
