/**
 * The values that a dotted path reaches in a document, by MongoDB's rules. A test runs on each, and nothing is
 * allocated: this is the inner loop of every search that SQL cannot decide. If a path has several positions, the walk
 * remembers where it has been: positions are names as well, so that it could reach one value in very many ways through
 * arrays and objects that alternate.
 *
 * - A step into an array goes into each of its objects, and into the item whose position the step names.
 * - Arrays directly inside arrays are not entered, unless a position names them.
 * - Where a field is missing, or a value on the path is neither object nor array, the test sees
 *   `undefined`. Where an array holds nothing to step into, it is not run at all.
 */
import { isFields, type Value } from '../domain/values/values.ts';
import { memberOf, isList } from '../domain/values/tree.ts';

/**
 * A dotted path, split. The empty path is the value under test itself (inside `$elemMatch` over scalars).
 * A path reaches through arrays of objects, and a numeric step is a position as well as a field, as in MongoDB.
 */
export type Path = readonly string[];

/** A test of one value; `undefined` is a missing one. */
export type Predicate = (value: Value | undefined) => boolean;

/**
 * Values of an array at the end of the path: each item and then the array, or the array alone. An item that the last
 * step names by position is always one value.
 */
export type ArrayEnd = 'items and array' | 'array';

/** Counts items that are looked at; false where they are too many, and no answer matters. */
export interface Counter {
  readonly spend: (items: number) => boolean;
}

interface Steps {
  readonly looked: Counter | null;
  readonly names: readonly string[];
  /** The position each name would be in an array, or -1. */
  readonly positions: readonly number[];
  readonly end: ArrayEnd;
  /** From this step on, after the second position, several ways may lead to one array. */
  readonly manyWays: number;
  /** The arrays that this walk has entered, by step, from there on; it need not enter them again. */
  readonly entered: (Set<readonly Value[]> | undefined)[];
}

/** A name that is also the position of an item in an array. */
export const POSITION = /^(?:0|[1-9][0-9]{0,9})$/;

/**
 * A function that tells whether some value that the path reaches from a subject passes the test. The subject is a
 * document or an element of an array; an array as subject is taken as the object of its positions. An empty path
 * is the subject itself, never its items.
 */
export function compileWalk(
  path: Path,
  end: ArrayEnd,
  test: Predicate,
  looked: Counter | null = null,
): Predicate {
  if (path.length === 0) return test;
  const positions = path.map((name) => (POSITION.test(name) ? Number(name) : -1));
  const [, second = Infinity] = positions.flatMap((position, step) => (position === -1 ? [] : step));
  const steps: Steps = { looked, names: path, positions, end, manyWays: second + 1, entered: [] };
  if (steps.manyWays > path.length) return (subject) => walkObject(subject, steps, 0, test);
  return (subject) => {
    steps.entered.length = 0;
    return walkObject(subject, steps, 0, test);
  };
}

function walkObject(object: Value | undefined, steps: Steps, from: number, test: Predicate): boolean {
  const last = steps.names.length - 1;
  let value = object;
  for (let step = from; step <= last; step += 1) {
    value = childOf(value, steps, step);
    if (value !== undefined && isList(value)) return walkArray(value, steps, step + 1, test);
    if (value === undefined) break;
  }
  return test(value);
}

function childOf(parent: Value | undefined, { names, positions }: Steps, step: number): Value | undefined {
  if (parent === undefined) return undefined;
  // Only the first subject can be an array here: an element of an array, in `$elemMatch`.
  if (isList(parent)) return parent[positions[step] ?? -1];
  return isFields(parent) ? memberOf(parent, names[step] ?? '') : undefined;
}

function walkArray(array: readonly Value[], steps: Steps, step: number, test: Predicate): boolean {
  if (step >= steps.manyWays && isEntered(array, steps, step)) return false;
  if (steps.looked?.spend(array.length) === false) return false;
  if (step === steps.names.length) {
    if (steps.end === 'items and array') {
      for (const item of array) if (test(item)) return true;
    }
    return test(array);
  }
  for (const item of array) {
    if (isFields(item) && walkObject(item, steps, step, test)) return true;
  }
  const named = array[steps.positions[step] ?? -1];
  return named !== undefined && walkNamed(named, steps, step + 1, test);
}

/** Whether the walk has been in an array at this step, where nothing passed the test; it is noted for the next time. */
function isEntered(array: readonly Value[], { entered }: Steps, step: number): boolean {
  const before = (entered[step] ??= new Set());
  if (before.has(array)) return true;
  before.add(array);
  return false;
}

function walkNamed(item: Value, steps: Steps, step: number, test: Predicate): boolean {
  if (step === steps.names.length) return test(item);
  if (isList(item)) return walkArray(item, steps, step, test);
  return isFields(item) && walkObject(item, steps, step, test);
}
