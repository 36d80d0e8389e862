/**
 * The keys under which an index holds values: bytes whose order is the order of values, kind by kind. A key may stand
 * for several close values, never in a wrong order; then it says that it is not exact. Changing a key needs a
 * migration: entries are found by the keys of the former document.
 */
import { hexOfByte } from '../../domain/values/base64.ts';
import { ObjectId, type Value, Decimal, Double } from '../../domain/values/values.ts';
import { isNotANumber, isNumber, type NumberValue } from '../order/numbers.ts';
import { canonicalText, compareExact, Exact, exactOfDouble, exactOfText } from '../../domain/values/exact.ts';

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

/** Bytes of a string that a key keeps. */
const STRING_BYTES = 128;

/**
 * The key of a value, null and missing being one. Objects and arrays have one key for all: an index tells that there
 * is one, not which.
 */
export function indexKeyOf(value: Value | undefined): IndexKey {
  if (value === null || value === undefined) return key('null', '', true);
  if (typeof value === 'string') return stringKey(value);
  // NaN is below all numbers, but its key is not.
  if (isNumber(value)) return key('number', keyOfNumber(value), !isNotANumber(value));
  if (typeof value === 'boolean') return key('bool', value ? '01' : '00', true);
  return objectKey(value);
}

/** The range of all keys of the kinds that compare with a value: from inclusive, to exclusive. */
export function bracketRange(value: Value) {
  const from = indexKeyOf(value).hex.slice(0, 2);
  return { from, to: hexOfByte(parseInt(from, 16) + 1) };
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

export function prefixRange(prefix: string) {
  const { hex } = stringKey(prefix);
  return { from: hex, to: afterPrefix(hex) };
}

function objectKey(value: Exclude<Value, null | boolean | string | NumberValue>): IndexKey {
  if (value instanceof Date) return key('date', keyOfDouble(value.getTime()), true);
  if (value instanceof ObjectId) return key('objectId', value.hex, true);
  return key(Array.isArray(value) ? 'array' : 'object', '', false);
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

function key(bracket: keyof typeof BRACKETS, rest: string, exact: boolean): IndexKey {
  return { hex: `${BRACKETS[bracket]}${rest}`, exact };
}

/** Added to the place of the leading digit, which is negative for small decimals. */
const PLACES = 0x4000;

/** A double as 16 digits that sort as it does. */
function keyOfDouble(value: number): string {
  return hexOf(orderedBits(value));
}

/**
 * A number of any kind: equal ones have one key. Between two doubles, its own digits follow those of the lower one: so
 * the key lies between theirs.
 */
function keyOfNumber(value: NumberValue): string {
  if (typeof value === 'number') return keyOfDouble(value);
  if (value instanceof Double) return keyOfDouble(value.value);
  const near = Number(value instanceof Decimal ? value.text : value.value);
  const exact = value instanceof Decimal ? exactOfText(value.text) : new Exact(value.value, 0);
  if (exact === undefined) return keyOfDouble(near);
  const beyond = Number.isFinite(near) ? compareExact(exact, exactOfDouble(near)) : near > 0 ? -1 : 1;
  if (beyond === 0) return keyOfDouble(near);
  // Below zero there is a place for what is nearer to it than any double: that of -0, which has the key of 0.
  const below = beyond > 0 ? orderedBits(near) : orderedBits(near) - 1n;
  return `${hexOf(below)}${digitsOf(exact)}`;
}

/**
 * The place of the leading digit, then the digits, two a byte. Below zero they are inverted, and end with a byte above
 * all digits: more of them are less.
 */
function digitsOf(exact: Exact): string {
  const [digits = '', exponent = ''] = canonicalText(exact).replace(/^-/, '').split('e');
  const place = digits.length + Number(exponent) + PLACES;
  const pairs = digits.length % 2 === 0 ? digits : `${digits}0`;
  if (exact.coefficient > 0n) return `${hexOfPlace(place)}${pairs}`;
  return `${hexOfPlace(2 * PLACES - place)}${pairs.replace(/[0-9]/g, (digit) => String(9 - Number(digit)))}ff`;
}

function hexOfPlace(place: number): string {
  return place.toString(16).padStart(4, '0');
}

const scratch = new DataView(new ArrayBuffer(8));

/** The sign bit is turned over, and below zero all the others too. */
function orderedBits(value: number): bigint {
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const bits = scratch.getBigUint64(0);
  return bits >> 63n === 0n ? bits | (1n << 63n) : ~bits & 0xffff_ffff_ffff_ffffn;
}

function hexOf(bits: bigint): string {
  return bits.toString(16).padStart(16, '0');
}
