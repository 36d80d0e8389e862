/**
 * MongoDB's total order of values: by bracket of kinds first, then within the bracket. Equality of filters,
 * comparisons and sorting all come from here, so that they can never contradict one another.
 */
import { isFields, ObjectId, type Fields, type Value } from '../../domain/values/values.ts';
import { isList } from '../../domain/values/tree.ts';
import { compareNumbers, isNumber } from './numbers.ts';
import { compareStrings } from './strings.ts';

/** Kinds that compare with one another share a bracket; brackets order as their numbers do. */
export const BRACKET = {
  missing: 0,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  objectId: 35,
  bool: 40,
  date: 45,
} as const;

/** The bracket of a value; `undefined` is a missing field. */
export function bracketOf(value: Value | undefined) {
  if (value === undefined) return BRACKET.missing;
  if (value === null) return BRACKET.null;
  if (typeof value === 'string') return BRACKET.string;
  if (typeof value === 'number') return BRACKET.number;
  if (typeof value === 'boolean') return BRACKET.bool;
  if (Array.isArray(value)) return BRACKET.array;
  if (value instanceof Date) return BRACKET.date;
  if (value instanceof ObjectId) return BRACKET.objectId;
  return isNumber(value) ? BRACKET.number : BRACKET.object;
}

/**
 * Below, equal or above zero as `a` is below, equal to or above `b`. A missing value is below all others, null
 * included. Objects compare field by field in their own order: kind of value, then name, then value.
 */
export function compareValues(a: Value | undefined, b: Value | undefined): number {
  const brackets = bracketOf(a) - bracketOf(b);
  if (brackets !== 0) return brackets;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (a instanceof ObjectId && b instanceof ObjectId) return compareStrings(a.hex, b.hex);
  if (isList(a) && isList(b)) return compareArrays(a, b);
  return isObject(a) && isObject(b) ? compareObjects(a, b) : 0;
}

/** True for values that a filter takes for the same: numbers by value, objects with their fields in order. */
export function equalValues(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || compareValues(a, b) === 0;
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = compareValues(a[index], b[index]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareObjects(a: Fields, b: Fields): number {
  const names = Object.keys(a);
  const others = Object.keys(b);
  const shared = Math.min(names.length, others.length);
  for (let index = 0; index < shared; index += 1) {
    const name = names[index] ?? '';
    const other = others[index] ?? '';
    const difference =
      bracketOf(a[name]) - bracketOf(b[other]) ||
      compareStrings(name, other) ||
      compareValues(a[name], b[other]);
    if (difference !== 0) return difference;
  }
  return names.length - others.length;
}

function isObject(value: Value | undefined): value is Fields {
  return value !== undefined && isFields(value);
}
