/** An application's types as its schemas describe them, for OpenAPI. */
import { typeInfo } from '../../domain/types/facts.ts';
import { isList, mapFields } from '../../domain/values/tree.ts';
import { portableSchema, type PortableSchema, type PortableJson } from '../../schema/portable.ts';
import { named, type Schema, either, listOf, NULL, objectOf } from '../contents/schema.ts';
import { subjectOf, type Subject } from '../contents/subjects.ts';
import { exampleOfObject, isMembers, SAMPLE_DATE } from '../contents/example.ts';
import { SENT_MEMBERS } from '../contents/envelope.ts';

export interface DescribedTypes {
  readonly resources: ReadonlyMap<string, Subject>;
  /** The service's own types that have one. */
  readonly core: ReadonlyMap<string, Subject>;
  /** The schemas that these name. */
  readonly components: Readonly<Record<string, Schema>>;
}

export const NO_TYPES: DescribedTypes = { resources: new Map(), core: new Map(), components: {} };

/** The attributes of a schema's document, as far as they are shown. */
export interface ShownSchema {
  readonly target?: unknown;
  readonly content?: unknown;
}

export function describeTypes(schemas: readonly ShownSchema[]): DescribedTypes {
  const components: Record<string, Schema> = {};
  const subjects = [...Map.groupBy(schemas, ({ target }) => target)].flatMap(([type, of]) =>
    typeof type === 'string' && typeInfo(type).schemaTarget === true
      ? [[type, describe(type, of, components)] as const]
      : [],
  );
  const [resources, core] = [true, false].map(
    (wanted) => new Map(subjects.filter(([type]) => (typeInfo(type).module === 'resources') === wanted)),
  );
  return { resources: resources ?? new Map(), core: core ?? new Map(), components };
}

/** What a write must satisfy, by the members of all schemas of the type. `components` takes what they refer to. */
function describe(
  type: string,
  schemas: readonly ShownSchema[],
  components: Record<string, Schema>,
): Subject {
  const roots = schemas.flatMap(({ content }, index) => {
    const prefix = `schema.${type}.${index + 1}`;
    const portable = portableSchema(content, {
      nameOf: (number) => `${prefix}.${number}`,
      toName: (name) => `#/components/schemas/${name}`,
    });
    for (const [name, each] of Object.entries(portable?.named ?? {})) {
      components[name] = each as Schema;
      components[`${name}${SENT}`] = (typeof each === 'boolean' ? each : sentAttributes(each)) as Schema;
    }
    return portable !== null && isMembers(portable.root) ? [portable.root] : [];
  });
  const own = typeInfo(type).module !== 'resources';
  const subject = own ? subjectOf(type) : ofResources(type);
  const attributes = membersOf(roots, 'attributes');
  const relationships = membersOf(roots, 'relationships');
  const example = Object.assign(
    { ...(own && subject.example.attributes) },
    ...attributes.map(exampleOfObject),
  ) as Subject['example']['attributes'];
  const keep = (name: string, all: readonly Schema[], otherwise: Schema): Schema => {
    if (all.length === 0) return otherwise;
    components[`${name}.${type}`] = together(all);
    return named(`${name}.${type}`);
  };
  const base = own ? [subject.sent] : [];
  const sent = attributes.map(sentAttributes);
  const links = relationships.map(sentRelationships);
  return {
    ...subject,
    sent: keep('attributes', [...base, ...sent], subject.sent),
    changed: keep('changes', [...base, ...sent.map(withoutDemands)], subject.changed),
    shown: own ? subject.shown : keep('shown', attributes.map(withoutDemands), subject.shown),
    links: keep('relationships', links, subject.links),
    changedLinks: keep('changed-relationships', links.map(withoutDemands), subject.changedLinks),
    demands: roots.flatMap(({ required = [] }) => required as readonly string[]),
    example: {
      ...subject.example,
      attributes: wrapDates(example),
      shown: { ...subject.example.shown, ...example },
    },
  };
}

function wrapDates(example: Subject['example']['attributes']): Subject['example']['attributes'] {
  const wrap = (_: string, value: unknown) => (value === SAMPLE_DATE ? { $date: value } : value);
  return JSON.parse(JSON.stringify(example), wrap) as typeof example;
}

/** Documents of a type of resources, under a name that no other schema has. */
function ofResources(type: string): Subject {
  const any = subjectOf(type);
  return {
    ...any,
    name: `resources.${type}`,
    says: `A document of the type ${type}.`,
    type: { const: type },
    example: { type, id: any.example.id, attributes: {}, shown: {} },
  };
}

