/** Products, quotients and their kin over the four kinds of numbers, by MongoDB's rules of widening. */
import { INT_MAX, INT_MIN, type Value, doubleOf } from '../../domain/values/values.ts';
import type { NumberValue } from '../../query/order/numbers.ts';
import { compute, decimalResult, PLAIN, toDecimalNumber } from './decimals.ts';
import { integerResult, isTrue, numberKind, toBigInt, toDouble, widest } from './kinds.ts';

type Operation = 'add' | 'subtract' | 'multiply';

/** Integers, exactly. */
export const EXACT: Readonly<Record<Operation, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
};

function calculating(operation: Operation): (a: NumberValue, b: NumberValue) => NumberValue {
  const [plain, exact] = [PLAIN[operation], EXACT[operation]];
  return (a, b) => {
    const kind = widest(numberKind(a), numberKind(b));
    if (kind === 'decimal') {
      return decimalResult(compute(operation, toDecimalNumber(a, 15), toDecimalNumber(b, 15)));
    }
    if (kind === 'double') return doubleOf(plain(toDouble(a), toDouble(b)));
    return integerResult(exact(toBigInt(a), toBigInt(b)), kind);
  };
}

/** The sum of two; unlike `Total`, it rounds after each addition, as MongoDB's `$add` does. */
export const add = calculating('add');
export const subtract = calculating('subtract');
export const multiply = calculating('multiply');

/** A double, or a decimal where one takes part; undefined for a divisor of zero. */
export function divide(a: NumberValue, b: NumberValue): Value | undefined {
  if (!isTrue(b)) return undefined;
  if (widest(numberKind(a), numberKind(b)) === 'decimal') {
    return decimalResult(compute('divide', toDecimalNumber(a, 15), toDecimalNumber(b, 15)));
  }
  return doubleOf(toDouble(a) / toDouble(b));
}

/** The remainder, with the sign of the dividend; undefined for a divisor of zero. */
export function modulo(a: NumberValue, b: NumberValue): Value | undefined {
  if (!isTrue(b)) return undefined;
  const kinds = [numberKind(a), numberKind(b)] as const;
  if (kinds.includes('decimal')) {
    return decimalResult(compute('remainder', toDecimalNumber(a, 15), toDecimalNumber(b, 15)));
  }
  const by = toDouble(b);
  // A double divides integers as an int does where it could be one.
  const asInt = Number.isInteger(by) && by >= INT_MIN && by <= INT_MAX;
  if (kinds[0] === 'double' || (kinds[1] === 'double' && !asInt)) return doubleOf(toDouble(a) % by);
  const kind = kinds.includes('long') ? 'long' : 'int';
  return integerResult(toBigInt(a) % toBigInt(b), kind);
}
