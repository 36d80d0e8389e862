/** JSON Schemas as data (draft 2020-12, as OpenAPI 3.1 has them), and short ways to write them. */

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export type Schema = Readonly<Record<string, Json | undefined>>;

/** An object with these members and no others; those whose names end in `?` may be absent. */
export function objectOf(members: Readonly<Record<string, Schema>>, more: Schema = {}): Schema {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...more,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name] ?? {}])),
    additionalProperties: false,
  };
}

/** The same members, each of which may be absent. */
export function optional(members: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [`${name.replace(/\?$/, '')}?`, schema]),
  );
}

/** The same, and it may have other members. */
export function openObjectOf(members: Readonly<Record<string, Schema>>, more: Schema = {}): Schema {
  return { ...objectOf(members, more), additionalProperties: true };
}

/** The same of a request: others mean nothing. Without the keyword, generated clients still name strange members. */
export function sentObjectOf(members: Readonly<Record<string, Schema>>): Schema {
  return { ...objectOf(members), additionalProperties: undefined };
}

export function listOf(items: Schema, more: Schema = {}): Schema {
  return { type: 'array', items, ...more };
}

export function either(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

/** One of the schemas that OpenAPI keeps by name. */
export function named(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function text(description: string, more: Schema = {}): Schema {
  return { type: 'string', description, ...more };
}

export const NULL: Schema = { type: 'null' };
export const STRING: Schema = { type: 'string' };
export const BOOLEAN: Schema = { type: 'boolean' };
export const ADDRESS: Schema = { type: 'string', format: 'uri-reference' };
export const OBJECT: Schema = { type: 'object' };
export const TIME: Schema = { type: 'string', format: 'date-time' };

export function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export function flag(description: string): Schema {
  return described(BOOLEAN, description);
}

export function enumOf(values: readonly string[]): Schema {
  return { enum: [...values] };
}

export function nullable(type: string): Schema {
  return { type: [type, 'null'] };
}

/** A whole number. */
export function integer(minimum: number, maximum?: number): Schema {
  return { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) };
}
