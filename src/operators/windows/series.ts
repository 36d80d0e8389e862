/** Window functions that go on from document to document: `$expMovingAvg`; `$locf` and `$linearFill` fill gaps. */
import { Decimal, type Value, doubleOf } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { compareNumbers, isNumber, type NumberValue } from '../../query/order/numbers.ts';
import { isNullish } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { describeOperand, namedArguments, refuseExpression, REQUIRED } from '../core/operator.ts';
import { valueAt } from '../core/paths.ts';
import { add, divide, multiply } from '../numbers/arithmetic.ts';
import { bigOf, compute, decimalResult, toDecimalNumber, type DecimalNumber } from '../numbers/decimals.ts';
import { smallInteger } from '../numbers/kinds.ts';
import { difference } from './points.ts';
import { Column, sorted, sortPath, withoutWindow, type ReadWindowFunction, type WindowAt } from './window.ts';

const AVERAGE_UNITS = 100;

/** The weight of each value: `2 / (N + 1)`, or `alpha`. */
function readWeight(argument: Value, at: WindowAt) {
  const given = namedArguments(argument, { input: REQUIRED, N: undefined, alpha: undefined }, at);
  if (given === undefined) return undefined;
  const { input, N: n, alpha } = given;
  const only = n ?? alpha;
  if (only === undefined || (n !== undefined && alpha !== undefined)) {
    refuseExpression(at, `${at.name} takes either N or alpha.`);
    return undefined;
  }
  const weight = only.parse().constant?.value;
  if (only === alpha) {
    if (isNumber(weight) && compareNumbers(weight, 0) > 0 && compareNumbers(weight, 1) < 0)
      return { input, weight: toDecimalNumber(weight, 15) };
    refuseExpression(alpha, 'alpha is a number between 0 and 1.');
    return undefined;
  }
  const count = smallInteger(weight);
  if (count !== undefined && count > 0)
    return { input, weight: compute('divide', bigOf('2'), bigOf(BigInt(count) + 1n)) };
  refuseExpression(only, 'N is an integer above zero.');
  return undefined;
}

/** In decimals, as MongoDB computes it; a double in the end where no decimal takes part. */
const expMovingAvg: ReadWindowFunction = (argument, at) => {
  const read = readWeight(argument, at);
  if (read === undefined) return undefined;
  const { weight } = read;
  const input = read.input.parse();
  const rest = compute('subtract', bigOf('1'), weight);
  return {
    start: (keep) => {
      const averages = new Column(keep);
      let average: DecimalNumber | undefined;
      let decimal = false;
      return {
        add: (frame) => {
          const value = input.evaluate(frame);
          if (isNumber(value)) {
            keep.meter.spend(AVERAGE_UNITS);
            if (value instanceof Decimal) decimal = true;
            const next = toDecimalNumber(value, 15);
            average =
              average === undefined
                ? next
                : compute('add', compute('multiply', next, weight), compute('multiply', average, rest));
          }
          averages.add(average === undefined ? null : resultOf(average, decimal));
        },
        at: (index) => averages.at(index) ?? null,
      };
    },
  };
};

function resultOf(average: DecimalNumber, decimal: boolean): Value {
  const result = decimalResult(average);
  return decimal ? result : doubleOf(Number(result.text));
}

/** The last value that was neither null nor missing. */
const locf: ReadWindowFunction = (argument, at) => {
  const expression = at.scope.parse(argument, at.place, at.scope);
  return {
    start: (keep) => {
      const values = new Column(keep);
      let last: Operand = null;
      return {
        add: (frame) => {
          const value = expression.evaluate(frame);
          if (!isNullish(value)) last = value;
          values.add(last);
        },
        at: (index) => values.at(index) ?? null,
      };
    },
  };
};

/** Fills null and missing values between two values by the line between them. */
const linearFill: ReadWindowFunction = (argument, at) => {
  const expression = at.scope.parse(argument, at.place, at.scope);
  const path = sortPath(at);
  if (path === undefined) return undefined;
  return {
    start: (keep) => {
      const [xs, ys] = [new Column(keep), new Column(keep)];
      let left = -1;
      let right = 0;
      const interpolated = (index: number): Value => {
        while (right < ys.length && (right <= index || isNullish(ys.at(right)))) {
          keep.meter.spend(1);
          right += 1;
        }
        const [y1, y2] = [ys.at(left), ys.at(right)];
        if (left < 0 || !isNumber(y1) || !isNumber(y2)) return null;
        keep.meter.spend(20);
        const start = positionOf(xs.at(left));
        const slope = divide(difference(y2, y1), difference(positionOf(xs.at(right)), start));
        if (!isNumber(slope)) return null;
        return add(y1, multiply(difference(positionOf(xs.at(index)), start), slope));
      };
      return {
        add: (frame) => {
          const [x, y] = [valueAt(frame.root, path, frame.meter), expression.evaluate(frame)];
          if (!isNullish(y) && !isNumber(y)) stop(`${at.name} fills numbers, not ${describeOperand(y)}.`);
          const position = positionOf(x);
          if (xs.length > 0 && compareValues(position, xs.at(xs.length - 1)) === 0) {
            stop(`${at.name} needs another value of sortBy in each document.`);
          }
          xs.add(position);
          ys.add(y);
        },
        at: (index) => {
          const value = ys.at(index);
          if (isNullish(value)) return interpolated(index);
          left = index;
          return value;
        },
      };
    },
  };
};

function positionOf(value: Operand): NumberValue | Date {
  if (isNumber(value) || value instanceof Date) return value;
  return stop(`$linearFill needs a sortBy that leads to numbers or dates, not to ${describeOperand(value)}.`);
}

export const SERIES: Readonly<Record<string, ReadWindowFunction>> = {
  $expMovingAvg: withoutWindow(sorted(expMovingAvg)),
  $locf: withoutWindow(locf),
  $linearFill: withoutWindow(linearFill),
};
