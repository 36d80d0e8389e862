/** Lists of values in which equal ones are found at once: one look-up per value, however long the list. */
import { ObjectId, type Value } from '../../domain/values/values.ts';
import { BRACKET, bracketOf, compareValues } from '../../query/order/compare.ts';
import { isNumber, numberKey } from '../../query/order/numbers.ts';

/** A list without duplicates, where equal values are found by their number. */
export interface ValueIndex {
  /** How many different values there are. They are numbered from 0. */
  readonly count: number;
  /** The number of the value that equals this one, or -1. */
  readonly find: (value: Value | undefined) => number;
}

export function indexValues(values: readonly Value[]): ValueIndex {
  const strings = new Map<string, number>();
  const numbers = new Map<number | string, number>();
  const others = new Map<string | number | boolean, number>();
  const composites: { readonly value: Value; readonly number: number }[] = [];
  let count = 0;
  const note = <K>(map: Map<K, number>, key: K): void => {
    if (!map.has(key)) map.set(key, count++);
  };
  for (const value of values) {
    if (typeof value === 'string') note(strings, value);
    else if (isNumber(value)) note(numbers, numberKey(value));
    else if (!isComposite(value)) note(others, scalarKey(value));
  }
  let last: Value | undefined;
  for (const value of values.filter(isComposite).sort(compareValues)) {
    if (last === undefined || compareValues(value, last) !== 0) composites.push({ value, number: count++ });
    last = value;
  }
  const find = (value: Value | undefined): number => {
    if (typeof value === 'string') return strings.get(value) ?? -1;
    // A map takes -0 for 0 and NaN for itself, as equality here does.
    if (typeof value === 'number') return numbers.get(value) ?? -1;
    if (value === undefined || value === null) return others.get(scalarKey(null)) ?? -1;
    if (isNumber(value)) return numbers.get(numberKey(value)) ?? -1;
    return isComposite(value) ? search(composites, value) : (others.get(scalarKey(value)) ?? -1);
  };
  return { count, find };
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

/** The number of a value in a sorted list, or -1. */
function search(sorted: readonly { readonly value: Value; readonly number: number }[], value: Value): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const entry = sorted[middle];
    const difference = compareValues(value, entry?.value);
    if (difference === 0) return entry?.number ?? -1;
    if (difference < 0) high = middle - 1;
    else low = middle + 1;
  }
  return -1;
}
