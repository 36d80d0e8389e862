/** `$pow`, `$sqrt`, `$exp`, `$ln`, `$log`, `$log10`: integers exact where they can be, decimals to 34 digits. */
import { LONG_MAX, doubleOf } from '../../domain/values/values.ts';
import type { NumberValue } from '../../query/order/numbers.ts';
import { isNullish, type Frame } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import {
  bigOf,
  compute,
  decimalResult,
  DIGITS_34,
  toDecimalNumber,
  type DecimalNumber,
} from '../numbers/decimals.ts';
import { exponential, logarithm, logarithm10, power } from '../numbers/functions.ts';
import {
  integerResult,
  isTrue,
  numberKind,
  smallInteger,
  toBigInt,
  toDouble,
  widest,
  type NumberKind,
} from '../numbers/kinds.ts';
import { binary, unary, type Operator, type Operators, inTurn } from '../core/operator.ts';
import { numberOf } from './arithmetic.ts';

/** The steps of a root, a logarithm or an exponential of a decimal, of a quotient or of a power of many digits. */
const SERIES = 1_000;

function raise(base: NumberValue, exponent: NumberValue, { meter }: Frame, name: string): Operand {
  const kind = widest(numberKind(base), numberKind(exponent));
  if (!isTrue(base) && toDouble(exponent) < 0) {
    return stop(`${name} cannot take a base of zero with a negative exponent.`);
  }
  if (kind === 'decimal') {
    meter.spend(2 * SERIES);
    return decimalResult(decimalPower(base, exponent));
  }
  const exact = kind === 'double' ? undefined : integerPower(toBigInt(base), toBigInt(exponent));
  return kind === 'double' || exact === undefined
    ? doubleOf(plainPower(toDouble(base), toDouble(exponent)))
    : integerResult(exact, kind);
}

/** Unlike JavaScript's, 1 of 1, and of -1 to an infinity. */
function plainPower(base: number, exponent: number): number {
  return base === 1 || (base === -1 && Math.abs(exponent) === Infinity) ? 1 : Math.pow(base, exponent);
}

/** The exact power when it fits 64 bits. */
function integerPower(base: bigint, exponent: bigint): bigint | undefined {
  if (base === 1n || exponent === 0n) return 1n;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (base === 0n) return 0n;
  if (exponent < 0n || exponent > 64n) return undefined;
  const result = base ** exponent;
  return result > LONG_MAX || result < -LONG_MAX - 1n ? undefined : result;
}

function decimalPower(base: NumberValue, exponent: NumberValue): DecimalNumber {
  const x = toDecimalNumber(base, 15);
  const y = toDecimalNumber(exponent, 15);
  if (typeof x === 'number' || typeof y === 'number') {
    const plain = plainPower(Number(x.toString()), Number(y.toString()));
    return Number.isFinite(plain) ? bigOf(String(plain)) : plain;
  }
  const integer = smallInteger(exponent);
  // With a digit for each multiplication to spare, the 34 that are kept are right.
  if (integer !== undefined && Math.abs(integer) <= 999 && x.precision() * Math.abs(integer) <= 5_000) {
    const exact = x.pow(Math.abs(integer));
    return integer < 0 ? compute('divide', toDecimalNumber(1, 34), exact) : exact;
  }
  if (x.signum() === 0) return x;
  if (x.signum() > 0) return power(x, y);
  if (integer === undefined) return NaN;
  const positive = power(x.negate(), y);
  if (integer % 2 === 0) return positive;
  return typeof positive === 'number' ? -positive : positive.negate();
}

function squareRoot(value: NumberValue, { meter }: Frame, name: string): Operand {
  const plain = toDouble(value);
  if (plain < 0) return stop(`${name} takes no number below zero.`);
  if (numberKind(value) !== 'decimal') return doubleOf(Math.sqrt(plain));
  meter.spend(2 * SERIES);
  const decimal = toDecimalNumber(value, 34);
  return decimalResult(typeof decimal === 'number' ? decimal : decimal.sqrt(DIGITS_34));
}

