/**
 * A schema says what a document is as it is read back. A request writes some of it otherwise: dates, longs and decimals in
 * wrappers, and a relationship without links as `{"data": null}`, where the schema sees `null`.
 */
import type { PortableJson, PortableSchema } from '../../schema/portable.ts';
import { SENT_MEMBERS } from '../contents/envelope.ts';
import { either, listOf, named, NULL, objectOf, type Schema } from '../contents/schema.ts';
import { isMembers } from '../contents/example.ts';

/** The same schema for requests: what its references lead to has this at the end of its name. */
export const SENT = '.sent';

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
export function sentAttributes(schema: PortableSchema): PortableSchema {
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
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped('one', each)]));
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
export function sentRelationships(schema: PortableSchema): Schema {
  const { properties, required, additionalProperties = true } = schema;
  const others = isMembers(additionalProperties)
    ? sentRelationship(additionalProperties)
    : additionalProperties;
  return {
    type: 'object',
    ...(isList(required) && { required }),
    ...(isMembers(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, sentRelationship(each)]),
      ),
    }),
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

function isList(value: PortableJson | undefined): value is readonly PortableJson[] {
  return Array.isArray(value);
}
