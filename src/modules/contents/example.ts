/** Values that a schema suggests, for examples in descriptions. They need not satisfy it. */
import { ENVELOPE, COUNTED, topLevel } from './envelope.ts';
import { mapFields } from '../../domain/values/tree.ts';
import { type Json, type Schema, objectOf, STRING } from './schema.ts';
import type { ResponseHeader } from './parameters.ts';
import type { Subject } from './subjects.ts';

export function isMembers(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !isItems(value);
}

export function isItems(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The date of examples. */
export const SAMPLE_DATE = '2026-11-22T09:30:00.000Z';

/** A value for each property. */
export function exampleOfObject({ properties }: Schema): Readonly<Record<string, Json>> {
  if (!isMembers(properties)) return {};
  return mapFields(properties, (each) => (isMembers(each) ? exampleOf(each) : 'text'));
}

function exampleOf(schema: Schema): Json {
  const { const: only, default: preset, type, $ref } = schema;
  const named = typeof $ref === 'string' ? ENVELOPE[$ref.split('/').at(-1) ?? ''] : undefined;
  if (named !== undefined) return exampleOf(named);
  const [first] = ['examples', 'enum'].flatMap((name) => listIn(schema, name));
  const given = first ?? only ?? preset;
  const choice = listIn(schema, 'anyOf').find((each) => isMembers(each) && each['type'] !== 'null');
  if (given === undefined && isMembers(choice)) return exampleOf(choice);
  return given ?? exampleOfType(schema, isItems(type) ? type[0] : type);
}

function listIn(schema: Schema, name: string): readonly Json[] {
  const list = schema[name];
  return isItems(list) ? list : [];
}

function exampleOfType(schema: Schema, type: Json | undefined): Json {
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

/** How the docs write a schema, such as `{types: [{name, bytes?}]}`; nothing for what has no members to name. */
function shapeOf({ properties, items, required }: Schema): string {
  if (isMembers(items)) return shapeOf(items) && `[${shapeOf(items)}]`;
  if (!isMembers(properties)) return '';
  const members = Object.entries(properties).map(([name, each]) => {
    const shape = isMembers(each) ? shapeOf(each) : '';
    return `${name}${isItems(required) && required.includes(name) ? '' : '?'}${shape && `: ${shape}`}`;
  });
  return `{${members.join(', ')}}`;
}

export interface AnswerContent {
  /** What OpenAPI says of it. */
  readonly says: string;
  readonly headers: readonly ResponseHeader[];
  /** Those that it may lack. */
  readonly sometimes?: readonly ResponseHeader[];
  /** What comes as Server-Sent Events where the request asks for these; no `ETag` is with them. */
  readonly events?: string;
  /** True where it is rows of CSV if the request asks for these. */
  readonly csv?: true;
  /** Absent where the answer has no body. */
  readonly schema?: (subject: Subject) => Schema;
  readonly example?: (subject: Subject) => Json;
}

/** A number of things. */
export const NUMBER_OF: Schema = { ...COUNTED, examples: [12] };
export const TYPE_NAME: Schema = { ...STRING, examples: ['articles'] };

/** An answer of facts in `meta`, and of no documents; `says` goes on after their names. */
export function facts(members: Readonly<Record<string, Schema>>, says = ''): AnswerContent {
  const meta = objectOf(members);
  return {
    says: `\`{meta: ${shapeOf(meta)}}\`${says}`,
    headers: [],
    schema: () => topLevel({}, { meta: members }),
    example: () => ({ meta: exampleOfObject(meta) }),
  };
}
