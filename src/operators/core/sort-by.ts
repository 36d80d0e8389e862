/** The order of a definition: the `sort` parameter's string form, or MongoDB's object of 1 and -1. */
import { inside, type Place } from '../../domain/pointer.ts';
import { faultOfPath, isAuditField, NO_AUDIT_FIELDS } from '../../domain/audit-fields.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import type { Key, Ordering } from '../../query/order/ordering.ts';
import { parseSort, type SortField } from '../../query/order/sort.ts';
import type { Scope } from './expression.ts';
import { stepsOf, type Meter } from './meter.ts';
import { smallInteger } from '../numbers/kinds.ts';

interface At {
  readonly place: Place;
  readonly scope: Pick<Scope, 'report' | 'auditFields'>;
}

/** `-a,b.c`; undefined, with a fault reported, for anything else. */
export function readSortText(value: Value, { place, scope }: At): readonly SortField[] | undefined {
  const parsed = typeof value === 'string' ? parseSort(value) : undefined;
  if (parsed?.ok === true) {
    const known = scope.auditFields() || !parsed.value.some(({ path: [name] }) => isAuditField(name));
    if (known) return parsed.value;
    scope.report(place, NO_AUDIT_FIELDS);
    return undefined;
  }
  const why = parsed?.problems[0]?.detail ?? 'It is a string such as "-date,title".';
  scope.report(place, `The order cannot be read. ${why}`);
  return undefined;
}

/** The same, or `{date: -1, title: 1}`. */
export function readSortBy(value: Value, at: At): readonly SortField[] | undefined {
  if (!isFields(value)) return readSortText(value, at);
  const fields: SortField[] = [];
  let faulty = false;
  for (const [name, given] of Object.entries(value)) {
    const parts = name.split('.');
    const path = faultOfPath(parts, at.scope.auditFields()) ?? parts;
    const direction = smallInteger(given);
    if (typeof path === 'string' || (direction !== 1 && direction !== -1)) {
      at.scope.report(inside(at.place, name), typeof path === 'string' ? path : 'A direction is 1 or -1.');
      faulty = true;
    } else {
      fields.push({ path, direction: direction === 1 ? 'ascending' : 'descending' });
    }
  }
  if (fields.length === 0 && !faulty) at.scope.report(at.place, 'The order names at least one field.');
  return faulty || fields.length === 0 ? undefined : fields;
}

/** The key of a document. Of an array it is made of all items: the work of looking through the fields is counted. */
export function countedKey({ fields, keyOf }: Ordering, document: Fields, meter: Meter): Key {
  meter.spend(stepsOf(fields.map((name) => document[name])));
  return keyOf(document);
}
