/** The options of a pattern: those given with it and those that it switches itself. */

export interface Flags {
  /** Either case matches. */
  readonly i: boolean;
  /** `^` and `$` match at every line. */
  readonly m: boolean;
  /** `.` matches a newline too. */
  readonly s: boolean;
  /** White space and comments in the pattern mean nothing. */
  readonly x: boolean;
  /** As x, and blanks in a bracket class mean nothing either (`xx`). */
  readonly xx: boolean;
  /** Plain parentheses do not capture. */
  readonly n: boolean;
  /** Several groups may have one name. */
  readonly J: boolean;
  /** Quantifiers are lazy, and greedy with `?`. */
  readonly U: boolean;
  /** Classes are those of Unicode: by a leading `(*UCP)` alone, for the whole pattern. */
  readonly ucp: boolean;
}

export const NO_FLAGS: Flags = {
  i: false,
  m: false,
  s: false,
  x: false,
  xx: false,
  n: false,
  J: false,
  U: false,
  ucp: false,
};

const OPTIONS = ['i', 'm', 's', 'x'] as const;

/** The options in their usual order, each once; `undefined` when there is one that is not known. */
export function normalOptions(options: string): string | undefined {
  const known = OPTIONS.filter((option) => options.includes(option)).join('');
  return Array.from(options).every((option) => known.includes(option)) ? known : undefined;
}

export function flagsOf(options: string): Flags {
  return OPTIONS.reduce((flags, option) => ({ ...flags, [option]: options.includes(option) }), NO_FLAGS);
}
