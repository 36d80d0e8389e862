/** A document while somebody writes it: its fields, and which of them differ from what was read. */
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isMembers, type Members } from './values/kinds.ts';

export type Linkage = Link | readonly Link[] | null;

export interface Draft {
  readonly attributes: Members;
  readonly relationships: Readonly<Record<string, Linkage>>;
}

export const BLANK: Draft = { attributes: {}, relationships: {} };

export function draftOf({ attributes = {}, relationships = {} }: Resource): Draft {
  return {
    attributes,
    relationships: Object.fromEntries(
      Object.entries(relationships).map(([name, { data = null }]) => [name, plainLinks(data)]),
    ),
  };
}

function plainLinks(data: Linkage): Linkage {
  if (data === null) return null;
  return isList(data) ? data.map(linkOf) : linkOf(data);
}

const linkOf = ({ type, id }: Link): Link => ({ type, id });

export function isList(data: Linkage): data is readonly Link[] {
  return Array.isArray(data);
}

export function linksOf(data: Linkage): readonly Link[] {
  if (data === null) return [];
  return isList(data) ? data : [data];
}

/** What differs of two maps, by name; a name that only `before` has is undefined. */
export function changesOf<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
): Readonly<Record<string, T | undefined>> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, member(before, name), member(after, name)] as const)
      .filter(([, one, other]) => !isSame(one, other))
      .map(([name, , value]) => [name, value]),
  );
}

/** A member of its own: `__proto__` is a name as any other. */
export function member<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The members with one more, or another value in its place; without it for undefined. */
export function withMember<T>(
  members: Readonly<Record<string, T>>,
  name: string,
  value: T | undefined,
): Readonly<Record<string, T>> {
  const entries = Object.entries(members);
  if (value === undefined) return Object.fromEntries(entries.filter(([each]) => each !== name));
  return Object.hasOwn(members, name)
    ? Object.fromEntries(entries.map(([each, old]) => [each, each === name ? value : old]))
    : Object.fromEntries([...entries, [name, value]]);
}

/** The names of all fields that differ. */
export function changedFields(before: Draft, after: Draft): readonly string[] {
  return [
    ...Object.keys(changesOf(before.attributes, after.attributes)),
    ...Object.keys(changesOf(before.relationships, after.relationships)),
  ];
}

/** Equal down to the kinds. The order of members counts for nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`)
      .join()}}`;
  return typeof value === 'string' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : String(value);
}

/** The draft as the JSON of a document. */
export function textOfDraft({ attributes, relationships }: Draft): string {
  return printed({
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(Object.keys(relationships).length > 0 && { relationships: asJsonApi(relationships) }),
  });
}

export function asJsonApi(relationships: Draft['relationships']): Record<string, { data: Linkage }> {
  return Object.fromEntries(Object.entries(relationships).map(([name, data]) => [name, { data }]));
}

/** JSON on several lines. A number that is not finished stays one that JSON does not know. */
export function printed(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => printed(item, deeper));
    const line = `[${items.join(', ')}]`;
    if (!line.includes('\n') && line.length <= 80) return line;
    return `[\n${items.map((item) => deeper + item).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, each]) => `${deeper}${JSON.stringify(name)}: ${printed(each, deeper)}`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  return typeof value === 'number' ? (Object.is(value, -0) ? '-0.0' : String(value)) : JSON.stringify(value);
}

/** The value that a text says, or why it says none. Integers that no double holds become longs, digit by digit. */
export function readExactly(text: string): { readonly json: unknown } | { readonly error: string } {
  try {
    return { json: JSON.parse(text, exactly) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The draft that a text says, or why it says none. */
export function draftOfText(text: string): Draft | { readonly error: string } {
  const said = readExactly(text);
  if ('error' in said) return said;
  const { json } = said;
  if (!isObject(json)) return { error: 'A document is an object with attributes and relationships.' };
  const { attributes = {}, relationships = {}, ...others } = json;
  const [other] = Object.keys(others);
  if (other !== undefined) return { error: `Only attributes and relationships stand here, and no ${other}.` };
  if (!isObject(attributes) || !isObject(relationships))
    return { error: 'Attributes and relationships are objects.' };
  const links = Object.entries(relationships).map(([name, value]) => [name, linkageOf(value)] as const);
  const wrong = links.find(([, data]) => data === undefined);
  if (wrong !== undefined)
    return {
      error: `The relationship ${wrong[0]} has no data: a link {"type", "id"}, a list of links, or null.`,
    };
  // What JSON.parse has made is JSON.
  return {
    attributes: attributes as Members,
    relationships: Object.fromEntries(links) as Draft['relationships'],
  };
}

function linkageOf(value: unknown): Linkage | undefined {
  const data = isObject(value) ? value['data'] : undefined;
  if (data === null) return null;
  if (Array.isArray(data)) return data.every(isLink) ? data.map(linkOf) : undefined;
  return isLink(data) ? linkOf(data) : undefined;
}

function isLink(value: unknown): value is Link {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['id'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
