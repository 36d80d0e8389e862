/** Values as answers show them (spec, Value types, response form): plain JSON, every digit kept. */
import { mapTree } from './codec.ts';
import { Decimal, Double, Long, ObjectId, type Value } from './values.ts';

/** A JSON text that `JSON.stringify` writes as it is (ECMAScript's JSON.rawJSON). */
interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
  }
}

/** What `JSON.stringify` can write. */
export type Presentable =
  | null
  | boolean
  | number
  | string
  | RawJson
  | readonly Presentable[]
  | { readonly [name: string]: Presentable };

/** The response form of a value. A value without special kinds is returned as it is, not copied. */
export function present(value: Value): Presentable {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.hex;
  if (value instanceof Long) return JSON.rawJSON(value.value.toString());
  if (value instanceof Decimal) return JSON.rawJSON(value.text);
  if (value instanceof Double) return JSON.rawJSON(textOfDouble(value.value));
  return mapTree<Value, Presentable>(value, present);
}

/** An integral double as a JSON number that still reads as one: `1.0`, not `1`. */
function textOfDouble(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
