/**
 * Numbers by their digits, so that comparisons are right where a double would round: 9007199254740993 is
 * more than 9007199254740992, and 0.3 is a multiple of 0.1. It must never turn such a number into a double.
 */
import { compareExact, Exact, exactOfText, powerOfTen, stripped } from '../domain/values/exact.ts';

/**
 * A number of a document or schema. A JavaScript number means the shortest decimal that names it, as JSON
 * shows it; any other number is a stripped `Exact`. One value has one form: the two are never equal.
 */
export type Num = number | Exact;

export function numOf(text: string): Num {
  const exact = digitsOf(text);
  const plain = Number(text);
  return Number.isFinite(plain) && compareExact(exact, exactOf(plain)) === 0 ? plain : exact;
}

/** Below, equal or above zero as `a` is less than, equal to or more than `b`. */
export function compareNums(a: Num, b: Num): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareExact(exactOf(a), exactOf(b));
}

/** Whether the number has no fraction: `1.0` has none. */
export function isIntegral(num: Num): boolean {
  return typeof num === 'number' ? Number.isInteger(num) : num.exponent >= 0;
}

/** Whether `num` is a whole number of times `divisor`, which is more than zero. */
export function isMultiple(num: Num, divisor: Num): boolean {
  if (Number.isSafeInteger(num) && Number.isSafeInteger(divisor)) return Number(num) % Number(divisor) === 0;
  const x = exactOf(num);
  const y = exactOf(divisor);
  if (x.coefficient === 0n) return true;
  // Without zeros at its end, a number of a finer scale cannot be a multiple.
  if (x.exponent < y.exponent) return false;
  return (x.coefficient * powerOfTen(x.exponent - y.exponent, y.coefficient)) % y.coefficient === 0n;
}

/** The number as a client would write it: one text for each value. */
export function textOfNum(num: Num): string {
  if (typeof num === 'number') return String(num);
  const { coefficient, exponent } = num;
  return exponent >= 0 && exponent < 20
    ? `${coefficient}${'0'.repeat(exponent)}`
    : `${coefficient}e${exponent}`;
}

function exactOf(num: Num): Exact {
  return typeof num === 'number' ? digitsOf(String(num)) : num;
}

function digitsOf(text: string): Exact {
  return stripped(exactOfText(text) ?? new Exact(0n, 0));
}
