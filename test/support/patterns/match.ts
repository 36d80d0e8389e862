/** A match of a pattern, as the engine and the oracles tell it. */

/** Positions count UTF-16 units. */
export interface PatternMatch {
  readonly index: number;
  readonly end: number;
  /** What each group holds; undefined where it took no part. */
  readonly captures: readonly (string | undefined)[];
}

/** Whether two matches are the same in place and captures. */
export function isSameMatch(one: PatternMatch, other: PatternMatch): boolean {
  const told = ({ index, end, captures }: PatternMatch): string =>
    JSON.stringify([index, end, captures.map((capture) => capture ?? null)]);
  return told(one) === told(other);
}
