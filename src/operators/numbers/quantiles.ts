/**
 * `$percentile` and `$median`: their arguments, and the values at the ranks. MongoDB's method `approximate` leaves the
 * error open; here there is none. A percentile is a value of the input, never one between two.
 */
import { type Value, doubleOf } from '../../domain/values/values.ts';
import { isNumber } from '../../query/order/numbers.ts';
import type { Expression } from '../core/expression.ts';
import type { Meter, Operand } from '../core/meter.ts';
import { namedArguments, refuseExpression, REQUIRED, type Argument, type At } from '../core/operator.ts';
import { toDouble } from './kinds.ts';
import type { OrderedDoubles } from './ordered.ts';
import { isList } from '../../domain/values/tree.ts';

export interface Quantiles {
  readonly input: Expression;
  /** From 0 to 1 each. */
  readonly ps: readonly number[];
  /** Their values, as the operator gives them. */
  readonly shape: (values: readonly Value[]) => Value;
}

/** Reads the argument of one of the two; undefined when it reported a fault. */
export type ReadQuantiles = (argument: Value, at: At) => Quantiles | undefined;

export const percentile: ReadQuantiles = (argument, at) => {
  const given = namedArguments(argument, { input: REQUIRED, p: REQUIRED, method: REQUIRED }, at);
  if (given === undefined) return undefined;
  const input = given.input.parse();
  const ps = readPs(given.p);
  return ps && takesMethod(given.method) ? { input, ps, shape: (values) => values } : undefined;
};

export const median: ReadQuantiles = (argument, at) => {
  const given = namedArguments(argument, { input: REQUIRED, method: REQUIRED }, at);
  if (given === undefined) return undefined;
  const input = given.input.parse();
  return takesMethod(given.method) ? { input, ps: [0.5], shape: ([value]) => value ?? null } : undefined;
};

function takesMethod(method: Argument): boolean {
  if (method.value === 'approximate') return true;
  refuseExpression(method, `${method.name} knows the method approximate alone.`);
  return false;
}

function readPs(p: Argument): readonly number[] | undefined {
  // Plain numbers are constants, however many they are.
  const isPlain = isList(p.value) && p.value.every(isNumber);
  const list = isPlain ? p.value : p.parse().constant?.value;
  const ps =
    list !== undefined && isList(list) ? list.map((each) => (isNumber(each) ? toDouble(each) : NaN)) : [];
  if (ps.length > 0 && ps.every((each) => each >= 0 && each <= 1)) return ps;
  refuseExpression(p, `${p.name} takes an array of numbers from 0 to 1 as p, without fields in it.`);
  return undefined;
}

/** The number as it counts for percentiles, or undefined for what does not. */
export function sampleOf(value: Operand): number | undefined {
  if (!isNumber(value)) return undefined;
  const number = toDouble(value);
  // There is one zero.
  return Number.isNaN(number) ? undefined : number + 0;
}

/** The values at the percentiles, doubles as MongoDB gives them; null each where nothing counted. */
export function quantilesOf({ ps, shape }: Quantiles, sample: OrderedDoubles, meter: Meter): Value {
  meter.expect(32 + 48 * ps.length);
  meter.spend(1 + ps.length * sample.units);
  const { length } = sample;
  return shape(
    ps.map((p): Value => {
      const found = sample.at(p === 1 ? length - 1 : Math.max(0, Math.ceil(length * p) - 1));
      return found === undefined ? null : doubleOf(found);
    }),
  );
}
