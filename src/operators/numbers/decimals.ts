/** Arithmetic of 128-bit decimals: 34 digits, half to even, with NaN and the infinities as their own texts. */
import { Big, type BigDecimal, MathContext, RoundingMode } from 'bigdecimal.js';
import { decimalOfDigits } from '../../domain/values/decimal.ts';
import { Decimal } from '../../domain/values/values.ts';
import type { NumberValue } from '../../query/order/numbers.ts';
import { exactOfDouble, exactOfText, powerOfTen, type Exact } from '../../domain/values/exact.ts';
import { numberKind, toBigInt, toDouble } from './kinds.ts';

export type { BigDecimal } from 'bigdecimal.js';

const DIGITS_15 = new MathContext(15, RoundingMode.HALF_EVEN);
export const DIGITS_34 = new MathContext(34, RoundingMode.HALF_EVEN);
const LEAST_EXPONENT = -6176;

/** A finite decimal, or one of NaN, Infinity and -Infinity as a plain number. */
export type DecimalNumber = BigDecimal | number;

/** The operations that NaN and infinities take part in as doubles do. */
type Operation = 'add' | 'subtract' | 'multiply' | 'divide' | 'remainder';

export const PLAIN: Readonly<Record<Operation, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  remainder: (a, b) => a % b,
};

/** The result of one operation to 34 digits. The caller has refused a divisor of zero. */
export function compute(operation: Operation, a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  if (typeof a === 'number' || typeof b === 'number') {
    // A finite operand only counts by its sign and its being zero or not.
    const plain = PLAIN[operation](plainOf(a), plainOf(b));
    return Number.isFinite(plain) ? (operation === 'remainder' ? a : bigOf('0')) : plain;
  }
  switch (operation) {
    case 'add':
      return a.add(b, DIGITS_34);
    case 'subtract':
      return a.subtract(b, DIGITS_34);
    case 'multiply':
      return a.multiply(b, DIGITS_34);
    case 'divide':
      return a.divideWithMathContext(b, DIGITS_34);
    case 'remainder':
      return remainder(a, b);
  }
}

function plainOf(value: DecimalNumber): number {
  return typeof value === 'number' ? value : value.signum();
}

/** The remainder of a division to an integer quotient of any number of digits, which are never written out. */
function remainder(a: BigDecimal, b: BigDecimal): BigDecimal {
  if (a.scale() >= b.scale() && leadingPlace(a) < leadingPlace(b) - 1) return a;
  const exponent = -Math.max(a.scale(), b.scale());
  const divisor = b.scaleByPowerOfTen(-exponent).toBigInt();
  const power = powerOfTen(-a.scale() - exponent, divisor);
  return Big((a.unscaledValue() * power) % divisor, -exponent);
}

export function leadingPlace(value: BigDecimal): number {
  return value.precision() - value.scale() - 1;
}

export function bigOf(text: string | bigint): BigDecimal {
  return Big(text);
}

/** The exact decimal of a number; a double with its first 34 digits, or with 15 as MongoDB converts single doubles. */
export function toDecimalNumber(value: NumberValue, digits: 15 | 34): DecimalNumber {
  if (value instanceof Decimal) {
    const exact = exactOfText(value.text);
    // The library reads integers ten times as fast as long texts.
    return exact === undefined ? Number(value.text) : bigOfExact(exact);
  }
  if (numberKind(value) !== 'double') return Big(toBigInt(value));
  const plain = toDouble(value);
  if (!Number.isFinite(plain)) return plain;
  if (plain === 0) return Big('0');
  return digits === 15 ? withDigits15(plain) : exactBig(plain);
}

/** 15 digits as MongoDB makes them: as many digits as that, zeros too. */
function withDigits15(value: number): BigDecimal {
  const rounded = firstDigits(value, DIGITS_15);
  return rounded.setScale(14 - leadingPlace(rounded));
}

function exactBig(value: number): BigDecimal {
  const stripped = firstDigits(value, DIGITS_34).stripTrailingZeros();
  return stripped.scale() < 0 && leadingPlace(stripped) < 34 ? stripped.setScale(0) : stripped;
}

/** The first digits of the exact value of a double, half to even. */
function firstDigits(value: number, digits: MathContext): BigDecimal {
  const magnitude = Math.abs(value);
  // Out here no double has so few digits that it lies half way, and the runtime is a hundred times as fast.
  if (magnitude < 2 ** -60 || magnitude > 1e60) return Big(value.toPrecision(digits.precision));
  return bigOfExact(exactOfDouble(value)).round(digits);
}

export function bigOfExact({ coefficient, exponent }: Exact): BigDecimal {
  return Big(coefficient, -exponent);
}

/** The decimal that a result is, rounded to 34 digits and to the range of exponents. */
export function decimalResult(value: DecimalNumber): Decimal {
  if (typeof value === 'number')
    return new Decimal(Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');
  const rounded = value.precision() > 34 ? value.round(DIGITS_34) : value;
  const exact = decimalOf(rounded);
  if (exact !== undefined) return exact;
  if (leadingPlace(rounded) > 0) return decimalResult(rounded.signum() * Infinity);
  if (leadingPlace(rounded) < LEAST_EXPONENT - 1) return new Decimal('0E-6176');
  const least = rounded.setScale(-LEAST_EXPONENT, RoundingMode.HALF_EVEN);
  return decimalOf(least) ?? new Decimal('0E-6176');
}

function decimalOf(value: BigDecimal): Decimal | undefined {
  const coefficient = value.unscaledValue();
  const negative = coefficient < 0n;
  const digits = (negative ? -coefficient : coefficient).toString();
  return decimalOfDigits({ negative, digits, exponent: -value.scale() });
}
