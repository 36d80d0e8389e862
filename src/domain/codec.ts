/**
 * Values at rest: the one encoder and the one decoder between values in memory and the JSON that storage keeps.
 *
 * Plain JSON stays as it is. What it cannot say becomes an object with one `$` key, which no stored field can
 * collide with, because field names never start with `$` (decisions, section 2).
 */
import { Decimal, Double, Long, ObjectId, type Fields, type Value } from './values.ts';

/** Stored JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The stored form of a value. A value without special kinds is returned as it is, not copied. */
export function encode(value: Value): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof ObjectId) return { $oid: value.hex };
  if (value instanceof Long) return { $long: value.value.toString() };
  if (value instanceof Decimal) return { $decimal: value.text };
  if (value instanceof Double) return { $double: Object.is(value.value, -0) ? '-0' : String(value.value) };
  return mapTree(value, encode);
}

/** The value of a stored form: the inverse of `encode`. */
export function decode(json: Json): Value {
  if (typeof json !== 'object' || json === null) return json;
  if (!isArray(json)) {
    const tagged = decodeTag(json);
    if (tagged !== undefined) return tagged;
  }
  return mapTree(json, decode);
}

/** A value as text for storage. */
export function encodeText(value: Value): string {
  return JSON.stringify(encode(value));
}

/**
 * The value of a stored text. A text without a tag needs no walk: in JSON text a `{"$` can only be a tag,
 * since a quote inside a string is written `\"`.
 */
export function decodeText(text: string): Value {
  const json = JSON.parse(text) as Json;
  return text.includes('{"$') ? decode(json) : json;
}

/** `decodeText` for what is known to be an object: the body of a document. */
export function decodeFields(text: string): Fields {
  return decodeText(text) as Fields;
}

function decodeTag(json: { readonly [name: string]: Json }): Value | undefined {
  for (const key in json) {
    const content = json[key];
    switch (key) {
      case '$date':
        return new Date(Number(content));
      case '$oid':
        return new ObjectId(String(content));
      case '$long':
        return new Long(BigInt(String(content)));
      case '$decimal':
        return new Decimal(String(content));
      case '$double':
        return new Double(Number(content));
      default:
        return undefined;
    }
  }
  return undefined;
}

/** Maps the children of an array or object; returns the same one when no child changed. */
export function mapTree<In, Out>(
  tree: readonly In[] | { readonly [name: string]: In },
  map: (child: In) => Out,
): readonly Out[] | { readonly [name: string]: Out } {
  let changed = false;
  const visit = (child: In): Out => {
    const mapped = map(child);
    if (!Object.is(mapped, child)) changed = true;
    return mapped;
  };
  if (isArray(tree)) {
    const items = tree.map(visit);
    return changed ? items : (tree as readonly unknown[] as readonly Out[]);
  }
  const entries = Object.entries(tree).map(([name, child]): [string, Out] => [name, visit(child)]);
  // fromEntries defines own fields, so that a field named __proto__ is only a field.
  return changed ? Object.fromEntries(entries) : (tree as { readonly [name: string]: unknown } as { readonly [name: string]: Out });
}

function isArray<T>(tree: readonly T[] | { readonly [name: string]: T }): tree is readonly T[] {
  return Array.isArray(tree);
}
