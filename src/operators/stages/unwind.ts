/** `unwind`: a document for each item of an array in it. */
import { isFields, Long, type Fields, type Value } from '../../domain/values/values.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import type { Meter, Operand } from '../core/meter.ts';
import { substitute } from '../core/parameters.ts';
import { readPath } from '../core/paths.ts';
import { documents, nextOf } from './flow.ts';
import { refuseStage, type At, type ReadStage, type Start } from './stage.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';

/** Units of a document beside its fields: some microsecond. */
const UNITS_EACH = 20;

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
  const { preserveNullAndEmptyArrays: preserve = false, includeArrayIndex } = options;
  if (typeof preserve !== 'boolean') {
    return refuseStage(
      { ...at, place: inside(at.place, 'preserveNullAndEmptyArrays') },
      'It is true or false.',
    );
  }
  const pathPlace = isFields(argument) ? inside(at.place, 'path') : at.place;
  const path = readReference(memberOf(options, 'path'), pathPlace, at);
  const index = readIndex(includeArrayIndex, at);
  if (path === null || index === null) return null;
  for (const [name] of [path, index]) if (name !== undefined) at.scope.reads(name);
  return { kind: 'step', start: startUnwind({ path, index, preserve }), streams: true };
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

function readIndex(value: Operand, at: At): readonly string[] | null {
  if (value === undefined) return [];
  const path = typeof value === 'string' ? readPath(value) : 'It is the name of a field.';
  return typeof path === 'string'
    ? refuseStage({ ...at, place: inside(at.place, 'includeArrayIndex') }, path)
    : path;
}

function startUnwind({ path, index, preserve }: Unwinding): Start {
  return (input, run) => {
    const { flow, meter } = run;
    let items: readonly Value[] = [];
    let position = 0;
    /** The document that the items are of, and the same without them. */
    let source: Fields = {};
    let rest: Fields = {};
    let width = 0;
    let checkpoint = 0;
    const give = (document: Fields, at: number | null): Fields => {
      meter.spend(UNITS_EACH);
      if (index.length === 0) return document;
      const value = at === null ? null : new Long(BigInt(at));
      return copyWith(document, document, index, value, widthOf(document, index), meter);
    };
    const giveItem = (): Fields => {
      flow.stage = run.index;
      // The copy before, and what was made of it, is garbage.
      meter.rewind(checkpoint, 0);
      const at = position;
      position += 1;
      const item = items[at] ?? null;
      if (position === items.length) items = [];
      return give(copyWith(source, rest, path, item, width, meter), at);
    };
    /** The document that comes at once; its items come later. */
    const open = (document: Fields): Fields | undefined => {
      flow.stage = run.index;
      const value = throughObjects(document, path);
      if (value === undefined || value === null) return preserve ? give(document, null) : undefined;
      if (!isList(value)) return give(document, null);
      source = document;
      rest = meter.admit(setAt(document, path, undefined));
      if (value.length === 0) return preserve ? give(rest, null) : undefined;
      [items, position, width, checkpoint] = [value, 0, widthOf(rest, path), meter.checkpoint()];
      return undefined;
    };
    return documents(() => {
      for (;;) {
        if (items.length > 0) return flow.takeTurn() ? giveItem() : undefined;
        const document = nextOf(input);
        if (document === undefined) return undefined;
        const opened = open(document);
        if (opened !== undefined) return opened;
      }
    });
  };
}

/** The value at the path; unlike an expression's path, this one goes through objects only. */
function throughObjects(document: Fields, path: readonly string[]): Operand {
  let value: Operand = document;
  for (const name of path) {
    if (value === undefined || !isFields(value)) return undefined;
    value = memberOf(value, name);
  }
  return value;
}

/** The number of fields that a copy of the document with another value at the path has anew. */
function widthOf(document: Fields, path: readonly string[]): number {
  let width = 0;
  let inner: Operand = document;
  for (const name of path) {
    if (inner === undefined || !isFields(inner)) return width + path.length;
    width += Object.keys(inner).length + 1;
    inner = memberOf(inner, name);
  }
  return width;
}

/** A copy of the document with another value at the path; `rest` is at least what it has beside. */
function copyWith(
  document: Fields,
  rest: Fields,
  path: readonly string[],
  value: Value,
  width: number,
  meter: Meter,
): Fields {
  const copy = setAt(document, path, value);
  meter.expectCopy(copy, rest, value, width, path.length);
  return copy;
}

/** A value on the path that is no object is replaced by an object. */
function setAt(fields: Fields, [name = '', ...rest]: readonly string[], value: Operand): Fields {
  const inner = memberOf(fields, name);
  const made =
    rest.length === 0 ? value : setAt(inner !== undefined && isFields(inner) ? inner : {}, rest, value);
  if (made !== undefined) return { ...fields, [name]: made };
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
}
