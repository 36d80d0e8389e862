/**
 * Counts of ranges of an index: the sum of what is kept of the stretches inside (storage/indexes/kept-counts.ts), and of
 * what is counted at the two ends. What is not kept yet is counted by stretches, and kept.
 */
import type { EntryRange } from '../../query/sql/positions.ts';
import type { KeptCounts } from '../storage/indexes/kept-counts.ts';
import { isBefore, type Place, type Stretches } from '../storage/indexes/stretches.ts';
import type { EntryReader } from './entry-reader.ts';
import type { Tuning } from './tuning.ts';

export class RangeCounts {
  readonly #kept: KeptCounts;
  readonly #entries: EntryReader;
  /** Stretches that are counted at once. */
  readonly #most: number;

  constructor(kept: KeptCounts, entries: EntryReader, { stretchesInStep }: Pick<Tuning, 'stretchesInStep'>) {
    this.#kept = kept;
    this.#entries = entries;
    this.#most = stretchesInStep;
  }

  /** How many entries are in ranges that have none in common; null where more must be counted than may be at once. */
  atOnce(ranges: readonly EntryRange[]): number | null {
    return this.#of(ranges, this.#most);
  }

  /** The same, however much must be counted. */
  all(ranges: readonly EntryRange[]): number {
    return this.#of(ranges, Infinity) ?? 0;
  }

  /** Counts what is not kept of the ranges, in steps. Writes on the way do no harm: they change what is kept. */
  async inSteps(ranges: readonly EntryRange[], documents: number, pause: () => Promise<void>): Promise<void> {
    // What does not fit into memory is not kept, however often it is counted.
    const most = 1 + documents / (this.#most * this.#kept.extent);
    for (let steps = 0; steps < most && this.atOnce(ranges) === null; steps += 1) await pause();
  }

  #of(ranges: readonly EntryRange[], most: number): number | null {
    let total = 0;
    let left = most;
    for (const { index, from, to } of ranges) {
      const stretches = this.#kept.of(index.id);
      const counting = new Counting(stretches, this.#entries, index.id, this.#kept.extent);
      const isWhole = counting.add({ key: from, seq: 0 }, { key: to, seq: 0 }, left);
      left -= counting.learned;
      total += counting.total;
      if (counting.learned > 0) this.#kept.keep(index.id, stretches);
      if (!isWhole) return null;
    }
    return total;
  }
}

/** A count of one index. */
class Counting {
  readonly #stretches: Stretches;
  readonly #entries: EntryReader;
  readonly #index: number;
  readonly #extent: number;
  total = 0;
  /** Stretches that were counted because they were not known. */
  learned = 0;

  constructor(stretches: Stretches, entries: EntryReader, index: number, extent: number) {
    this.#stretches = stretches;
    this.#entries = entries;
    this.#index = index;
    this.#extent = extent;
  }

  /** Adds the entries between two places; false where more than `most` stretches are not known. */
  add(from: Place, to: Place, most: number): boolean {
    let at = from;
    while (isBefore(at, to)) {
      const unknown = this.#addKnown(at, to);
      if (unknown === null) return true;
      if (this.learned >= most) return false;
      at = this.#learn(unknown.at, unknown.end);
    }
    return true;
  }

  /** Adds stretches as long as they are known; gives the part of the next one that is to be counted. */
  #addKnown(from: Place, to: Place): { readonly at: Place; readonly end: Place } | null {
    let at = from;
    for (const { stretch, to: next } of this.#stretches.from(from)) {
      const end = next !== null && isBefore(next, to) ? next : to;
      if (stretch.entries === null) return { at, end };
      const isWhole = !isBefore(stretch.from, at) && next !== null && !isBefore(end, next);
      this.total += isWhole ? stretch.entries : this.#entries.count(this.#index, at, end);
      if (!isBefore(end, to)) return null;
      at = end;
    }
    return null;
  }

  /** Counts one stretch; gives the place behind it. */
  #learn(at: Place, end: Place): Place {
    const behind = this.#entries.behind(this.#index, at, end, this.#extent);
    const entries = behind === null ? this.#entries.count(this.#index, at, end) : this.#extent;
    this.#stretches.learn(at, behind ?? end, entries);
    this.learned += 1;
    this.total += entries;
    return behind ?? end;
  }
}