/** A function of one number, for doubles and for decimals, within its domain. */
function elementary(
  plain: (value: number) => number,
  exact: (value: DecimalNumber) => DecimalNumber,
  needsPositive: boolean,
): Operator {
  return unary((value, frame, name) => {
    if (isNullish(value)) return null;
    const number = numberOf(value, name);
    if (needsPositive && (toDouble(number) < 0 || !isTrue(number))) {
      return stop(`${name} takes a number above zero.`);
    }
    if (numberKind(number) !== 'decimal') return doubleOf(plain(toDouble(number)));
    frame.meter.spend(SERIES);
    return decimalResult(exact(toDecimalNumber(number, 34)));
  });
}

function logarithmTo(value: NumberValue, base: NumberValue, { meter }: Frame, name: string): Operand {
  if (toDouble(value) < 0 || !isTrue(value)) return stop(`${name} takes a number above zero.`);
  if (toDouble(base) <= 0 || toDouble(base) === 1)
    return stop(`${name} takes a base above zero that is not 1.`);
  if (widest(numberKind(value), numberKind(base)) !== 'decimal') {
    return doubleOf(Math.log(toDouble(value)) / Math.log(toDouble(base)));
  }
  meter.spend(2 * SERIES);
  const numerator = logarithm(toDecimalNumber(value, 15));
  return decimalResult(compute('divide', numerator, logarithm(toDecimalNumber(base, 15))));
}

export const POWERS: Operators = {
  $pow: binary((base, exponent, frame, name) => {
    frame.meter.spend(50);
    return raise(numberOf(base, name), numberOf(exponent, name), frame, name);
  }),
  $sqrt: unary((value, frame, name) =>
    isNullish(value) ? null : squareRoot(numberOf(value, name), frame, name),
  ),
  $exp: elementary(Math.exp, exponential, false),
  $ln: elementary(Math.log, logarithm, true),
  $log10: elementary(Math.log10, logarithm10, true),
  $log: binary((value, base, frame, name) =>
    logarithmTo(numberOf(value, name), numberOf(base, name), frame, name),
  ),
};

/** From where to where a function is defined. */
interface Domain {
  readonly holds: (value: number) => boolean;
  readonly words: string;
}

const FINITE: Domain = { holds: Number.isFinite, words: 'a finite number' };
const UNIT: Domain = { holds: (value) => Math.abs(value) <= 1, words: 'a number from -1 to 1' };
const FROM_ONE: Domain = { holds: (value) => value >= 1, words: 'a number from 1 on' };
const ALL: Domain = { holds: () => true, words: 'a number' };

/** In radians. Decimals are computed as doubles and answered as decimals of 15 digits. */
function trigonometric(compute: (value: number) => number, domain: Domain): Operator {
  return unary((value, _frame, name) => {
    if (isNullish(value)) return null;
    const number = numberOf(value, name);
    const plain = toDouble(number);
    if (!Number.isNaN(plain) && !domain.holds(plain)) return stop(`${name} takes ${domain.words}.`);
    return inKind(compute(plain), numberKind(number));
  });
}

function inKind(result: number, kind: NumberKind) {
  const double = doubleOf(result);
  return kind === 'decimal' ? decimalResult(toDecimalNumber(double, 15)) : double;
}

export const TRIGONOMETRY: Operators = {
  $sin: trigonometric(Math.sin, FINITE),
  $cos: trigonometric(Math.cos, FINITE),
  $tan: trigonometric(Math.tan, FINITE),
  $asin: trigonometric(Math.asin, UNIT),
  $acos: trigonometric(Math.acos, UNIT),
  $atan: trigonometric(Math.atan, ALL),
  $sinh: trigonometric(Math.sinh, ALL),
  $cosh: trigonometric(Math.cosh, ALL),
  $tanh: trigonometric(Math.tanh, ALL),
  $asinh: trigonometric(Math.asinh, ALL),
  $acosh: trigonometric(Math.acosh, FROM_ONE),
  $atanh: trigonometric(Math.atanh, UNIT),
  $degreesToRadians: trigonometric((degrees) => (degrees * Math.PI) / 180, ALL),
  $radiansToDegrees: trigonometric((radians) => (radians * 180) / Math.PI, ALL),
  $atan2: inTurn(2, 2, numberOf, ([y = 0, x = 0]) =>
    inKind(Math.atan2(toDouble(y), toDouble(x)), widest(numberKind(y), numberKind(x))),
  ),
};
