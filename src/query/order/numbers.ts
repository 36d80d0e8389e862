/** Numbers of all kinds in one order, by value and exactly. NaN is below every other number and equal to itself. */
import { Decimal, Double, Long, type Value } from '../../domain/values/values.ts';
import { canonicalText, compareExact, Exact, exactOfDouble, exactOfText } from '../../domain/values/exact.ts';

export type NumberValue = number | Long | Double | Decimal;

export function isNumber(value: Value | undefined): value is NumberValue {
  return (
    typeof value === 'number' || value instanceof Double || value instanceof Long || value instanceof Decimal
  );
}

export function isNotANumber(value: NumberValue): boolean {
  return value instanceof Decimal ? value.text === 'NaN' : Number.isNaN(plainOf(value));
}

/** Below, equal or above zero as `a` is below, equal or above `b`: a total order. */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  return order(a, nearestDouble(a), b, nearestDouble(b));
}

/** `compareNumbers` with one second operand for many first ones, which is looked at once. */
export function comparingWith(b: NumberValue): (a: NumberValue) => number {
  const near = nearestDouble(b);
  return (a) => order(a, nearestDouble(a), b, near);
}

/** The nearest doubles decide, unless they are the same: all digits of a number are seldom written out. */
function order(a: NumberValue, nearA: number, b: NumberValue, nearB: number): number {
  if (nearA < nearB) return -1;
  if (nearA > nearB) return 1;
  const [x, y] = [comparable(a), comparable(b)];
  // JavaScript compares a number with a bigint by their mathematical values.
  if (typeof x !== 'object' && typeof y !== 'object') return x < y ? -1 : x > y ? 1 : nanOrder(x, y);
  const special = specialOf(x) - specialOf(y);
  if (special !== 0 || specialOf(x) !== 0) return special;
  return compareExact(exactOf(x), exactOf(y));
}

/** The double nearest to a number. */
export function nearestDouble(value: NumberValue): number {
  if (typeof value === 'number') return value;
  return value instanceof Decimal ? Number(value.text) : Number(value.value);
}

/**
 * A key that is the same for numbers of one value, whatever their kinds, and different for others: the double
 * that has exactly the value where there is one, else a text.
 */
export function numberKey(value: NumberValue): number | string {
  const x = comparable(value);
  if (typeof x === 'number') return x === 0 ? 0 : x;
  const near = nearestDouble(value);
  if (mayBeDouble(x) && Number.isFinite(near) && compareExact(exactOfDouble(near), exactOf(x)) === 0)
    return near === 0 ? 0 : near;
  return canonicalText(exactOf(x));
}

/** False for fractions that no double is: one of `10^k` is one of `2^k` only where `5^k` divides its digits. */
function mayBeDouble(x: bigint | Exact): boolean {
  if (typeof x === 'bigint' || x.exponent >= 0 || x.coefficient === 0n) return true;
  // No 34 digits are divisible by more fives.
  return x.exponent > -49 && x.coefficient % 5n ** BigInt(-x.exponent) === 0n;
}

/** The integer left when the fraction is cut off, or undefined for NaN, infinities and what exceeds 64 bits. */
export function truncated(value: NumberValue): bigint | undefined {
  const x = comparable(value);
  if (typeof x === 'bigint') return x;
  if (typeof x === 'number') return Number.isFinite(x) ? within64Bits(BigInt(Math.trunc(x))) : undefined;
  const digits = x.coefficient.toString().length;
  if (digits + x.exponent > 20) return x.coefficient === 0n ? 0n : undefined;
  if (x.exponent >= 0) return within64Bits(x.coefficient * 10n ** BigInt(x.exponent));
  // The integer is empty when the point comes before all digits.
  return -x.exponent > digits ? 0n : within64Bits(x.coefficient / 10n ** BigInt(-x.exponent));
}

function within64Bits(value: bigint): bigint | undefined {
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

type Comparable = number | bigint | Exact;

function comparable(value: NumberValue): Comparable {
  if (typeof value === 'number') return value;
  if (!(value instanceof Decimal)) return value.value;
  return exactOfText(value.text) ?? Number(value.text);
}

function plainOf(value: number | Long | Double): number {
  if (typeof value === 'number') return value;
  return value instanceof Double ? value.value : 0;
}

/** The order of two values of which neither is below the other: equal, or one of them NaN. */
function nanOrder(x: number | bigint, y: number | bigint): number {
  return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
}

/** The place of a value that is no finite number: NaN, then -Infinity, before all others; Infinity after. */
function specialOf(x: Comparable): number {
  if (typeof x !== 'number') return 0;
  if (Number.isNaN(x)) return -2;
  return x === -Infinity ? -1 : x === Infinity ? 1 : 0;
}

function exactOf(x: Comparable): Exact {
  if (typeof x === 'object') return x;
  return typeof x === 'bigint' ? new Exact(x, 0) : exactOfDouble(x);
}
