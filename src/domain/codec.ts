/**
 * Values at rest: the one encoder and the one decoder between values in memory and the JSON that storage keeps.
 *
 * Plain JSON stays as it is. What it cannot say becomes an object with one `$` key, which no stored field can
 * collide with, because field names never start with `$` (decisions, section 2). Two of these forms stand in changes and
 * are never stored: `$numberLong` and `$number`.
 */
import {
  Decimal,
  Double,
  Long,
  ObjectId,
  Oversized,
  WrappedLong,
  type Fields,
  type Value,
} from './values.ts';

/** Stored JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The stored form of a value. A value without special kinds is returned as it is, not copied. */
export function encode(value: Value): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof ObjectId) return { $oid: value.hex };
  if (value instanceof WrappedLong) return { $numberLong: value.value.toString() };
  if (value instanceof Oversized) return { $number: value.text };
  if (value instanceof Long) return { $long: value.value.toString() };
  if (value instanceof Decimal) return { $decimal: value.text };
  if (value instanceof Double) return { $double: Object.is(value.value, -0) ? '-0' : String(value.value) };
  return mapTree(value, encode);
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
  return text.includes('{"$') ? revive(json) : json;
}

/**
 * The value of a stored form: the inverse of `encode`. It works in place: what was just parsed belongs to nobody else
 * and need not be copied for its tags.
 */
function revive(json: Json): Value {
  if (typeof json !== 'object' || json === null) return json;
  if (isArray(json)) {
    const items = json as Value[];
    json.forEach((item, index) => {
      if (typeof item === 'object' && item !== null) items[index] = revive(item);
    });
    return items;
  }
  const tagged = decodeTag(json);
  if (tagged !== undefined) return tagged;
  // Own fields all of them, whatever their names: setting one changes the field.
  const fields = json as Record<string, Value>;
  for (const [name, child] of Object.entries(json)) {
    if (typeof child === 'object' && child !== null) fields[name] = revive(child);
  }
  return fields;
}

/** `decodeText` for what is known to be an object: the body of a document. */
export function decodeFields(text: string): Fields {
  return decodeText(text) as Fields;
}

/** The value of an object with a `$` key, or undefined for any other object. */
function decodeTag(json: { readonly [name: string]: Json }): Value | undefined {
  for (const key in json) {
    if (!key.startsWith('$')) return undefined;
    const content = json[key];
    if (key === '$date') return new Date(Number(content));
    if (typeof content === 'string') return decodeTextTag(key, content);
  }
  return undefined;
}

function decodeTextTag(key: string, content: string): Value | undefined {
  switch (key) {
    case '$oid':
      return new ObjectId(content);
    case '$long':
      return new Long(BigInt(content));
    case '$decimal':
      return new Decimal(content);
    case '$numberLong':
      return new WrappedLong(BigInt(content));
    case '$number':
      return new Oversized(content);
    case '$double':
      return new Double(Number(content));
    default:
      return undefined;
  }
}

/** Maps the children of an array or object; returns the same one when no child changed. */
export function mapTree<In, Out>(
  tree: readonly In[] | { readonly [name: string]: In },
  map: (child: In) => Out,
): readonly Out[] | { readonly [name: string]: Out } {
  const children = isArray(tree) ? tree : Object.values(tree);
  const mapped = children.map(map);
  // Unchanged children are of both types: those of the tree itself.
  if (mapped.every((child, index) => Object.is(child, children[index]))) {
    return tree as unknown as readonly Out[] | { readonly [name: string]: Out };
  }
  if (isArray(tree)) return mapped;
  const names = Object.keys(tree);
  // fromEntries defines own fields, so that a field named __proto__ is only a field.
  return Object.fromEntries(mapped.map((child, index) => [names[index] ?? '', child]));
}

function isArray<T>(tree: readonly T[] | { readonly [name: string]: T }): tree is readonly T[] {
  return Array.isArray(tree);
}
