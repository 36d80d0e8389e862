/**
 * Values at rest: the one encoder and the one decoder between values in memory and the JSON that storage keeps.
 *
 * Plain JSON stays as it is. What it cannot say becomes an object with one `$` key, which collides with no stored
 * field: field names never start with `$` (decisions, section 2). Two of these forms stand in changes and
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
import { isList, mapTree, type Branch, type Tree } from './tree.ts';

type Json = Tree<never>;

export type StoredFields = Branch<never>;

/** The stored form of a value. A value without special kinds is returned as it is, not copied. */
function encode(value: Value): Json {
  // Documents have neither NaN nor infinities; what pipelines keep of groups may.
  if (typeof value === 'number' && !Number.isFinite(value)) return { $double: String(value) };
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

/** The stored form of what is known to be an object: of some fields of a document. */
export function encodeFields(fields: Fields): StoredFields {
  return encode(fields) as StoredFields;
}

/** The inverse. What is given is taken apart for it. */
export function reviveFields(stored: StoredFields): Fields {
  return revive(stored) as Fields;
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
  if (isList(json)) {
    const items = json as Value[];
    json.forEach((item, index) => {
      if (typeof item === 'object' && item !== null) items[index] = revive(item);
    });
    return items;
  }
  const tagged = decodeTag(json);
  if (tagged !== undefined) return tagged;
  // All of them are own fields, of any name: setting one changes the field.
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
function decodeTag(json: Branch<never>): Value | undefined {
  for (const key in json) {
    if (!key.startsWith('$')) return undefined;
    const content = json[key];
    if (key === '$date') return new Date(Number(content));
    if (typeof content === 'string') return decodeTextTag(key, content);
  }
  return undefined;
}

/** The inverse of both numbers that are written as doubles. */
function double(value: number): Value {
  return Number.isFinite(value) ? new Double(value) : value;
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
      return double(Number(content));
    default:
      return undefined;
  }
}
