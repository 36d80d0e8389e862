/** Values that a schema suggests, for examples in descriptions. They need not satisfy it. */
import type { PortableJson, PortableSchema } from '../../schema/portable.ts';

export function isMembers(value: PortableJson | undefined): value is PortableSchema {
  return typeof value === 'object' && value !== null && !isItems(value);
}

function isItems(value: PortableJson | undefined): value is readonly PortableJson[] {
  return Array.isArray(value);
}

/** The date of examples. */
export const SAMPLE_DATE = '2026-11-22T09:30:00.000Z';

/** A value for each property. */
export function exampleOfObject(schema: PortableSchema): PortableSchema {
  const properties = schema['properties'];
  if (!isMembers(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, isMembers(each) ? exampleOf(each) : 'text']),
  );
}

function exampleOf(schema: PortableSchema): PortableJson {
  const { const: only, default: preset, type } = schema;
  const [first] = ['examples', 'enum'].flatMap((name) => {
    const list = schema[name];
    return isItems(list) ? list : [];
  });
  const given = first ?? only ?? preset;
  return given ?? exampleOfType(schema, isItems(type) ? type[0] : type);
}

function exampleOfType(schema: PortableSchema, type: PortableJson | undefined): PortableJson {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'array':
      return isMembers(schema['items']) ? [exampleOf(schema['items'])] : [];
    case 'object':
      return exampleOfObject(schema);
    case 'null':
      return null;
    default:
      return schema['format'] === 'date-time' ? SAMPLE_DATE : 'text';
  }
}
