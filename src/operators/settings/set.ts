/** Fields that the service computes at each write, as the settings of a type say (docs/types.md). */
import { faultOfNewFieldName } from '../../domain/field-names.ts';
import { LIMITS } from '../../domain/limits.ts';
import { inside, pointerOf, type Place } from '../../domain/pointer.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { isFields, isUnwritable, type Fields, type Value } from '../../domain/values/values.ts';
import { LEVELS_AROUND } from '../update/paths.ts';
import { readExpression, SettingsReading, type SettingsExpression } from './expression.ts';

export interface ComputedField {
  readonly name: string;
  /**
   * When it is not computed, for one that clients may write: where the document has the field, or where the write names
   * it. Null for one that the service alone writes.
   */
  readonly unless: 'given' | 'sent' | null;
  /** Null for one that is stored and cannot be read: then no document is written. */
  readonly expression: SettingsExpression | null;
  /** The pointer to it in the attributes of the settings. */
  readonly at: string;
}

/** Reads the JSON text of `set`; places begin inside it. */
export function readSet(
  text: string,
  report: (place: Place, detail: string) => void,
  viewer: readonly string[] | null = null,
): readonly ComputedField[] {
  const reading = new SettingsReading(report, viewer);
  const fields = reading.open(text);
  if (!isFields(fields) || Object.keys(fields).length > LIMITS.settingsSet) {
    reading.fault(null, `This must be an object of at most ${LIMITS.settingsSet} fields and expressions.`);
    return [{ name: '', unless: null, expression: null, at: '/set' }];
  }
  return Object.entries(fields).map(([name, value]) => {
    const place = inside(null, name);
    const faults = reading.faults;
    const fault = faultOfNewFieldName(name);
    if (fault !== undefined) reading.fault(place, fault);
    const isWritten = isFields(value) && Object.hasOwn(value, 'unless');
    const given = isWritten ? readWritten(value, place, reading) : value;
    const expression = readExpression(given, isWritten ? inside(place, 'value') : place, reading);
    const at = pointerOf(inside(inside(null, 'set'), name));
    const unless = isWritten ? (memberOf(value, 'unless') === 'sent' ? 'sent' : 'given') : null;
    return { name, unless, expression: reading.faults > faults ? null : expression, at };
  });
}

/** An object with `unless` is never a literal one: that is written with `$literal`. */
function readWritten(entry: Fields, place: Place, reading: SettingsReading): Value {
  const value = memberOf(entry, 'value');
  const unless = memberOf(entry, 'unless');
  if (value !== undefined && (unless === 'given' || unless === 'sent') && Object.keys(entry).length === 2)
    return value;
  const forms =
    '{"value": <expression>, "unless": "given" or "sent"}; ' +
    'an object with a field of that name is written with $literal';
  reading.fault(place, `A field that clients may write is ${forms}.`);
  return null;
}

/** Why a computed value cannot be stored; undefined for one that can. Names in it are such as documents have. */
export function faultOfComputed(value: Value, levels = LIMITS.jsonDepth - LEVELS_AROUND): string | undefined {
  if (isUnwritable(value)) return 'It is no finite number.';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'It is no date.' : undefined;
  if (!isList(value) && !isFields(value)) return undefined;
  if (levels === 0) return `The JSON of the document would nest more than ${LIMITS.jsonDepth} levels.`;
  for (const child of Object.values(value) as readonly Value[]) {
    const fault = faultOfComputed(child, levels - 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
