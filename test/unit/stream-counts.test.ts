/** How many streams an object takes of a key, an address and a user (docs/limits.md). */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { StreamCounts } from '../../src/http/live/live.ts';
import { idOf } from '../support/names.ts';

const [KEY, OTHER] = [idOf('1'), idOf('2')];
const opening = (address: string | null, apiKey = KEY, user: string | null = null) => ({
  address,
  apiKey,
  user,
});

/** Adds as many as there may be, each from the next address; how many these were. */
function fill(counts: StreamCounts, next: (n: number) => ReturnType<typeof opening>): number {
  let count = 0;
  for (; count <= LIMITS.liveStreams && !counts.isFull(next(count)); count += 1) counts.add(next(count));
  return count;
}

test('of a key there are so many, from whatever addresses; users and other keys have their own', () => {
  const counts = new StreamCounts();
  expect(fill(counts, (n) => opening(`192.0.2.${n % 250}`))).toBe(LIMITS.liveStreamsOfKey);
  const free = [opening('198.51.100.1'), opening(null), opening('192.0.2.1', OTHER)];
  expect(free.map((each) => counts.isFull(each))).toEqual([true, true, false]);
  expect(counts.isFull(opening('192.0.2.1', KEY, 'core.user a'))).toBe(false);
  counts.remove(opening('192.0.2.7'));
  expect(counts.isFull(opening('198.51.100.1'))).toBe(false);
});

test('of an address there are so many, and of a user', () => {
  const counts = new StreamCounts();
  expect(fill(counts, () => opening('192.0.2.1'))).toBe(LIMITS.liveStreamsOfAddress);
  const ofUser = () => opening('192.0.2.1', KEY, 'core.user a');
  expect(fill(counts, ofUser)).toBe(LIMITS.liveStreamsOfUser);
  expect(
    [opening('192.0.2.2'), opening('192.0.2.1', KEY, 'core.user b')].map((each) => counts.isFull(each)),
  ).toEqual([false, false]);
});

test('of one object there are so many, whose they may be', () => {
  const counts = new StreamCounts();
  expect(fill(counts, (n) => opening(null, KEY, `core.user ${n}`))).toBe(LIMITS.liveStreams);
  expect(counts.isFull(opening(null, OTHER))).toBe(true);
});
