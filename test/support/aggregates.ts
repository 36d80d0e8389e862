/** What the tests of aggregates share: definitions, reads, and users with rights on what they make. */
import type { Client, Reply, Resource } from './client.ts';

const DEFINITIONS = '/aggregates/core.aggregate';

/** Sends a definition; `attributes` may be anything. */
export function define(client: Client, attributes: unknown): Promise<Reply> {
  return client.create(DEFINITIONS, { attributes });
}

/** Stores a definition over a type and returns its id. The output type is `agt.` and the name. */
export async function defined(
  client: Client,
  name: string,
  input: string,
  pipeline: unknown,
  parameters?: unknown,
): Promise<string> {
  const made = await define(client, {
    'input-type': input,
    'output-type': `agt.${name}`,
    pipeline,
    ...(parameters !== undefined && { parameters }),
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}

/** Changes attributes of a definition. */
export function redefine(
  client: Client,
  id: string,
  attributes: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Reply> {
  return client.update(`${DEFINITIONS}/${id}`, { attributes }, headers);
}

/** The address of an aggregate's documents with a query; values that are no strings are written as JSON. */
export function outputsPath(name: string, query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query).map(([key, value]) =>
    [key, typeof value === 'string' ? value : JSON.stringify(value)].map(encodeURIComponent).join('='),
  );
  return `/aggregates/agt.${name}?${pairs.join('&')}`;
}

/** The address of one document of an aggregate. */
export function outputPath(name: string, id: string): string {
  return `/aggregates/agt.${name}/${encodeURIComponent(id)}`;
}

export const idsOf = ({ body }: Reply): readonly string[] => body.data.map(({ id }) => id);

export const valuesOf = ({ body }: Reply, name: string): readonly unknown[] =>
  body.data.map(({ attributes }) => attributes?.[name]);

/** The included documents as `type id`. */
export const includedOf = ({ body }: Reply): readonly string[] =>
  body.included.map(({ type, id }) => `${type} ${id}`);

/** Gives the right to read a document. */
export async function letRead(client: Client, { type, id }: Resource, read: unknown): Promise<void> {
  const changed = await client.update(`/resources/${type}.acl/${id}`, { attributes: { read } });
  if (changed.status !== 200) throw new Error(changed.text);
}
