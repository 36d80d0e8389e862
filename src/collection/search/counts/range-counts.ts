/**
 * Counts of ranges of an index: the sum of cached counts of the segments inside (storage/indexes/cached-counts.ts), and
 * of what is counted at the two ends. What is not cached yet is counted by segments, and cached.
 */
import type { EntryRange } from '../../../query/sql/positions.ts';
import type { CachedCounts } from '../../storage/indexes/cached-counts.ts';
import { isBefore, type Bounded, type EntryPlace } from '../../storage/indexes/segments.ts';
import type { Tuning } from '../tuning.ts';
import { bytesOfHex } from '../../storage/ids.ts';
import type { Select } from '../../storage/sql.ts';
import type { Statements } from '../reading/rows.ts';

/** A comparison of both columns is one seek, however many entries have one key. */
const BETWEEN = 'path = ? AND (key, seq) >= (?, ?) AND (key, seq) < (?, ?)';

export class EntryReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** How many entries there are. */
  count(index: number, from: EntryPlace, to: EntryPlace): number {
    const [count] = this.#row(`SELECT count(*) FROM entries WHERE ${BETWEEN}`, index, from, to);
    return Number(count);
  }

  /** The least of their positions; without any, one that no document has. */
  least(index: number, from: EntryPlace, to: EntryPlace): number {
    const [seq] = this.#row(`SELECT min(seq) FROM entries WHERE ${BETWEEN}`, index, from, to);
    return Number(seq ?? Number.MAX_SAFE_INTEGER);
  }

  /** The place behind a number of entries; null where there are no more than these. */
  behind(index: number, from: EntryPlace, to: EntryPlace, entries: number): EntryPlace | null {
    const behind: Select = `SELECT key, seq FROM entries WHERE ${BETWEEN} ORDER BY key, seq LIMIT 1 OFFSET ? + 0`;
    const [key, seq] = this.#row(behind, index, from, to, entries);
    return key instanceof ArrayBuffer ? { key: new Uint8Array(key).toHex(), seq: Number(seq) } : null;
  }

  #row(text: Select, index: number, from: EntryPlace, to: EntryPlace, ...more: readonly number[]) {
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
   * A position before which none of the entries in ranges is; null where too much must be read for one time. What was
   * deleted since may have been there: it is no more than a bound.
   */
  least(ranges: readonly EntryRange[], most = this.#most): number | null {
    return this.count(ranges, most) === null ? null : this.cachedLeast(ranges, most);
  }

  /** The same as far as it is cached, and of so many segments more that are read. */
  cachedLeast(ranges: readonly EntryRange[], most = 0): number | null {
    let [least, left] = [Number.MAX_SAFE_INTEGER, most];
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

  *#segmentsIn(range: EntryRange): Generator<Bounded> {
    const segments = this.#cached.of(range.index.id);
    const end = endOf(range);
    for (let at: EntryPlace | null = startOf(range); at !== null && isBefore(at, end);) {
      const bounded = segments.from(at);
      yield bounded;
      at = bounded.to;
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
      const counted = this.#counted(range, left);
      left -= counted.learned;
      total += counted.total;
      if (!counted.isWhole) return null;
    }
    return total;
  }

  /** The same of one range: what is not known of segments is counted, of so many at most. */
  #counted(range: EntryRange, most: number) {
    const { id } = range.index;
    const [segments, end] = [this.#cached.of(id), endOf(range)];
    let [at, total, learned] = [startOf(range), 0, 0];
    while (isBefore(at, end)) {
      const { segment, to: next } = segments.from(at);
      const to = next !== null && isBefore(next, end) ? next : end;
      if (segment.entries !== null) {
        const isInside = !isBefore(segment.from, at) && next !== null && !isBefore(to, next);
        total += isInside ? segment.entries : this.#entries.count(id, at, to);
        at = to;
        continue;
      }
      if (learned >= most) break;
      const behind = this.#entries.behind(id, at, to, this.#cached.extent);
      const entries = behind === null ? this.#entries.count(id, at, to) : this.#cached.extent;
      segments.learn(at, behind ?? to, entries);
      learned += 1;
      total += entries;
      at = behind ?? to;
    }
    if (learned > 0) this.#cached.keep(id, segments);
    return { total, learned, isWhole: !isBefore(at, end) };
  }
}

function startOf({ from }: EntryRange): EntryPlace {
  return { key: from, seq: 0 };
}

function endOf({ to }: EntryRange): EntryPlace {
  return { key: to, seq: 0 };
}
