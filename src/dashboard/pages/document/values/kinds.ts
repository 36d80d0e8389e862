/**
 * Values by their kinds, made and turned into others. A number that is not finished is NaN: no JSON can say it, so it is
 * never sent.
 */
import type { Json } from '../../../../client/values.ts';
import {
  isArray as isItems,
  isObject as isMembers,
  kindOf,
  unwrapped,
  type Kind as AnyKind,
} from '../../documents/fields/kinds.ts';

export { isItems, isMembers, kindOf };

/** The kinds in the order in which they are offered. */
export const KINDS = [
  'string',
  'number',
  'long',
  'decimal',
  'boolean',
  'date',
  'id',
  'geometry',
  'object',
  'array',
  'null',
] as const satisfies readonly AnyKind[];
export type Kind = (typeof KINDS)[number];

export type Members = Readonly<Record<string, Json>>;

/** The wrappers, by kind. */
const WRAPPER = { date: '$date', long: '$numberLong', decimal: '$numberDecimal', id: '$oid' } as const;
export type Wrapped = keyof typeof WRAPPER;

/** What stands in a wrapper, as text; the text of any other value as people would type it. */
export function textOf(json: Json): string {
  const wrapped = unwrapped(json);
  if (wrapped !== undefined) return wrapped.text;
  if (typeof json === 'string') return json;
  if (typeof json === 'number') return Object.is(json, -0) ? '-0.0' : String(json);
  if (json === null) return '';
  return typeof json === 'boolean' ? String(json) : JSON.stringify(json);
}

export function wrap(kind: Wrapped, text: string): Json {
  return { [WRAPPER[kind]]: text };
}

/** The value in another kind: what it says is kept where that kind can say it. */
export function converted(json: Json, kind: Kind): Json {
  const text = textOf(json).trim();
  const number = Number(text);
  switch (kind) {
    case 'string':
      return textOf(json);
    case 'number':
      return text !== '' && Number.isFinite(number) ? number : 0;
    case 'long':
      return wrap('long', /^[-+]?\d+(\.0*)?$/.test(text) ? text.replace(/\..*$/, '') : '0');
    case 'decimal':
      return wrap('decimal', text !== '' && Number.isFinite(number) ? text : '0');
    case 'boolean':
      return text === 'true' || text === '1';
    case 'date':
      return wrap('date', isoOf(json) ?? new Date().toISOString());
    case 'id':
      return wrap('id', /^[0-9a-f]{24}$/i.test(text) ? text.toLowerCase() : '');
    case 'geometry':
      return { type: 'Point', coordinates: [0, 0] };
    case 'object':
      return isMembers(json) && unwrapped(json) === undefined ? json : {};
    case 'array':
      return isItems(json) ? json : json === null ? [] : [json];
    case 'null':
      return null;
  }
}

/** The moment that a value names, as the service shows dates: `2026-05-04T10:00:00.000Z`. */
export function isoOf(json: Json): string | undefined {
  const text = textOf(json);
  const stamp = /^-?\d{11,15}$/.test(text) ? Number(text) : Date.parse(zoned(text));
  return Number.isNaN(new Date(stamp).getTime()) ? undefined : new Date(stamp).toISOString();
}

/** A date without an offset is UTC to the service; to JavaScript it would be local time. */
function zoned(text: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text;
}
