/** Operators on objects. Names that no stored field can have may be read and removed, never made. */
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { faultOfName } from '../../domain/field-names.ts';
import { isNullish, type Frame } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import {
  describeOperand,
  listOf,
  named,
  positional,
  REQUIRED,
  stringOf,
  unary,
  type Names,
  type Operator,
  type Operators,
} from '../core/operator.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';

function objectOf(value: Operand, name: string): Fields {
  return value !== undefined && isFields(value)
    ? value
    : stop(`${name} takes an object, not ${describeOperand(value)}.`);
}

/** The merged object; later fields win, and keep the place of those that they replace. */
export function mergeInto(into: Map<string, Value>, value: Operand, name: string): void {
  if (isNullish(value)) return;
  const fields = isFields(value) ? value : stop(`${name} takes objects, not ${describeOperand(value)}.`);
  for (const [key, field] of Object.entries(fields)) into.set(key, field);
}

function merge(operands: readonly Operand[], frame: Frame, name: string): Operand {
  // `$mergeObjects: "$list"` merges the objects of the array.
  const [only] = operands;
  const objects = operands.length === 1 && only !== undefined && isList(only) ? only : operands;
  const merged = new Map<string, Value>();
  for (const object of objects) mergeInto(merged, object, name);
  frame.meter.spend(merged.size);
  return Object.fromEntries(merged);
}

/** A name that a field may be given. */
function newName(value: Operand, name: string): string {
  const text = stringOf(value, name, 'strings as names of fields');
  const fault = text.includes('\0')
    ? 'A field name must not contain a NUL character.'
    : faultOfName(text.slice(0, 100));
  return fault === undefined ? text : stop(`${name}: ${fault}`);
}

/** `[[name, value], …]` or `[{k, v}, …]`. */
function fromPairs(value: Operand, name: string): Operand {
  if (isNullish(value)) return null;
  const list = listOf(value, name);
  if (list.some((pair) => isList(pair)) && !list.every((pair) => isList(pair))) return badPair(name);
  const pairs = list.map((pair): readonly [string, Value] => {
    if (isList(pair)) {
      const [key, field] = pair;
      return pair.length === 2 && field !== undefined ? [newName(key, name), field] : badPair(name);
    }
    const key = isFields(pair) ? memberOf(pair, 'k') : undefined;
    const field = isFields(pair) ? memberOf(pair, 'v') : undefined;
    if (key === undefined || field === undefined || Object.keys(pair ?? {}).length !== 2)
      return badPair(name);
    return [newName(key, name), field];
  });
  return Object.fromEntries(pairs);
}

function badPair(name: string): never {
  return stop(`${name} takes pairs: arrays of two items, or objects with k and v, all of one form.`);
}

const toPairs = unary((value, frame, name) => {
  if (isNullish(value)) return null;
  return Object.entries(objectOf(value, name)).map(([k, v]) => frame.meter.admit({ k, v }));
});

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
}

const NAME_AND_INPUT: Names = { field: REQUIRED, input: REQUIRED };
const namedField = named(
  NAME_AND_INPUT,
  ([field, input], frame, name) => {
    const key = fieldOf(field, name);
    frame.meter.spendOn([key]);
    if (isNullish(input)) return input;
    return isFields(input) ? memberOf(input, key) : undefined;
  },
  { cheap: true, checks: { field: fieldOf } },
);

function fieldOf(field: Operand, name: string): string {
  return stringOf(field, name, 'a string as field');
}

/** `$getField: "name"` reads from the document; the long form from any object. */
const getField: Operator = (argument, at) =>
  isFields(argument) && Object.hasOwn(argument, 'field')
    ? namedField(argument, at)
    : namedField({ field: argument, input: '$$CURRENT' }, at);

const setField = named(
  { field: REQUIRED, input: REQUIRED, value: REQUIRED },
  ([field, input, value], _frame, name) => {
    if (isNullish(input)) return null;
    const key = newName(field, name);
    const fields = objectOf(input, name);
    // A computed name is only a name, even where it is __proto__.
    return value === undefined ? without(fields, key) : { ...fields, [key]: value };
  },
  { checks: { field: newName } },
);

const unsetField = named(
  NAME_AND_INPUT,
  ([field, input], _frame, name) => {
    const key = fieldOf(field, name);
    return isNullish(input) ? null : without(objectOf(input, name), key);
  },
  { checks: { field: fieldOf } },
);

export const OBJECTS: Operators = {
  $mergeObjects: positional(0, Infinity, merge),
  $arrayToObject: unary((value, _frame, name) => fromPairs(value, name)),
  $objectToArray: toPairs,
  $getField: getField,
  $setField: setField,
  $unsetField: unsetField,
};
