/**
 * The keys under which an index holds values: bytes whose order is the order of values, kind by kind. A key may stand
 * for several close values, never in a wrong order; then it says that it is not exact. Changing a key needs a
 * migration: entries are found by the keys of the former document.
 */
import { hexOfByte } from '../../domain/values/base64.ts';
import { ObjectId, type Value } from '../../domain/values/values.ts';
import { isNotANumber, isNumber, type NumberValue } from '../order/numbers.ts';
import { keyOfDouble, keyOfNumber } from './number-keys.ts';

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
export function indexKeyOf(value: Value | undefined): IndexKey {
  if (value === null || value === undefined) return key('null', '', true);
  if (typeof value === 'string') return stringKey(value);
  if (isNumber(value)) return numberKey(value);
  if (typeof value === 'boolean') return key('bool', value ? '01' : '00', true);
  return objectKey(value);
}

/** The range of all keys of the kinds that compare with a value: from inclusive, to exclusive. */
export function bracketRange(value: Value): { readonly from: string; readonly to: string } {
  const from = indexKeyOf(value).hex.slice(0, 2);
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

export function prefixRange(prefix: string): { readonly from: string; readonly to: string } {
  const { hex } = stringKey(prefix);
  return { from: hex, to: afterPrefix(hex) };
}

function objectKey(value: Exclude<Value, null | boolean | string | NumberValue>): IndexKey {
  if (value instanceof Date) return key('date', keyOfDouble(value.getTime()), true);
  if (value instanceof ObjectId) return key('objectId', value.hex, true);
  return key(Array.isArray(value) ? 'array' : 'object', '', false);
}

/** NaN is below all numbers, but its key is not. */
function numberKey(value: NumberValue): IndexKey {
  return key('number', keyOfNumber(value), !isNotANumber(value));
}

const encoder = new TextEncoder();

function stringKey(value: string): IndexKey {
  if (value.length <= STRING_BYTES) {
    const hex = hexOfAscii(value);
    if (hex !== null) return key('string', hex, true);
  }
  const bytes = encoder.encode(value);
  return key('string', bytes.subarray(0, STRING_BYTES).toHex(), bytes.length <= STRING_BYTES);
}

/** The bytes of a text of ASCII characters, as most are that an index holds; null for another. */
function hexOfAscii(text: string): string | null {
  let hex = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 127) return null;
    hex += hexOfByte(unit);
  }
  return hex;
}

function key(bracket: Bracket, rest: string, exact: boolean): IndexKey {
  return { hex: `${BRACKETS[bracket]}${rest}`, exact };
}

function nextByte(hex: string): string {
  return hexOfByte(parseInt(hex, 16) + 1);
}
