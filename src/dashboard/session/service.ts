/**
 * Requests of the dashboard, all of them: to the application with its key (and as the user who has entered), or as the
 * operator. What was asked is remembered, so that every page can show it as code. Then what pages load, and what is
 * asked of documents of any type.
 */
import { computed, signal } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError, type ErrorObject } from '../../client/errors.ts';
import { connect } from '../../client/index.ts';
import { pathOf, pathOfDocument } from '../../client/paths.ts';
import {
  Transport,
  type Answer,
  type Link,
  type RequestOptions,
  type Resource,
} from '../../client/transport.ts';
import { bare, wrapped } from '../parts/fields/json.ts';
import { credentials, enter, entrance, hasEnded, isAsked, renew } from './credentials.ts';
import { isList } from '../../domain/values/tree.ts';

/** A request and what became of it. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The JSON that was sent. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there was no answer. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** As the operator, and not with a key. */
  readonly asOperator: boolean;
}

/** The address of the service, without a slash at its end: the page stands at its top. */
export const BASE = new URL('.', location.href.split('#')[0]).href.replace(/\/$/, '');

/** How many requests are remembered. */
const REMEMBERED = 30;

/** What was asked, the last one first. */
export const exchanges = signal<readonly Exchange[]>([]);

/** What is the operator's to ask; all else is asked of the application. */
const OPERATORS = /^\/(applications|metrics)\b/;

/** The open application, as whoever has entered. A token that ends is refreshed, where its login can be. */
export const database = computed(() => {
  const own = entrance.value;
  const { application: { id = '', key = '' } = {}, user } = own;
  return connect({
    ...{ url: BASE, application: id, key, retries: 1 },
    ...{ token: user?.token, refreshToken: user?.refreshToken },
    onToken: (token, refreshToken) => {
      if (entrance.value !== own || user === undefined) return;
      // A login that has ended is asked for again: until then nothing is asked without it.
      if (token === null) enter({ ...credentials.value, user: { ...user, refreshToken } });
      else renew({ ...credentials.value, user: { ...user, token, refreshToken } });
    },
  });
});

/** The status of the answer that a failure is. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof ForedgeError ? error.status : undefined;
}

/** A failure is a ForedgeError with the errors of the answer; 304 counts as one. */
export function ask(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { application, secret } = credentials.value;
  const asOperator = OPERATORS.test(path);
  if ((asOperator ? secret : application) === undefined)
    throw new Error('Nobody has entered who may ask this.');
  const recorded = { fetch: recording(asOperator), ...options };
  const asked = asOperator
    ? operator(secret).send(method, path, recorded)
    : database.value.request(method, path, recorded);
  return asked.catch(noted(asOperator ? 'operator' : 'application', method));
}

export function operator(secret = ''): Transport {
  const transport = new Transport({ url: BASE, retries: 1 });
  transport.authorization = `Bearer ${secret}`;
  return transport;
}

/** What an endpoint of the service's own tells. */
export async function askMeta<Meta extends object>(...asked: Parameters<typeof ask>): Promise<Meta> {
  const { body } = await ask(...asked);
  // The service answers as its documentation says.
  return (body.meta ?? {}) as Meta;
}

/** Notes credentials that have ended. A key that is for users always refuses whoever has entered as nobody. */
function noted(whose: 'application' | 'operator', method: string) {
  return (error: unknown): never => {
    const isRefused = error instanceof ForedgeError && error.status === 401;
    if (isRefused && (error.code !== 'token-required' || credentials.value.user !== undefined)) {
      hasEnded.value = whose;
      if (method !== 'GET') isAsked.value = true;
    }
    throw error;
  };
}

/** What is no JSON:API, and the query of its next page. */
interface Lines {
  text: string;
  next: string | null;
}

/** Asks for a list as CSV; and as the operator for metrics, and lines of an export, which are sent by POST as well. */
export async function sendLines(
  method: 'GET' | 'POST',
  path: string,
  { lines, signal }: { readonly lines?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<Readonly<Lines>> {
  const read: Lines = { text: '', next: null };
  const send = async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set('accept', OPERATORS.test(path) ? '*/*' : 'text/csv');
    if (lines !== undefined) headers.set('content-type', 'application/x-ndjson');
    const response = await recording(OPERATORS.test(path))(url, { ...init, headers, body: lines ?? null });
    if (!response.ok) return response;
    read.text = await response.text();
    const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
    read.next = next === undefined ? null : new URL(next).search;
    return new Response('{}');
  };
  await ask(method, path, { fetch: send, signal });
  return read;
}

/** Types that hold JSON as it was written. */
const AS_WRITTEN = /^\/(schemas|api-keys|webhooks|aggregates\/core\.aggregate)\b/;

function recording(asOperator: boolean) {
  return async (address: string, init: RequestInit) => {
    const started = performance.now();
    let status: number | undefined;
    const url = new URL(address);
    const path = url.pathname.slice(new URL(BASE).pathname.replace(/\/$/, '').length);
    const isAsWritten = AS_WRITTEN.test(path);
    const body = typeof init.body !== 'string' ? undefined : isAsWritten ? bare(init.body) : init.body;
    try {
      // A deletion that was promised is sent even while the page closes.
      const sent = { ...init, ...(body !== undefined && { body }), keepalive: init.method === 'DELETE' };
      const response = await fetch(address, sent);
      ({ status } = response);
      if (!isAsWritten || (status !== 200 && status !== 201)) return response;
      return new Response(wrapped(await response.text()), response);
    } finally {
      const exchange: Exchange = {
        method: init.method ?? 'GET',
        path,
        query: url.search.slice(1),
        body,
        headers: Object.fromEntries(new Headers(init.headers)),
        status,
        milliseconds: performance.now() - started,
        asOperator,
      };
      // A page that looks again and again whether anything has changed would drive all else out of memory.
      if (status !== 304) exchanges.value = [exchange, ...exchanges.value].slice(0, REMEMBERED);
    }
  };
}

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

/** The same of what is asked for as lines. */
export async function* pagesOfLines(path: string, query: Query, signal?: AbortSignal) {
  const parameters = new URLSearchParams(query);
  const size = { most: 1_000 };
  for (let after: string | null = ''; after !== null;) {
    parameters.set('page[after]', after);
    const { text, next } = await fitting(size, (count) => {
      parameters.set('page[size]', String(count));
      return sendLines('GET', `${path}?${parameters.toString()}`, { signal });
    });
    yield text;
    after = next === null ? null : new URLSearchParams(next).get('page[after]');
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

export interface Loaded<T> {
  /** What came last: it stays while the next load is under way. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads at once, again whenever one of `on` changes, and when `reload` is called. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    value: undefined,
    error: undefined,
    isLoading: true,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const control = new AbortController();
    setState(({ value }) => ({ value, error: undefined, isLoading: true }));
    latest.current(control.signal).then(
      (value) => {
        if (!control.signal.aborted) setState({ value, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (!control.signal.aborted) setState(({ value }) => ({ value, error, isLoading: false }));
      },
    );
    return () => control.abort();
  }, [...on, turn]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  return { ...state, reload };
}
