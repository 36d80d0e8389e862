/**
 * A document while somebody writes it: its fields, which of them differ from what was read, and what the service would
 * refuse in any document.
 */
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { faultOfName, faultOfNewFieldName } from '../../../domain/field-names.ts';
import { inside, pointerOf } from '../../../domain/pointer.ts';
import { parseDecimal } from '../../../domain/values/decimal.ts';
import { isList, mapFields, mapTree } from '../../../domain/values/tree.ts';
import {
  bare,
  isItems,
  isMembers,
  isSame,
  linkIn,
  member,
  printed,
  withMember,
  type Fault,
  type Members,
} from '../../parts/fields/json.ts';
import { ID, isoOf, kindOf, textOf, unwrapped } from '../../parts/fields/kinds.ts';

export type Linkage = Link | readonly Link[] | null;

export interface Draft {
  readonly attributes: Members;
  readonly relationships: Readonly<Record<string, Linkage>>;
}

/** What nobody writes: aggregates are computed, tokens and the audit trail are the service's own. */
export const READ_ONLY = /^(agt\..*|core\.(audit-entry|mail|(external-)?user\.token))$/;

export const BLANK: Draft = { attributes: {}, relationships: {} };

export function draftOf({ attributes = {}, relationships = {} }: Resource): Draft {
  return { attributes, relationships: mapFields(relationships, ({ data }) => linkageIn(data) ?? null) };
}

/** The links that JSON says, and nothing else of them; undefined where it says something else. */
function linkageIn(data: unknown): Linkage | undefined {
  if (data === null) return null;
  if (!Array.isArray(data)) return linkIn(data);
  const links = data.map(linkIn);
  return links.every((link) => link !== undefined) ? links : undefined;
}

export function linksOf(data: Linkage): readonly Link[] {
  if (data === null) return [];
  return isList(data) ? data : [data];
}

/** The names by which maps differ, with what each has there: undefined where it has nothing. */
export function differing<T>(maps: readonly Readonly<Record<string, T>>[]) {
  return [...new Set(maps.flatMap(Object.keys))]
    .map((name) => ({ name, values: maps.map((map) => member(map, name)) }))
    .filter(({ values: [first, ...others] }) => others.some((value) => !isSame(value, first)));
}

/** A field in which drafts differ: what it is chosen by, and what each has there. */
export type Difference = ReturnType<typeof differencesOf>[number];

export function differencesOf(...drafts: readonly Draft[]) {
  return (['attributes', 'relationships'] as const).flatMap((part) =>
    differing<Json | Linkage>(drafts.map((draft) => draft[part])).map((field) => ({
      ...{ part, key: `${part}/${field.name}` },
      ...field,
    })),
  );
}

/** A draft with what another one, at a place among the values, has in some fields. */
export function merged(draft: Draft, fields: readonly Difference[], from: number): Draft {
  return fields.reduce<Draft>(
    (last, { part, name, values }) => ({
      ...last,
      [part]: withMember<unknown>(last[part], name, values[from]),
    }),
    draft,
  );
}

/** The draft as a request says it: a part without fields is left out. */
export function sentOf({ attributes, relationships }: Draft) {
  return {
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(Object.keys(relationships).length > 0 && { relationships: asJsonApi(relationships) }),
  };
}

export function asJsonApi(relationships: Draft['relationships']): Record<string, { data: Linkage }> {
  return mapFields(relationships, (data) => ({ data }));
}

export function textOfDraft(draft: Draft): string {
  return printed(sentOf(draft));
}

/** What a text says, or why it says nothing. */
export type Said<T> = { readonly value: T } | { readonly error: string };

