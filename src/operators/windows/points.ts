/** `$derivative`, and its common part with `$integral`: an input over the values of `sortBy`, and a unit of time. */
import { integerOf, type Value } from '../../domain/values/values.ts';
import { isNumber, type NumberValue } from '../../query/order/numbers.ts';
import type { Expression } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { namedArguments, refuseExpression, REQUIRED, type Argument } from '../core/operator.ts';
import { valueAt } from '../core/paths.ts';
import { LENGTH, UNITS } from '../dates/calendar.ts';
import { divide, multiply, subtract } from '../numbers/arithmetic.ts';
import { overSpans, readBounds } from './bounds.ts';
import { Column, sortPath, type ReadWindowFunction, type WindowAt } from './window.ts';

export interface Points {
  readonly input: Expression;
  /** The path of `sortBy`. */
  readonly path: readonly string[];
  /** Milliseconds of the unit; null where these are numbers. */
  readonly unit: number | null;
}

/** `{input, unit?}`; undefined when it reported a fault. */
export function readInput(argument: Value, at: WindowAt): Pick<Points, 'input' | 'unit'> | undefined {
  const given = namedArguments(argument, { input: REQUIRED, unit: undefined }, at);
  if (given === undefined) return undefined;
  const input = given.input.parse();
  const unit = given.unit === undefined ? null : readUnit(given.unit);
  return unit === undefined ? undefined : { input, unit };
}

/** The milliseconds of a unit that always has as many. */
function readUnit(given: Argument): number | undefined {
  const unit = UNITS.find((each) => each === given.value);
  const length = unit === undefined ? undefined : LENGTH[unit];
  if (length !== undefined) return length;
  const known = UNITS.filter((each) => LENGTH[each] !== undefined).join(', ');
  refuseExpression(given, `unit is one of ${known}.`);
  return undefined;
}

/** One less another: of dates, milliseconds. */
export function difference(a: NumberValue | Date, b: NumberValue | Date): NumberValue {
  if (a instanceof Date && b instanceof Date) {
    const milliseconds = integerOf(BigInt(a.getTime() - b.getTime()));
    return isNumber(milliseconds) ? milliseconds : 0;
  }
  const left = isNumber(a) && isNumber(b) ? subtract(a, b) : undefined;
  return isNumber(left) ? left : stop('Dates and numbers are not subtracted from each other here.');
}

/** The growth of the input from the first to the last document of the window, for each unit. */
export const derivative: ReadWindowFunction = (argument, at) => {
  const read = readInput(argument, at);
  const path = sortPath(at);
  const bounds = readBounds(at);
  if (at.window === undefined) refuseExpression(at, `${at.name} needs a window.`);
  if (read === undefined || path === undefined || bounds === undefined) return undefined;
  const { input, unit } = read;
  const position = (x: Operand): NumberValue | Date => {
    if (unit === null && isNumber(x)) return x;
    if (unit !== null && x instanceof Date) return x;
    return stop(`${at.name} needs a sortBy that leads to ${unit === null ? 'numbers, or a unit' : 'dates'}.`);
  };
  const height = (y: Operand): NumberValue => (isNumber(y) ? y : stop(`${at.name} takes numbers as input.`));
  return overSpans(bounds, (keep) => {
    const [xs, ys] = [new Column(keep), new Column(keep)];
    return {
      add: (frame) => {
        xs.add(valueAt(frame.root, path, frame.meter));
        ys.add(input.evaluate(frame));
      },
      over: ({ from, to }) => {
        keep.meter.spend(10);
        if (from >= to) return null;
        const run = difference(position(xs.at(to - 1)), position(xs.at(from)));
        const rise = difference(height(ys.at(to - 1)), height(ys.at(from)));
        const slope = divide(rise, run);
        if (!isNumber(slope)) return null;
        return unit === null ? slope : multiply(slope, unit);
      },
    };
  });
};
