/**
 * The keys under which an index holds values: bytes whose order is the order of values, kind by kind. A key may
 * mean several values that are close (it never puts two in the wrong order); then it says that it is not exact.
 */
import { Decimal, Double, Long, ObjectId, type Value } from '../../domain/values/values.ts';
import { compareNumbers } from '../order/numbers.ts';

export interface IndexKey {
  /** Hexadecimal digits: two a byte. */
  readonly hex: string;
  /** False when other values of the kind have the same key. */
  readonly exact: boolean;
}

/** The first byte of a key, ascending in MongoDB's order of kinds. */
const BRACKETS = {
  null: '05',
  number: '10',
  string: '20',
  object: '30',
  array: '40',
  objectId: '50',
  bool: '60',
  date: '70',
};
type Bracket = keyof typeof BRACKETS;

/** Bytes of a string that a key keeps. */
const STRING_BYTES = 128;

/**
 * The key of a value, null and missing being one. Objects and arrays have one key for all: an index tells that there
 * is one, not which.
 */
export function keyOfValue(value: Value | undefined): IndexKey {
  if (value === null || value === undefined) return key('null', '', true);
  if (typeof value === 'string') return stringKey(value);
  if (typeof value === 'number') return numberKey(value, true);
  if (typeof value === 'boolean') return key('bool', value ? '01' : '00', true);
  return objectKey(value);
}

/** The range of all keys of the kinds that compare with a value: from inclusive, to exclusive. */
export function bracketRange(value: Value): { readonly from: string; readonly to: string } {
  const from = keyOfValue(value).hex.slice(0, 2);
  return { from, to: nextByte(from) };
}

/** True for the keys of objects and arrays, which an index cannot distinguish. */
export function isComposite({ hex }: IndexKey): boolean {
  return hex.startsWith(BRACKETS.object) || hex.startsWith(BRACKETS.array);
}

/** The least key above all keys that begin with this one. */
function afterPrefix(hex: string): string {
  // No UTF-8 text holds the byte ff, so ff sorts after any text.
  return `${hex}ff`;
}

/** The key range of all strings with a prefix. */
export function prefixRange(prefix: string): { readonly from: string; readonly to: string } {
  const { hex } = stringKey(prefix);
  return { from: hex, to: afterPrefix(hex) };
}

function objectKey(value: Exclude<Value, null | boolean | number | string>): IndexKey {
  if (value instanceof Date) return key('date', orderedDouble(value.getTime()), true);
  if (value instanceof ObjectId) return key('objectId', value.hex, true);
  if (value instanceof Double) return numberKey(value.value, true);
  if (value instanceof Long) {
    const near = Number(value.value);
    return numberKey(near, BigInt(near) === value.value);
  }
  if (value instanceof Decimal) {
    const near = Number(value.text);
    return numberKey(near, Number.isFinite(near) && compareNumbers(value, near) === 0);
  }
  return key(Array.isArray(value) ? 'array' : 'object', '', false);
}

function numberKey(value: number, exact: boolean): IndexKey {
  return key('number', orderedDouble(value), exact);
}

function stringKey(value: string): IndexKey {
  const bytes = new TextEncoder().encode(value);
  return key('string', bytes.subarray(0, STRING_BYTES).toHex(), bytes.length <= STRING_BYTES);
}

function key(bracket: Bracket, rest: string, exact: boolean): IndexKey {
  return { hex: `${BRACKETS[bracket]}${rest}`, exact };
}

const scratch = new DataView(new ArrayBuffer(8));

/** A double as 16 digits that sort as it does: the sign bit is turned over, and below zero all the others too. */
function orderedDouble(value: number): string {
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const bits = scratch.getBigUint64(0);
  const ordered = bits >> 63n === 0n ? bits | (1n << 63n) : ~bits & 0xffff_ffff_ffff_ffffn;
  return ordered.toString(16).padStart(16, '0');
}

function nextByte(hex: string): string {
  return (parseInt(hex, 16) + 1).toString(16).padStart(2, '0');
}
