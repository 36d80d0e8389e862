/** Documents of a type as their values, with every digit, and lists of operations: what migrations read and write. */
import '../older-node.ts';
import { pathOf, requestKey } from '../../src/client/paths.ts';
import { flatten, type Content } from '../../src/domain/documents.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { parseJson, type Parsed } from '../../src/domain/values/json.ts';
import { presentWrapped } from '../../src/domain/values/present.ts';
import { ObjectId, type Fields } from '../../src/domain/values/values.ts';
import { mapFields } from '../../src/domain/values/tree.ts';
import { readDocument } from '../../src/modules/documents/body/read-body.ts';
import type { OperationResult, Resource } from '../../src/client/transport.ts';
import { Failure } from '../failure.ts';
import type { Json } from '../json-objects.ts';
import type { Remote } from './target.ts';

export interface StoredDocument {
  readonly id: string;
  readonly content: Content;
  /** Attributes and relationships side by side. */
  readonly flat: Fields;
}

export interface Page {
  readonly documents: readonly StoredDocument[];
  /** Holds for each of them. */
  readonly etag: string | undefined;
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
}

export async function pageOf(remote: Remote, type: string, query: Record<string, string>): Promise<Page> {
  let text = '';
  const { etag, body } = await remote.request('GET', pathOf(type), {
    query: new URLSearchParams({ ...query, 'page[count]': 'false' }).toString(),
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      text = await response.clone().text();
      return response;
    },
  });
  const next = body.links?.next;
  const ids = ((body.data ?? []) as readonly Resource[]).map(({ id }) => id);
  return {
    etag,
    next: typeof next === 'string' ? new URL(next).searchParams.get('page[after]') : null,
    documents: resourcesIn(text).map((resource, at) => valuesOf(type, ids[at] ?? '', resource)),
  };
}

/** Every document of a type, in the order in which they were made. */
export async function* documentsOf(remote: Remote, type: string): AsyncGenerator<StoredDocument> {
  for (let after: string | null = ''; after !== null;) {
    const page: Page = await pageOf(remote, type, { 'page[size]': '1000', 'page[after]': after });
    yield* page.documents;
    after = page.next;
  }
}

/** The resource objects of an answer. */
function resourcesIn(text: string): readonly Parsed[] {
  // What is around a document has levels of its own.
  const parsed = parseJson(text, LIMITS.jsonDepth + 2);
  const { data } = (parsed.ok ? parsed.value : {}) as { readonly data?: readonly Parsed[] };
  return data ?? [];
}

function valuesOf(type: string, id: string, resource: Parsed): StoredDocument {
  const { attributes = {}, relationships = {} } = resource as Readonly<Record<string, Parsed>>;
  const read = readDocument({ data: { type, attributes, relationships } }, type, null);
  if (!read.ok) throw new Failure(`The document ${id} of ${type} cannot be read.`);
  const { content } = read.value;
  return { id, content, flat: { id: new ObjectId(id), type, ...flatten(content) } };
}

/** Attributes as a request has them. */
export function sentOf(attributes: Fields): Json {
  return mapFields(attributes, presentWrapped);
}

/** Does all of them or none; what the answer says of each. */
export async function operate(
  remote: Remote,
  operations: readonly object[],
): Promise<readonly OperationResult[]> {
  const text = JSON.stringify({ 'atomic:operations': operations });
  const { body } = await remote.request('POST', '/operations', {
    // The client's own text would not say which doubles are integral.
    body: {},
    fetch: (url, init) => fetch(url, { ...init, body: text }),
    headers: { 'idempotency-key': requestKey() },
    extension: 'https://jsonapi.org/ext/atomic',
  });
  return body['atomic:results'] ?? [];
}
