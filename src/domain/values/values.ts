/**
 * The kinds of values a document holds, and their form in memory. A leaf: it knows nothing of requests,
 * storage or search.
 *
 * What JSON says exactly stays plain: a plain integral number is an int when it fits 32 bits and a long
 * beyond them, a plain fractional number is a double. A class carries only what plain JSON would lose.
 */
import { isList, type Branch, type Tree } from './tree.ts';

/** A 64-bit integer whose kind or digits a plain number would lose: one forced by `$numberLong`, or beyond 2^53. */
export class Long {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }

  /** For messages alone (JSON has no form for a bigint): answers and storage have encoders of their own. */
  toJSON(): string {
    return String(this.value);
  }
}

/** A double with an integral value (`1.0`, `1e300`, `-0.0`), which a plain number would take for an int or a long. */
export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A 128-bit decimal in its canonical text (IEEE 754-2008, to-scientific-string). Trailing zeros are kept. */
export class Decimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A long that its sender wrapped, though a plain number may say it. Only changes hold it: a plain number may
 * be a stored one that comes back (collection/write/document/change.ts), a wrapped one is what it says.
 */
export class WrappedLong extends Long {
  readonly wrapped = true;
}

/**
 * A plain number that fits no kind, in the text of a decimal. Only changes hold it, and none comes to be stored: it may
 * be a stored number that comes back, or else it is refused.
 */
export class Oversized extends Decimal {
  readonly plain = true;
}

/** A 12-byte object id as 24 lower-case hexadecimal digits. */
export class ObjectId {
  readonly hex: string;
  constructor(hex: string) {
    this.hex = hex;
  }
}

/** A value of a document. Dates are JavaScript dates (milliseconds since 1970, UTC). */
export type Value = Tree<Special>;

/** The values that plain JSON would lose. */
type Special = Long | Double | Decimal | ObjectId | Date;

/** An object value, or a whole document as filters see it: `id`, `type`, attributes and relationships side by side. */
export type Fields = Branch<Special>;

/** The kind of a value, in MongoDB's words (`$type` aliases). */
export type ValueKind =
  | 'null'
  | 'bool'
  | 'int'
  | 'long'
  | 'double'
  | 'decimal'
  | 'string'
  | 'objectId'
  | 'date'
  | 'array'
  | 'object';

export const INT_MIN = -(2 ** 31);
export const INT_MAX = 2 ** 31 - 1;
export const LONG_MIN = -(2n ** 63n);
export const LONG_MAX = 2n ** 63n - 1n;

/** The kind of a plain number: spec, Value types, rule 2. */
function kindOfNumber(value: number): 'int' | 'long' | 'double' {
  if (!Number.isInteger(value)) return 'double';
  return value >= INT_MIN && value <= INT_MAX ? 'int' : 'long';
}

export function kindOf(value: Value): ValueKind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return kindOfNumber(value);
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Date) return 'date';
  if (value instanceof Long) return 'long';
  if (value instanceof Double) return 'double';
  if (value instanceof Decimal) return 'decimal';
  return 'object';
}

/** A double, plain where plain JSON keeps its kind. */
export function doubleOf(value: number): number | Double {
  return Number.isInteger(value) ? new Double(value) : value;
}

/** NaN and the infinities, which JSON has no numbers for. */
export function isUnwritable(value: Value): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return value instanceof Decimal && /^-?(?:NaN|Inf)/.test(value.text);
}

/** An integer in its natural kind: int if it fits 32 bits, else long; undefined beyond 64 bits. */
export function integerOf(value: bigint): Value | undefined {
  if (value < LONG_MIN || value > LONG_MAX) return undefined;
  const plain = Number(value);
  return Number.isSafeInteger(plain) ? plain : new Long(value);
}

/** A long, plain where a plain number is already one. */
export function longOf(value: bigint): Value | undefined {
  if (value < LONG_MIN || value > LONG_MAX) return undefined;
  const plain = Number(value);
  return Number.isSafeInteger(plain) && kindOfNumber(plain) === 'long' ? plain : new Long(value);
}

/** True for a value that is a plain object of fields. */
export function isFields(value: Value): value is Fields {
  return kindOf(value) === 'object';
}

/** Whether arrays and objects are nested more than so many levels deep. */
export function deeperThan(value: Value, levels: number): boolean {
  if (!isFields(value) && !isList(value)) return false;
  return levels === 0 || Object.values(value).some((child: Value) => deeperThan(child, levels - 1));
}

/** Sets an own field of an object that is being made: `__proto__` is a field like others. */
export function setField(fields: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, configurable: true, enumerable: true, writable: true });
}
