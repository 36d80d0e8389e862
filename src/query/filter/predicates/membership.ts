/** Tests of `$in`: one look-up per value, however long the list. */
import { ObjectId, type Value } from '../../../domain/values.ts';
import { BRACKET, bracketOf, compareValues } from '../../order/compare.ts';
import { isNumber, numberKey } from '../../order/numbers.ts';
import type { Predicate } from '../walk.ts';

/** True for a value that equals one of the list; null also stands for missing. */
export function memberTest(values: readonly Value[]): Predicate {
  const strings = new Set<string>();
  const numbers = new Set<number | string>();
  const others = new Set<string | number | boolean>();
  const composites: Value[] = [];
  for (const value of values) {
    if (typeof value === 'string') strings.add(value);
    else if (isNumber(value)) numbers.add(numberKey(value));
    else if (isComposite(value)) composites.push(value);
    else others.add(scalarKey(value));
  }
  composites.sort(compareValues);
  return (value) => {
    if (typeof value === 'string') return strings.has(value);
    // A set takes -0 for 0 and NaN for itself, as equality here does.
    if (typeof value === 'number') return numbers.has(value);
    if (value === undefined || value === null) return others.has(scalarKey(null));
    if (isNumber(value)) return numbers.has(numberKey(value));
    return isComposite(value) ? finds(composites, value) : others.has(scalarKey(value));
  };
}

function isComposite(value: Value): boolean {
  const bracket = bracketOf(value);
  return bracket === BRACKET.array || bracket === BRACKET.object;
}

/** A key for null, booleans, dates and object ids: their own primitive kinds keep them apart. */
function scalarKey(value: Value): string | number | boolean {
  if (typeof value === 'boolean') return value;
  if (value instanceof Date) return value.getTime();
  return value instanceof ObjectId ? value.hex : 'null';
}

/** Whether a sorted list holds a value. */
function finds(sorted: readonly Value[], value: Value): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const difference = compareValues(value, sorted[middle]);
    if (difference === 0) return true;
    if (difference < 0) high = middle - 1;
    else low = middle + 1;
  }
  return false;
}
