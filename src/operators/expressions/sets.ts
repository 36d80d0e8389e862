/** Arrays as sets: order and repetition do not count. Results keep the order in which values came first. */
import type { Value } from '../../domain/values/values.ts';
import type { Frame } from '../core/expression.ts';
import type { Operand } from '../core/meter.ts';
import { distinct, keyOfOperand } from '../core/keys.ts';
import { isTrue } from '../numbers/kinds.ts';
import { arrayOf, binary, inTurn, listOf, positional, unary, type Operators } from '../core/operator.ts';

type Lists = readonly (readonly Value[])[];

function keysOf(list: readonly Value[]): ReadonlySet<string> {
  return new Set(list.map(keyOfOperand));
}

/** The first that differs decides, whatever the others are (MongoDB). */
function equal([first, ...others]: readonly Operand[], _frame: Frame, name: string): boolean {
  const keys = keysOf(listOf(first, name, 'arrays'));
  return others.every((operand) => {
    const other = keysOf(listOf(operand, name, 'arrays'));
    return other.size === keys.size && [...other].every((key) => keys.has(key));
  });
}

function intersection([first = [], ...others]: Lists): Operand {
  const sets = others.map(keysOf);
  return [...distinct(first)].flatMap(([key, value]) => (sets.every((set) => set.has(key)) ? [value] : []));
}

function union(lists: Lists, { meter }: Frame): Operand {
  meter.expect(16 * lists.reduce((sum, { length }) => sum + length, 0));
  return [...distinct(lists.flat()).values()];
}

function difference(a: Value, b: Value, _frame: Frame, name: string): Operand {
  const without = keysOf(listOf(b, name, 'two arrays'));
  return [...distinct(listOf(a, name, 'two arrays'))].flatMap(([key, value]) =>
    without.has(key) ? [] : [value],
  );
}

export const SETS: Operators = {
  $setEquals: positional(2, Infinity, equal),
  $setIntersection: inTurn(0, Infinity, arrayOf, intersection),
  $setUnion: inTurn(0, Infinity, arrayOf, union),
  $setDifference: binary(difference),
  $setIsSubset: positional(2, 2, ([a, b], _frame, name) => {
    const whole = keysOf(listOf(b, name, 'two arrays'));
    return listOf(a, name, 'two arrays').every((value) => whole.has(keyOfOperand(value)));
  }),
  $anyElementTrue: unary((value, _frame, name) => listOf(value, name).some(isTrue)),
  $allElementsTrue: unary((value, _frame, name) => listOf(value, name).every(isTrue)),
};
