/** Trigonometry, in radians. Decimals are computed as doubles and answered as decimals of 15 digits. */
import { isNullish } from '../core/expression.ts';
import { stop } from '../core/meter.ts';
import { decimalResult, toDecimalNumber } from '../numbers/decimals.ts';
import { numberKind, toDouble, widest, type NumberKind } from '../numbers/kinds.ts';
import { inTurn, unary, type Operator, type Operators } from '../core/operator.ts';
import { numberOf } from './arithmetic.ts';
import { doubleOf } from '../../domain/values/values.ts';

/** From where to where a function is defined. */
interface Domain {
  readonly holds: (value: number) => boolean;
  readonly words: string;
}

const FINITE: Domain = { holds: Number.isFinite, words: 'a finite number' };
const UNIT: Domain = { holds: (value) => Math.abs(value) <= 1, words: 'a number from -1 to 1' };
const FROM_ONE: Domain = { holds: (value) => value >= 1, words: 'a number from 1 on' };
const ALL: Domain = { holds: () => true, words: 'a number' };

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
