/**
 * The keys of numbers: 16 hexadecimal digits of the double, then, for a value between two doubles, its own exact
 * digits. So it is longer than the key of the lower double, and lies between the two.
 */
import { canonicalText, compareExact, Exact, exactOfDouble, exactOfText } from '../../domain/values/exact.ts';
import { Decimal, Double } from '../../domain/values/values.ts';
import type { NumberValue } from '../order/numbers.ts';

/** Added to the place of the leading digit, which is negative for small decimals. */
const PLACES = 0x4000;

/** A double as 16 digits that sort as it does. */
export function keyOfDouble(value: number): string {
  return hexOf(orderedBits(value));
}

/** A number of any kind: equal ones have one key. */
export function keyOfNumber(value: NumberValue): string {
  if (typeof value === 'number') return keyOfDouble(value);
  if (value instanceof Double) return keyOfDouble(value.value);
  const near = Number(value instanceof Decimal ? value.text : value.value);
  const exact = value instanceof Decimal ? exactOfText(value.text) : new Exact(value.value, 0);
  if (exact === undefined) return keyOfDouble(near);
  const beyond = Number.isFinite(near) ? compareExact(exact, exactOfDouble(near)) : near > 0 ? -1 : 1;
  if (beyond === 0) return keyOfDouble(near);
  // Below zero there is a place for what is nearer to it than any double: that of -0, which has the key of 0.
  const below = beyond > 0 ? orderedBits(near) : orderedBits(near) - 1n;
  return `${hexOf(below)}${digitsOf(exact)}`;
}

/**
 * The place of the leading digit, then the digits, two a byte. Below zero they are turned over, and end with a byte above
 * all digits: more of them are less.
 */
function digitsOf(exact: Exact): string {
  const [digits = '', exponent = ''] = canonicalText(exact).replace(/^-/, '').split('e');
  const place = digits.length + Number(exponent) + PLACES;
  const pairs = digits.length % 2 === 0 ? digits : `${digits}0`;
  if (exact.coefficient > 0n) return `${hexOfPlace(place)}${pairs}`;
  return `${hexOfPlace(2 * PLACES - place)}${pairs.replace(/[0-9]/g, (digit) => String(9 - Number(digit)))}ff`;
}

function hexOfPlace(place: number): string {
  return place.toString(16).padStart(4, '0');
}

const scratch = new DataView(new ArrayBuffer(8));

/** The sign bit is turned over, and below zero all the others too. */
function orderedBits(value: number): bigint {
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const bits = scratch.getBigUint64(0);
  return bits >> 63n === 0n ? bits | (1n << 63n) : ~bits & 0xffff_ffff_ffff_ffffn;
}

function hexOf(bits: bigint): string {
  return bits.toString(16).padStart(16, '0');
}
