/**
 * Values that JSON lacks, both ways: the wrappers of the extended-json profile, and JSON text that keeps every digit
 * (docs/documents.md, Values).
 */

/** A decimal of up to 34 digits, as its text: arithmetic is for a library of your choice. */
export class Decimal {
  readonly text: string;

  constructor(text: string | number) {
    this.text = String(text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** An object id as a value: ids of documents are plain strings, and become object ids in filters by themselves. */
export class ObjectId {
  readonly hex: string;

  constructor(hex: string) {
    this.hex = hex;
  }

  toString(): string {
    return this.hex;
  }

  toJSON(): string {
    return this.hex;
  }
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A copy of an answer's JSON with dates, long integers, decimals and object ids as what they are. */
export function decode(json: Json): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (isArray(json)) return json.map(decode);
  const entries = Object.entries(json);
  const [name = '', text] = entries[0] ?? [];
  if (typeof text === 'string' && name.startsWith('$')) {
    if (name === '$date') return new Date(text);
    if (name === '$numberDecimal') return new Decimal(text);
    if (name === '$oid') return new ObjectId(text);
    if (name === '$numberLong') return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, decode(value)]));
}

const isArray = (json: Json): json is readonly Json[] => Array.isArray(json);

/**
 * A value as JSON text, with wrappers for what JSON lacks. What no JSON can say (NaN, functions) is a TypeError here,
 * not a null there.
 */
export function write(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'bigint') return `{"$numberLong":"${value}"}`;
  if (typeof value === 'number' && Number.isFinite(value)) return writeNumber(value);
  if (typeof value !== 'object') throw new TypeError(`A ${typeof value} is no value.`);
  if (value instanceof Date) return `{"$date":"${value.toISOString()}"}`;
  if (value instanceof Decimal) return `{"$numberDecimal":"${value.text}"}`;
  if (value instanceof ObjectId) return `{"$oid":"${value.hex}"}`;
  if (hasJson(value)) return write(value.toJSON());
  if (Array.isArray(value)) return `[${value.map((item) => write(item ?? null)).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join()}}`;
}

/** Other libraries' values say what they are in JSON, as they say it to JSON.stringify. */
const hasJson = (value: object): value is { toJSON: () => unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** An integer beyond 2^53 is a double, and would be a 64-bit integer (or none) without an exponent. */
function writeNumber(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

/** Whether two values are the same to the service: 5n is a long, and 5 is not. */
export const isSame = (one: unknown, other: unknown): boolean => write({ one }) === write({ one: other });
