/**
 * What is known of the documents of a type: from its schemas, and for a new document from the latest ones. Forms take
 * the fields from it, with their titles, kinds and choices. Pure, but for reading.
 */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { stepsOf } from '../../../domain/pointer.ts';
import { isMembers, stringIn, type Members } from '../../parts/fields/json.ts';
import { kindOf, type KindName } from '../../parts/fields/kinds.ts';
import { change, create, list, type Stored } from '../../session/service.ts';
import { draftOf, linksOf } from './draft.ts';
import { isList } from '../../../domain/values/tree.ts';

export type Shape = ReturnType<typeof shapeFrom>;

const LOOKED_AT = 20;

const SCHEMAS = 100;

/** Whoever may not read schemas saves, and is told by the service. */
export async function readSchemas(type: string, signal?: AbortSignal): Promise<readonly unknown[]> {
  const query = {
    'filter[target]': JSON.stringify(type),
    'fields[core.schema]': 'content',
    'page[size]': String(SCHEMAS),
  };
  const { documents } = await list(pathOf('core.schema'), query, signal);
  return documents.map(({ attributes }) => attributes?.['content']);
}

/** A relationship of documents of a type. */
export interface Way {
  readonly from: string;
  readonly name: string;
}

/** The relationships that schemas say to lead to a type. */
export async function linkingTo(type: string, signal: AbortSignal): Promise<readonly Way[]> {
  const query = { 'fields[core.schema]': 'target,content', 'page[size]': String(SCHEMAS) };
  const { documents } = await list(pathOf('core.schema'), query, signal);
  return documents.flatMap(({ attributes: { target, content } = {} }) =>
    [...shapeFrom([content]).links.values()]
      .filter((link) => link.type === type)
      .map(({ name }) => ({ from: stringIn(target), name })),
  );
}

export const SETTINGS = 'core.type';

/** The settings of a type; null where it has none. */
export async function storedSettings(type: string, signal?: AbortSignal): Promise<Stored | null> {
  const query = { 'filter[name]': JSON.stringify(type), 'page[count]': 'false' };
  const { documents, etag } = await list(pathOf(SETTINGS), query, signal);
  return documents[0] === undefined ? null : { document: documents[0], etag };
}

export async function readSettings(type: string, signal?: AbortSignal): Promise<Members> {
  return (await storedSettings(type, signal))?.document.attributes ?? {};
}

export async function changeSettings(type: string, changed: (before: Members) => Members): Promise<void> {
  const stored = await storedSettings(type);
  const attributes = changed(stored?.document.attributes ?? {});
  if (stored === null) await create(SETTINGS, { attributes: { name: type, ...attributes } });
  else await change(stored.document, { attributes }, stored.etag);
}

/** What is known of a type, as far as it may be read. */
export async function readShape(type: string, signal?: AbortSignal): Promise<Shape> {
  const [schemas, siblings] = await Promise.all([
    readSchemas(type, signal).catch(() => []),
    latestOf(type, signal),
  ]);
  return shapeFrom(schemas, siblings);
}

/** The fields that the service computes, as far as settings may be read: nobody writes them. */
export async function readComputed(type: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const { set = {}, count = {} } = await readSettings(type, signal).catch((): Members => ({}));
  const always = Object.entries(set ?? {}).filter(([, how]) => !isMembers(how) || !('unless' in how));
  return new Set([...always.map(([name]) => name), ...Object.keys(count ?? {})]);
}

/** The latest documents of a type; none where they may not be read. */
export async function latestOf(type: string, signal?: AbortSignal): Promise<readonly Resource[]> {
  const query = { sort: '-id', 'page[limit]': String(LOOKED_AT), 'page[count]': 'false' };
  const listed = await list(pathOf(type), query, signal).catch(() => undefined);
  return listed?.documents ?? [];
}

const NONE: ReadonlySet<string> = new Set();

