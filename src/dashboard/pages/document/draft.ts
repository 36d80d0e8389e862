/** A document while somebody writes it: its fields, and which of them differ from what was read. */
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isMembers, isSame, linkIn, member, printed, withMember, type Members } from '../../parts/json.ts';

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
      Object.entries(relationships).map(([name, { data }]) => [name, linkageIn(data) ?? null]),
    ),
  };
}

/** The links that JSON says, and nothing else of them; undefined where it says something else. */
function linkageIn(data: unknown): Linkage | undefined {
  if (data === null) return null;
  if (!Array.isArray(data)) return linkIn(data);
  const links = data.map(linkIn);
  return links.every((link) => link !== undefined) ? links : undefined;
}

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

/** The names of all fields that differ. */
export function changedFields(before: Draft, after: Draft): readonly string[] {
  return [
    ...Object.keys(changesOf(before.attributes, after.attributes)),
    ...Object.keys(changesOf(before.relationships, after.relationships)),
  ];
}

export type Side = 'mine' | 'theirs';

/** A field that one side has changed, or both. Undefined is a field that is not there. */
export interface Difference {
  readonly part: 'attributes' | 'relationships';
  readonly name: string;
  /** What it is chosen by. */
  readonly key: string;
  readonly base: Json | Linkage | undefined;
  readonly mine: Json | Linkage | undefined;
  readonly theirs: Json | Linkage | undefined;
  /** Who has changed it. */
  readonly by: Side | 'both';
}

/** Two changes of one document, field by field: what was read, what somebody has written here, and what it is now. */
export function differencesOf(base: Draft, mine: Draft, theirs: Draft): readonly Difference[] {
  return (['attributes', 'relationships'] as const).flatMap((part) => {
    const ours = changesOf<Json | Linkage>(base[part], mine[part]);
    const others = changesOf<Json | Linkage>(base[part], theirs[part]);
    // What both have changed to the same is no matter.
    const apart = changesOf<Json | Linkage>(theirs[part], mine[part]);
    return Object.keys(apart).map((name): Difference => {
      const isMine = Object.hasOwn(ours, name);
      return {
        part,
        name,
        key: `${part}/${name}`,
        base: member<Json | Linkage>(base[part], name),
        mine: member<Json | Linkage>(mine[part], name),
        theirs: member<Json | Linkage>(theirs[part], name),
        by: isMine && Object.hasOwn(others, name) ? 'both' : isMine ? 'mine' : 'theirs',
      };
    });
  });
}

/** Their document with what was chosen of mine. */
export function merged(theirs: Draft, chosen: readonly Difference[]): Draft {
  return chosen.reduce<Draft>(
    (draft, { part, name, mine }) =>
      part === 'attributes'
        ? { ...draft, attributes: withMember(draft.attributes, name, mine as Json | undefined) }
        : { ...draft, relationships: withMember(draft.relationships, name, mine as Linkage | undefined) },
    theirs,
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
  return Object.fromEntries(Object.entries(relationships).map(([name, data]) => [name, { data }]));
}

/** The draft as the JSON of a document. */
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

/** The draft that a text says. */
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
