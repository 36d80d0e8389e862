/** The service's own types in TypeScript: those of the client (src/client/core.ts), by the table of attributes. */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { secretFields } from '../src/domain/secrets.ts';
import { coreTypesThat, typeInfo } from '../src/domain/types/facts.ts';
import { attributesOf } from '../src/modules/contents/own-types.ts';
import { isObject } from './json-objects.ts';

/** The text of a module that exports the interface `Core`. */
export async function coreTypes(): Promise<string> {
  const types = coreTypesThat(({ module }) => module !== null && module !== 'applications');
  const members = types.map(async (type) => {
    const { identity = false, members: relationship } = typeInfo(type);
    const targets = coreTypesThat(({ holdsTokens }) => holdsTokens).map((each) => JSON.stringify(each));
    const relationships =
      relationship === undefined
        ? ''
        : ` & { readonly relationships: { ${relationship}?: (${targets.join(' | ')})[] } }`;
    return `readonly '${type}': Of<${await attributesIn(type, identity)}>${relationships};`;
  });
  return `/** Made by npm run docs. Change the tables in src/modules/contents instead. */
import type { Link } from './transport.ts';

interface Of<Attributes> {
  readonly attributes: Attributes;
}

/** The service's own types, which an application's types may say more about. */
export interface Core { ${(await Promise.all(members)).join('\n')} }
`;
}

/** An interface of the attributes of a type, perhaps with any others; a secret is not always shown. */
export async function attributesIn(type: string, others: boolean): Promise<string> {
  const all = attributesOf(type);
  const isSent = all.some(({ isMade }) => !isMade);
  const always = all.filter(({ isMade, isOptional }) => !isOptional && !(isSent && isMade));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, schema: each }) => [name, forClient(each)])),
    required: always.map(({ name }) => name).filter((name) => !secretFields(type).includes(name)),
    additionalProperties: others,
  } as JSONSchema;
  const text = await compile(schema, 'Attributes', {
    bannerComment: '',
    format: false,
  });
  return text.slice(text.indexOf('{')).trim();
}

/** What would be a comment of a type. */
const NOTES = ['description', 'minItems', 'maxItems'];

/** A schema with what the client makes of links and dates. */
function forClient(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    if (NOTES.includes(name)) return undefined;
    if (!isObject(value)) return value;
    const { $ref, anyOf } = value;
    if (typeof $ref === 'string') return { tsType: 'Link' };
    if (value['type'] === 'object' && Object.keys(value).length === 1)
      return { tsType: 'Record<string, unknown>' };
    const isDate =
      Array.isArray(anyOf) && anyOf.some((each) => isObject(each) && each['format'] === 'date-time');
    return isDate ? { tsType: 'Date' } : value;
  });
}
