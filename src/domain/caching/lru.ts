/**
 * A small bounded map that forgets what was used longest ago, for caches whose keys come from clients. It lives
 * and dies with its isolate and must never be the only home of anything. tiny-lru does the work: a `Map` by itself, in
 * its order of insertion, walks over the entries that it has deleted to find its oldest, 20 µs of a full 50,000.
 */
import { LRU } from 'tiny-lru';

/**
 * At most `max` entries, which is above 0; reading or writing one makes it the most recently used. A stored `undefined`
 * cannot be told from an absent entry, so values should not be `undefined`. `ttl`: milliseconds for which an
 * entry is known; a written one is new where `resetTtl` is true.
 */
export interface Lru<K extends string | number, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
  clear(): unknown;
}

export const Lru: new <K extends string | number, V>(
  max: number,
  ttl?: number,
  resetTtl?: boolean,
) => Lru<K, V> = LRU;
