/** `unwind`: a document for each item of an array in it. */
import { fieldOf, isFields, isList, Long, type Fields, type Value } from '../../domain/values.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import type { Meter, Operand } from '../core/meter.ts';
import { substitute } from '../core/parameters.ts';
import { readPath } from '../core/paths.ts';
import { refuseStage, type At, type ReadStage, type Start } from './stage.ts';

interface Unwinding {
  readonly path: readonly string[];
  /** The path that the position goes to; empty when it goes nowhere. */
  readonly index: readonly string[];
  readonly preserve: boolean;
}

export const unwind: ReadStage = (given, at) => {
  const argument = substitute(given, at);
  const options = isFields(argument) ? argument : { path: argument };
  for (const name of Object.keys(options)) {
    if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(name)) {
      return refuseStage({ ...at, place: inside(at.place, name) }, `unwind does not know ${name}.`);
    }
  }
  const { preserveNullAndEmptyArrays: preserve = false, includeArrayIndex = null } = options;
  if (typeof preserve !== 'boolean') {
    return refuseStage(
      { ...at, place: inside(at.place, 'preserveNullAndEmptyArrays') },
      'It is true or false.',
    );
  }
  const pathPlace = isFields(argument) ? inside(at.place, 'path') : at.place;
  const path = readReference(fieldOf(options, 'path'), pathPlace, at);
  const index = readIndex(includeArrayIndex, at);
  if (path === null || index === null) return null;
  for (const [name] of [path, index]) if (name !== undefined) at.scope.reads(name);
  return { kind: 'step', start: startUnwind({ path, index, preserve }) };
};

function readReference(value: Operand, place: Place, at: At): readonly string[] | null {
  const path =
    typeof value === 'string' && /^\$[^$]/.test(value)
      ? readPath(value.slice(1))
      : 'It is a string such as "$items".';
  return typeof path === 'string'
    ? refuseStage({ ...at, place }, `The field to unwind cannot be read. ${path}`)
    : path;
}

function readIndex(value: Value, at: At): readonly string[] | null {
  if (value === null) return [];
  const path = typeof value === 'string' ? readPath(value) : 'It is the name of a field.';
  return typeof path === 'string'
    ? refuseStage({ ...at, place: inside(at.place, 'includeArrayIndex') }, path)
    : path;
}

function startUnwind({ path, index, preserve }: Unwinding): Start {
  return (next, { meter }) => {
    const give = (document: Fields, position: number | null): boolean =>
      meter.transiently(() => {
        meter.spend(3);
        if (index.length === 0) return next.push(document);
        const value = position === null ? null : new Long(BigInt(position));
        return next.push(withValue(document, index, value, meter));
      });
    return { push: (document) => each(document, path, preserve, meter, give), finish: next.finish };
  };
}

function each(
  document: Fields,
  path: readonly string[],
  preserve: boolean,
  meter: Meter,
  give: (document: Fields, position: number | null) => boolean,
): boolean {
  const value = throughObjects(document, path);
  if (value === undefined || value === null) return preserve ? give(document, null) : true;
  if (!isList(value)) return give(document, null);
  const rest = withValue(document, path, undefined, meter);
  if (value.length === 0) return preserve ? give(rest, null) : true;
  for (const [position, item] of value.entries()) {
    const copy = meter.transiently(() => withItem(document, rest, path, item, meter));
    if (!give(copy, position)) return false;
  }
  return true;
}

/** The value at the path; unlike an expression's path, this one goes through objects only. */
function throughObjects(document: Fields, path: readonly string[]): Operand {
  let value: Operand = document;
  for (const name of path) {
    if (value === undefined || !isFields(value)) return undefined;
    value = fieldOf(value, name);
  }
  return value;
}

/** The document with an item in place of its array. `rest` is the same document without the array. */
function withItem(
  document: Fields,
  rest: Fields,
  path: readonly string[],
  item: Value,
  meter: Meter,
): Fields {
  const copy = setAt(document, path, item);
  meter.admitCopy(copy, rest, item);
  return copy;
}

/** The document with another value at the path, or without one. What stands in the way becomes an object. */
function withValue(document: Fields, path: readonly string[], value: Operand, meter: Meter): Fields {
  return meter.admit(setAt(document, path, value));
}

function setAt(fields: Fields, [name = '', ...rest]: readonly string[], value: Operand): Fields {
  const inner = fieldOf(fields, name);
  const made =
    rest.length === 0 ? value : setAt(inner !== undefined && isFields(inner) ? inner : {}, rest, value);
  if (made !== undefined) return { ...fields, [name]: made };
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
}
