/** Schemas: how they are read, made, changed and deleted. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { textOf } from '../../parts/json.ts';
import { documentOf, listOf } from '../../session/answers.ts';
import { ask } from '../../session/service.ts';

const SCHEMA = 'core.schema';

export interface Schema {
  readonly id: string;
  /** The type whose documents it is for. */
  readonly target: string;
  readonly content: Json;
  readonly etag: string | undefined;
}

export async function readSchemas(signal: AbortSignal): Promise<readonly Schema[]> {
  const query = new URLSearchParams({ 'page[size]': '1000', sort: 'target' });
  const { body } = await ask('GET', pathOf(SCHEMA), { query: query.toString(), signal });
  return listOf(body).map((document) => schemaOf(document, undefined));
}

/** Undefined for one that was deleted. */
export async function readSchema(id: string, signal: AbortSignal): Promise<Schema | undefined> {
  const { body, etag } = await ask('GET', pathOf(SCHEMA, id), { signal });
  const document = documentOf(body);
  return document === null ? undefined : schemaOf(document, etag);
}

function schemaOf({ id, attributes = {} }: Resource, etag: string | undefined): Schema {
  return { id, target: textOf(attributes['target']), content: attributes['content'] ?? {}, etag };
}

/** The id of the new schema. */
export async function createSchema(target: string, content: Json): Promise<string> {
  const data = { type: SCHEMA, attributes: { target, content } };
  const { body } = await ask('POST', pathOf(SCHEMA), { body: { data } });
  return documentOf(body)?.id ?? '';
}

/** Saves the content, only if the schema is as it was read. */
export async function saveSchema({ id, etag }: Schema, content: Json): Promise<void> {
  const data = { type: SCHEMA, id, attributes: { content } };
  await ask('PATCH', pathOf(SCHEMA, id), { body: { data }, headers: { 'if-match': etag } });
}

export async function deleteSchema(id: string): Promise<void> {
  await ask('DELETE', pathOf(SCHEMA, id));
}

/** Documents of a type to draft a schema from. */
export async function readSample(
  type: string,
  size: number,
  signal?: AbortSignal,
): Promise<readonly Resource[]> {
  const query = new URLSearchParams({
    'page[size]': String(size),
    'page[after]': '',
    'page[count]': 'false',
  });
  return listOf((await ask('GET', pathOf(type), { query: query.toString(), signal })).body);
}
