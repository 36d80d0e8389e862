/**
 * What is known of the documents of a type: from its schemas, and for a new document from the latest ones. Forms take from
 * it which fields there are, what they are called, their kinds and their choices. Pure, but for reading.
 */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { stringIn } from '../../parts/json.ts';
import { kindOf, wrap, type Kind } from '../../parts/kinds.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { readSchemas } from './check/check.ts';
import { draftOf, isList, linksOf } from './draft.ts';

interface KnownField {
  readonly name: string;
  readonly kind: Kind;
  readonly title: string;
  readonly hint: string | undefined;
  /** The values of an `enum`, where all of them can stand in a list. */
  readonly choices: readonly Json[] | undefined;
  readonly isRequired: boolean;
}

interface KnownLink {
  readonly name: string;
  /** The type that most of them lead to. */
  readonly type: string;
  readonly isMany: boolean;
}

export interface Shape {
  /** Those of the schemas in their order, then those of documents. */
  readonly fields: ReadonlyMap<string, KnownField>;
  readonly links: ReadonlyMap<string, KnownLink>;
}

export const NO_SHAPE: Shape = { fields: new Map(), links: new Map() };

/** How many documents are looked at. */
const LOOKED_AT = 20;

/** The latest documents of a type; none where they may not be read. */
export function useSiblings(type: string, isWanted: boolean): readonly Resource[] {
  const { value = [] } = useLoad(
    (signal) => (isWanted ? latestOf(type, signal).catch(() => []) : Promise.resolve([])),
    [type, isWanted],
  );
  return value;
}

/** What is known of a type, as far as it may be read. */
export async function readShape(type: string, signal: AbortSignal): Promise<Shape> {
  const [schemas, siblings] = await Promise.all([
    readSchemas(type, signal).catch(() => []),
    latestOf(type, signal).catch(() => []),
  ]);
  return shapeFrom(schemas, siblings);
}

async function latestOf(type: string, signal: AbortSignal): Promise<readonly Resource[]> {
  const query = { sort: '-id', 'page[limit]': String(LOOKED_AT), 'page[count]': 'false' };
  return (await list(pathOf(type), query, signal)).documents;
}

export function shapeFrom(schemas: readonly unknown[], siblings: readonly Resource[]): Shape {
  const drafts = siblings.map(draftOf);
  const described = schemas.flatMap((schema) => describedBy(schema, 'attributes'));
  const names = [
    ...described.map(({ name }) => name),
    ...drafts.flatMap(({ attributes }) => Object.keys(attributes)),
  ];
  const fields = [...new Set(names)].map((name): [string, KnownField] => {
    const said = described.filter((each) => each.name === name);
    const values = drafts.flatMap(({ attributes }) =>
      Object.hasOwn(attributes, name) ? [attributes[name] ?? null] : [],
    );
    const parts = said.map(({ schema }) => schema);
    const title = parts.map((each) => stringIn(each['title'])).find((text) => text !== '');
    const hint = parts.map((each) => stringIn(each['description'])).find((text) => text !== '');
    return [
      name,
      {
        name,
        kind: mostOf(values.map(kindOf).filter((kind) => kind !== 'null')) ?? kindSaidBy(parts) ?? 'string',
        title: title ?? name,
        hint,
        choices: parts.map(choicesOf).find((choices) => choices !== undefined),
        isRequired: said.some(({ isRequired }) => isRequired),
      },
    ];
  });
  return { fields: new Map(fields), links: linksFrom(drafts) };
}

function linksFrom(drafts: readonly ReturnType<typeof draftOf>[]): ReadonlyMap<string, KnownLink> {
  const all = drafts.flatMap(({ relationships }) => Object.entries(relationships));
  const byName = Map.groupBy(all, ([name]) => name);
  return new Map(
    [...byName].map(([name, found]) => [
      name,
      {
        name,
        type: mostOf(found.flatMap(([, data]) => linksOf(data).map(({ type }) => type))) ?? '',
        isMany: found.some(([, data]) => isList(data)),
      },
    ]),
  );
}

/** What occurs most often. */
function mostOf<T>(values: readonly T[]): T | undefined {
  const [most] = [...Map.groupBy(values, (value) => value)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  return most?.[0];
}

interface Described {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
}

/** What a schema describes of attributes or relationships, where it does so in the usual place. */
export function describedBy(schema: unknown, part: 'attributes' | 'relationships'): readonly Described[] {
  const attributes = memberAt(schema, schema, 'properties', part);
  const properties = memberAt(schema, attributes, 'properties');
  if (!isObject(attributes) || !isObject(properties)) return [];
  const { required } = attributes;
  return Object.keys(properties).flatMap((name) => {
    const described = memberAt(schema, properties, name);
    const isRequired = Array.isArray(required) && required.includes(name);
    return isObject(described) ? [{ name, schema: described, isRequired }] : [];
  });
}

/** What stands below a place of a schema, with references within it followed once. */
function memberAt(schema: unknown, place: unknown, ...steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    const member = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    const to = isObject(member) && typeof member['$ref'] === 'string' ? member['$ref'] : '';
    if (!to.startsWith('#/')) return member;
    return to
      .slice(2)
      .split('/')
      .reduce<unknown>((each, name) => (isObject(each) ? each[name] : undefined), schema);
  }, place);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const KIND_OF_TYPE: Readonly<Record<string, Kind>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
};

export function kindSaidBy(schemas: readonly Readonly<Record<string, unknown>>[]): Kind | undefined {
  const types = schemas.flatMap(({ type }): readonly unknown[] => (Array.isArray(type) ? type : [type]));
  const [kind] = types.flatMap((type) => KIND_OF_TYPE[String(type)] ?? []);
  return kind;
}

function choicesOf({ enum: values }: Readonly<Record<string, unknown>>): readonly Json[] | undefined {
  const isChoice = (value: unknown): value is string | number | boolean | null =>
    value === null || /^(string|number|boolean)$/.test(typeof value);
  return Array.isArray(values) && values.length > 0 && values.every(isChoice) ? values : undefined;
}

/** What a control of a kind shows while there is no value. */
export function blankOf(kind: Kind): Json {
  switch (kind) {
    case 'number':
      return NaN;
    case 'boolean':
      return false;
    case 'date':
    case 'long':
    case 'decimal':
    case 'id':
      return wrap(kind, '');
    case 'object':
      return {};
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return '';
  }
}
