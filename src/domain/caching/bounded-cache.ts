/**
 * Caches that share a bound: where many objects live in one isolate, what all of them remember together must fit into it,
 * and what goes first is what anybody used longest ago. Like every cache they must never be the only home of anything.
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
}

/** What the entries of all caches that share it may weigh together. */
export class CacheBudget {
  readonly most: number;
  /** In the order of their last use; the library takes 0 for no bound of its own. */
  readonly #entries = new LRU<Entry<unknown>>(0);
  #numbers = 0;
  #weight = 0;

  constructor(most: number) {
    this.most = most;
  }

  nextNumber(): number {
    return (this.#numbers += 1);
  }

  /** Takes an entry in, and drops those used longest ago when all weigh too much together. */
  add(entry: Entry<unknown>): void {
    this.#entries.set(entry.number, entry);
    this.#weight += entry.weight;
    while (this.#weight > this.most) {
      const oldest = this.#entries.first?.value;
      if (oldest === undefined) return;
      this.delete(oldest);
      oldest.drop();
    }
  }

  /** Notes that an entry was used. */
  used({ number }: Entry<unknown>): void {
    this.#entries.get(number);
  }

  delete({ number, weight }: Entry<unknown>): void {
    this.#entries.delete(number);
    this.#weight -= weight;
  }
}

/** A cache within a budget, least recently used first out. Reading or writing an entry makes it the most recently used one; no value is `undefined`. */
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

  /** Stores the value, unless it alone is too much, and has forgotten what was used longest ago when all are. */
  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.#weigh(key, value);
    if (weight > this.#budget.most) return;
    const drop = () => {
      this.#entries.delete(key);
    };
    const entry = { number: this.#budget.nextNumber(), value, weight, drop };
    this.#entries.set(key, entry);
    this.#budget.add(entry);
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
