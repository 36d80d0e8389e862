/** A client of the operator's endpoints: what the command line and the first start use. */
import { Failure } from './failure.ts';

/** Of requests with a document. */
export const DOCUMENT = { 'content-type': 'application/vnd.api+json' };

export interface Application {
  readonly id: string;
  readonly name: string;
  /** When it is deleted, where that was said: an ISO date-time. */
  readonly ends?: string;
}

/** An application, or a key of one. */
interface Resource {
  readonly id: string;
  readonly attributes: {
    readonly name: string;
    readonly 'secure-id'?: string;
    readonly ends?: string | null;
  };
}

interface ErrorObject {
  readonly title: string;
  readonly detail: string;
  readonly source?: { readonly pointer?: string };
  readonly meta?: { readonly line?: number };
}

interface JsonApi {
  readonly data?: Resource | readonly Resource[] | null;
  readonly meta?: { readonly 'api-key'?: string };
  readonly links?: { readonly next: string | null };
}

const TYPE = 'core.application';

/** The permission of a key that permits everything. */
export const EVERYTHING = { path: '.*', methods: ['get', 'post', 'patch', 'delete', 'bulk'] };

export class Operator {
  readonly base: string;
  readonly #secret: string;

  constructor(base: string, secret: string) {
    this.base = base.replace(/\/+$/, '');
    this.#secret = secret;
  }

  /** The new application with its first API key, which permits everything; `more`: its other attributes. */
  async create(
    name: string,
    placement?: string,
    more: object = {},
  ): Promise<Application & { readonly apiKey: string }> {
    const attributes = { ...more, name, ...(placement !== undefined && { placement }) };
    const answer = await this.#call('POST', '', { data: { type: TYPE, attributes } });
    const apiKey = answer?.meta?.['api-key'];
    if (apiKey === undefined) throw new Error('The answer holds no API key.');
    return { ...open(one(answer)), apiKey };
  }

  /** A new key of the application that permits everything. */
  async key(application: string, name: string): Promise<string> {
    return (await this.keyWith(application, name, [EVERYTHING])).apiKey;
  }

  /** A new key of the application with these permissions. */
  async keyWith(
    application: string,
    name: string,
    permissions: readonly object[],
  ): Promise<{ readonly id: string; readonly apiKey: string }> {
    const data = { type: 'core.api-key', attributes: { name, permissions } };
    const { id, attributes } = one(await this.#call('POST', `/${application}/api-keys`, { data }));
    const apiKey = attributes['secure-id'];
    if (apiKey === undefined) throw new Error('The answer holds no API key.');
    return { id, apiKey };
  }

  /** Whether the service takes a key. */
  async isKnown(application: string, key: string): Promise<boolean> {
    const headers = { 'application-id': application, 'api-key': key };
    const { status } = await fetch(`${this.base}/api-keys/core.api-key?page[limit]=1`, { headers });
    return status !== 401;
  }

  async list(): Promise<readonly Application[]> {
    const found: Application[] = [];
    for await (const each of this.all('')) found.push(open(each));
    return found;
  }

  /** Every resource of a list below the applications. */
  async *all(path: string): AsyncGenerator<Resource> {
    for (let query: string | null = '?page%5Bsize%5D=1000'; query !== null;) {
      const answer: JsonApi | null = await this.#call('GET', `${path}${query}`);
      yield* [answer?.data ?? []].flat();
      // The address may begin with another origin, and with a path in front.
      const next = answer?.links?.next ?? null;
      query = next === null ? null : new URL(next).search;
    }
  }

  /** Ends an application at once, to be deleted later; tells when. */
  async end(id: string): Promise<string> {
    const { ends } = open(one(await this.#call('POST', `/${id}/deletion`)));
    if (ends === undefined) throw new Error('The answer does not say when the application is deleted.');
    return ends;
  }

  /** Has an application back that was to be deleted. */
  async keep(id: string): Promise<void> {
    await this.#call('DELETE', `/${id}/deletion`);
  }

  /** Gives an application these attributes; null ends what they say. */
  async change(id: string, attributes: object): Promise<Application> {
    return open(one(await this.#call('PATCH', `/${id}`, { data: { type: TYPE, id, attributes } })));
  }

  /** Deletes the application with everything in it. */
  async delete(id: string): Promise<void> {
    await this.#call('DELETE', `/${id}`);
  }

  /** What an endpoint below the applications answers; null for nothing. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#call(method, path, body);
  }

  async #call(method: string, path: string, body?: unknown): Promise<JsonApi | null> {
    const [text, headers] = body === undefined ? [] : [JSON.stringify(body), DOCUMENT];
    const response = await this.request(method, path, text, headers).catch((error: unknown) => {
      throw this.nobody(error);
    });
    const answer = okay({ status: response.status, text: await response.text() });
    return answer.text === '' ? null : (JSON.parse(answer.text) as JsonApi);
  }

  /** To an address below the applications. */
  protected request(method: string, path: string, body?: string | Blob, headers = {}): Promise<Response> {
    return fetch(`${this.base}/applications/${TYPE}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#secret}`, ...headers },
      ...(body !== undefined && { body }),
    });
  }

  protected nobody(cause: unknown): Failure {
    return new Failure(`There is no server at ${this.base}.`, { cause });
  }
}

/** The answer, or what the service says where it has refused. */
export function okay<A extends { readonly status: number; readonly text: string }>(answer: A): A {
  if (answer.status < 400) return answer;
  const [error] = errorsOf(answer);
  throw new Failure(
    error === undefined ? `The service answered ${answer.status}.` : `${error.title}: ${error.detail}`,
  );
}

export function errorsOf({ text }: { readonly text: string }): readonly ErrorObject[] {
  try {
    return (JSON.parse(text) as { readonly errors?: readonly ErrorObject[] }).errors ?? [];
  } catch {
    return [];
  }
}

function one(answer: JsonApi | null): Resource {
  const data = answer?.data;
  if (data === undefined || data === null || Array.isArray(data))
    throw new Error('The answer is not one resource.');
  return data as Resource;
}

function open({ id, attributes }: Resource): Application {
  const { name, ends = null } = attributes;
  return { id, name, ...(ends !== null && { ends }) };
}
