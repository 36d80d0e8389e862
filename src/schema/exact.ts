/**
 * Numbers as their digits say, so that no comparison goes wrong where a double would round: 9007199254740993 is
 * more than 9007199254740992, and 0.3 is a multiple of 0.1. It must never turn such a number into a double.
 *
 * A JavaScript number stands for the shortest decimal that names it, which is what JSON shows of it.
 */

/** A number that no JavaScript number shows exactly: `±digits × 10^exponent`, without zeros at either end. */
export class Exact {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;

  constructor(negative: boolean, digits: string, exponent: number) {
    this.negative = negative;
    this.digits = digits;
    this.exponent = exponent;
  }
}

/** A number of a document or schema. One value has one form: an `Exact` is never equal to a plain number. */
export type Num = number | Exact;

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The number that a JSON number's text names. */
export function numOf(text: string): Num {
  const exact = exactOf(text);
  const plain = Number(text);
  return Number.isFinite(plain) && equalParts(exact, exactOf(String(plain))) ? plain : exact;
}

/** -1, 0 or 1 as `a` is less than, equal to or more than `b`. */
export function compareNums(a: Num, b: Num): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b) || 0;
  const x = partsOf(a);
  const y = partsOf(b);
  const difference = signOf(x) - signOf(y);
  if (difference !== 0) return Math.sign(difference);
  return signOf(x) * compareMagnitudes(x, y);
}

/** Whether the number has no fraction: `1.0` has none. */
export function isIntegral(num: Num): boolean {
  return typeof num === 'number' ? Number.isInteger(num) : num.exponent >= 0;
}

/** Whether `num` is a whole number of times `divisor`, which is more than zero. */
export function isMultiple(num: Num, divisor: Num): boolean {
  if (Number.isSafeInteger(num) && Number.isSafeInteger(divisor)) return Number(num) % Number(divisor) === 0;
  const x = partsOf(num);
  const y = partsOf(divisor);
  if (x.digits === '') return true;
  // Without zeros at its end, a number of a finer scale cannot be a multiple.
  if (x.exponent < y.exponent) return false;
  const modulus = BigInt(y.digits);
  return (BigInt(x.digits) * powerOfTen(x.exponent - y.exponent, modulus)) % modulus === 0n;
}

/** One text for each value, for comparing by equality. */
export function keyOfNum(num: Num): string {
  return typeof num === 'number' ? String(num === 0 ? 0 : num) : textOfNum(num);
}

/** The number as a client would write it. */
export function textOfNum(num: Num): string {
  if (typeof num === 'number') return String(num);
  const sign = num.negative ? '-' : '';
  return num.exponent >= 0 && num.exponent < 20
    ? `${sign}${num.digits}${'0'.repeat(num.exponent)}`
    : `${sign}${num.digits}e${num.exponent}`;
}

function exactOf(text: string): Exact {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + (digits.length - kept.length);
  return kept === '' ? new Exact(false, '', 0) : new Exact(sign === '-', kept, exponent);
}

function partsOf(num: Num): Exact {
  return typeof num === 'number' ? exactOf(String(num)) : num;
}

function equalParts(a: Exact, b: Exact): boolean {
  return a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent;
}

function signOf(parts: Exact): number {
  if (parts.digits === '') return 0;
  return parts.negative ? -1 : 1;
}

/** Compares by the place of the first digit, then digit by digit: no large number is ever written out. */
function compareMagnitudes(a: Exact, b: Exact): number {
  const places = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (places !== 0) return Math.sign(places);
  const length = Math.max(a.digits.length, b.digits.length);
  const x = a.digits.padEnd(length, '0');
  const y = b.digits.padEnd(length, '0');
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

/** `10^power` modulo `modulus`, by squaring: the power of a decimal may be 12,000. */
function powerOfTen(power: number, modulus: bigint): bigint {
  let result = 1n;
  let base = 10n % modulus;
  for (let rest = power; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}
