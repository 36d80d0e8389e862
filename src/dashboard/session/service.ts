/**
 * Requests of the dashboard, all of them: to the application with its key (and as the user who has entered), or as the
 * operator. What was asked is remembered, so that every page can show it as code.
 */
import { signal } from '@preact/signals';
import { ForedgeError, type ErrorObject } from '../../client/errors.ts';
import { Transport, type Answer, type RequestOptions } from '../../client/transport.ts';
import { parsed } from '../parts/fields/json.ts';
import { credentials, hasEnded } from './credentials.ts';

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

/** A failure is a ForedgeError with the errors of the answer; 304 counts as one. */
export function ask(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { application, user, secret } = credentials.value;
  const asOperator = OPERATORS.test(path);
  const needed = asOperator ? secret : application;
  if (needed === undefined) throw new Error('Nobody has entered who may ask this.');
  const transport = new Transport({
    url: BASE,
    ...(!asOperator && application && { application: application.id, key: application.key }),
    fetch: recording(asOperator),
    retries: 1,
  });
  if (asOperator) transport.authorization = `Bearer ${secret ?? ''}`;
  else if (user !== undefined) transport.authorization = `Token ${user.token}`;
  return transport.send(method, path, options).catch(noted(asOperator ? 'operator' : 'application'));
}

/** What an endpoint of the service's own tells. */
export async function askMeta<Meta extends object>(...asked: Parameters<typeof ask>): Promise<Partial<Meta>> {
  const { body } = await ask(...asked);
  // The service answers as its documentation says.
  return (body.meta ?? {}) as Partial<Meta>;
}

/** Notes credentials that have ended. A key that is for users refuses whoever has entered as nobody, as it always does. */
function noted(whose: 'application' | 'operator') {
  return (error: unknown): never => {
    const isRefused = error instanceof ForedgeError && error.status === 401;
    if (isRefused && (error.code !== 'token-required' || credentials.value.user !== undefined))
      hasEnded.value = whose;
    throw error;
  };
}

/** What is no JSON:API, and the query of its next page. */
interface Lines {
  readonly text: string;
  readonly next: string | null;
}

/** Asks for a list as CSV; and as the operator for metrics, and lines of an export, which are sent by POST as well. */
export async function sendLines(
  method: 'GET' | 'POST',
  path: string,
  { lines, signal }: { readonly lines?: string; readonly signal?: AbortSignal } = {},
): Promise<Lines> {
  const { application, user, secret } = credentials.value;
  const asOperator = OPERATORS.test(path);
  const who = asOperator
    ? { authorization: `Bearer ${secret ?? ''}` }
    : {
        accept: 'text/csv',
        'application-id': application?.id ?? '',
        'api-key': application?.key ?? '',
        ...(user !== undefined && { authorization: `Token ${user.token}` }),
      };
  const response = await recording(asOperator)(BASE + path, {
    method,
    headers: { ...who, ...(lines !== undefined && { 'content-type': 'application/x-ndjson' }) },
    body: lines ?? null,
    signal: signal ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw new ForedgeError(response.status, errorsIn(text));
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return { text, next: next === undefined ? null : new URL(next).search };
}

/** The errors of an answer; none where it is not the service's. */
function errorsIn(text: string): readonly ErrorObject[] {
  return (parsed(text) as { readonly errors?: readonly ErrorObject[] } | undefined)?.errors ?? [];
}

function recording(asOperator: boolean): typeof fetch {
  return async (input, init) => {
    const started = performance.now();
    const url = new URL(input instanceof Request ? input.url : input);
    const note = (status: number | undefined) => {
      // A page that looks again and again whether anything has changed would drive all else out of memory.
      if (status === 304) return;
      const exchange: Exchange = {
        method: init?.method ?? 'GET',
        path: url.pathname.slice(new URL(BASE).pathname.replace(/\/$/, '').length),
        query: url.search.slice(1),
        body: typeof init?.body === 'string' ? init.body : undefined,
        headers: Object.fromEntries(new Headers(init?.headers)),
        status,
        milliseconds: performance.now() - started,
        asOperator,
      };
      exchanges.value = [exchange, ...exchanges.value].slice(0, REMEMBERED);
    };
    try {
      // A deletion that was promised is sent even while the page closes.
      const response = await fetch(input, { ...init, keepalive: init?.method === 'DELETE' });
      note(response.status);
      return response;
    } catch (error) {
      note(undefined);
      throw error;
    }
  };
}
