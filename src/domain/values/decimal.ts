/**
 * Reading the text of a 128-bit decimal (IEEE 754-2008 decimal128): 34 digits, exponents from -6176 to 6111.
 * It never rounds: what does not fit is refused.
 */
import { readDigits, type Digits } from './exact.ts';
import { Decimal } from './values.ts';

const DIGITS = 34;
const EXPONENT_MIN = -6176;
const EXPONENT_MAX = 6111;

/**
 * The decimal that a text of digits names, trailing zeros kept (`1.10` stays `1.10`), or undefined when the
 * text is no finite decimal or does not fit without rounding.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const read = readDigits(text);
  return read && decimalOfDigits({ ...read, digits: read.digits.replace(/^0+(?=.)/, '') });
}

/** The same for digits that were read or calculated; the first of several is not 0. */
export function decimalOfDigits(read: Digits): Decimal | undefined {
  let { digits, exponent } = read;
  if (digits === '0') exponent = Math.min(Math.max(exponent, EXPONENT_MIN), EXPONENT_MAX);
  // Zeros may move between digits and exponent without a change of value where the range asks for it.
  while ((digits.length > DIGITS || exponent < EXPONENT_MIN) && digits.length > 1 && digits.endsWith('0')) {
    digits = digits.slice(0, -1);
    exponent += 1;
  }
  while (exponent > EXPONENT_MAX && digits.length < DIGITS) {
    digits += '0';
    exponent -= 1;
  }
  if (digits.length > DIGITS || exponent < EXPONENT_MIN || exponent > EXPONENT_MAX) return undefined;
  return new Decimal(`${read.negative ? '-' : ''}${scientific(digits, exponent)}`);
}

/** The canonical text of `digits × 10^exponent`; it is a JSON number as well. */
function scientific(digits: string, exponent: number): string {
  const adjusted = exponent + digits.length - 1;
  if (exponent <= 0 && adjusted >= -6) {
    if (exponent === 0) return digits;
    const padded = digits.padStart(1 - exponent, '0');
    return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
  }
  const head = digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  return `${head}E${adjusted < 0 ? '' : '+'}${adjusted}`;
}