/** The value that a text says. Integers that no double holds become longs, digit by digit. */
export function readExactly(text: string): Said<Json> {
  try {
    // What JSON.parse makes is JSON.
    return { value: JSON.parse(text, exactly) as Json };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** What is JSON and no document, for people. */
export function printedPlainly(value: unknown): string {
  return bare(printed(value));
}

export function readMembers(text: string): Said<Members> {
  const said = readExactly(text);
  if ('error' in said) return said;
  return isMembers(said.value) ? { value: said.value } : { error: 'This is not a JSON object.' };
}

export function draftOfText(text: string): Said<Draft> {
  const said = readExactly(text);
  if ('error' in said) return said;
  if (!isMembers(said.value)) return { error: 'A document is an object with attributes and relationships.' };
  const { attributes = {}, relationships = {}, ...others } = said.value;
  const [other] = Object.keys(others);
  if (other !== undefined) return { error: `Only attributes and relationships stand here, and no ${other}.` };
  if (!isMembers(attributes) || !isMembers(relationships))
    return { error: 'Attributes and relationships are objects.' };
  const links: [string, Linkage][] = [];
  for (const [name, value] of Object.entries(relationships)) {
    const data = isMembers(value) ? linkageIn(value['data']) : undefined;
    if (data === undefined)
      return {
        error: `The relationship ${name} has no data: a link {"type", "id"}, a list of links, or null.`,
      };
    links.push([name, data]);
  }
  return { value: { attributes, relationships: Object.fromEntries(links) } };
}

/** A reviver. Where the browser does not tell what stood there, the number stays as JavaScript reads it. */
function exactly(this: unknown, _name: string, value: Json, context?: { readonly source?: string }): Json {
  const { source } = context ?? {};
  const date = datedBy(value);
  if (date !== undefined) return { $date: date };
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && source !== undefined && /^-?\d+$/.test(source) ? { $numberLong: source } : value;
}

/** A date that is written in milliseconds, as the service shows it. */
function datedBy(value: Json): string | undefined {
  const stamp = isMembers(value) && Object.hasOwn(value, '$date') ? value['$date'] : undefined;
  const date = new Date(typeof stamp === 'number' ? stamp : NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A document as its schemas see it (docs/schemas.md, What is validated). Numbers are doubles here. */
export function shownToSchemas({ attributes, relationships }: Draft): Members {
  const links = Object.entries(relationships).map(([name, data]) => [name, data === null ? null : { data }]);
  return {
    ...(Object.keys(attributes).length > 0 && { attributes: shown(attributes) }),
    ...(links.length > 0 && { relationships: Object.fromEntries(links) as Members }),
  };
}

function shown(json: Json): Json {
  const kind = kindOf(json);
  if (kind === 'date') return isoOf(json) ?? '';
  if (kind === 'long' || kind === 'decimal') return Number(textOf(json));
  if (kind === 'id') return textOf(json);
  return isItems(json) || isMembers(json) ? mapTree(json, shown) : json;
}

/** A pointer (RFC 6901) one step deeper. */
export function below(pointer: string, step: string | number): string {
  return pointer + pointerOf(inside(null, step));
}

export function faultsOfMembers(members: Members, pointer: string): readonly Fault[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const at = below(pointer, name);
    const message = pointer === '/attributes' ? faultOfNewFieldName(name) : faultOfName(name);
    return [...(message === undefined ? [] : [{ pointer: at, message }]), ...faultsOf(value, at)];
  });
}

/** What was found in a value that has parts: most of a large document stays as it is from key to key. */
const known = new WeakMap<object, { readonly pointer: string; readonly faults: readonly Fault[] }>();

function faultsOf(value: Json, pointer: string): readonly Fault[] {
  if (typeof value !== 'object' || value === null) return faultsInside(value, pointer);
  const before = known.get(value);
  if (before?.pointer === pointer) return before.faults;
  const faults = faultsInside(value, pointer);
  known.set(value, { pointer, faults });
  return faults;
}

function faultsInside(value: Json, pointer: string): readonly Fault[] {
  const message = faultOfValue(value);
  if (message !== undefined) return [{ pointer, message }];
  if (isItems(value)) return value.flatMap((item, index) => faultsOf(item, below(pointer, index)));
  return isMembers(value) && unwrapped(value) === undefined ? faultsOfMembers(value, pointer) : [];
}

function faultOfValue(value: Json): string | undefined {
  const text = textOf(value).trim();
  switch (kindOf(value)) {
    case 'number':
      return Number.isFinite(value) ? undefined : 'This is not a number.';
    case 'long':
      return isLong(text) ? undefined : 'A long is a whole number of 64 bits.';
    case 'decimal':
      return parseDecimal(text) ? undefined : 'A decimal is a number of at most 34 digits.';
    case 'date':
      return isoOf(value) === undefined ? 'This is not a date.' : undefined;
    case 'id':
      return ID.test(text) ? undefined : 'An object id has 24 hexadecimal digits.';
    case 'geometry':
      return faultOfPoint(value);
    default:
      return undefined;
  }
}

function isLong(text: string): boolean {
  return /^[-+]?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** The service keeps a point that is nowhere, and finds it never (docs/geo.md). */
function faultOfPoint(value: Json): string | undefined {
  const { type, coordinates } = isMembers(value) ? value : {};
  if (type !== 'Point' || !isItems(coordinates)) return undefined;
  const [longitude, latitude] = coordinates.map(Number);
  return Math.abs(longitude ?? 0) > 180 || Math.abs(latitude ?? 0) > 90
    ? 'A longitude is from -180 to 180, a latitude from -90 to 90.'
    : undefined;
}
