/**
 * How much all objects of an isolate may cache together: up to a thousand objects share one isolate and its 128 MB. The
 * unit is about one UTF-16 unit of text; decoded values and the maps themselves take more.
 */
import { BoundedCache, CacheBudget } from '../../../domain/caching/bounded-cache.ts';

/** The size of an entry, or of a part of one, without its texts. */
export const OVERHEAD = 100;

export const CACHE_BUDGETS = {
  /** Small answers that every request needs (answer-cache.ts): some 20,000 of them. */
  answers: new CacheBudget(4 * 1024 * 1024),
  /** Documents by a unique value. */
  documents: new CacheBudget(2 * 1024 * 1024),
  /** Which identities hold rights where (rights.ts): some 25,000 of them. */
  holders: new CacheBudget(4 * 1024 * 1024),
  /** Counts of searches. */
  counts: new CacheBudget(2 * 1024 * 1024),
  /** Segments of indexes whose entries are counted (cached-counts.ts): some 50,000, of as many million entries. */
  segments: new CacheBudget(4 * 1024 * 1024),
  /** Pages of lists (answer-cache.ts). A page that has just been asked for does not go for another one. */
  pages: new CacheBudget(8 * 1024 * 1024, 10_000),
  /** The last requests of lists: some 2,000 of them. */
  requests: new CacheBudget(1024 * 1024),
  /** Results of pipelines. */
  results: new CacheBudget(8 * 1024 * 1024),
  /** Groups of pipelines, in bytes as pipelines count them, which is more than they take. */
  groups: new CacheBudget(16 * 1024 * 1024),
};

/** A cache within one of these. `weigh`: what a value takes beside its key. */
export class ObjectCache<V> extends BoundedCache<V> {
  constructor(budget: keyof typeof CACHE_BUDGETS, weigh: (value: V) => number = () => 0) {
    super(CACHE_BUDGETS[budget], (key, value) => OVERHEAD + key.length + weigh(value));
  }
}

/** The same of what holds until the collection changes: for one number of its counter. */
export class StateCache<V> {
  readonly #entries: ObjectCache<{ readonly counter: number; readonly value: V }>;

  constructor(budget: keyof typeof CACHE_BUDGETS, weigh: (value: V) => number = () => 0) {
    this.#entries = new ObjectCache(budget, ({ value }) => weigh(value));
  }

  get(key: string, counter: number): V | undefined {
    const entry = this.#entries.get(key);
    return entry?.counter === counter ? entry.value : undefined;
  }

  set(key: string, counter: number, value: V): void {
    this.#entries.set(key, { counter, value });
  }
}
