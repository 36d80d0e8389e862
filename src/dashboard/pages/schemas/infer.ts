/** A draft of a schema from documents: kinds, what all of them have, and formats that all values have. Pure. */
import type { Resource } from '../../../client/transport.ts';
import { isItems, isMembers } from '../../parts/fields/json.ts';
import { draftOf, shownToSchemas } from '../document/draft.ts';

type Schema = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, unknown>>;

/** Formats that a string may have, the strictest first. */
const FORMATS = [
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['email', /^[^\s@<>]+@[^\s@<>]+\.[a-z]{2,}$/i],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+$/i],
] as const;
/** Fewer strings than this say nothing about a format. */
const ENOUGH = 3;

/** What all documents of a sample satisfy. */
export function schemaFrom(documents: readonly Resource[]): Schema {
  const shown = documents.map((document) => shownToSchemas(draftOf(document))).filter(isMembers);
  const partsOf = (name: string) => shown.map((each) => each[name]).filter(isMembers);
  const [attributes, relationships] = [partsOf('attributes'), partsOf('relationships')];
  return {
    type: 'object',
    ...(attributes.length > 0 && attributes.length === documents.length && { required: ['attributes'] }),
    properties: {
      attributes: { type: 'object', ...membersFrom(attributes, valueFrom) },
      ...(relationships.length > 0 && {
        relationships: { type: 'object', ...membersFrom(relationships, linksFrom) },
      }),
    },
  };
}

function membersFrom(objects: readonly Members[], from: (values: readonly unknown[]) => Schema): Schema {
  const names = [...new Set(objects.flatMap((each) => Object.keys(each)))];
  const required = names.filter((name) => objects.every((each) => Object.hasOwn(each, name)));
  const valuesOf = (name: string) =>
    objects.filter((each) => Object.hasOwn(each, name)).map((each) => each[name]);
  return {
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(names.map((name) => [name, from(valuesOf(name))])),
  };
}

/** The kinds of JSON Schema, in the order in which a list of them is written. */
const KINDS = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const;

function kindOf(value: unknown): (typeof KINDS)[number] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

function valueFrom(values: readonly unknown[]): Schema {
  const found = new Set(values.map(kindOf));
  // An integer is a number.
  if (found.has('number')) found.delete('integer');
  const types = KINDS.filter((kind) => found.has(kind));
  const strings = values.filter((value) => typeof value === 'string');
  const format = formatOf(strings);
  const objects = values.filter(isMembers);
  const items = values.flatMap((value) => (isItems(value) ? value : []));
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(format !== undefined && { format }),
    ...(objects.length > 0 && membersFrom(objects, valueFrom)),
    ...(items.length > 0 && { items: valueFrom(items) }),
  };
}

function formatOf(strings: readonly string[]): string | undefined {
  if (strings.length < ENOUGH) return undefined;
  return FORMATS.find(([, pattern]) => strings.every((text) => pattern.test(text)))?.[0];
}

/** A relationship is null, or has one link or many (docs/schemas.md). */
function linksFrom(values: readonly unknown[]): Schema {
  const data = values.flatMap<unknown>((value) => (isMembers(value) ? [value['data']] : []));
  const links = data.flatMap<unknown>((each) => (isItems(each) ? each : [each]));
  const named = links.map((link) => (isMembers(link) ? link['type'] : undefined));
  const types = [...new Set(named.filter((type) => typeof type === 'string'))].sort();
  const pattern = `^(?:${types.map((type) => type.replaceAll('.', String.raw`\.`)).join('|')})$`;
  const link = {
    type: 'object',
    properties: { type: { type: 'string', ...(types.length > 0 && { pattern }) } },
  };
  const isMany = data.some((each) => Array.isArray(each));
  const isOne = data.some((each) => !Array.isArray(each));
  const of = (each: Schema) => ({ type: 'object', properties: { data: each } });
  const choices = [
    ...(values.includes(null) || (isOne && !isMany) ? [{ type: 'null' }] : []),
    ...(isOne ? [of(link)] : []),
    ...(isMany ? [of({ type: 'array', items: link })] : []),
  ];
  const [only] = choices;
  if (only === undefined) return {};
  return choices.length === 1 ? only : { oneOf: choices };
}
