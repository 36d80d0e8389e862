/**
 * The values by which a document may sort on a path: those MongoDB would put into an index on it. They differ
 * from what a filter sees: an empty array has a place of its own, and an array is never a value beside its items.
 */
import { fieldOf, isFields, isList, type Fields, type Value } from '../../domain/values.ts';

/** Told of each value; `undefined` is an empty array at the end of the path, `null` also what is missing. */
type Visit = (value: Value | undefined) => void;

/** Visits each value that the path reaches. There is always at least one. */
export function forEachSortValue(document: Fields, path: readonly string[], visit: Visit): void {
  fromObject(document, path, 0, visit);
}

function fromObject(object: Fields, path: readonly string[], from: number, visit: Visit): void {
  let current = object;
  for (let step = from; step < path.length; step += 1) {
    const value = fieldOf(current, path[step] ?? '');
    if (value === undefined) break;
    if (isList(value)) {
      fromArray(value, path, step + 1, visit);
      return;
    }
    if (step === path.length - 1) {
      visit(value);
      return;
    }
    if (!isFields(value)) break;
    current = value;
  }
  visit(null);
}

function fromArray(array: readonly Value[], path: readonly string[], step: number, visit: Visit): void {
  const name = path[step];
  if (name === undefined) {
    if (array.length === 0) visit(undefined);
    else array.forEach(visit);
    return;
  }
  const item = itemAt(array, name);
  if (item !== undefined) fromItem(item, path, step + 1, visit);
  if (array.length === 0) visit(null);
  for (const element of array) {
    if (isFields(element) && (item === undefined || Object.hasOwn(element, name))) {
      fromObject(element, path, step, visit);
    } else if (item === undefined) {
      visit(null);
    }
  }
}

/** An item that the path names by its position is one value, even when it is an array itself. */
function fromItem(item: Value, path: readonly string[], step: number, visit: Visit): void {
  if (step === path.length) visit(item);
  else if (isList(item)) fromArray(item, path, step, visit);
  else if (isFields(item)) fromObject(item, path, step, visit);
  else visit(null);
}

function itemAt(array: readonly Value[], name: string): Value | undefined {
  return /^(?:0|[1-9][0-9]{0,9})$/.test(name) ? array[Number(name)] : undefined;
}
