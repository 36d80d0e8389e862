/**
 * How many entries indexes have, kept in memory by stretches of their order. A write changes the numbers of the stretches
 * that hold its entries, and costs no row. What a write has changed is believed only once its transaction is known to be
 * committed: whatever becomes of it otherwise, those stretches are counted again.
 */
import { BoundedCache } from '../../../domain/caching/bounded-cache.ts';
import { CACHE_BUDGETS } from '../cache-budgets.ts';
import { Stretches, type Stretch } from './stretches.ts';

/** Entries of a stretch when it is counted. About as many are read at either end of a range. */
const ENTRIES = 1024;

/** A stretch that has grown by this factor is counted again, and divided. */
const GROWN = 2;

export class KeptCounts {
  /** Entries that are counted as one stretch. */
  readonly extent: number;
  /** By the numbers of indexes. */
  readonly #kept = new BoundedCache<Stretches>(CACHE_BUDGETS.stretches, (_, { weight }) => weight);
  /** What was changed by writes that may yet be undone. */
  readonly #doubtful = new Set<Stretch>();

  constructor(extent = ENTRIES) {
    this.extent = extent;
  }

  /** Notes that entries of a position have come (1) or gone (-1); their keys are in hexadecimal. */
  note(index: number, seq: number, keys: readonly string[], by: 1 | -1): void {
    if (this.#kept.size === 0 || keys.length === 0) return;
    const stretches = this.#kept.get(String(index));
    if (stretches === undefined) return;
    for (const key of keys) {
      const stretch = stretches.of({ key, seq });
      // A write that is undone leaves a bound that is too low, which does no harm.
      if (by === 1 && stretch.least !== null) stretch.least = Math.min(stretch.least, seq);
      if (stretch.entries === null) continue;
      const entries = stretch.entries + by;
      stretch.entries = entries > GROWN * this.extent ? null : entries;
      this.#doubtful.add(stretch);
    }
  }

  /** To be called once a transaction is committed. */
  commit(): void {
    this.#doubtful.clear();
  }

  /** To be called where writes were undone, and before a transaction: what others left open is not its own. */
  doubt(): void {
    for (const stretch of this.#doubtful) stretch.entries = null;
    this.#doubtful.clear();
  }

  /** What is known of an index. It must not be held over a pause: what is forgotten meanwhile hears of no writes. */
  of(index: number): Stretches {
    this.doubt();
    return this.#kept.get(String(index)) ?? new Stretches();
  }

  /** Keeps what was learned of an index, as long as there is room. */
  keep(index: number, stretches: Stretches): void {
    stretches.join(this.extent);
    this.#kept.set(String(index), stretches);
  }

  /** Forgets an index. */
  drop(index: number): void {
    this.#kept.delete(String(index));
  }
}
