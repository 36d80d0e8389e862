/** Values written as the JSON of requests again, wrappers and all, for readers that take only that. */
import { Decimal, Double, isFields, isList, Long, ObjectId, type Value } from '../domain/values.ts';
import type { Parsed } from '../domain/json.ts';

/** The inverse of `readValue`: what a client would have sent for the value. */
export function toParsed(value: Value): Parsed {
  if (typeof value !== 'object' || value === null || value instanceof Long || value instanceof Double)
    return value;
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof ObjectId) return { $oid: value.hex };
  if (value instanceof Decimal) return { $numberDecimal: value.text };
  if (isList(value)) return value.map(toParsed);
  return isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toParsed(field)]))
    : null;
}
