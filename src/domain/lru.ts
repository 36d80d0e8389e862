/**
 * A small bounded map that forgets what was used longest ago, for caches whose keys come from clients. It lives
 * and dies with its isolate and must never be the only home of anything.
 */

/**
 * At most `max` entries; reading or writing an entry makes it the most recently used one.
 *
 * Relies on a `Map` keeping insertion order: the first key is always the one used longest ago. A stored
 * `undefined` cannot be told from an absent entry, so values should not be `undefined`.
 */
export class Lru<K, V> {
  readonly #entries = new Map<K, V>();
  readonly max: number;

  /** `max` is the number of entries to keep; below 1 nothing is kept. */
  constructor(max: number) {
    this.max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, now the most recently used; `undefined` when absent or forgotten. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** Stores the value and forgets the entry used longest ago when there are too many. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.max) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
