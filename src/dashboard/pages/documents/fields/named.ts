/** The fields of a type that its schemas and its settings name, as far as the key may read these. */
import { pathOf } from '../../../../client/paths.ts';
import type { Resource } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { ask } from '../../../session/service.ts';
import { isArray, isObject, type Kind } from './kinds.ts';
import { listOf } from '../../../session/answers.ts';

type Named = readonly [name: string, kind: Kind];

/** Names of fields, with what is known of their kinds; none where nobody may say. */
export async function namedFields(type: string): Promise<readonly Named[]> {
  const [schemas, settings] = await Promise.all([
    about('core.schema', 'target', type),
    about('core.type', 'name', type),
  ]);
  return [
    ...schemas.flatMap(({ attributes }) => fieldsOfSchema(attributes?.['content'])),
    ...settings.flatMap(({ attributes }) => pathsOfSettings(attributes?.['unique'])),
  ];
}

async function about(type: string, field: string, value: string): Promise<readonly Resource[]> {
  const query = new URLSearchParams([[`filter[${field}]`, JSON.stringify(value)]]).toString();
  try {
    const { body } = await ask('GET', pathOf(type), { query });
    return listOf(body);
  } catch {
    // Without it names are completed from what documents show.
    return [];
  }
}

function fieldsOfSchema(content: Json | undefined): readonly Named[] {
  const part = (name: string): readonly (readonly [string, Json])[] => {
    const properties = isObject(content) ? content['properties'] : undefined;
    const inner = isObject(properties) ? properties[name] : undefined;
    const fields = isObject(inner) ? inner['properties'] : undefined;
    return isObject(fields) ? Object.entries(fields) : [];
  };
  return [
    ...part('attributes').map(([name, schema]): Named => [name, kindInSchema(schema)]),
    ...part('relationships').map(([name]): Named => [name, 'link']),
  ];
}

const KINDS: Readonly<Record<string, Kind>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};

function kindInSchema(schema: Json): Kind {
  const type = isObject(schema) ? schema['type'] : undefined;
  const names = isArray(type) ? type : [type];
  const kind = names.map((name) => (typeof name === 'string' ? KINDS[name] : undefined)).find(Boolean);
  return kind ?? 'null';
}

function pathsOfSettings(unique: Json | undefined): readonly Named[] {
  const lists = isArray(unique) ? unique : [];
  return lists
    .flatMap((list) => (isArray(list) ? list : []))
    .flatMap((path): readonly Named[] => (typeof path === 'string' ? [[path, 'null']] : []));
}
