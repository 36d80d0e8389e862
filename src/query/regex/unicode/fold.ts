/**
 * Case folding of character ranges for option i, by Unicode's simple folding: one character for one character,
 * k also for the Kelvin sign, s also for the long s.
 */
import type { Range } from '../tree.ts';

const LAST_ASCII = 0x7f;
/** Beyond this no character has a case. */
const LAST_CASED = 0x1e943;

/** The ranges with every character that differs from one of theirs only in case. */
export function foldRanges(ranges: readonly Range[]): readonly Range[] {
  const isIn = (code: number): boolean => ranges.some(([low, high]) => low <= code && code <= high);
  const candidates = ranges.every(([, high]) => high <= LAST_ASCII) ? CASED_ASCII : casedCodes();
  const equal = new RegExp(
    `[${ranges.map(([low, high]) => `${escaped(low)}-${escaped(high)}`).join('')}]`,
    'iu',
  );
  const added = candidates.filter((code) => !isIn(code) && equal.test(String.fromCodePoint(code)));
  return [...ranges, ...added.map((code): Range => [code, code])];
}

/** Whether option i may change what the code point matches. */
export function mayFold(code: number): boolean {
  return code > LAST_ASCII || hasCase(code);
}

function escaped(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

function hasCase(code: number): boolean {
  const char = String.fromCodePoint(code);
  return char.toLowerCase() !== char || char.toUpperCase() !== char;
}

function casedUpTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, code) => code).filter(hasCase);
}

/** All that an ASCII letter can fold to. */
const CASED_ASCII: readonly number[] = [...casedUpTo(LAST_ASCII), 0x17f, 0x212a];

let everyCased: readonly number[] | undefined;

/** Every code point that has a case, found once, when first needed: it takes some milliseconds. */
function casedCodes(): readonly number[] {
  everyCased ??= casedUpTo(LAST_CASED);
  return everyCased;
}

/** Foldings that were asked for: no more than characters with a case. */
const folded = new Map<number, number>();

function foldOf(code: number): number {
  if (code <= LAST_ASCII && !hasCase(code)) return code;
  let fold = folded.get(code);
  if (fold === undefined) {
    if (!hasCase(code)) return code;
    fold = Math.min(...foldRanges([[code, code]]).map(([low]) => low));
    folded.set(code, fold);
  }
  return fold;
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
