/** The character sets of ECMA-262 that differ from PCRE's, as ranges of code points. */
import { complement, type Range } from '../syntax/ranges.ts';
import { letterSet } from '../pcre/sets.ts';

/** `\s`: white space and line ends. PCRE's is ASCII only. */
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** What `.` does not match. */
const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

const SETS: Readonly<Record<string, readonly Range[]>> = {
  s: SPACE,
  S: complement(SPACE),
  d: letterSet('d') ?? [],
  D: letterSet('D') ?? [],
  w: letterSet('w') ?? [],
  W: letterSet('W') ?? [],
};

export const DOT: readonly Range[] = complement(LINE_ENDS);

/** The set of a letter after a backslash, or undefined. */
export function setOf(letter: string): readonly Range[] | undefined {
  return Object.hasOwn(SETS, letter) ? SETS[letter] : undefined;
}
