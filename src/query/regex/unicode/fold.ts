/**
 * Case folding for option i, by Unicode's simple folding: one character for one, k also for the Kelvin sign,
 * s also for the long s.
 */
import { recall } from '../../../domain/caching/recall.ts';
import type { Range } from '../syntax/ranges.ts';
import { CodeSet } from './code-set.ts';

const LAST_ASCII = 0x7f;
/** Beyond this no character has a case. */
const LAST_CASED = 0x1e943;

/** Characters that differ from one another only in case, ascending, by each of them. */
type Cases = ReadonlyMap<number, readonly number[]>;

function casesOf(codes: readonly number[]): Cases {
  // Characters that do not fall together here are no cases of one another; those that do may be.
  const groups = Map.groupBy(
    codes.map((code) => String.fromCodePoint(code)),
    (char) => char.toLowerCase().toUpperCase().toLowerCase(),
  );
  const cases = new Map<number, readonly number[]>();
  for (const group of groups.values()) {
    for (const char of group) {
      const same = group.filter((other) => /^(.)\1$/iu.test(char + other)).map(codeOf);
      if (same.length > 1) cases.set(codeOf(char), same);
    }
  }
  return cases;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function casedUpTo(last: number): readonly number[] {
  return Array.from({ length: last + 1 }, (_, code) => code).filter((code) => {
    const char = String.fromCodePoint(code);
    return char.toLowerCase() !== char || char.toUpperCase() !== char;
  });
}

/** All that an ASCII letter can fold to. */
const ASCII_CASES = casesOf([...casedUpTo(LAST_ASCII), 0x17f, 0x212a]);

let allCases: Cases | undefined;

/** The cases of all characters up to a code point: of those beyond ASCII found once, for it takes some milliseconds. */
function casesUpTo(code: number): Cases {
  return code <= LAST_ASCII ? ASCII_CASES : (allCases ??= casesOf(casedUpTo(LAST_CASED)));
}

/** The ranges with every character that differs from one of theirs only in case. */
export function foldRanges(ranges: readonly Range[]): readonly Range[] {
  const cases = casesUpTo(Math.max(...ranges.map(([, high]) => high)));
  const set = new CodeSet(ranges);
  const added = [...cases].flatMap(([code, same]) => (set.has(code) ? same : []));
  return [...ranges, ...added.map((code): Range => [code, code])];
}

/** One set for all the uses of a character. */
const sets = new Map<number, CodeSet>();

/** A character in all its cases; undefined where it has one only. */
export function caselessSet(code: number): CodeSet | undefined {
  const same = casesUpTo(code).get(code);
  return same && recall(sets, same[0] ?? code, () => new CodeSet(same.map((each): Range => [each, each])));
}

function foldOf(code: number): number {
  return casesUpTo(code).get(code)?.[0] ?? code;
}

export function foldsTo(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [one.codePointAt(at) ?? 0, other.codePointAt(at) ?? 0];
    if (a !== b && foldOf(a) !== foldOf(b)) return false;
    if (a > 0xffff) at += 1;
  }
  return true;
}
