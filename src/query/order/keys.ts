/**
 * The key of a document in an order: one value for each sort field, as in MongoDB's compound index. Fields whose paths
 * lead through the same array take their values from the same element; the first of these combinations, in the
 * requested order, is the key. Of independent arrays each gives its own first value; MongoDB refuses such a sort. The
 * work is linear in the document for each field. Unlike in filters, an empty array has a place of its own, and an array
 * is no value beside its items.
 */
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { POSITION } from '../walk.ts';
import { compareValues } from './compare.ts';
import type { SortField } from './sort.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';
import { recall } from '../../domain/caching/recall.ts';

/** One part for each sort field; `undefined` is an empty array, which sorts before null, as does what is missing. */
export type Key = readonly (Value | undefined)[];
type Parts = (Value | undefined)[];

/** A step of the paths, with all that begins with it. */
interface Step {
  readonly name: string;
  /** The item that the name would be in an array, or -1. */
  readonly position: number;
  /** The sort fields, by number, that end here, and those that end here or behind. */
  readonly ends: number[];
  readonly fields: number[];
  readonly next: Step[];
}

/** A function that gives the key of a document; a missing value is null. */
export function compileKeys(sort: readonly SortField[]): (document: Fields) => Key {
  const root = stepOf('');
  for (const [field, { path }] of sort.entries()) {
    let step = root;
    for (const name of path) {
      let next = step.next.find((each) => each.name === name);
      if (next === undefined) step.next.push((next = stepOf(name)));
      next.fields.push(field);
      step = next;
    }
    step.ends.push(field);
  }
  const signs = sort.map(({ direction }) => (direction === 'ascending' ? 1 : -1));
  const isBefore = (one: Parts, other: Parts, fields: readonly number[]): boolean => {
    for (const field of fields) {
      const difference = compareValues(one[field], other[field]);
      if (difference !== 0) return difference * (signs[field] ?? 1) < 0;
    }
    return false;
  };
  return (document) => {
    const key = new Array<Value | undefined>(sort.length).fill(null);
    for (const step of root.next)
      fromField(document, step, key, { isBefore, length: sort.length, seen: null });
    return key;
  };
}

function stepOf(name: string): Step {
  const position = POSITION.test(name) ? Number(name) : -1;
  return { name, position, ends: [], fields: [], next: [] };
}

interface Order {
  readonly isBefore: (one: Parts, other: Parts, fields: readonly number[]) => boolean;
  readonly length: number;
  /** Parts from arrays that are reached in several ways, because positions are names as well. */
  seen: Map<Step, Map<readonly Value[], Parts>> | null;
}

/** Sets the parts of `into` that the field of an object gives; what is missing stays null. */
function fromField(object: Fields, step: Step, into: Parts, order: Order): void {
  const value = memberOf(object, step.name);
  if (value === undefined) setAll(step.fields, null, into);
  else if (isList(value)) fromArray(value, step, into, order);
  else fromValue(value, step, into, order);
}

/** The same of a value that is no array, or is one value although it is. */
function fromValue(value: Value, { ends, next }: Step, into: Parts, order: Order): void {
  setAll(ends, value, into);
  for (const step of next) {
    if (isFields(value)) fromField(value, step, into, order);
    else setAll(step.fields, null, into);
  }
}

function fromArray(array: readonly Value[], step: Step, into: Parts, order: Order): void {
  const named = step.next.filter(({ position }) => array[position] !== undefined);
  if (named.length === 0) fromElements(array, step.ends, step.next, step.fields, into, order);
  else {
    const others = step.next.filter((each) => !named.includes(each));
    const fields = step.fields.filter((field) => !named.some((each) => each.fields.includes(field)));
    fromElements(array, step.ends, others, fields, into, order);
    for (const each of named) fromNamed(array, each, into, order);
  }
}

/** Takes all parts that lead through an array from its first element in the order. */
function fromElements(
  array: readonly Value[],
  ends: readonly number[],
  next: readonly Step[],
  fields: readonly number[],
  into: Parts,
  order: Order,
): void {
  if (fields.length === 0) return;
  let best: Parts | null = null;
  let parts: Parts = new Array<Value | undefined>(order.length);
  for (const element of array) {
    setAll(ends, element, parts);
    for (const step of next) {
      if (isFields(element)) fromField(element, step, parts, order);
      else setAll(step.fields, null, parts);
    }
    if (best !== null && !order.isBefore(parts, best, fields)) continue;
    const former: Parts = best ?? new Array<Value | undefined>(order.length);
    best = parts;
    parts = former;
  }
  if (best !== null) {
    for (const field of fields) into[field] = best[field];
    return;
  }
  setAll(fields, null, into);
  setAll(ends, undefined, into);
}

/** An item that the path names by its position is one value, even an array; a field of that name counts as well. */
function fromNamed(array: readonly Value[], step: Step, into: Parts, order: Order): void {
  order.seen ??= new Map();
  const seen = recall(order.seen, step, () => new Map<readonly Value[], Parts>());
  const best = recall(seen, array, () => {
    let least: Parts = new Array<Value | undefined>(order.length);
    fromItem(array[step.position] ?? null, step, least, order);
    for (const element of array) {
      if (!isFields(element) || !Object.hasOwn(element, step.name)) continue;
      const parts: Parts = new Array<Value | undefined>(order.length);
      fromField(element, step, parts, order);
      if (order.isBefore(parts, least, step.fields)) least = parts;
    }
    return least;
  });
  for (const field of step.fields) into[field] = best[field];
}

function fromItem(item: Value, step: Step, into: Parts, order: Order): void {
  if (!isList(item)) fromValue(item, step, into, order);
  else {
    const behind = step.fields.filter((field) => !step.ends.includes(field));
    fromArray(item, { ...step, ends: [], fields: behind }, into, order);
    setAll(step.ends, item, into);
  }
}

function setAll(fields: readonly number[], value: Value | undefined, into: Parts): void {
  for (const field of fields) into[field] = value;
}
