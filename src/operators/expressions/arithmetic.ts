/** `$add`, `$subtract`, `$multiply`, `$divide`, `$mod`, `$abs`, bits: exact where their kinds are, dates included. */
import { Decimal, LONG_MIN, type Value, doubleOf } from '../../domain/values/values.ts';
import { isNumber, type NumberValue } from '../../query/order/numbers.ts';
import { isNullish } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { add as sum, divide, modulo, multiply, subtract } from '../numbers/arithmetic.ts';
import { RoundingMode } from 'bigdecimal.js';
import { decimalResult, leadingPlace, toDecimalNumber } from '../numbers/decimals.ts';
import { integerResult, numberKind, toBigInt, toDouble } from '../numbers/kinds.ts';
import { dateAt } from '../dates/operands.ts';
import { binary, describeOperand, inTurn, type Operator, type Operators, unary } from '../core/operator.ts';

export function numberOf(value: Operand, name: string): NumberValue {
  if (isNumber(value)) return value;
  return stop(`${name} takes numbers, not ${describeOperand(value)}.`);
}

/** MongoDB rounds halves of a double away from zero, and those of a decimal to even. */
function wholeMilliseconds(value: NumberValue): number {
  if (numberKind(value) !== 'decimal') {
    const plain = toDouble(value);
    const whole = Math.trunc(plain);
    return Math.abs(plain - whole) >= 0.5 ? whole + Math.sign(plain) : whole;
  }
  const big = toDecimalNumber(value, 34);
  if (typeof big === 'number') return big;
  // What has digits beyond those of dates is never written out.
  return leadingPlace(big) > 20 ? Infinity : big.setScale(0, RoundingMode.HALF_EVEN).numberValue();
}

function summandOf(value: Value, name: string, before: readonly (NumberValue | Date)[]): NumberValue | Date {
  if (isNumber(value)) return value;
  if (!(value instanceof Date))
    return stop(`${name} takes numbers and dates, not ${describeOperand(value)}.`);
  return before.some((each) => each instanceof Date) ? stop(`${name} takes one date at most.`) : value;
}

/** Of numbers behind a date, each is rounded to milliseconds (MongoDB). */
function add(summands: readonly (NumberValue | Date)[], name: string): Operand {
  let total: NumberValue = 0;
  let time: number | undefined;
  for (const each of summands) {
    if (each instanceof Date) time = each.getTime() + wholeMilliseconds(total);
    else if (time === undefined) total = sum(total, each);
    else time += wholeMilliseconds(each);
  }
  return time === undefined ? total : dateAt(time, name);
}

function difference(a: Value, b: Value, name: string): Operand {
  if (a instanceof Date) {
    if (b instanceof Date) return integerResult(BigInt(a.getTime() - b.getTime()), 'long');
    if (isNumber(b)) return dateAt(a.getTime() - wholeMilliseconds(b), name);
  } else if (isNumber(a) && isNumber(b)) return subtract(a, b);
  return stop(`${name} takes two numbers, two dates, or a date and a number.`);
}

function absolute(value: NumberValue, name: string): Operand {
  const kind = numberKind(value);
  if (kind === 'double') return doubleOf(Math.abs(toDouble(value)));
  if (kind === 'decimal') {
    const big = toDecimalNumber(value, 34);
    if (typeof big === 'number') return decimalResult(Math.abs(big));
    return value instanceof Decimal && value.text.startsWith('-') ? new Decimal(value.text.slice(1)) : value;
  }
  const integer = toBigInt(value);
  if (integer === LONG_MIN) return stop(`${name} cannot take the least long: its absolute value is no long.`);
  return integerResult(integer < 0n ? -integer : integer, kind);
}

/** An int or a long: other numbers have no bits. */
function integerIn(value: Value, name: string): NumberValue {
  const kind = isNumber(value) ? numberKind(value) : undefined;
  if (isNumber(value) && (kind === 'int' || kind === 'long')) return value;
  return stop(`${name} takes integers, not ${describeOperand(value)}.`);
}

/** Of no integers it is `least`. */
function bits(least: number, join: (a: bigint, b: bigint) => bigint): Operator {
  return inTurn(0, Infinity, integerIn, (integers) =>
    integers.reduce((a, b) => {
      const kind = [a, b].every((each) => numberKind(each) === 'int') ? 'int' : 'long';
      return integerResult(join(toBigInt(a), toBigInt(b)), kind);
    }, least),
  );
}

export const ARITHMETIC: Operators = {
  $add: inTurn(0, Infinity, summandOf, (summands, _frame, name) => add(summands, name)),
  $subtract: binary((a, b, _frame, name) => difference(a, b, name)),
  $multiply: inTurn(0, Infinity, numberOf, (factors) => factors.reduce(multiply, 1)),
  $divide: binary(
    (a, b, _frame, name) =>
      divide(numberOf(a, name), numberOf(b, name)) ?? stop(`${name} cannot divide by zero.`),
  ),
  $mod: binary(
    (a, b, _frame, name) =>
      modulo(numberOf(a, name), numberOf(b, name)) ?? stop(`${name} cannot divide by zero.`),
  ),
  $bitAnd: bits(-1, (a, b) => a & b),
  $bitOr: bits(0, (a, b) => a | b),
  $bitXor: bits(0, (a, b) => a ^ b),
  $bitNot: unary((value, _frame, name) => (isNullish(value) ? null : subtract(-1, integerIn(value, name)))),
  $abs: unary((value, _frame, name) => (isNullish(value) ? null : absolute(numberOf(value, name), name))),
};
