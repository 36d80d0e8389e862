/** Field paths of expressions (`$a.b`), by MongoDB's rules for expressions. */
import { isFields, setField, type Fields, type Value } from '../../domain/values/values.ts';
import { faultOfName } from '../../domain/field-names.ts';
import type { Meter, Operand } from './meter.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';

/** A dotted path, split, or, as a sentence, why it can be none. */
export function readPath(text: string): readonly string[] | string {
  const path = text.split('.');
  return path.map(faultOfName).find((fault) => fault !== undefined) ?? path;
}

/**
 * The value at the path. A step into an array goes into each of its objects and gives the array of what was found;
 * unlike the paths of filters, a number is never a position.
 */
export function valueAt(start: Operand, path: readonly string[], meter: Meter, from = 0): Operand {
  let value = start;
  for (let step = from; step < path.length; step += 1) {
    if (value === undefined || typeof value !== 'object' || value === null) return undefined;
    if (isList(value)) return fromItems(value, path, step, meter);
    if (!isFields(value)) return undefined;
    value = memberOf(value, path[step] ?? '');
  }
  return value;
}

function fromItems(items: readonly Value[], path: readonly string[], step: number, meter: Meter): Value {
  meter.spend(items.length);
  const found: Value[] = [];
  for (const item of items) {
    const value = isFields(item) ? valueAt(item, path, meter, step) : undefined;
    if (value !== undefined) found.push(value);
  }
  return meter.admit(found);
}

/** An object with a value at a path, as `$addFields` sets it: in each item of an array, in place of what is there. */
export function withValueAt(
  fields: Fields,
  path: readonly string[],
  value: Value,
  meter: Meter,
  from = 0,
): Fields {
  const name = path[from] ?? '';
  const inner = memberOf(fields, name);
  const copy: Record<string, Value> = { ...fields };
  const next = from === path.length - 1 ? value : into(inner ?? {}, path, value, meter, from + 1);
  setField(copy, name, next);
  meter.expectCopy(copy, fields, next, Object.keys(copy).length, 1);
  return copy;
}

function into(inner: Value, path: readonly string[], value: Value, meter: Meter, from: number): Value {
  meter.spend(1);
  if (isList(inner)) return meter.admit(inner.map((item) => into(item, path, value, meter, from)));
  return withValueAt(isFields(inner) ? inner : {}, path, value, meter, from);
}
