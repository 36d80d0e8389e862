/**
 * `$percentile` and `$median`: their arguments, and the values at the ranks. MongoDB's method `approximate` leaves the
 * error open; here there is none. A percentile is a value of the input, never one between two.
 */
import { inside } from '../../domain/pointer.ts';
import { type Value, doubleOf } from '../../domain/values/values.ts';
import { isNumber } from '../../query/order/numbers.ts';
import type { Expression } from '../core/expression.ts';
import type { Meter, Operand } from '../core/meter.ts';
import { namedArguments, refuseExpression, REQUIRED, type At } from '../core/operator.ts';
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
  const [input, p, method] = given ?? [];
  if (input?.value === undefined || p?.value === undefined || method?.value === undefined) return undefined;
  const expression = at.scope.parse(input.value, inside(at.place, 'input'), at.scope);
  const ps = readPs(p.value, at);
  if (ps === undefined || !takesMethod(method.value, at)) return undefined;
  return { input: expression, ps, shape: (values) => values };
};

export const median: ReadQuantiles = (argument, at) => {
  const given = namedArguments(argument, { input: REQUIRED, method: REQUIRED }, at);
  const [input, method] = given ?? [];
  if (input?.value === undefined || method?.value === undefined) return undefined;
  const expression = at.scope.parse(input.value, inside(at.place, 'input'), at.scope);
  if (!takesMethod(method.value, at)) return undefined;
  return { input: expression, ps: [0.5], shape: ([value]) => value ?? null };
};

function takesMethod(method: Value, at: At): boolean {
  if (method === 'approximate') return true;
  refuseExpression(
    { ...at, place: inside(at.place, 'method') },
    `${at.name} knows the method approximate alone.`,
  );
  return false;
}

function readPs(value: Value, at: At): readonly number[] | undefined {
  const place = inside(at.place, 'p');
  // Plain numbers are constants, however many they are.
  const isPlain = isList(value) && value.every(isNumber);
  const list = isPlain ? value : at.scope.parse(value, place, at.scope).constant?.value;
  const ps = list !== undefined && isList(list) ? list.map((p) => (isNumber(p) ? toDouble(p) : NaN)) : [];
  if (ps.length > 0 && ps.every((p) => p >= 0 && p <= 1)) return ps;
  refuseExpression(
    { ...at, place },
    `${at.name} takes an array of numbers from 0 to 1 as p, without fields in it.`,
  );
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
