/** Our own server as a client sees it: headers, paths, documents, and lists of operations. */
import { setTimeout as wait } from 'node:timers/promises';
import { Connections, exchangeOnce, inParallel, type Exchange } from '../load.ts';
import type { Imported } from '../contender.ts';

export interface Credentials {
  readonly url: string;
  readonly application: string;
  readonly key: string;
  /** The operator's secret, which shows plans. */
  readonly operator: string;
}

export interface Resource {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data: Link | readonly Link[] }>>;
}

export interface Link {
  readonly type: string;
  readonly id: string;
}

export interface Body {
  readonly data: Resource & { readonly id: string };
  readonly meta?: { readonly count?: number; readonly plan?: { readonly scan: boolean } };
}

export const MEDIA_TYPE = 'application/vnd.api+json';
const ATOMIC = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`;
const OPERATIONS = '/operations';
/** The most of one request: operations, and characters of their documents. */
const MOST = { operations: 1000, characters: 4_000_000 };
const WIDTH = 2;

export function headersOf({ application, key }: Credentials, token?: string): Record<string, string> {
  return {
    'application-id': application,
    'api-key': key,
    'content-type': MEDIA_TYPE,
    ...(token !== undefined && { authorization: `Token ${token}` }),
  };
}

export function searchPath(type: string, query: Readonly<Record<string, string>>): string {
  return `/resources/${type}?${new URLSearchParams(query).toString()}`;
}

export function creation(headers: Record<string, string>, resource: Resource, path?: string): Exchange {
  return {
    method: 'POST',
    path: path ?? `/resources/${resource.type}`,
    headers,
    body: JSON.stringify({ data: resource }),
    status: 201,
    check: ({ text }) => (bodyOf(text).data.type === resource.type ? null : 'another type'),
  };
}

export function bodyOf(text: string): Body {
  return JSON.parse(text) as Body;
}

/** Creates one document. */
export async function createOne(credentials: Credentials, resource: Resource, path?: string): Promise<Body> {
  const exchange = creation(headersOf(credentials), resource, path);
  return bodyOf((await exchangeOnce(credentials.url, exchange)).text);
}

/** Creates documents in lists of operations. Answers ids in their order. */
export async function createMany(
  credentials: Credentials,
  resources: Iterable<Resource>,
  token?: string,
): Promise<Imported & { readonly ids: readonly string[] }> {
  const headers = headersOf(credentials, token);
  const client = new Connections(credentials.url, WIDTH);
  const ids: string[] = [];
  const begun = performance.now();
  await inParallel(chunks(resources), WIDTH, async ({ from, texts }) => {
    const { text } = await client.exchange(operations(headers, texts));
    const { 'atomic:results': results } = JSON.parse(text) as { readonly 'atomic:results': readonly Body[] };
    if (results.length !== texts.length)
      throw new Error(`${results.length} results of ${texts.length} operations`);
    for (const [offset, { data }] of results.entries()) ids[from + offset] = data.id;
  });
  client.close();
  const seconds = (performance.now() - begun) / 1000;
  return { documents: ids.length, seconds, how: 'operations in bulk', ids };
}

interface Chunk {
  readonly from: number;
  /** The resource objects in JSON. */
  readonly texts: readonly string[];
}

function* chunks(resources: Iterable<Resource>): Generator<Chunk> {
  let from = 0;
  let texts: string[] = [];
  let characters = 0;
  for (const resource of resources) {
    const text = JSON.stringify(resource);
    const isFull = texts.length === MOST.operations || characters + text.length > MOST.characters;
    if (texts.length > 0 && isFull) {
      yield { from, texts };
      from += texts.length;
      texts = [];
      characters = 0;
    }
    texts.push(text);
    characters += text.length;
  }
  if (texts.length > 0) yield { from, texts };
}

/** The creation of documents, each as a resource object in JSON, in one request. */
export function operations(headers: Record<string, string>, texts: readonly string[]): Exchange {
  return listOf(headers, `[${texts.map((data) => `{"op":"add","data":${data}}`).join(',')}]`);
}

/** A list of operations, all or none. */
export function atomic(headers: Record<string, string>, list: readonly unknown[]): Exchange {
  return listOf(headers, JSON.stringify(list));
}

function listOf(headers: Record<string, string>, list: string): Exchange {
  return {
    method: 'POST',
    path: OPERATIONS,
    headers: { ...headers, 'content-type': ATOMIC, accept: ATOMIC },
    body: `{"atomic:operations":${list}}`,
  };
}

/**
 * Repeats a search until its plan has no scan any more. `rest`: milliseconds until it is sent again, by how often it
 * was and what that took. Null where it takes too long.
 */
export async function learn(
  client: Connections,
  { operator }: Credentials,
  next: (tries: number) => Exchange,
  patience: number,
  rest: (tries: number, took: number) => number,
): Promise<{ readonly tries: number; readonly milliseconds: number } | null> {
  const begun = performance.now();
  for (let tries = 1; performance.now() - begun < patience; tries += 1) {
    const asked = performance.now();
    const exchange = next(tries);
    const headers = { ...exchange.headers, 'foredge-explain': operator };
    const { text } = await client.exchange({ ...exchange, headers });
    const now = performance.now();
    if (bodyOf(text).meta?.plan?.scan === false) return { tries, milliseconds: now - begun };
    await wait(rest(tries, now - asked));
  }
  return null;
}
