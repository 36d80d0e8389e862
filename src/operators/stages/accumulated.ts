/** Reads fields that accumulators make of several documents: those of `group`, and of `output` in buckets. */
import { unknownName } from '../../domain/names.ts';
import { inside } from '../../domain/pointer.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { faultOfName } from '../../domain/field-names.ts';
import { readAccumulator, Site } from '../core/dispatch.ts';
import { refusalOf } from '../core/refused.ts';
import type { AccumulatedField } from './groups.ts';
import { refuseStage, type At } from './stage.ts';

/** A field with its accumulator; null when it reported a fault. `at` is the place of the field. */
export function readField(field: string, value: Value, at: At): AccumulatedField | null {
  const fault =
    field === '_id' || field === 'id' ? `The id of a ${at.name} is given as id.` : faultOfName(field);
  if (fault !== undefined) return refuseStage(at, fault);
  const names = isFields(value) ? Object.keys(value) : [];
  const [given = ''] = names;
  if (!isFields(value) || names.length !== 1) {
    return refuseStage(
      at,
      `A field of a ${at.name} is an object with one accumulator, such as {"$sum": "$price"}.`,
    );
  }
  // Nothing else is allowed here, so the sign may be left out.
  const name = given.startsWith('$') ? given : `$${given}`;
  const place = inside(at.place, given);
  const accumulator = readAccumulator(value[given] ?? null, new Site(name, place, at.scope));
  if (accumulator === undefined) {
    const names = at.scope.names.accumulators;
    return refuseStage({ ...at, place }, () => unknownOperator(given, 'accumulator', names));
  }
  return accumulator && { field, name, accumulator };
}

/** Why there is nothing of a name. */
export function unknownOperator(given: string, what: string, names: readonly string[]): string {
  const name = given.startsWith('$') ? given : `$${given}`;
  const listed = '/docs/aggregates-reference#accumulators';
  return refusalOf(name, given) ?? unknownName(given, { what, names, listed });
}

/** The fields that buckets have; without `output`, they count. */
export function readOutput(value: Value | undefined, at: At): readonly AccumulatedField[] | null {
  const output = value ?? { count: { $sum: 1 } };
  const here = { ...at, place: inside(at.place, 'output') };
  if (!isFields(output)) return refuseStage(here, 'output is an object of fields and accumulators.');
  const fields: AccumulatedField[] = [];
  let faulty = false;
  for (const [name, each] of Object.entries(output)) {
    const read = readField(name, each, { ...here, place: inside(here.place, name) });
    if (read === null) faulty = true;
    else fields.push(read);
  }
  return faulty ? null : fields;
}

/** A `groupBy` is a path or an operator, as in MongoDB; anything else would be one bucket. */
export function isGroupBy(value: Value): boolean {
  if (typeof value === 'string') return value.startsWith('$');
  return isFields(value) && Object.keys(value).some((name) => name.startsWith('$'));
}
