/**
 * A small bounded map that forgets what was used longest ago, for caches whose keys come from clients. It lives
 * and dies with its isolate and must never be the only home of anything. tiny-lru does the work: a `Map` by itself, in
 * its order of insertion, walks over the entries that it has deleted to find its oldest, 20 µs of a full 50,000.
 */
import { LRU } from 'tiny-lru';

/**
 * At most `max` entries; reading or writing an entry makes it the most recently used one. A stored `undefined` cannot
 * be told from an absent entry, so values should not be `undefined`.
 */
export class Lru<K extends string | number, V> {
  readonly #entries: LRU<V>;
  readonly max: number;

  /** `max` is the number of entries to keep; below 1 nothing is kept. */
  constructor(max: number) {
    this.max = max;
    this.#entries = new LRU(Math.max(1, max));
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, now the most recently used; `undefined` when absent or forgotten. */
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Stores the value and forgets the entry used longest ago when there are too many. */
  set(key: K, value: V): void {
    // For the library, 0 means no bound.
    if (this.max > 0) this.#entries.set(key, value);
  }

  /** True when there was an entry. */
  delete(key: K): boolean {
    const { size } = this.#entries;
    return this.#entries.delete(key).size < size;
  }

  clear(): void {
    this.#entries.clear();
  }
}
