/** A client of the service under test: plain fetch, with the headers every request needs. */
import { inject } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { checkAgainstContract, plainFetch } from './contract-check.ts';

export const MEDIA_TYPE = 'application/vnd.api+json';
export const ATOMIC_MEDIA_TYPE = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`;

export interface Link {
  readonly type: string;
  readonly id: string;
}

export interface Resource extends Link {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<
    Record<
      string,
      {
        readonly data: Link | Link[] | null;
        readonly links: { readonly self: string; readonly related: string };
      }
    >
  >;
  readonly links: { readonly self: string };
}

/** A document as `make` gives it, with the tag of its creation. */
export type Made = Resource & { readonly etag: string };

export const link = ({ type, id }: Link): Link => ({ type, id });

/** The linkage of a relationship to one document. */
export const to = (document: Link): { readonly data: Link } => ({ data: link(document) });

export const pathOf = ({ type, id }: Link): string => `/resources/${type}/${id}`;

export interface ErrorObject {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string };
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly links?: { readonly about: string };
}

/** Whatever the service answers; members that an answer lacks are absent. */
export interface Body {
  readonly data: Resource & Resource[];
  readonly included: Resource[];
  readonly meta: { readonly count: number } & Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<'self' | 'first' | 'last' | 'prev' | 'next', string | null>>;
  readonly errors: ErrorObject[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  /** The body parsed; an empty object when there is none, or none of ours. */
  readonly body: Body;
  /** The `ETag` header, or ''. */
  readonly etag: string;
}

export interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with the media type of JSON:API; a string or bytes are sent as they are. */
  readonly body?: unknown;
}

interface NewKey {
  readonly client: Client;
  readonly link: Link;
  readonly path: string;
}

export class Client {
  readonly url: string;
  readonly application: string;
  readonly key: string;

  constructor(url: string, application: string, key: string) {
    this.url = url;
    this.application = application;
    this.key = key;
  }

  /** A client of a new application, with a key that permits everything. */
  static async create(name = 'test'): Promise<Client> {
    const { id, apiKey } = await operator().create(name);
    return new Client(inject('url'), id, apiKey);
  }

  /** The same application with another key, made with these permissions. */
  async withPermissions(permissions: unknown): Promise<Client> {
    return (await this.newKey(permissions)).client;
  }

  /** Another key, with the address that it is changed at. */
  async newKey(permissions: unknown, more: object = {}): Promise<NewKey> {
    const attributes = { name: 'a key', permissions, ...more };
    const made = await this.create('/api-keys/core.api-key', { attributes });
    if (made.status !== 201) throw new Error(made.text);
    const { type, id, attributes: shown } = made.body.data;
    const client = new Client(this.url, this.application, String(shown?.['secure-id']));
    return { client, link: { type, id }, path: `/api-keys/${type}/${id}` };
  }

  get(path: string, headers?: Options['headers']): Promise<Reply> {
    return this.send('GET', path, { ...(headers && { headers }) });
  }

  post(path: string, body?: unknown, headers?: Options['headers']): Promise<Reply> {
    return this.send('POST', path, { ...(body !== undefined && { body }), ...(headers && { headers }) });
  }

  patch(path: string, body?: unknown, headers?: Options['headers']): Promise<Reply> {
    return this.send('PATCH', path, { ...(body !== undefined && { body }), ...(headers && { headers }) });
  }

  delete(path: string, body?: unknown, headers?: Options['headers']): Promise<Reply> {
    return this.send('DELETE', path, { ...(body !== undefined && { body }), ...(headers && { headers }) });
  }

  /** Asks for a new document of the type that the address ends with, of these members beside its type. */
  create(path: string, members: object = {}, headers?: Options['headers']): Promise<Reply> {
    return this.post(path, { data: { type: path.split('/').at(-1), ...members } }, headers);
  }

  /** Asks for a change of the document at an address, which ends with its type and id. */
  update(path: string, members: object, headers?: Options['headers']): Promise<Reply> {
    const [type, id] = path.split('/').slice(-2);
    return this.patch(path, { data: { type, id, ...members } }, headers);
  }

  /** Creates a document and returns it. */
  async make(type: string, attributes?: unknown, relationships?: unknown): Promise<Made> {
    const made = await this.create(`/resources/${type}`, { attributes, relationships });
    if (made.status !== 201) throw new Error(made.text);
    return { ...(made.body.data as Resource), etag: made.etag };
  }

  /** Creates a document without being shown it, as suits large ones. */
  async makeUnseen(type: string, attributes: unknown): Promise<Link> {
    const made = await this.create(`/resources/${type}`, { attributes }, { prefer: 'return=minimal' });
    if (made.status !== 204) throw new Error(made.text);
    return { type, id: made.headers.get('location')?.split('/').at(-1) ?? '' };
  }

  /** Sends a request; `path` may be a whole address, as links are. */
  async send(method: string, path: string, { headers, body }: Options = {}): Promise<Reply> {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
    const request: RequestInit = {
      method,
      headers: {
        'application-id': this.application,
        'api-key': this.key,
        ...(body !== undefined && { 'content-type': MEDIA_TYPE }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    };
    const response = await plainFetch(path.startsWith('http') ? path : `${this.url}${path}`, request);
    const text = await response.text();
    await checkAgainstContract(method, response, text, request);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: bodyOf(text, response.headers),
      etag: response.headers.get('etag') ?? '',
    };
  }
}

/** The parsed body; that it tells its version of JSON:API is checked here, of every answer, and not repeated. */
function bodyOf(text: string, headers: Headers): Body {
  const isOne = text.startsWith('{') && headers.get('content-type') !== 'application/x-ndjson';
  const { jsonapi, ...body } = (isOne ? JSON.parse(text) : {}) as Body & {
    readonly jsonapi?: { readonly version?: unknown };
  };
  if (
    text !== '' &&
    headers.get('content-type')?.startsWith(MEDIA_TYPE) === true &&
    jsonapi?.version !== '1.1'
  ) {
    throw new Error(`An answer without its version of JSON:API: ${text}`);
  }
  return body;
}

/** The secrets of the service under test. */
export const secretsHere = () => ({
  CREDENTIAL_SECRETS: inject('credentialSecrets'),
  OPERATOR_SECRET: inject('operatorSecret'),
});

/** Headers of a request by the operator. */
export const asOperator = (secret = inject('operatorSecret')) => ({ authorization: `Bearer ${secret}` });

/** The operator of the service under test. */
export function operator(): Operator {
  return new Operator(inject('url'), inject('operatorSecret'));
}

/** Objects woken, calls made, reads (`lookups`) and writes of KV, and the most of these reads under way at a time. */
export type Counts = Readonly<Record<'objects' | 'calls' | 'lookups' | 'writes' | 'together', number>>;

/** What the service at this address has done since it started. */
export async function counts(url: string): Promise<Counts> {
  const response = await fetch(`${url}/test/counts`);
  return response.json<Counts>();
}

/** The body of a list as it came, but for the address of the request, which repeats what was asked. */
export function apartFromSelf({ text }: Reply): string {
  return text.replace(/"self":"[^"]*\?[^"]*",?/, '');
}

/** An id that no document has. */
export const NO_ID = 'f'.repeat(24);
