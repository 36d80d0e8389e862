/** Sets of code points as they are written: ranges in any order, which may overlap. */
import { recall } from '../../../domain/caching/recall.ts';

/** Code points, both ends included. */
export type Range = readonly [low: number, high: number];

export const MAX_CODE = 0x10ffff;

/** Of a set that has a name once, however often the name stands in patterns. */
const complements = new WeakMap<readonly Range[], readonly Range[]>();

export function complement(ranges: readonly Range[]): readonly Range[] {
  return recall(complements, ranges, outsideOf);
}

function outsideOf(ranges: readonly Range[]): readonly Range[] {
  const outside: Range[] = [];
  let next = 0;
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (low > next) outside.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= MAX_CODE) outside.push([next, MAX_CODE]);
  return outside;
}
