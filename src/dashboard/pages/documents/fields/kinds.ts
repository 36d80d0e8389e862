/** Kinds of values, as the wrappers of the extended-json profile tell them (docs/documents.md#values). */
import type { Json } from '../../../../client/values.ts';

export type Kind =
  | 'null'
  | 'string'
  | 'number'
  | 'long'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'id'
  | 'geometry'
  | 'array'
  | 'object'
  | 'link';

/** The kinds whose values stand right-aligned, with digits of one width. */
export const NUMERIC: ReadonlySet<Kind> = new Set<Kind>(['number', 'long', 'decimal']);

const WRAPPERS: Readonly<Record<string, Kind>> = {
  $date: 'date',
  $numberLong: 'long',
  $numberDecimal: 'decimal',
  $oid: 'id',
};

/** The text inside of a wrapper, with the kind that it says; undefined for another value. */
export function unwrapped(value: Json): { readonly kind: Kind; readonly text: string } | undefined {
  if (!isObject(value)) return undefined;
  const [entry, ...more] = Object.entries(value);
  if (entry === undefined || more.length > 0) return undefined;
  // A member may be called as what objects inherit.
  const kind = Object.hasOwn(WRAPPERS, entry[0]) ? WRAPPERS[entry[0]] : undefined;
  return kind === undefined || typeof entry[1] !== 'string' ? undefined : { kind, text: entry[1] };
}

export function kindOf(value: Json): Kind {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value as 'string' | 'number' | 'boolean';
  if (isArray(value)) return 'array';
  return unwrapped(value)?.kind ?? (geometryIn(value) === undefined ? 'object' : 'geometry');
}

/** What is short of a geometry: `Point 12.5, 41.9`; undefined for another value. */
export function geometryIn(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  const { type, coordinates, geometries } = value;
  if (typeof type !== 'string') return undefined;
  if (type === 'GeometryCollection' && isArray(geometries)) return `${type} of ${geometries.length}`;
  if (!GEOMETRIES.has(type) || !isArray(coordinates)) return undefined;
  if (type === 'Point') return `Point ${coordinates.slice(0, 2).map(String).join(', ')}`;
  return `${type}, ${positionsIn(coordinates)} positions`;
}

const GEOMETRIES: ReadonlySet<string> = new Set([
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
]);

function positionsIn(coordinates: Json): number {
  if (!isArray(coordinates)) return 0;
  if (typeof coordinates[0] === 'number') return 1;
  return coordinates.reduce<number>((sum, each) => sum + positionsIn(each), 0);
}

export function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
