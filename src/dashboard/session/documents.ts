/** Documents of any type: listed, read, made, changed and deleted. */
import { ForedgeError, type ErrorObject } from '../../client/errors.ts';
import { pathOf, pathOfDocument } from '../../client/paths.ts';
import type { Answer, Link, Resource } from '../../client/transport.ts';
import { ask } from './service.ts';

/** A page of a list. */
export interface Listed {
  readonly documents: readonly Resource[];
  /** How many match; undefined where that was not asked. */
  readonly count: number | undefined;
  /** Where the next page begins: a cursor, or an offset where the page was asked for by one. */
  readonly next: string | null;
  readonly warnings: readonly ErrorObject[];
  readonly etag: string | undefined;
}

/** Null for a document that was deleted, and where the answer holds none. */
export function documentIn({ body: { data } }: Answer): Resource | null {
  return data === undefined || isList(data) ? null : data;
}

function isList(data: Answer['body']['data']): data is readonly Resource[] {
  return Array.isArray(data);
}

export type Query = Readonly<Record<string, string>> | URLSearchParams | string;

/** What a path lists: the documents of a type, or those at the other end of a relationship. */
export async function list(
  path: string,
  query: Query,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Listed> {
  const text = new URLSearchParams(query).toString();
  const { body, etag } = await ask('GET', path, { query: text, signal, headers });
  const { data, meta, links } = body;
  const next = links?.next ?? null;
  const page = next === null ? null : new URL(next).searchParams;
  return {
    documents: isList(data) ? data : [],
    count: meta?.count,
    next: page && (page.get('page[after]') ?? page.get('page[offset]')),
    warnings: meta?.warnings ?? [],
    etag,
  };
}

/** What the list of a type tells beside its documents: how many match, and its tag. */
export async function listNone(type: string, query: Query = '', signal?: AbortSignal): Promise<Listed> {
  const parameters = new URLSearchParams(query);
  parameters.set('page[limit]', '1');
  parameters.set(`fields[${type}]`, '');
  return list(pathOf(type), parameters, signal);
}

/** All that a list has, page by page. It is counted once, if at all. */
export async function* pagesOf(path: string, query: Query, signal: AbortSignal, isCounted = false) {
  let after: string | null = '';
  while (after !== null) {
    const parameters: URLSearchParams = new URLSearchParams(query);
    parameters.set('page[after]', after);
    if (after !== '' || !isCounted) parameters.set('page[count]', 'false');
    const page = await list(path, parameters, signal);
    yield page;
    after = page.next;
  }
}

/** A page of as many as an answer can hold: documents may be large. The next page has no more. */
export async function fitting<Page>(
  size: { most: number },
  load: (size: number) => Promise<Page>,
): Promise<Page> {
  for (;;) {
    try {
      return await load(size.most);
    } catch (error) {
      const isTooLarge = error instanceof ForedgeError && error.code === 'answer-too-large';
      if (!isTooLarge || size.most === 1) throw error;
      size.most /= 10;
    }
  }
}

/** A document as it was read, with the tag that a change of it needs. */
export interface Stored {
  readonly document: Resource;
  readonly etag: string | undefined;
}

/** Null for one that was deleted. With a tag that it still has, it fails with 304. */
export async function read(
  { type, id }: Link,
  fields = '',
  signal?: AbortSignal,
  etag?: string,
): Promise<Stored | null> {
  const query = fields === '' ? '' : new URLSearchParams({ [`fields[${type}]`]: fields }).toString();
  const headers = { 'if-none-match': etag };
  const answer = await ask('GET', pathOf(type, id), { query, signal, headers });
  const document = documentIn(answer);
  return document === null ? null : { document, etag: answer.etag };
}

/** What a request says of a document. */
interface Sent {
  readonly attributes?: unknown;
  readonly relationships?: unknown;
  readonly meta?: unknown;
}

/** Null where the new document may not be seen. */
export async function create(type: string, sent: Sent): Promise<Resource | null> {
  return documentIn(await ask('POST', pathOf(type), { body: { data: { type, ...sent } } }));
}

/** Changes a document; with a tag only if it is as that says. Gives the tag that it has then. */
export async function change({ type, id }: Link, sent: Sent, etag?: string): Promise<string | undefined> {
  const body = { data: { type, id, ...sent } };
  const answer = await ask('PATCH', pathOf(type, id), { body, headers: { 'if-match': etag } });
  return answer.etag;
}

export async function remove(link: Link, etag?: string): Promise<void> {
  await ask('DELETE', pathOfDocument(link), { headers: { 'if-match': etag } });
}
