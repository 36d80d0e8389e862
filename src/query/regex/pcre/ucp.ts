/** `\d`, `\w`, `\s` and the POSIX classes under a leading `(*UCP)`: sets of Unicode, as in pcre2pattern. */
import { propertyOf, SPACES } from '../unicode/properties.ts';
import { complement, type Range } from '../syntax/ranges.ts';
import { posixSet } from './sets.ts';
import { unicodeRanges } from '../unicode/unicode.ts';

const LETTERS: Readonly<Record<string, string>> = { d: 'Nd', s: 'Xps', w: 'Xwd' };

/** The set of `\d`, `\W` and their kin; undefined for a letter that (*UCP) does not concern. */
export function ucpLetter(letter: string): readonly Range[] | undefined {
  const lower = letter.toLowerCase();
  const name = Object.hasOwn(LETTERS, lower) ? LETTERS[lower] : undefined;
  return name === undefined ? undefined : propertyOf(name, lower !== letter);
}

/** POSIX classes as classes of JavaScript's. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{N}',
  alpha: '\\p{L}',
  blank: '\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}',
  lower: '\\p{Ll}',
  print: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Zs}',
  punct: '\\p{P}$+<=>^`|~',
  space: SPACES,
  upper: '\\p{Lu}',
  word: '\\p{L}\\p{N}_',
};

/** Of the formats, marks of direction are not printed; the vowel separator has no glyph of its own. */
const UNPRINTED: readonly Range[] = [
  [0x61c, 0x61c],
  [0x2066, 0x2069],
];
const HIDDEN: Readonly<Record<string, readonly Range[]>> = {
  print: UNPRINTED,
  graph: [...UNPRINTED, [0x180e, 0x180e]],
};

/** The set of `[:name:]`, or `[:^name:]` when negated; undefined for a name that there is not. */
export function ucpPosix(name: string, negated: boolean, fold: boolean): readonly Range[] | undefined {
  const wanted = fold && (name === 'upper' || name === 'lower') ? 'alpha' : name;
  const members = Object.hasOwn(POSIX, wanted) ? POSIX[wanted] : undefined;
  if (members === undefined) return posixSet(name, negated, fold);
  const found = unicodeRanges(members) ?? [];
  const hidden = Object.hasOwn(HIDDEN, wanted) ? HIDDEN[wanted] : undefined;
  const ranges = hidden ? complement([...complement(found), ...hidden]) : found;
  return negated ? complement(ranges) : ranges;
}
