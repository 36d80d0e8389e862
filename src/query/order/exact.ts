/**
 * Numbers as exact decimal fractions, for comparing kinds that no common machine number holds. It never rounds:
 * the double nearest to 0.1 and the decimal 0.1 are two different values here, as in MongoDB.
 */

/** The value `coefficient × 10^exponent`. */
export interface Exact {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const DECIMAL = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/;

/** The value of the text of a finite decimal; undefined for any other text (`NaN`, `Infinity`). */
export function exactOfText(text: string): Exact | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const magnitude = BigInt(whole + fraction);
  return { coefficient: sign === '-' ? -magnitude : magnitude, exponent: Number(power) - fraction.length };
}

const FRACTION_BITS = 52;
const view = new DataView(new ArrayBuffer(8));

/** The exact value of a finite double. */
export function exactOfDouble(value: number): Exact {
  if (Number.isInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> BigInt(FRACTION_BITS)) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  // A subnormal has no implicit leading bit.
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const halvings = 1023 + FRACTION_BITS - Math.max(biased, 1);
  // m / 2^k = m × 5^k / 10^k. A fraction has k > 0, since m × 2^-k would be an integer otherwise.
  const magnitude = mantissa * 5n ** BigInt(halvings);
  return { coefficient: value < 0 ? -magnitude : magnitude, exponent: -halvings };
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

/** One text for one value: `125e-1`, whatever zeros it was written with. */
export function canonicalText(value: Exact): string {
  if (value.coefficient === 0n) return '0';
  const digits = value.coefficient.toString();
  const kept = digits.replace(/0+$/, '');
  return `${kept}e${value.exponent + digits.length - kept.length}`;
}

function signOf(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

function magnitudeOf(value: bigint): string {
  return (value < 0n ? -value : value).toString();
}
