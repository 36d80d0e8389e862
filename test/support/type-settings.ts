/** Settings and schemas of types for tests. */
import type { Client, Made, Reply } from './client.ts';

/** Creates the settings of a type. */
export function settle(client: Client, attributes: Readonly<Record<string, unknown>>): Promise<Reply> {
  return client.create('/schemas/core.type', { attributes });
}

/** The settings of a type. */
export async function settingsOf(client: Client, name: string): Promise<Made> {
  const listed = await client.get(`/schemas/core.type?filter[name]=${name}`);
  const [found] = listed.body.data;
  if (found === undefined) throw new Error(`The type ${name} has no settings.`);
  const { etag } = await client.get(`/schemas/core.type/${found.id}`);
  return { ...found, etag };
}

/** Changes the settings of a type. */
export async function resettle(
  client: Client,
  name: string,
  attributes: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  const { id } = await settingsOf(client, name);
  return client.update(`/schemas/core.type/${id}`, { attributes });
}

/** Stores a schema of these properties of documents of a type. Returns its id. */
export async function makeSchema(client: Client, target: string, properties: unknown): Promise<string> {
  const made = await client.create('/schemas/core.schema', {
    attributes: { target, content: { properties } },
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}
