/**
 * Caches that share a bound: where many objects live in one isolate, all that they remember must fit into it together,
 * and what was used longest ago goes first. Like every cache they must never be the only home of anything.
 */
import { LRU } from 'tiny-lru';

/** What one cache has in a budget. */
interface Entry<V> {
  /** Its number in the budget. */
  readonly number: number;
  readonly value: V;
  readonly weight: number;
  /** Takes it out of its cache. */
  readonly drop: () => void;
  /** When it was last used, in milliseconds since 1970; 0 where its budget does not ask. */
  at: number;
}

/** What the entries of all caches that share it may weigh together. */
export class CacheBudget {
  readonly most: number;
  /** Milliseconds for which an entry that was used goes for no other. */
  readonly #safe: number;
  /** In the order of their last use; the library takes 0 for no bound of its own. */
  readonly #entries = new LRU<Entry<unknown>>(0);
  #numbers = 0;
  #weight = 0;

  /**
   * `safe`: the milliseconds for which an entry that was used goes for no other. If more is asked for in turn than has
   * room, all would go before they are asked for again, and the cache would be of no use.
   */
  constructor(most: number, safe = 0) {
    this.most = most;
    this.#safe = safe;
  }

  nextNumber(): number {
    return (this.#numbers += 1);
  }

  /**
   * Takes an entry in, and drops those used longest ago when all weigh too much together. False where there is no room
   * for it: it is too much alone, or none of the others has been left alone for long enough.
   */
  add(entry: Entry<unknown>): boolean {
    if (entry.weight > this.most) return false;
    entry.at = this.#now;
    while (this.#weight + entry.weight > this.most) {
      const oldest = this.#entries.first?.value;
      if (oldest === undefined || entry.at < oldest.at + this.#safe) return false;
      this.delete(oldest);
      oldest.drop();
    }
    this.#entries.set(entry.number, entry);
    this.#weight += entry.weight;
    return true;
  }

  used(entry: Entry<unknown>): void {
    entry.at = this.#now;
    this.#entries.get(entry.number);
  }

  get #now(): number {
    return this.#safe === 0 ? 0 : Date.now();
  }

  delete({ number, weight }: Entry<unknown>): void {
    this.#entries.delete(number);
    this.#weight -= weight;
  }
}

/** A cache within a budget, least recently used first out; a read or a write is a use. No value is `undefined`. */
export class BoundedCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #budget: CacheBudget;
  readonly #weigh: (key: string, value: V) => number;

  constructor(budget: CacheBudget, weigh: (key: string, value: V) => number) {
    this.#budget = budget;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value; `undefined` when absent or forgotten. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#budget.used(entry);
    return entry.value;
  }

  /** Stores the value if its budget has room for it, or makes some by forgetting what was used longest ago. */
  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.#weigh(key, value);
    const drop = () => {
      this.#entries.delete(key);
    };
    const entry = { number: this.#budget.nextNumber(), value, weight, drop, at: 0 };
    if (this.#budget.add(entry)) this.#entries.set(key, entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#budget.delete(entry);
    this.#entries.delete(key);
  }

  clear(): void {
    if (this.#entries.size === 0) return;
    for (const entry of this.#entries.values()) this.#budget.delete(entry);
    this.#entries.clear();
  }
}
