/** Our own server as a client sees it: headers, paths, documents, and the two ways to create many of them. */
import { Connections, inParallel, type Exchange } from '../load.ts';
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
const WIDTH = { bulk: 2, single: 16 };

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
export async function createOne(
  credentials: Credentials,
  resource: Resource,
  path?: string,
  token?: string,
): Promise<Body> {
  const client = new Connections(credentials.url, 1);
  const answer = await client.exchange(creation(headersOf(credentials, token), resource, path));
  client.close();
  return bodyOf(answer.text);
}

/** Creates documents through the bulk path, or one by one where the server has none. Answers ids in their order. */
export async function createMany(
  credentials: Credentials,
  resources: Iterable<Resource>,
  token?: string,
): Promise<Imported & { readonly ids: readonly string[] }> {
  const headers = headersOf(credentials, token);
  const bulk = await hasBulkPath(credentials, headers);
  const client = new Connections(credentials.url, bulk ? WIDTH.bulk : WIDTH.single);
  const ids: string[] = [];
  const begun = performance.now();
  const send = bulk ? sendOperations : sendOne;
  await inParallel(
    chunks(resources, bulk ? MOST.operations : 1),
    bulk ? WIDTH.bulk : WIDTH.single,
    async (chunk) => {
      const made = await send(client, headers, chunk.texts);
      for (const [offset, id] of made.entries()) ids[chunk.from + offset] = id;
    },
  );
  client.close();
  const seconds = (performance.now() - begun) / 1000;
  const how = bulk ? 'operations in bulk' : `one by one, ${WIDTH.single} connections`;
  return { documents: ids.length, seconds, how, ids };
}

/** An empty list of operations tells: where the endpoint is missing, it is 404. */
async function hasBulkPath({ url }: Credentials, headers: Record<string, string>): Promise<boolean> {
  const client = new Connections(url, 1);
  const { status } = await client.send({
    method: 'POST',
    path: OPERATIONS,
    headers: { ...headers, 'content-type': ATOMIC, accept: ATOMIC },
    body: JSON.stringify({ 'atomic:operations': [] }),
  });
  client.close();
  return status !== 404 && status !== 403 && status !== 415;
}

interface Chunk {
  readonly from: number;
  /** The resource objects in JSON. */
  readonly texts: readonly string[];
}

function* chunks(resources: Iterable<Resource>, most: number): Generator<Chunk> {
  let from = 0;
  let texts: string[] = [];
  let characters = 0;
  for (const resource of resources) {
    const text = JSON.stringify(resource);
    if (texts.length > 0 && (texts.length === most || characters + text.length > MOST.characters)) {
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

async function sendOperations(
  client: Connections,
  headers: Record<string, string>,
  texts: readonly string[],
): Promise<readonly string[]> {
  const { text } = await client.exchange(operations(headers, texts));
  const { 'atomic:results': results } = JSON.parse(text) as { readonly 'atomic:results': readonly Body[] };
  if (results.length !== texts.length)
    throw new Error(`${results.length} results of ${texts.length} operations`);
  return results.map(({ data }) => data.id);
}

async function sendOne(
  client: Connections,
  headers: Record<string, string>,
  texts: readonly string[],
): Promise<readonly string[]> {
  const made: string[] = [];
  for (const text of texts) {
    const { type } = JSON.parse(text) as Resource;
    const path = `/resources/${type}`;
    const answer = await client.exchange({
      method: 'POST',
      path,
      headers,
      body: `{"data":${text}}`,
      status: 201,
    });
    made.push(bodyOf(answer.text).data.id);
  }
  return made;
}