/** Fields are those of the schemas in their order, then those of documents; links have the type that most lead to. */
export function shapeFrom(
  schemas: readonly unknown[] = [],
  siblings: readonly Resource[] = [],
  computed = NONE,
) {
  const drafts = siblings.map(draftOf);
  const described = schemas.flatMap((schema) =>
    describedBy(schema, 'attributes').flatMap((each) => withInner(schema, each)),
  );
  const shown = drafts.flatMap(({ attributes }) => Object.entries(attributes));
  const names = new Set([...described.map(({ name }) => name), ...shown.map(([name]) => name)]);
  const fields = [...names].map((name) => {
    const said = described.filter((each) => each.name === name);
    const parts = said.map(({ schema }) => schema);
    const kinds = shown.filter(([each]) => each === name).map(([, value]) => kindOf(value));
    const isDated = parts.some(({ format }) => format === 'date-time');
    const known = mostOf(kinds.filter((kind) => kind !== 'null')) ?? (isDated ? 'date' : kindSaidBy(parts));
    const [schema] = parts;
    const textOf = (part: string) => parts.map((each) => stringIn(each[part])).find((text) => text !== '');
    return {
      name,
      kind: known ?? 'string',
      isKnown: known !== undefined,
      title: textOf('title'),
      format: textOf('format'),
      hint: textOf('description'),
      schema,
      // The values of an `enum`, where all of them can stand in a list.
      choices: parts.map(choicesOf).find((choices) => choices !== undefined),
      // The same of the items of a list.
      options: parts.map(({ items }) => isMembers(items) && choicesOf(items)).find(Boolean) || undefined,
      isRequired: said.some(({ isRequired }) => isRequired),
    };
  });
  const all = drafts.flatMap(({ relationships }) => Object.entries(relationships));
  const found = [...Map.groupBy(all, ([name]) => name)].map(([name, some]) => ({
    name,
    type: mostOf(some.flatMap(([, data]) => linksOf(data).map(({ type }) => type))) ?? '',
    isMany: some.some(([, data]) => isList(data)),
  }));
  const links = schemas.flatMap((schema) => describedBy(schema, 'relationships').map(linkSaidBy));
  return {
    computed,
    fields: byName(fields),
    links: byName([
      ...links,
      ...found.filter(({ name, type }) => type !== '' || links.every((link) => link.name !== name)),
    ]),
  };
}

/** Where a relationship leads, as schemas that are drafted here say it, and those that name the type plainly. */
function linkSaidBy({ name, schema }: ReturnType<typeof describedBy>[number]) {
  const { oneOf, anyOf } = schema;
  const datas = [schema, oneOf, anyOf].flat().map((each) => memberAt(each, each, 'properties', 'data'));
  const lists = datas.map((data) => memberAt(data, data, 'items'));
  const types = [...datas, ...lists].map((link) => memberAt(link, link, 'properties', 'type'));
  const named = types.filter(isMembers).map(({ const: only, pattern }) => {
    const [, drafted = ''] = /^\^\(\?:([^|]*)\)\$$/.exec(stringIn(pattern)) ?? [];
    return stringIn(only) || drafted.replaceAll('\\', '');
  });
  return { name, type: named.find((type) => type !== '') ?? '', isMany: lists.some(isMembers) };
}

function byName<T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((each) => [each.name, each]));
}

function mostOf<T>(values: readonly T[]): T | undefined {
  const [most] = [...Map.groupBy(values, (value) => value)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  return most?.[0];
}

/** What a schema describes of attributes or relationships, where it does so in the usual place. */
function describedBy(schema: unknown, part: 'attributes' | 'relationships') {
  return describedIn(schema, memberAt(schema, schema, 'properties', part));
}

type Described = ReturnType<typeof describedIn>[number];

/** How deep fields in objects and lists are known. */
const DEPTH = 3;

/** A field, and those in it: `address`, `address.city`; `*` stands for each item of a list. */
function withInner(schema: unknown, field: Described, depth = 1): readonly Described[] {
  if (depth > DEPTH) return [];
  const item = memberAt(schema, field.schema, 'items');
  const inner = [
    ...describedIn(schema, field.schema),
    ...(isMembers(item) ? [{ name: '*', schema: item, isRequired: false }] : []),
  ];
  const named = inner.map((each) => ({ ...each, name: `${field.name}.${each.name}` }));
  return [field, ...named.flatMap((each) => withInner(schema, each, depth + 1))];
}

/** The properties of an object that a place of a schema describes. */
function describedIn(schema: unknown, place: unknown) {
  const properties = memberAt(schema, place, 'properties');
  if (!isMembers(place) || !isMembers(properties)) return [];
  const { required } = place;
  return Object.keys(properties).flatMap((name) => {
    const described = memberAt(schema, properties, name);
    const isRequired = Array.isArray(required) && required.includes(name);
    return isMembers(described) ? [{ name, schema: described, isRequired }] : [];
  });
}

/** What stands below a place of a schema, with references within it followed once. */
function memberAt(schema: unknown, place: unknown, ...steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    const member = isMembers(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    const to = isMembers(member) && typeof member['$ref'] === 'string' ? member['$ref'] : '';
    if (!to.startsWith('#/')) return member;
    return stepsOf(to).reduce<unknown>((each, name) => (isMembers(each) ? each[name] : undefined), schema);
  }, place);
}

const KIND_OF_TYPE: Readonly<Record<string, KindName>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
};

function kindSaidBy(schemas: readonly Members[]): KindName | undefined {
  const types = schemas.flatMap(({ type }): readonly unknown[] => (Array.isArray(type) ? type : [type]));
  const [kind] = types.flatMap((type) => KIND_OF_TYPE[String(type)] ?? []);
  return kind;
}

function choicesOf({ enum: values }: Members): readonly Json[] | undefined {
  const isChoice = (value: unknown): value is string | number | boolean | null =>
    value === null || /^(string|number|boolean)$/.test(typeof value);
  return Array.isArray(values) && values.length > 0 && values.every(isChoice) ? values : undefined;
}
