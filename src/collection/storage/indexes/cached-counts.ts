/**
 * How many entries indexes have, kept in memory by segments of their order. A write changes the numbers of the segments
 * that hold its entries, and costs no row. What a write has changed is believed once its transaction is known to be
 * committed: if it is not, those segments are counted again.
 */
import { ObjectCache } from '../caching/answer-cache.ts';
import { Segments, type Segment } from './segments.ts';

/** Entries of a segment when it is counted. About as many are read at either end of a range. */
const ENTRIES = 1024;

/** A segment that has grown by this factor is counted again, and divided. */
const GROWN = 2;

export class CachedCounts {
  /** Entries that are counted as one segment. */
  readonly extent: number;
  /** By the numbers of indexes. */
  readonly #cache = new ObjectCache<Segments>('segments', ({ weight }) => weight);
  /** What was changed by writes that may yet be undone. */
  readonly #uncommitted = new Set<Segment>();

  constructor(extent = ENTRIES) {
    this.extent = extent;
  }

  /** Notes that entries of a position have come (1) or gone (-1); their keys are in hexadecimal. */
  note(index: number, seq: number, keys: readonly string[], by: 1 | -1): void {
    if (this.#cache.size === 0 || keys.length === 0) return;
    const segments = this.#cache.get(String(index));
    if (segments === undefined) return;
    for (const key of keys) {
      const segment = segments.of({ key, seq });
      // A write that is undone leaves a bound that is too low, which does no harm.
      if (by === 1 && segment.least !== null) segment.least = Math.min(segment.least, seq);
      if (segment.entries === null) continue;
      const entries = segment.entries + by;
      segment.entries = entries > GROWN * this.extent ? null : entries;
      this.#uncommitted.add(segment);
    }
  }

  /** To be called once a transaction is committed. */
  commit(): void {
    this.#uncommitted.clear();
  }

  /** To be called where writes were undone, and before a transaction: what others left open is not its own. */
  rollBack(): void {
    for (const segment of this.#uncommitted) segment.entries = null;
    this.#uncommitted.clear();
  }

  /** What is known of an index. It must not be held over a pause: what is forgotten meanwhile hears of no writes. */
  of(index: number): Segments {
    this.rollBack();
    return this.#cache.get(String(index)) ?? new Segments();
  }

  /** Keeps what was learned of an index, as long as there is room. */
  keep(index: number, segments: Segments): void {
    segments.join(this.extent);
    this.#cache.set(String(index), segments);
  }

  /** Forgets an index. */
  drop(index: number): void {
    this.#cache.delete(String(index));
  }
}
