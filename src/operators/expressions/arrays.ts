/** Operators that look into arrays, and put arrays together. */
import { INT_MAX, INT_MIN, isFields, type Value } from '../../domain/values/values.ts';
import { bySortFields } from '../../query/order/ordering.ts';
import { compareValues, equalValues } from '../../query/order/compare.ts';
import { stop, type Operand } from '../core/meter.ts';
import { smallInteger } from '../numbers/kinds.ts';
import {
  call,
  listOf,
  namedArguments,
  positional,
  REQUIRED,
  strict,
  unary,
  type Operator,
  type Operators,
} from '../core/operator.ts';
import { inside } from '../../domain/pointer.ts';
import { isNullish, NOTHING } from '../core/expression.ts';
import { readSortBy } from '../core/sort-by.ts';
import { zip } from './zip.ts';
import { isList } from '../../domain/values/tree.ts';

/** An operand that must be an integer of 32 bits, of any kind of numbers. */
export function integerOf(value: Operand, name: string, what: string): number {
  const integer = smallInteger(value);
  return integer !== undefined && integer >= INT_MIN && integer <= INT_MAX
    ? integer
    : stop(`${name} takes an integer of 32 bits as ${what}.`);
}

const elementAt = strict(
  2,
  2,
  ([list, index], _frame, name) => {
    const items = listOf(list, name, 'an array first');
    return items.at(integerOf(index, name, 'the position'));
  },
  { cheap: true },
);

const concatArrays = strict(0, Infinity, (lists, frame, name) => {
  const length = lists.reduce<number>((sum, list) => sum + listOf(list, name, 'arrays').length, 0);
  frame.meter.expect(16 * length);
  return lists.flatMap((list) => listOf(list, name, 'arrays'));
});

const indexOfArray = positional(2, 4, (operands, _frame, name) => {
  const [list, sought, from = 0, to] = operands;
  if (isNullish(list)) return null;
  const items = listOf(list, name, 'an array first');
  const start = integerOf(from, name, 'the start');
  const end = operands.length > 3 ? integerOf(to, name, 'the end') : items.length;
  if (start < 0 || end < 0) return stop(`${name} takes bounds that are not negative.`);
  for (let index = start; index < Math.min(end, items.length); index += 1) {
    if (equalValues(items[index], sought)) return index;
  }
  return -1;
});

const range = positional(2, 3, ([start, end, step = 1], frame, name) => {
  const from = integerOf(start, name, 'the start');
  const to = integerOf(end, name, 'the end');
  const by = integerOf(step, name, 'the step');
  if (by === 0) return stop(`${name} takes a step that is not zero.`);
  const length = Math.max(0, Math.ceil((to - from) / by));
  frame.meter.expect(16 * length);
  frame.meter.spend(length);
  return Array.from({ length }, (_, index) => from + index * by);
});

const slice = strict(2, 3, ([list, second, third], _frame, name) => {
  const items = listOf(list, name, 'an array first');
  if (third === undefined) {
    const count = integerOf(second, name, 'the count');
    return count >= 0 ? items.slice(0, count) : items.slice(count);
  }
  const position = integerOf(second, name, 'the position');
  const count = integerOf(third, name, 'the count');
  if (count <= 0) return stop(`${name} takes a count above zero after a position.`);
  const from = position < 0 ? Math.max(0, items.length + position) : position;
  return items.slice(from, from + count);
});

const sortArray: Operator = (argument, at) => {
  const given = namedArguments(argument, { input: REQUIRED, sortBy: REQUIRED }, at);
  const [input, sortBy] = given ?? [];
  if (input?.value === undefined || sortBy?.value === undefined) return NOTHING;
  const inOrder = readOrder(sortBy.value, at);
  if (inOrder === undefined) return NOTHING;
  const operand = at.scope.parse(input.value, inside(at.place, 'input'), at.scope);
  return call(
    [operand],
    ([list], frame, name) => {
      if (isNullish(list)) return null;
      const items = listOf(list, name, 'an array as input');
      frame.meter.spendOnSorting(items);
      return inOrder(items);
    },
    at,
  );
};

type Sorting = (items: readonly Value[]) => readonly Value[];

/** 1 or -1 for the items themselves, else an order by their fields. */
function readOrder(sortBy: Value, at: Parameters<Operator>[1]): Sorting | undefined {
  const direction = smallInteger(sortBy);
  if (direction === 1) return (items) => items.toSorted(compareValues);
  if (direction === -1) return (items) => items.toSorted((a, b) => compareValues(b, a));
  // Elements of an array are no stored documents.
  const scope = { ...at.scope, provenance: () => false };
  const fields = readSortBy(sortBy, { place: inside(at.place, 'sortBy'), scope });
  if (fields === undefined) return undefined;
  const ordering = bySortFields(fields);
  return (items) =>
    items
      .map((item) => ({ item, key: ordering.keyOf(isFields(item) ? item : {}) }))
      .sort((a, b) => ordering.compare(a.key, b.key))
      .map(({ item }) => item);
}

export const ARRAYS: Operators = {
  $arrayElemAt: elementAt,
  $concatArrays: concatArrays,
  $in: positional(2, 2, ([value, list], _frame, name) =>
    listOf(list, name, 'an array second').some((item) => equalValues(item, value)),
  ),
  $indexOfArray: indexOfArray,
  $isArray: unary((value) => value !== undefined && isList(value), { cheap: true }),
  $range: range,
  $reverseArray: unary((value, _frame, name) => (isNullish(value) ? null : listOf(value, name).toReversed())),
  $size: unary((value, _frame, name) => listOf(value, name).length, { cheap: true }),
  $slice: slice,
  $zip: zip,
  $sortArray: sortArray,
};
