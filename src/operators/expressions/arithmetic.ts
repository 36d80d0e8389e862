/** `$add`, `$subtract`, `$multiply`, `$divide`, `$mod`, `$abs`: exact where their kinds are, dates included. */
import { dateOf } from '../../domain/values/dates.ts';
import { Decimal, LONG_MIN, type Value, doubleOf } from '../../domain/values/values.ts';
import { isNumber, type NumberValue } from '../../query/order/numbers.ts';
import { isNullish } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { add as sum, divide, modulo, multiply, subtract } from '../numbers/arithmetic.ts';
import { RoundingMode } from 'bigdecimal.js';
import { decimalResult, leadingPlace, toDecimalNumber } from '../numbers/decimals.ts';
import { integerResult, numberKind, toBigInt, toDouble } from '../numbers/kinds.ts';
import { describeOperand, positional, strict, unary, type Operators } from '../core/operator.ts';

export function numberOf(value: Operand, name: string): NumberValue {
  if (isNumber(value)) return value;
  return stop(`${name} takes numbers, not ${describeOperand(value)}.`);
}

/** The date that is a number of milliseconds after another, or before it; a stop beyond the range of dates. */
function shifted(date: Date, by: NumberValue, sign: 1 | -1, name: string): Date {
  const moved = dateOf(date.getTime() + sign * wholeMilliseconds(by));
  return moved ?? stop(`${name} leads to a date beyond the range of dates.`);
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

function add(operands: readonly Operand[], name: string): Operand {
  let total: NumberValue = 0;
  let date: Date | undefined;
  let missing = false;
  for (const operand of operands) {
    if (isNullish(operand)) missing = true;
    else if (operand instanceof Date) {
      if (date !== undefined) stop(`${name} takes one date at most.`);
      date = operand;
    } else if (isNumber(operand)) total = sum(total, operand);
    else stop(`${name} takes numbers and dates, not ${describeOperand(operand)}.`);
  }
  if (missing) return null;
  return date === undefined ? total : shifted(date, total, 1, name);
}

function difference(a: Value, b: Value, name: string): Operand {
  if (a instanceof Date) {
    if (b instanceof Date) return integerResult(BigInt(a.getTime() - b.getTime()), 'long');
    if (isNumber(b)) return shifted(a, b, -1, name);
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

function product(operands: readonly Value[], name: string): Operand {
  let result: NumberValue = 1;
  for (const operand of operands) result = multiply(result, numberOf(operand, name));
  return result;
}

export const ARITHMETIC: Operators = {
  $add: positional(0, Infinity, (operands, _frame, name) => add(operands, name)),
  $subtract: strict(2, 2, ([a = null, b = null], _frame, name) => difference(a, b, name)),
  $multiply: strict(0, Infinity, (operands, _frame, name) => product(operands, name)),
  $divide: strict(
    2,
    2,
    ([a, b], _frame, name) =>
      divide(numberOf(a, name), numberOf(b, name)) ?? stop(`${name} cannot divide by zero.`),
  ),
  $mod: strict(
    2,
    2,
    ([a, b], _frame, name) =>
      modulo(numberOf(a, name), numberOf(b, name)) ?? stop(`${name} cannot divide by zero.`),
  ),
  $abs: unary((value, _frame, name) => (isNullish(value) ? null : absolute(numberOf(value, name), name))),
};
