/**
 * The types of an application in TypeScript, for `connect<Types>` of the client: attributes and relationships from its
 * schemas, inverses and counters from settings of types, names from definitions of aggregates. Others wrote the
 * schemas: they may not bring code of their own into the result.
 */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { CORE } from '../src/domain/types.ts';
import { attributesIn } from './core-types.ts';
import type { Declarations } from './declarations.ts';
import { isObject, key, objectIn, type Json } from './json-objects.ts';
import { PROGRAM } from './program.ts';
import { relationshipsOf } from './relationship-types.ts';

/** What a schema may say in `tsType` of values that JSON lacks. */
const VALUES = ['Date', 'Decimal', 'ObjectId', 'bigint'];
/** Keywords whose texts would name or describe types. */
const TEXTS = ['tsType', 'title', 'description', '$comment', 'id', '$id', '$schema'];

/** The text of a module that exports the interface `Types`. */
export async function typesOf({ schemas, settings, aggregates }: Declarations): Promise<string> {
  const names = new Set([...schemas.map(({ target }) => target), ...settings.map(({ name }) => name)]);
  const members: string[] = [];
  const interfaces: string[] = [];
  for (const name of [...names].sort()) {
    const own = schemas.flatMap(({ target, content }) =>
      target === name && isObject(content) ? [content] : [],
    );
    const parts = await Promise.all(own.map((content, index) => attributesOf(content, nameOf(name, index))));
    interfaces.push(...parts.flatMap(({ text }) => text));
    const attributes = parts.map((part) => part.name);
    if (name === CORE.user) attributes.push(await attributesIn(name, false));
    const { inverses: declared, count } = settings.find((each) => each.name === name) ?? {};
    if (isObject(count)) {
      const counted = Object.keys(count).map((each) => `readonly ${key(each)}?: number | null`);
      attributes.push(...(attributes.length === 0 ? [UNKNOWN] : []), braced(counted));
    }
    const inverses = inversesOf(declared);
    members.push(
      `  ${key(name)}: { attributes: ${attributes.join(' & ') || UNKNOWN}; relationships: ${braced(
        own.flatMap(relationshipsOf),
      )}${inverses.length > 0 ? `; inverses: ${braced(inverses)}` : ''} };`,
    );
  }
  for (const { 'output-type': name, pipeline } of aggregates) {
    members.push(`  ${key(name)}: ${outputOf(pipeline)};`);
  }
  const body = `export interface Types {\n${members.join('\n')}\n}\n\n${interfaces.join('\n')}`;
  const used = ['Decimal', 'ObjectId'].filter((name) => body.includes(name));
  return [
    `/** Written by \`${PROGRAM} types\`: write it again when schemas change. */`,
    ...(used.length > 0 ? [`import type { ${used.join(', ')} } from 'foredge/client';`] : []),
    '',
    body,
  ].join('\n');
}

const UNKNOWN = '{ [name: string]: unknown }';
const braced = (members: readonly string[]) =>
  members.length === 0 ? 'object' : `{ ${members.join('; ')} }`;

/** An interface of the attributes that a schema describes; any attributes where it describes none. */
async function attributesOf(
  content: Json,
  name: string,
): Promise<{ readonly name: string; readonly text: string[] }> {
  const { attributes } = objectIn(content, 'properties') ?? {};
  if (!isObject(attributes)) return { name: UNKNOWN, text: [] };
  const { definitions, $defs } = content;
  const schema = plain({
    ...attributes,
    ...(definitions !== undefined && { definitions }),
    ...($defs !== undefined && { $defs }),
  }) as JSONSchema;
  try {
    const text = await compile({ type: 'object', ...schema }, 'Attributes', {
      additionalProperties: false,
      bannerComment: '',
      // Schemas name nothing outside of themselves: no file and no address is read for them.
      $refOptions: { resolve: { external: false } },
      ignoreMinAndMaxItems: true,
      // Its formatter is larger than all that a package of this project brings.
      format: false,
    });
    // The names of two schemas may be the same.
    return {
      name: `${name}.Attributes`,
      text: [`export namespace ${name} {\n${indented(text.trim())}\n}\n`],
    };
  } catch {
    // References into other parts of the schema, say: the service understands more than is written here.
    return { name: UNKNOWN, text: [] };
  }
}

/** Lines as deep as the braces around them, of which each ends a line or begins one. */
function indented(text: string): string {
  let depth = 1;
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1;
    const deep = `${'  '.repeat(depth)}${line}`;
    if (line.endsWith('{')) depth += 1;
    return deep;
  });
  return lines.join('\n');
}

/** A schema without what would be written as it is, and with dates as what the client makes of them. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (!isObject(schema)) return schema;
  const { tsType } = schema;
  const type = typeof tsType === 'string' && VALUES.includes(tsType) ? tsType : dateOf(schema);
  // As the names of attributes they have schemas, and no texts.
  const entries = Object.entries(schema)
    .filter(([name, value]) => !(typeof value === 'string' && TEXTS.includes(name)))
    .map(([name, value]) => [name, plain(value)]);
  return { ...Object.fromEntries(entries), ...(type !== undefined && { tsType: type }) };
}

function dateOf({ type, format }: Json): string | undefined {
  if (format !== 'date-time') return undefined;
  if (type === 'string') return 'Date';
  return Array.isArray(type) && type.length === 2 && type.includes('null') ? 'Date | null' : undefined;
}

function inversesOf(inverses: unknown): readonly string[] {
  if (!isObject(inverses)) return [];
  return Object.entries(inverses).map(
    ([name, inverse]) => `${key(name)}: ${JSON.stringify(isObject(inverse) ? inverse['type'] : '')}[]`,
  );
}

/** An aggregate whose last stage names its fields shows these, of kinds that only data can tell. */
function outputOf(pipeline: readonly unknown[]): string {
  const last = pipeline.at(-1);
  const output = isObject(last) ? objectIn(last, 'output') : undefined;
  const fields = (member: string, type: string) => {
    const names = output?.[member];
    return Array.isArray(names) ? names.map((name) => `${key(String(name))}?: ${type}`) : [];
  };
  const attributes = output === undefined ? UNKNOWN : braced(fields('attributes', 'unknown'));
  return `{ attributes: ${attributes}; relationships: ${braced(fields('relationships', 'string | null'))} }`;
}

/** `core.user` has the namespace `CoreUser`; a second schema of a type has a number. */
function nameOf(type: string, index: number): string {
  const words = type.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${/^[0-9]/.test(type) ? 'Type' : ''}${words.join('')}${index === 0 ? '' : index + 1}`;
}
