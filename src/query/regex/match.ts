/** Where a match and its groups lie in a subject. */

/** Where a match may lie. */
export type Scope = 'anywhere' | 'whole';

/** UTF-16 positions. */
export interface Span {
  readonly index: number;
  readonly end: number;
}

/** A match and its groups, `undefined` for one that took no part. */
export interface Match extends Span {
  readonly groups: readonly (Span | undefined)[];
}

/** A match, and the text of each capturing group, `undefined` if it took no part. */
export interface Found extends Span {
  readonly captures: readonly (string | undefined)[];
}