/** What the schemas say of a member of the document. */
function membersOf(roots: readonly PortableSchema[], name: string): readonly PortableSchema[] {
  return roots.flatMap((root) => {
    const properties = root['properties'];
    const member = isMembers(properties) ? properties[name] : undefined;
    return isMembers(member) ? [member] : [];
  });
}

function together(schemas: readonly Schema[]): Schema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { allOf: schemas };
}

/** What asks for members to be there: PATCH need not send them, and `fields` may leave them out. */
const DEMANDS: ReadonlySet<string> = new Set([
  'required',
  'minProperties',
  'dependentRequired',
  'dependentSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
]);

function withoutDemands(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !DEMANDS.has(name)));
}

/**
 * A schema says what a document is as it is read back. A request writes some of it otherwise: dates, longs and decimals
 * in wrappers, and a relationship without links as `{"data": null}`, where the schema sees `null`. What the references
 * of the same schema for requests lead to has this at the end of its name.
 */
const SENT = '.sent';

const HOLDS: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  items: 'one',
  additionalProperties: 'one',
};

/** Attributes, or any part of them, as they are sent. */
function sentAttributes(schema: PortableSchema): PortableSchema {
  const entries = Object.entries(schema).map(([name, value]) => [
    // A wrapper may stand for values that only one of the schemas takes.
    name === 'oneOf' ? 'anyOf' : name,
    name === '$ref' && typeof value === 'string' ? `${value}${SENT}` : mapped(HOLDS[name], value),
  ]);
  const sent = Object.fromEntries(entries) as PortableSchema;
  const wrappers = wrappersOf(schema).map((wrapper) => ({ $ref: `#/components/schemas/${wrapper}` }));
  return wrappers.length === 0 ? sent : { anyOf: [sent, ...wrappers] };
}

function mapped(holds: 'one' | 'list' | 'map' | undefined, value: PortableJson): PortableJson {
  if (holds === 'list' && isList(value)) return value.map((each) => mapped('one', each));
  if (holds === undefined || !isMembers(value)) return value;
  if (holds === 'one') return sentAttributes(value);
  return mapFields(value, (each) => mapped('one', each));
}

/** What may stand for a value that such a schema describes. */
function wrappersOf(schema: PortableSchema): readonly string[] {
  if ('enum' in schema || 'const' in schema) return [];
  const types = [schema['type'] ?? []].flat();
  const isDate = schema['format'] === 'date-time' && (types.length === 0 || types.includes('string'));
  return [
    ...(isDate ? ['date'] : []),
    ...(types.includes('integer') || types.includes('number') ? ['long'] : []),
    ...(types.includes('number') ? ['decimal'] : []),
  ];
}

/** The relationships of a document as they are sent. What is told in other ways is described as any relationship is. */
function sentRelationships(schema: PortableSchema): Schema {
  const { properties, required, additionalProperties = true } = schema;
  const others = isMembers(additionalProperties)
    ? sentRelationship(additionalProperties)
    : additionalProperties;
  return {
    type: 'object',
    ...(isList(required) && { required }),
    ...(isMembers(properties) && { properties: mapFields(properties, sentRelationship) }),
    additionalProperties: others === true ? ANY : others,
  };
}

const ANY = named('sent-relationship');

function sentRelationship(schema: PortableJson): Schema {
  const linkages = linkagesOf(schema);
  if (linkages === null) return ANY;
  const [only = NULL] = linkages;
  return objectOf({ data: linkages.length === 1 ? only : either(...linkages), ...SENT_MEMBERS });
}

/** What its `data` may be, by alternatives; null where the schema does not tell. */
function linkagesOf(schema: PortableJson): readonly Schema[] | null {
  if (!isMembers(schema)) return null;
  const { properties, type = [], oneOf, anyOf = oneOf } = schema;
  const types = [type].flat();
  if (isList(anyOf)) {
    const each = anyOf.map(linkagesOf).filter((linkages) => linkages !== null);
    return each.length === anyOf.length ? each.flat() : null;
  }
  const none = types.includes('null') ? [NULL] : [];
  if (types.length === 1 && none.length === 1) return none;
  return isMembers(properties) ? [...none, sentLinkage(properties['data'])] : null;
}

function sentLinkage(schema: PortableJson | undefined): Schema {
  const link = named('sent-link');
  if (!isMembers(schema)) return either(link, listOf(link));
  if (schema['type'] !== 'array')
    return { allOf: [schema['type'] === 'object' ? link : either(link, listOf(link)), schema] };
  const { items = true } = schema;
  return { ...schema, items: isMembers(items) ? { allOf: [link, items] } : link };
}
