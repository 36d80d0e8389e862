/**
 * The character sets that PCRE knows by a letter or by a POSIX name, as ranges. They are ASCII (PCRE without
 * UCP) and are not changed by option i, except that `[:upper:]` and `[:lower:]` then take both cases.
 */
import { complement, type Range } from '../syntax/ranges.ts';

const DIGIT: readonly Range[] = [[0x30, 0x39]];
const UPPER: readonly Range[] = [[0x41, 0x5a]];
const LOWER: readonly Range[] = [[0x61, 0x7a]];
const ALPHA: readonly Range[] = [...UPPER, ...LOWER];
const ALNUM: readonly Range[] = [...DIGIT, ...ALPHA];
const WORD: readonly Range[] = [...ALNUM, [0x5f, 0x5f]];
/** Includes VT (0x0b), as Perl and PCRE do since Perl 5.18. */
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
const BLANK_UNICODE: readonly Range[] = [
  [0x09, 0x09],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
export const VERTICAL: readonly Range[] = [
  [0x0a, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
];

/** The letters after a backslash that mean a set, without their capital opposites. */
const LETTERS: Readonly<Record<string, readonly Range[]>> = {
  d: DIGIT,
  h: BLANK_UNICODE,
  s: SPACE,
  v: VERTICAL,
  w: WORD,
};

const POSIX: Readonly<Record<string, readonly Range[]>> = {
  alnum: ALNUM,
  alpha: ALPHA,
  ascii: [[0, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: DIGIT,
  graph: [[0x21, 0x7e]],
  lower: LOWER,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: SPACE,
  upper: UPPER,
  word: WORD,
  xdigit: [...DIGIT, [0x41, 0x46], [0x61, 0x66]],
};

/** The set of `\d`, `\W` and their kin; `undefined` for a letter without a set. */
export function letterSet(letter: string): readonly Range[] | undefined {
  const lower = letter.toLowerCase();
  const ranges = Object.hasOwn(LETTERS, lower) ? LETTERS[lower] : undefined;
  return ranges && lower !== letter ? complement(ranges) : ranges;
}

/** The set of `[:name:]`, or `[:^name:]` when negated; `undefined` for a name that does not exist. */
export function posixSet(name: string, negated: boolean, fold: boolean): readonly Range[] | undefined {
  const known = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  const ranges = fold && (known === UPPER || known === LOWER) ? ALPHA : known;
  return ranges && negated ? complement(ranges) : ranges;
}
