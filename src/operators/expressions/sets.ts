/** Arrays as sets: order and repetition do not count. Results keep the order in which values came first. */
import type { Value } from '../../domain/values/values.ts';
import type { Frame } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { distinct, keyOfOperand } from '../core/keys.ts';
import { isTrue } from '../numbers/kinds.ts';
import { describeOperand, listOf, positional, strict, unary, type Operators } from '../core/operator.ts';
import { isList } from '../../domain/values/tree.ts';

function keysOf(list: readonly Value[]): ReadonlySet<string> {
  return new Set(list.map(keyOfOperand));
}

function lists(operands: readonly Operand[], name: string): readonly (readonly Value[])[] {
  return operands.map((operand) => listOf(operand, name, 'arrays'));
}

function equal(operands: readonly Operand[], _frame: Frame, name: string): boolean {
  const [first = new Set<string>(), ...others] = lists(operands, name).map(keysOf);
  return others.every((other) => other.size === first.size && [...other].every((key) => first.has(key)));
}

function intersection(operands: readonly Value[], _frame: Frame, name: string): Operand {
  const [first = [], ...others] = lists(operands, name);
  const sets = others.map(keysOf);
  return [...distinct(first)].flatMap(([key, value]) => (sets.every((set) => set.has(key)) ? [value] : []));
}

function union(operands: readonly Value[], frame: Frame, name: string): Operand {
  const all = lists(operands, name);
  frame.meter.expect(16 * all.reduce((sum, { length }) => sum + length, 0));
  return [...distinct(all.flat()).values()];
}

function difference([a, b]: readonly Value[], _frame: Frame, name: string): Operand {
  const without = keysOf(listOf(b, name, 'two arrays'));
  return [...distinct(listOf(a, name, 'two arrays'))].flatMap(([key, value]) =>
    without.has(key) ? [] : [value],
  );
}

/** The array that an operator on one array is given: it may be in a list of its own. */
function only(operand: Operand, name: string): readonly Value[] {
  return operand !== undefined && isList(operand)
    ? operand
    : stop(`${name} takes an array, not ${describeOperand(operand)}.`);
}

export const SETS: Operators = {
  $setEquals: positional(2, Infinity, equal),
  $setIntersection: strict(0, Infinity, intersection),
  $setUnion: strict(0, Infinity, union),
  $setDifference: strict(2, 2, difference),
  $setIsSubset: positional(2, 2, ([a, b], _frame, name) => {
    const whole = keysOf(listOf(b, name, 'two arrays'));
    return listOf(a, name, 'two arrays').every((value) => whole.has(keyOfOperand(value)));
  }),
  $anyElementTrue: unary((value, _frame, name) => only(value, name).some(isTrue)),
  $allElementsTrue: unary((value, _frame, name) => only(value, name).every(isTrue)),
};
