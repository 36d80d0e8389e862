/**
 * Counts of ranges of an index: the sum of what is kept of the segments inside (storage/indexes/kept-counts.ts), and of
 * what is counted at the two ends. What is not kept yet is counted by segments, and kept.
 */
import type { EntryRange } from '../../../query/sql/positions.ts';
import type { CachedCounts } from '../../storage/indexes/cached-counts.ts';
import { isBefore, type Bounded, type Place, type Segments } from '../../storage/indexes/segments.ts';
import type { Tuning } from '../tuning.ts';
import { bytesOfHex } from '../../storage/ids.ts';
import type { Select } from '../../storage/sql.ts';
import type { Statements } from '../reading/statements.ts';

/** A comparison of both columns is one seek, however many entries have one key. */
const BETWEEN = 'path = ? AND (key, seq) >= (?, ?) AND (key, seq) < (?, ?)';

export class EntryReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** How many entries there are. */
  count(index: number, from: Place, to: Place): number {
    const [count] = this.#row(`SELECT count(*) FROM entries WHERE ${BETWEEN}`, index, from, to);
    return Number(count);
  }

  /** The least of their positions; without any, one that no document has. */
  least(index: number, from: Place, to: Place): number {
    const [seq] = this.#row(`SELECT min(seq) FROM entries WHERE ${BETWEEN}`, index, from, to);
    return Number(seq ?? Number.MAX_SAFE_INTEGER);
  }

  /** The place behind a number of entries; null where there are no more than these. */
  behind(index: number, from: Place, to: Place, entries: number): Place | null {
    const behind: Select = `SELECT key, seq FROM entries WHERE ${BETWEEN} ORDER BY key, seq LIMIT 1 OFFSET ? + 0`;
    const [key, seq] = this.#row(behind, index, from, to, entries);
    return key instanceof ArrayBuffer ? { key: new Uint8Array(key).toHex(), seq: Number(seq) } : null;
  }

  #row(text: Select, index: number, from: Place, to: Place, ...more: readonly number[]) {
    const bounds = [from, to].flatMap(({ key, seq }) => [bytesOfHex(key), seq]);
    const [row = []] = this.#statements.all(text, index, ...bounds, ...more);
    return row;
  }
}

export class RangeCounts {
  readonly #cached: CachedCounts;
  readonly #entries: EntryReader;
  /** Segments that are counted at once. */
  readonly #most: number;

  constructor(
    cached: CachedCounts,
    entries: EntryReader,
    { segmentsInStep }: Pick<Tuning, 'segmentsInStep'>,
  ) {
    this.#cached = cached;
    this.#entries = entries;
    this.#most = segmentsInStep;
  }

  /** Whether more than a number of them are known of: nothing is read. */
  hasMoreThan(ranges: readonly EntryRange[], most: number): boolean {
    let total = 0;
    for (const range of ranges) {
      const [start, end] = [startOf(range), endOf(range)];
      for (const { segment, to } of this.#segmentsIn(range)) {
        const isInside = !isBefore(segment.from, start) && to !== null && !isBefore(end, to);
        if (isInside) total += segment.entries ?? 0;
        if (total > most) return true;
      }
    }
    return false;
  }

  /**
   * A position before which none of the entries in ranges is; null where more must be read than may be at once. What was
   * deleted since may have been there: it is no more than a bound.
   */
  least(ranges: readonly EntryRange[], most = this.#most): number | null {
    if (this.count(ranges, most) === null) return null;
    let least: number = Number.MAX_SAFE_INTEGER;
    let left = most;
    for (const range of ranges) {
      for (const { segment, to } of this.#segmentsIn(range)) {
        if (segment.least === null && left === 0) return null;
        if (segment.least === null) left -= 1;
        segment.least ??= this.#entries.least(range.index.id, segment.from, to ?? endOf(range));
        least = Math.min(least, segment.least);
      }
    }
    return least;
  }

  /** The same as far as it is kept: nothing is read. */
  keptLeast(ranges: readonly EntryRange[]): number | null {
    let least: number = Number.MAX_SAFE_INTEGER;
    for (const range of ranges) {
      for (const { segment } of this.#segmentsIn(range)) {
        if (segment.least === null) return null;
        least = Math.min(least, segment.least);
      }
    }
    return least;
  }

  *#segmentsIn(range: EntryRange): Generator<Bounded> {
    const end = endOf(range);
    for (const bounded of this.#cached.of(range.index.id).from(startOf(range))) {
      if (!isBefore(bounded.segment.from, end)) return;
      yield bounded;
    }
  }

  /** Asks again, in steps, until that can be told at once. Writes on the way do no harm: they change what is kept. */
  async inSteps(count: () => number | null, documents: number, pause: () => Promise<void>): Promise<void> {
    // What does not fit into memory is not kept, however often it is counted.
    const most = 1 + (2 * documents) / (this.#most * this.#cached.extent);
    for (let steps = 0; steps < most && count() === null; steps += 1) await pause();
  }

  /** How many entries are in ranges that have none in common; null where more must be counted than may be at once. */
  count(ranges: readonly EntryRange[], most = this.#most): number | null {
    let total = 0;
    let left = most;
    for (const range of ranges) {
      const { index } = range;
      const segments = this.#cached.of(index.id);
      const counting = new Counting(segments, this.#entries, index.id, this.#cached.extent);
      const isWhole = counting.add(startOf(range), endOf(range), left);
      left -= counting.learned;
      total += counting.total;
      if (counting.learned > 0) this.#cached.keep(index.id, segments);
      if (!isWhole) return null;
    }
    return total;
  }
}

function startOf({ from }: EntryRange): Place {
  return { key: from, seq: 0 };
}

function endOf({ to }: EntryRange): Place {
  return { key: to, seq: 0 };
}

/** A count of one index. */
class Counting {
  readonly #segments: Segments;
  readonly #entries: EntryReader;
  readonly #index: number;
  readonly #extent: number;
  total = 0;
  /** Segments that were counted because they were not known. */
  learned = 0;

  constructor(segments: Segments, entries: EntryReader, index: number, extent: number) {
    this.#segments = segments;
    this.#entries = entries;
    this.#index = index;
    this.#extent = extent;
  }

  /** Adds the entries between two places; false where more than `most` segments are not known. */
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

  /** Adds segments as long as they are known; gives the part of the next one that is to be counted. */
  #addKnown(from: Place, to: Place): { readonly at: Place; readonly end: Place } | null {
    let at = from;
    for (const { segment, to: next } of this.#segments.from(from)) {
      const end = next !== null && isBefore(next, to) ? next : to;
      if (segment.entries === null) return { at, end };
      const isWhole = !isBefore(segment.from, at) && next !== null && !isBefore(end, next);
      this.total += isWhole ? segment.entries : this.#entries.count(this.#index, at, end);
      if (!isBefore(end, to)) return null;
      at = end;
    }
    return null;
  }

  /** Counts one segment; gives the place behind it. */
  #learn(at: Place, end: Place): Place {
    const behind = this.#entries.behind(this.#index, at, end, this.#extent);
    const entries = behind === null ? this.#entries.count(this.#index, at, end) : this.#extent;
    this.#segments.learn(at, behind ?? end, entries);
    this.learned += 1;
    this.total += entries;
    return behind ?? end;
  }
}
