/** A set of code points: a table for the first of them, and ranges to search in for the rest. */
import type { Range } from '../syntax/ranges.ts';

const TABLE = 256;

export class CodeSet {
  readonly #table = new Uint8Array(TABLE);
  /** Low and high ends in turn, ascending; no range touches another. */
  readonly #ends: Int32Array;

  constructor(ranges: readonly Range[]) {
    const merged = mergeRanges(ranges);
    for (const [low, high] of merged) this.#table.fill(1, low, Math.min(high + 1, TABLE));
    this.#ends = Int32Array.from(merged.flat());
  }

  /** The code points that one of several sets holds. */
  static union(sets: Iterable<CodeSet>): CodeSet {
    const [only, ...others] = sets;
    return only !== undefined && others.length === 0
      ? only
      : new CodeSet([only, ...others].flatMap((set) => set?.ranges ?? []));
  }

  get ranges(): readonly Range[] {
    const ends = this.#ends;
    return Array.from({ length: ends.length >> 1 }, (_, at) => [ends[2 * at] ?? 0, ends[2 * at + 1] ?? 0]);
  }

  has(code: number): boolean {
    if (code < TABLE) return this.#table[code] === 1;
    const ends = this.#ends;
    let low = 0;
    let high = ends.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[2 * middle + 1] ?? 0) < code) low = middle + 1;
      else high = middle;
    }
    return 2 * low < ends.length && (ends[2 * low] ?? 0) <= code;
  }
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && low <= last[1] + 1) merged[merged.length - 1] = [last[0], Math.max(last[1], high)];
    else merged.push([low, high]);
  }
  return merged;
}
