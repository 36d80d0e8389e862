/**
 * Kinds of values, as the extended-json profile tells them: what is plain in JSON is plain, and dates, 64-bit integers,
 * decimals and object ids stand in their wrappers. A number that is not finished is NaN: no JSON can say it, so it is
 * never sent.
 */
import type { Json } from '../../../../client/values.ts';

export const KINDS = [
  'text',
  'number',
  'long',
  'decimal',
  'boolean',
  'date',
  'object id',
  'geometry',
  'object',
  'array',
  'null',
] as const;
export type Kind = (typeof KINDS)[number];

export type Members = Readonly<Record<string, Json>>;

/** The wrappers, by kind. */
const WRAPPER = {
  date: '$date',
  long: '$numberLong',
  decimal: '$numberDecimal',
  'object id': '$oid',
} as const;
export type Wrapped = keyof typeof WRAPPER;

const GEOMETRIES: ReadonlySet<Json> = new Set([
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
]);

export function isMembers(json: Json | undefined): json is Members {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

export function isItems(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

export function kindOf(json: Json): Kind {
  if (json === null) return 'null';
  if (typeof json === 'string') return 'text';
  if (typeof json === 'number') return 'number';
  if (typeof json === 'boolean') return 'boolean';
  if (isItems(json)) return 'array';
  const wrapped = wrappedKind(json);
  if (wrapped !== undefined) return wrapped;
  return isMembers(json) && isGeometry(json) ? 'geometry' : 'object';
}

function wrappedKind(json: Json): Wrapped | undefined {
  if (!isMembers(json)) return undefined;
  const [[name, text] = [], ...others] = Object.entries(json);
  if (others.length > 0 || name === undefined || !(typeof text === 'string' || typeof text === 'number'))
    return undefined;
  return (Object.keys(WRAPPER) as Wrapped[]).find((kind) => WRAPPER[kind] === name);
}

/** Whether it says that it is GeoJSON, well formed or not. */
function isGeometry(json: Members): boolean {
  const { type, coordinates, geometries } = json;
  return type !== undefined && GEOMETRIES.has(type) && (isItems(coordinates) || isItems(geometries));
}

/** What stands in a wrapper, as text; the text of any other value as people would type it. */
export function textOf(json: Json): string {
  const kind = wrappedKind(json);
  if (kind !== undefined && isMembers(json)) return textOf(json[WRAPPER[kind]] ?? null);
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
    case 'text':
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
    case 'object id':
      return wrap('object id', /^[0-9a-f]{24}$/i.test(text) ? text.toLowerCase() : '');
    case 'geometry':
      return { type: 'Point', coordinates: [0, 0] };
    case 'object':
      return isMembers(json) && wrappedKind(json) === undefined ? json : {};
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
