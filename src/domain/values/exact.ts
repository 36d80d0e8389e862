/**
 * Numbers as exact decimal fractions: the one home of comparing what no common machine number holds. Nothing here ever
 * rounds. Arithmetic to 34 digits is bigdecimal.js's (operators/numbers/decimals.ts).
 */

/** The value `coefficient × 10^exponent`. */
export class Exact {
  readonly coefficient: bigint;
  readonly exponent: number;

  constructor(coefficient: bigint, exponent: number) {
    this.coefficient = coefficient;
    this.exponent = exponent;
  }
}

const DECIMAL = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,9}))?$/;

/** The value `digits × 10^exponent`, or the opposite of it. */
export interface Digits {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** The parts of the text of a finite decimal; undefined for any other text. */
export function readDigits(text: string): Digits | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const digits = whole + fraction;
  if (digits === '') return undefined;
  return { negative: sign === '-', digits, exponent: Number(power) - fraction.length };
}

/** The value of the text of a finite decimal; undefined for any other text (`NaN`, `Infinity`). */
export function exactOfText(text: string): Exact | undefined {
  const read = readDigits(text);
  if (read === undefined) return undefined;
  const magnitude = BigInt(read.digits);
  return new Exact(read.negative ? -magnitude : magnitude, read.exponent);
}

const FRACTION_BITS = 52;
const view = new DataView(new ArrayBuffer(8));

/** The exact value of a finite double. The double nearest to 0.1 and the decimal 0.1 are two values, as in MongoDB. */
export function exactOfDouble(value: number): Exact {
  if (Number.isInteger(value)) return new Exact(BigInt(value), 0);
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> BigInt(FRACTION_BITS)) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  // A subnormal has no implicit leading bit.
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const halvings = 1023 + FRACTION_BITS - Math.max(biased, 1);
  // m / 2^k = m × 5^k / 10^k. A fraction has k > 0, since m × 2^-k would be an integer otherwise.
  const magnitude = mantissa * 5n ** BigInt(halvings);
  return new Exact(value < 0 ? -magnitude : magnitude, -halvings);
}

/** Below, equal or above zero as `a` is below, equal to or above `b`. */
export function compareExact(a: Exact, b: Exact): number {
  const signs = signOf(a.coefficient) - signOf(b.coefficient);
  if (signs !== 0 || a.coefficient === 0n) return signs;
  const sign = signOf(a.coefficient);
  const left = magnitudeOf(a.coefficient);
  const right = magnitudeOf(b.coefficient);
  // The place of the leading digit decides first, so that 1E+6000 is never written out.
  const places = left.length + a.exponent - (right.length + b.exponent);
  if (places !== 0) return places * sign;
  const width = Math.max(left.length, right.length);
  const digits = left.padEnd(width, '0');
  const others = right.padEnd(width, '0');
  if (digits === others) return 0;
  return digits < others ? -sign : sign;
}

/** `10^power` modulo `modulus`, by squaring: the power of a decimal may be 12,000. */
export function powerOfTen(power: number, modulus: bigint): bigint {
  let result = 1n;
  let base = 10n % modulus;
  for (let rest = power; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

/** The same value without zeros at the end of its coefficient: one form for one value. */
export function stripped(value: Exact): Exact {
  const [digits, exponent] = strippedDigits(value);
  return new Exact(BigInt(digits), exponent);
}

/** One text for one value, `125e-1`, however many zeros were written. */
export function canonicalText(value: Exact): string {
  const [digits, exponent] = strippedDigits(value);
  return digits === '0' ? digits : `${digits}e${exponent}`;
}

function strippedDigits({ coefficient, exponent }: Exact): readonly [digits: string, exponent: number] {
  if (coefficient === 0n) return ['0', 0];
  const digits = coefficient.toString();
  const kept = digits.replace(/0+$/, '');
  return [kept, exponent + digits.length - kept.length];
}

function signOf(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

function magnitudeOf(value: bigint): string {
  return (value < 0n ? -value : value).toString();
}
