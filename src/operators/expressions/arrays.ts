/** Operators that look into arrays, and put arrays together. */
import { INT_MAX, INT_MIN, type Value } from '../../domain/values/values.ts';
import { equalValues } from '../../query/order/compare.ts';
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
import { inOrder, type ItemOrder } from '../core/item-order.ts';
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
  const [list, sought, from, to] = operands;
  if (isNullish(list)) return null;
  const items = listOf(list, name, 'an array first');
  const start = operands.length > 2 ? integerOf(from, name, 'the start') : 0;
  const end = operands.length > 3 ? integerOf(to, name, 'the end') : items.length;
  if (start < 0 || end < 0) return stop(`${name} takes bounds that are not negative.`);
  for (let index = start; index < Math.min(end, items.length); index += 1) {
    if (equalValues(items[index], sought)) return index;
  }
  return -1;
});

const range = positional(2, 3, (operands, frame, name) => {
  const [start, end, step] = operands;
  const from = integerOf(start, name, 'the start');
  const to = integerOf(end, name, 'the end');
  const by = operands.length > 2 ? integerOf(step, name, 'the step') : 1;
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
  const order = readOrder(sortBy.value, at);
  if (order === undefined) return NOTHING;
  const operand = at.scope.parse(input.value, inside(at.place, 'input'), at.scope);
  return call(
    [operand],
    ([list], frame, name) => {
      if (isNullish(list)) return null;
      const items = listOf(list, name, 'an array as input');
      frame.meter.spendOnSorting(items);
      return inOrder(items, order);
    },
    at,
  );
};

/** 1 or -1 for the items themselves, else an order by their fields. */
function readOrder(sortBy: Value, at: Parameters<Operator>[1]): ItemOrder | undefined {
  const direction = smallInteger(sortBy);
  if (direction === 1) return 'ascending';
  if (direction === -1) return 'descending';
  // Elements of an array are no stored documents.
  const scope = { ...at.scope, provenance: () => false };
  const fields = readSortBy(sortBy, { place: inside(at.place, 'sortBy'), scope });
  return fields?.map(({ path, direction: way }) => ({ path, descending: way === 'descending' }));
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
