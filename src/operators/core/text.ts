/** Values as strings, and strings by code points and by bytes of UTF-8, as operators count them. */
import { Decimal, Double, Long, ObjectId, type Value } from '../../domain/values/values.ts';
import { formatDate, ISO_UTC } from '../dates/format.ts';
import type { Meter } from './meter.ts';

/** A scalar in the form that `$toString` gives it; undefined for null, arrays and objects. */
export function convertedText(value: Value): string | undefined {
  if (value instanceof Date) return formatDate({ local: value.getTime(), offset: 0 }, ISO_UTC);
  const double = value instanceof Double ? value.value : value;
  if (typeof double !== 'number' || !hasExponent(double)) return textOf(value);
  return double.toExponential().replace(/[0-9]+$/, (exponent) => exponent.padStart(2, '0'));
}

/** From 1e16 and below 0.0001, as MongoDB has it; JavaScript has other limits. */
function hasExponent(double: number): boolean {
  const size = Math.abs(double);
  return (size >= 1e16 && size < Infinity) || (size > 0 && size < 1e-4);
}

/** The same for an id: with JavaScript's digits. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // ISO 8601; years beyond four digits have a sign and six.
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.hex;
  if (value instanceof Long) return value.value.toString();
  if (value instanceof Double) return Object.is(value.value, -0) ? '-0' : String(value.value);
  return value instanceof Decimal ? value.text : undefined;
}

const SURROGATE = /[\ud800-\udfff]/;
const BEYOND_ASCII = /[^\0-\x7f]/;
const encoder = new TextEncoder();
// A byte-order mark is a character like others.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** A string that is counted in units of some kind. */
export interface Counted {
  readonly length: number;
  /** From one unit up to before another. Undefined where that would cut a character. */
  readonly slice: (from: number, to: number) => string | undefined;
  readonly unitAt: (position: number) => number;
  readonly positionOf: (unit: number) => number;
}

function plain(text: string): Counted {
  return {
    length: text.length,
    slice: (from, to) => text.slice(from, to),
    unitAt: (position) => position,
    positionOf: (unit) => unit,
  };
}

/** By code points, which are walked: a list of those of a megabyte takes fifteen times as long. */
export function byCodePoints(text: string, meter: Meter): Counted {
  if (!SURROGATE.test(text)) return plain(text);
  meter.spend(text.length);
  const unitAt = (position: number): number => {
    let unit = 0;
    for (let at = 0; at < position; at += sizeAt(text, at)) unit += 1;
    return unit;
  };
  const positionOf = (unit: number): number => {
    let position = 0;
    for (let passed = 0; passed < unit; passed += 1) position += sizeAt(text, position);
    return position;
  };
  return {
    length: unitAt(text.length),
    slice: (from, to) => text.slice(positionOf(from), positionOf(to)),
    unitAt,
    positionOf,
  };
}

/** UTF-16 units of the code point at a position. Half of a pair alone is one. */
export function sizeAt(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}

/** By bytes of UTF-8. */
export function byBytes(text: string, meter: Meter): Counted {
  if (!BEYOND_ASCII.test(text)) return plain(text);
  meter.expect(3 * text.length);
  meter.spend(text.length / 8);
  const bytes = encoder.encode(text);
  const continues = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  return {
    length: bytes.length,
    slice: (from, to) =>
      continues(from) || continues(to) ? undefined : decoder.decode(bytes.subarray(from, to)),
    unitAt: (position) => encoder.encode(text.slice(0, position)).length,
    positionOf: (unit) => decoder.decode(bytes.subarray(0, unit)).length,
  };
}
