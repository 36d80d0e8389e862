/** Operators that look into arrays, and put arrays together. */
import { INT_MAX, INT_MIN, type Value, isFields } from '../../domain/values/values.ts';
import { equalValues } from '../../query/order/compare.ts';
import { stop, type Operand } from '../core/meter.ts';
import { smallInteger, isTrue } from '../numbers/kinds.ts';
import {
  arrayOf,
  binary,
  call,
  inTurn,
  listOf,
  namedArguments,
  positional,
  REQUIRED,
  unary,
  type Argument,
  type Operator,
  type Operators,
  named,
  refuseExpression,
} from '../core/operator.ts';
import { inside } from '../../domain/pointer.ts';
import { isNullish, NOTHING, type Frame } from '../core/expression.ts';
import { inOrder, type ItemOrder } from '../core/item-order.ts';
import { readSortBy } from '../core/sort-by.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { distinct, keyOfOperand } from '../core/keys.ts';

const NOT_BOOLEAN = 'true or false as useLongestLength';
const NOT_LIST = 'an array as defaults';
const WITHOUT_LONGEST = 'defaults only with useLongestLength';
const OTHER_LENGTH = 'one default for each array';

/** Arrays side by side. Faults of its definition are refused before any document is read. */
const zip: Operator = (argument, at) => {
  if (isFields(argument)) {
    const [name, detail] = faultOf(argument) ?? [];
    if (name !== undefined) {
      return refuseExpression({ ...at, place: inside(at.place, name) }, `${at.name} takes ${detail}.`);
    }
  }
  return zipped(argument, at);
};

/** The argument that is wrong as it is written, and what it would have to be. */
function faultOf(argument: Readonly<Record<string, Value>>): readonly [string, string] | undefined {
  const inputs = memberOf(argument, 'inputs');
  const longest = memberOf(argument, 'useLongestLength');
  const defaults = memberOf(argument, 'defaults');
  if (longest !== undefined && typeof longest !== 'boolean' && !isComputed(longest)) {
    return ['useLongestLength', NOT_BOOLEAN];
  }
  if (defaults === undefined || isComputed(defaults)) return undefined;
  if (!isList(defaults)) return ['defaults', NOT_LIST];
  if (defaults.length === 0) return undefined;
  if (longest === undefined || longest === false) return ['defaults', WITHOUT_LONGEST];
  const differs = inputs !== undefined && isList(inputs) && inputs.length !== defaults.length;
  return differs ? ['defaults', OTHER_LENGTH] : undefined;
}

/** A path, a variable or an operator: only documents and parameters tell its value. */
function isComputed(value: Value): boolean {
  return typeof value === 'string' ? value.startsWith('$') : isFields(value);
}

const zipped = named(
  { inputs: REQUIRED, useLongestLength: false, defaults: undefined },
  ([inputs, longest, fill], frame, name) => {
    if (typeof longest !== 'boolean') return stop(`${name} takes ${NOT_BOOLEAN}.`);
    const fills = isNullish(fill) ? [] : listOf(fill, name, NOT_LIST);
    if (fills.length > 0 && !longest) return stop(`${name} takes ${WITHOUT_LONGEST}.`);
    if (isNullish(inputs)) return null;
    const lists = listOf(inputs, name, 'an array of arrays as inputs');
    if (lists.length === 0) return stop(`${name} takes at least one array.`);
    if (fills.length > 0 && fills.length !== lists.length) return stop(`${name} takes ${OTHER_LENGTH}.`);
    const arrays: (readonly Value[])[] = [];
    for (const list of lists) {
      if (isNullish(list)) return null;
      arrays.push(listOf(list, name, 'an array of arrays as inputs'));
    }
    const lengths = arrays.map(({ length }) => length);
    const length = longest ? Math.max(...lengths) : Math.min(...lengths);
    frame.meter.expect(length * (32 + 16 * arrays.length));
    frame.meter.spend(length * arrays.length);
    return Array.from({ length }, (_, index) =>
      arrays.map((array, which): Value => (index < array.length ? array[index] : fills[which]) ?? null),
    );
  },
);

/** An operand that must be an integer of 32 bits, of any kind of numbers. */
export function integerOf(value: Operand, name: string, what: string): number {
  const integer = smallInteger(value);
  return integer !== undefined && integer >= INT_MIN && integer <= INT_MAX
    ? integer
    : stop(`${name} takes an integer of 32 bits as ${what}.`);
}

const elementAt = binary(
  (list, index, _frame, name) =>
    listOf(list, name, 'an array first').at(integerOf(index, name, 'the position')),
  { cheap: true },
);

const concatArrays = inTurn(0, Infinity, arrayOf, (lists, { meter }) => {
  meter.expect(16 * lists.reduce((sum, { length }) => sum + length, 0));
  return lists.flat();
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

const slice = positional(2, 3, ([list, second, ...third], _frame, name) => {
  if (isNullish(list) || isNullish(second)) return null;
  const items = listOf(list, name, 'an array first');
  const first = integerOf(second, name, 'the count or the position');
  if (third.length === 0) return first >= 0 ? items.slice(0, first) : items.slice(first);
  const [given] = third;
  if (isNullish(given)) return null;
  const count = integerOf(given, name, 'the count');
  if (count <= 0) return stop(`${name} takes a count above zero after a position.`);
  const from = first < 0 ? Math.max(0, items.length + first) : first;
  return items.slice(from, from + count);
});

const sortArray: Operator = (argument, at) => {
  const given = namedArguments(argument, { input: REQUIRED, sortBy: REQUIRED }, at);
  const order = given && readOrder(given.sortBy);
  if (given === undefined || order === undefined) return NOTHING;
  return call(
    [given.input.parse()],
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
function readOrder({ value, place, scope }: Argument): ItemOrder | undefined {
  const direction = smallInteger(value);
  if (direction === 1) return 'ascending';
  if (direction === -1) return 'descending';
  // Elements of an array are no stored documents.
  const fields = readSortBy(value, { place, scope: { ...scope, auditFields: () => false } });
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

/** Arrays as sets: order and repetition do not count. Results keep the order in which values came first. */
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
