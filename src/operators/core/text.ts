/** Values as strings, and strings by code points and by bytes of UTF-8, as operators count them. */
import { Decimal, Double, Long, ObjectId, type Value } from '../../domain/values/values.ts';
import type { Meter } from './meter.ts';

/** A scalar in the form that `$toString` gives it; undefined for null, arrays and objects. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return isoOf(value);
  if (value instanceof ObjectId) return value.hex;
  if (value instanceof Long) return value.value.toString();
  if (value instanceof Double) return Object.is(value.value, -0) ? '-0' : String(value.value);
  return value instanceof Decimal ? value.text : undefined;
}

/** ISO 8601; years beyond four digits have a sign and six. */
function isoOf(date: Date): string {
  return date.toISOString();
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
  /** The unit at a UTF-16 position. */
  readonly unitAt: (position: number) => number;
  /** The UTF-16 position of a unit. */
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

/** By code points. */
export function byCodePoints(text: string, meter: Meter): Counted {
  if (!SURROGATE.test(text)) return plain(text);
  meter.expect(16 * text.length);
  meter.spend(text.length);
  const characters = Array.from(text);
  return {
    length: characters.length,
    slice: (from, to) => characters.slice(from, to).join(''),
    unitAt: (position) => Array.from(text.slice(0, position)).length,
    positionOf: (unit) => characters.slice(0, unit).join('').length,
  };
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
