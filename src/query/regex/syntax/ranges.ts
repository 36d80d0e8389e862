/** Operations on sets of code points as ranges. */
import type { Range } from '../tree.ts';

export const MAX_CODE = 0x10ffff;

export function complement(ranges: readonly Range[]): readonly Range[] {
  const outside: Range[] = [];
  let next = 0;
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (low > next) outside.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= MAX_CODE) outside.push([next, MAX_CODE]);
  return outside;
}
