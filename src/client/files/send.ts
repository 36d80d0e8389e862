/** Requests whose bodies are bytes, and what moves of them. */
import type { Database } from '../database.ts';
import type { Answer } from '../transport.ts';

/** What of a client sends requests. */
export type Sender = Pick<Database<unknown>, 'request' | 'settings'>;

export interface SentFile {
  readonly headers?: { readonly [name: string]: string | undefined };
  readonly body?: Blob;
  readonly signal?: AbortSignal | undefined;
  /** Told how many bytes of the body have gone. */
  readonly onSent?: (bytes: number) => void;
}

/** Milliseconds in which some bytes of a body have to go. */
const STALLED = 30_000;

/** Sends a request by the client, with its headers, retries and errors, and gives its answer, the body unread. */
export async function sendBytes(
  db: Sender,
  method: string,
  path: string,
  { headers = {}, body, signal, onSent }: SentFile,
): Promise<Answer & { readonly response: Response }> {
  let response: Response | undefined;
  const { fetch: own = fetch } = db.settings;
  const { XMLHttpRequest: Xhr } = globalThis as unknown as Surroundings;
  const hasProgress = body !== undefined && Xhr !== undefined && db.settings.fetch === undefined;
  const answer = await db.request(method, path, {
    headers,
    signal,
    fetch: async (url, init) => {
      const request = { ...init, ...(body && { body }) };
      response = hasProgress
        ? await sendTold(new Xhr(), url, { ...request, signal: signal ?? null }, onSent)
        : await (body ? own(url, request) : fetchBody(own, url, request, signal));
      // The client reads what answers a body, and errors.
      return body || !response.ok ? response : new Response(null, { headers: response.headers });
    },
  });
  if (response === undefined) throw new Error('A request that did not fail has an answer.');
  return { ...answer, response };
}

/** The time for an answer ends where its body begins, which may take long. */
async function fetchBody(
  own: typeof fetch,
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const late = new AbortController();
  const end = () => {
    late.abort(init.signal?.reason);
  };
  init.signal?.addEventListener('abort', end);
  try {
    return await own(url, { ...init, signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]) });
  } finally {
    init.signal?.removeEventListener('abort', end);
  }
}

/** What a browser has: it alone tells how many bytes have gone. */
interface Telling {
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  readonly status: number;
  readonly responseText: string;
  readonly open: (method: string, url: string) => void;
  readonly setRequestHeader: (name: string, value: string) => void;
  readonly getAllResponseHeaders: () => string;
  readonly send: (body: unknown) => void;
  readonly abort: () => void;
  onload: (() => void) | null;
  onloadend: (() => void) | null;
}
interface Surroundings {
  readonly XMLHttpRequest?: new () => Telling;
}

function sendTold(
  xhr: Telling,
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onSent?: (bytes: number) => void,
): Promise<Response> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    xhr.abort();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(end, STALLED);
  };
  return new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted();
    xhr.open(method, url);
    for (const [name, value] of new Headers(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => {
      wait();
      onSent?.(loaded);
    };
    xhr.onload = () => {
      const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/);
      const answered = lines.map((line): [string, string] => {
        const [name = '', ...rest] = line.split(': ');
        return [name, rest.join(': ')];
      });
      resolve(new Response(xhr.responseText || null, { status: xhr.status, headers: answered }));
    };
    // After an answer nothing is left to be refused.
    xhr.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      reject(new TypeError('The connection was lost.'));
    };
    signal?.addEventListener('abort', end);
    wait();
    xhr.send(body);
  });
}
