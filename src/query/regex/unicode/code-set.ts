/** A set of code points that is asked often: a table for the first of them, and ranges to search in for the rest. */
import { Lru } from '../../../domain/caching/lru.ts';
import type { OneCharacter, Range } from '../tree.ts';
import { foldRanges } from './fold.ts';
import { recall } from '../../../domain/caching/recall.ts';

const TABLE = 256;

export class CodeSet {
  readonly #table = new Uint8Array(TABLE);
  /** Low and high ends in turn, ascending. */
  readonly #ends: Int32Array;

  constructor(ranges: readonly Range[]) {
    const merged = mergeRanges(ranges);
    for (const [low, high] of merged) this.#table.fill(1, low, Math.min(high + 1, TABLE));
    this.#ends = Int32Array.from(merged.filter(([, high]) => high >= TABLE).flat());
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

/** Ascending, and none that touches another. */
function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && low <= last[1] + 1) merged[merged.length - 1] = [last[0], Math.max(last[1], high)];
    else merged.push([low, high]);
  }
  return merged;
}

/** Foldings of letters that were used last. */
const folds = new Lru<number, readonly Range[]>(512);

/** The code points of a set, or of a literal in either case. */
export function rangesOf(node: OneCharacter): readonly Range[] {
  if (node.kind === 'set') return node.ranges;
  const { code, fold } = node;
  if (!fold) return [[code, code]];
  return recall(folds, code, () => foldRanges([[code, code]]));
}
