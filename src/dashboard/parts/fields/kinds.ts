/**
 * Kinds of values, as the wrappers of the extended-json profile tell them (docs/documents.md#values). A number that is
 * not finished is NaN: no JSON can say it, so it is never sent.
 */
import type { Json } from '../../../client/values.ts';
import { dateOf, parseDate } from '../../../domain/values/dates.ts';
import { isItems, isMembers } from './json.ts';

export const ID = /^[0-9a-f]{24}$/i;

const FINITE = (text: string) => text !== '' && Number.isFinite(Number(text));
const TRUTH = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));

interface KindFacts {
  /** What its texts stand in. */
  readonly wrapper?: string;
  /** What a control shows while there is no value. */
  readonly blank: Json;
  /** What becomes of a value that the kind cannot say, if not the same. */
  readonly first?: (value: Json) => Json;
  /** What a value says in this kind, without its wrapper; undefined where the kind cannot say it. */
  readonly read: (text: string, value: Json) => Json | undefined;
}

/** The kinds, in the order in which they are offered. */
const KIND = {
  string: { blank: '', read: (_, value) => textOf(value) },
  number: { blank: NaN, first: () => 0, read: (text) => (FINITE(text) ? Number(text) : undefined) },
  long: {
    wrapper: '$numberLong',
    blank: '',
    first: () => '0',
    read: (text) => (/^[-+]?\d+(\.0*)?$/.test(text) ? text.replace(/\..*$/, '') : undefined),
  },
  decimal: {
    wrapper: '$numberDecimal',
    blank: '',
    first: () => '0',
    read: (text) => (FINITE(text) ? text : undefined),
  },
  boolean: { blank: false, read: (text) => TRUTH.get(text) },
  date: {
    wrapper: '$date',
    blank: '',
    first: () => new Date().toISOString(),
    read: (_, value) => isoOf(value),
  },
  id: {
    wrapper: '$oid',
    blank: '',
    read: (text) => (ID.test(text) ? text.toLowerCase() : undefined),
  },
  geometry: {
    blank: '',
    first: () => ({ type: 'Point', coordinates: [0, 0] }),
    read: (_, value) => (geometryIn(value) === undefined ? undefined : value),
  },
  object: {
    blank: {},
    read: (_, value) => (isMembers(value) && unwrapped(value) === undefined ? value : undefined),
  },
  array: {
    blank: [],
    first: (value) => (value === null ? [] : [value]),
    read: (_, value) => (isItems(value) ? value : undefined),
  },
  null: { blank: null, read: () => null },
} satisfies Record<string, KindFacts>;

export type KindName = keyof typeof KIND;
const FACTS: Readonly<Record<KindName, KindFacts>> = KIND;
// The table has no other names.
export const KINDS = Object.keys(KIND) as readonly KindName[];

/** The kinds whose values stand right-aligned, with digits of one width. */
export const NUMERIC: ReadonlySet<string> = new Set<KindName>(['number', 'long', 'decimal']);

/** A value of a kind: a text gets the wrapper that the kind has. */
export function wrap(kind: KindName, value: Json): Json {
  const { wrapper } = FACTS[kind];
  return wrapper === undefined ? value : { [wrapper]: value };
}

/** The text inside of a wrapper, with the kind that it says; undefined for another value. */
export function unwrapped(value: Json): { readonly kind: KindName; readonly text: string } | undefined {
  if (!isMembers(value)) return undefined;
  const [[name, text] = [], ...more] = Object.entries(value);
  if (name === undefined || typeof text !== 'string' || more.length > 0) return undefined;
  const kind = KINDS.find((each) => FACTS[each].wrapper === name);
  return kind && { kind, text };
}

export function kindOf(value: Json): KindName {
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

/** The moment that a value names, as the service reads and shows dates: `2026-05-04T10:00:00.000Z`. */
export function isoOf(value: Json | undefined): string | undefined {
  const text = textOf(value ?? null);
  return (/^-?\d{11,15}$/.test(text) ? dateOf(Number(text)) : parseDate(text))?.toISOString();
}

/** What a value says in another kind; undefined where that kind cannot say it. */
export function readAs(value: Json, kind: KindName): Json | undefined {
  const said = FACTS[kind].read(textOf(value).trim(), value);
  return said === undefined ? undefined : wrap(kind, said);
}

/** The value in another kind: what it says is kept where that kind can say it. */
export function converted(value: Json, kind: KindName): Json {
  const { blank, first } = FACTS[kind];
  return readAs(value, kind) ?? wrap(kind, first?.(value) ?? blank);
}

/** What a control of a kind shows while there is no value. */
export function blankOf(kind: KindName): Json {
  return wrap(kind, FACTS[kind].blank);
}
