/** Requests: headers, errors, and sending again what may be sent again. */
import { ForedgeError, type ErrorObject } from './errors.ts';
import { write, type Json } from './values.ts';

export interface Link {
  readonly type: string;
  readonly id: string;
}

/** A resource object of an answer, in the wrappers of the profile. */
export interface Resource extends Link {
  readonly attributes?: { readonly [name: string]: Json };
  readonly relationships?: { readonly [name: string]: { readonly data?: Link | readonly Link[] | null } };
  readonly meta?: { readonly inverses?: { readonly [name: string]: readonly Link[] } } & {
    readonly [name: string]: Json;
  };
}

/** The body of an answer. Which members it has depends on the request. */
export interface Body {
  readonly data?: Resource | readonly Resource[] | null;
  readonly included?: readonly Resource[];
  readonly meta?: {
    readonly count?: number;
    readonly warnings?: readonly ErrorObject[];
    readonly deleted?: readonly Link[];
    readonly mark?: string;
    /** Of a new second factor. */
    readonly 'recovery-codes'?: readonly string[];
  };
  readonly links?: { readonly next?: string | null };
  readonly errors?: readonly ErrorObject[];
  readonly 'atomic:results'?: readonly OperationResult[];
}

export interface OperationResult {
  readonly data?: Resource | null;
  readonly meta?: { readonly etag?: string; readonly errors?: readonly ErrorObject[] };
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly etag: string | undefined;
}

export interface RequestOptions {
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string | undefined };
  readonly signal?: AbortSignal | undefined;
  /** Sends it in the place of the client's own `fetch`: for bodies that are no JSON. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The extension of the media type, for the endpoint that has one. */
  readonly extension?: string;
}

/** A service, and perhaps an application of it: what the operator asks belongs to none. */
interface Service {
  /** The address of the service, as its links begin. */
  readonly url: string;
  readonly application?: string;
  readonly key?: string;
  readonly cookie?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** How often a request is sent again at most. */
  readonly retries?: number | undefined;
  /** Milliseconds until a request counts as one without an answer; 120,000 without it. */
  readonly timeout?: number | undefined;
}

export interface Settings extends Service {
  readonly application: string;
  readonly key: string;
  /** Lets the browser keep in a cookie what refreshes a login (docs/accounts.md#cookies). */
  readonly cookie?: boolean | undefined;
}

const MEDIA_TYPE = 'application/vnd.api+json';
const PROFILE = '/profiles/extended-json';
/** Milliseconds: where the service asks to wait longer, the caller is told. */
const LONGEST_WAIT = 10_000;

export class Transport {
  /** The header `Authorization` of the user who is logged in. */
  authorization: string | undefined;
  readonly #settings: Service;
  readonly #base: string;

  constructor(settings: Service) {
    this.#settings = settings;
    this.#base = settings.url.replace(/\/+$/, '');
  }

  /**
   * Sends a request and gives its answer; every failure is a ForedgeError, and an abort what the signal says. Reads,
   * and requests with an `Idempotency-Key`, are sent again when the network fails or the service is busy; changes only
   * if the service has said that it did nothing (429).
   */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const repeatable = method === 'GET' || options.headers?.['idempotency-key'] !== undefined;
    const retries = this.#settings.retries ?? 3;
    // Whoever logs in meanwhile has not asked for it.
    const { authorization } = this;
    for (let attempt = 0; ; attempt += 1) {
      const { answer, error, after } = await this.#once(method, path, options, authorization);
      if (answer !== undefined) return answer;
      const { status, code } = error;
      const harmless =
        (repeatable && (status === 0 || status === 503 || code === 'request-in-progress')) ||
        (status === 429 && (repeatable || method !== 'POST'));
      const wait = after === undefined ? 200 * 2 ** attempt : Number(after) * 1000;
      if (!harmless || attempt >= retries || !(wait <= LONGEST_WAIT)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
      options.signal?.throwIfAborted();
    }
  }

  async #once(method: string, path: string, options: RequestOptions, authorization: string | undefined) {
    const { query, body, headers, signal, extension } = options;
    const ext = extension === undefined ? '' : `;ext="${extension}"`;
    const { application, cookie, key, fetch: own = fetch, timeout = 120_000 } = this.#settings;
    const all = {
      accept: `${MEDIA_TYPE + ext};profile="${this.#base}${PROFILE}"`,
      'application-id': application,
      'api-key': key,
      'content-type': body === undefined ? undefined : MEDIA_TYPE + ext,
      authorization,
      // Where cookies come and go.
      prefer: cookie === true && /core\.(user\.token|account-action)/.test(path) ? 'cookie' : undefined,
      ...headers,
    };
    const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
    let response: Response;
    let text: string;
    try {
      const send = options.fetch ?? own;
      response = await send(this.#base + path + (query ? `?${query}` : ''), {
        method,
        headers: sent,
        body: body === undefined ? null : write(body),
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      return { error: unreachable(this.#base, cause), after: undefined };
    }
    const of = (name: string) => response.headers.get(name) ?? undefined;
    const type = of('content-type') ?? '';
    const requestId = of('x-request-id');
    const read = parse(text || (requestId && '{}') || '');
    // A network that wants a login first answers for the service: with pages, or with nothing.
    let errors = (type.startsWith(MEDIA_TYPE) && read?.errors) || [];
    if (response.ok && read !== undefined) {
      if (read.data === undefined || type.includes(PROFILE)) {
        return { answer: { status: response.status, body: read, etag: of('etag') } };
      }
      // Without the profile dates would be strings, and large integers wrong.
      errors = [fault('other-address', `Its PUBLIC_URL is not ${this.#base}`)];
    }
    const error = new ForedgeError(response.status, errors, { requestId });
    return { error, after: of('retry-after') };
  }
}

/** A fault that the client itself has found. */
export const fault = (code: string, title: string) => ({ status: '0', code, title, detail: title });

export const unreachable = (from: string, cause: unknown) =>
  new ForedgeError(0, [fault('unreachable', `No answer from ${from}`)], { cause });

/** The body of an answer; undefined for what is not of this service. */
function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}
