/** `$round`, `$trunc`, `$ceil`, `$floor`: they round to a place before or after the point and keep the kind. */
import { Big, RoundingMode } from 'bigdecimal.js';
import { LONG_MAX, LONG_MIN, doubleOf } from '../../domain/values/values.ts';
import type { NumberValue } from '../../query/order/numbers.ts';
import { isNullish, type Frame } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { decimalResult, leadingPlace, toDecimalNumber, type BigDecimal } from '../numbers/decimals.ts';
import { integerResult, numberKind, smallInteger, toDouble } from '../numbers/kinds.ts';
import { positional, unary, type Operator, type Operators } from '../core/operator.ts';
import { numberOf } from './arithmetic.ts';

const LEAST_PLACE = -20;
const MOST_PLACE = 100;

/** The steps of rounding by way of a decimal. */
const BY_DECIMAL = 50;

/** Rounds at a place: 2 is hundredths, -2 hundreds. */
function roundTo(value: NumberValue, place: number, mode: RoundingMode, frame: Frame, name: string): Operand {
  const kind = numberKind(value);
  if ((kind === 'int' || kind === 'long') && place >= 0) return value;
  if (kind === 'double' && mode === RoundingMode.HALF_EVEN && hasNearest(toDouble(value), place)) {
    return withSign(Number(toDouble(value).toFixed(place)), toDouble(value));
  }
  frame.meter.spend(BY_DECIMAL);
  const exact = toDecimalNumber(value, 34);
  if (typeof exact === 'number') return value;
  const rounded = setPlace(exact, place, mode);
  if (kind === 'decimal') return decimalResult(rounded);
  if (kind === 'double') return withSign(Number(rounded.toString()), toDouble(value));
  const integer = rounded.toBigInt();
  if (integer > LONG_MAX || integer < LONG_MIN) return stop(`${name} leads beyond the range of longs.`);
  return integerResult(integer, kind);
}

/** Whether one number of so many places is the nearest: a double that is half way has one binary place more at most. */
function hasNearest(value: number, place: number): boolean {
  return place >= 0 && Math.abs(value) < 1e21 && !Number.isInteger(value * 2 ** (place + 1));
}

/** With this number of places, padded with zeros, or with as many as 34 digits allow. */
function setPlace(value: BigDecimal, place: number, mode: RoundingMode): BigDecimal {
  const most = 33 - leadingPlace(value);
  if (value.scale() <= place)
    return value.signum() === 0 ? value : value.setScale(Math.max(value.scale(), Math.min(place, most)));
  // Of a number whose first digit lies two places below, the sign alone counts: its digits are never written out.
  if (leadingPlace(value) < -place - 2) return Big(BigInt(value.signum()), place + 2).setScale(place, mode);
  return value.setScale(place, mode);
}

/** A negative number that rounds to zero rounds to the negative one. */
function withSign(rounded: number, original: number): Operand {
  return doubleOf(rounded === 0 && original < 0 ? -0 : rounded);
}

function atPlace(mode: RoundingMode): Operator {
  return positional(1, 2, ([value, ...given], frame, name) => {
    if (isNullish(value)) return null;
    const number = numberOf(value, name);
    const [place] = given.length === 0 ? [0] : given;
    if (isNullish(place)) return null;
    const places = smallInteger(place);
    if (places === undefined || places < LEAST_PLACE || places > MOST_PLACE) {
      return stop(`${name} takes a place that is an integer from ${LEAST_PLACE} to ${MOST_PLACE}.`);
    }
    return roundTo(number, places, mode, frame, name);
  });
}

/** To an integer, up or down. Doubles need no decimals for that. */
function toInteger(plain: (value: number) => number, mode: RoundingMode): Operator {
  return unary((value, frame, name) => {
    if (isNullish(value)) return null;
    const number = numberOf(value, name);
    return numberKind(number) === 'double'
      ? doubleOf(plain(toDouble(number)))
      : roundTo(number, 0, mode, frame, name);
  });
}

export const ROUNDING: Operators = {
  $round: atPlace(RoundingMode.HALF_EVEN),
  $trunc: atPlace(RoundingMode.DOWN),
  $ceil: toInteger(Math.ceil, RoundingMode.CEILING),
  $floor: toInteger(Math.floor, RoundingMode.FLOOR),
};
