/**
 * Kinds of values, as the wrappers of the extended-json profile tell them (docs/documents.md#values). A number that is
 * not finished is NaN: no JSON can say it, so it is never sent.
 */
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers } from './json.ts';

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
] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds whose values stand right-aligned, with digits of one width. */
export const NUMERIC: ReadonlySet<string> = new Set<Kind>(['number', 'long', 'decimal']);

export const ID = /^[0-9a-f]{24}$/i;

/** The wrappers, by kind. */
const WRAPPER = { date: '$date', long: '$numberLong', decimal: '$numberDecimal', id: '$oid' } as const;
export type Wrapped = keyof typeof WRAPPER;

export function wrap(kind: Wrapped, text: string): Json {
  return { [WRAPPER[kind]]: text };
}

/** The text inside of a wrapper, with the kind that it says; undefined for another value. */
export function unwrapped(value: Json): { readonly kind: Wrapped; readonly text: string } | undefined {
  if (!isMembers(value)) return undefined;
  const [[name, text] = [], ...more] = Object.entries(value);
  if (typeof text !== 'string' || more.length > 0) return undefined;
  const kind = (['date', 'long', 'decimal', 'id'] as const).find((each) => WRAPPER[each] === name);
  return kind && { kind, text };
}

export function kindOf(value: Json): Kind {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value as 'string' | 'number' | 'boolean';
  if (isItems(value)) return 'array';
  return unwrapped(value)?.kind ?? (geometryIn(value) === undefined ? 'object' : 'geometry');
}

const GEOMETRY = /^(Multi)?(Point|LineString|Polygon)$/;

/** What is short of a geometry: `Point 12.5, 41.9`; undefined for another value. */
export function geometryIn(value: Json): string | undefined {
  if (!isMembers(value)) return undefined;
  const { type, coordinates, geometries } = value;
  if (type === 'GeometryCollection' && isItems(geometries)) return `${type} of ${geometries.length}`;
  if (typeof type !== 'string' || !GEOMETRY.test(type) || !isItems(coordinates)) return undefined;
  if (type === 'Point') return `Point ${coordinates.slice(0, 2).map(String).join(', ')}`;
  return `${type}, ${positionsIn(coordinates)} positions`;
}

function positionsIn(coordinates: Json): number {
  if (!isItems(coordinates)) return 0;
  if (typeof coordinates[0] === 'number') return 1;
  return coordinates.reduce<number>((sum, each) => sum + positionsIn(each), 0);
}

/** What stands in a wrapper, as text; the text of any other value as people would type it. */
export function textOf(value: Json): string {
  const wrapped = unwrapped(value);
  if (wrapped !== undefined) return wrapped.text;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : String(value);
  if (value === null) return '';
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** The moment that a value names, as the service shows dates: `2026-05-04T10:00:00.000Z`. */
export function isoOf(value: Json | undefined): string | undefined {
  const text = textOf(value ?? null);
  const stamp = /^-?\d{11,15}$/.test(text) ? Number(text) : Date.parse(zoned(text));
  return Number.isNaN(new Date(stamp).getTime()) ? undefined : new Date(stamp).toISOString();
}

/** A date without an offset is UTC to the service; to JavaScript it would be local time. */
function zoned(text: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text;
}

/** What a value says in another kind; undefined where that kind cannot say it. */
export function readAs(value: Json, kind: Kind): Json | undefined {
  const text = textOf(value).trim();
  const number = text === '' ? NaN : Number(text);
  switch (kind) {
    case 'string':
      return textOf(value);
    case 'number':
      return Number.isFinite(number) ? number : undefined;
    case 'long':
      return /^[-+]?\d+(\.0*)?$/.test(text) ? wrap('long', text.replace(/\..*$/, '')) : undefined;
    case 'decimal':
      return Number.isFinite(number) ? wrap('decimal', text) : undefined;
    case 'boolean':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined;
    case 'date': {
      const iso = isoOf(value);
      return iso === undefined ? undefined : wrap('date', iso);
    }
    case 'id':
      return ID.test(text) ? wrap('id', text.toLowerCase()) : undefined;
    case 'geometry':
      return geometryIn(value) === undefined ? undefined : value;
    case 'object':
      return isMembers(value) && unwrapped(value) === undefined ? value : undefined;
    case 'array':
      return isItems(value) ? value : undefined;
    case 'null':
      return null;
  }
}

/** The value in another kind: what it says is kept where that kind can say it. */
export function converted(value: Json, kind: Kind): Json {
  return readAs(value, kind) ?? beginningOf(value, kind);
}

function beginningOf(value: Json, kind: Kind): Json {
  switch (kind) {
    case 'number':
      return 0;
    case 'long':
    case 'decimal':
      return wrap(kind, '0');
    case 'boolean':
      return false;
    case 'date':
      return wrap('date', new Date().toISOString());
    case 'geometry':
      return { type: 'Point', coordinates: [0, 0] };
    case 'object':
      return {};
    case 'array':
      return value === null ? [] : [value];
    default:
      return kind === 'id' ? wrap('id', '') : null;
  }
}
