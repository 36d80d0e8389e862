/** A list of documents: what is asked for, as data, and the ways to read it. Only these ask anything. */
import { documentsOf, type Any } from './documents.ts';
import { encodeQuery, parametersOf, type RawQuery } from './query.ts';
import type { ErrorObject } from './errors.ts';
import type { Answer, RequestOptions } from './transport.ts';

/** Which page: the one after a cursor (the first without one), the one with a number, or the one at an offset. */
export interface PageOptions {
  readonly after?: string | null;
  /** From 1. */
  readonly number?: number;
  readonly offset?: number;
  /** How many documents: at most 1,000; 20 without it. */
  readonly size?: number;
  /** `false` saves the service counting. */
  readonly count?: boolean;
}

export interface Page<Document> {
  readonly documents: Document[];
  /** How many documents there are on all pages; undefined where they were not counted. */
  readonly count: number | undefined;
  /** The cursor of the next page, for `after`; null on the last page, and for pages by number and offset. */
  readonly next: string | null;
  /** What the service found odd about the request. */
  readonly warnings: readonly ErrorObject[];
}

type Send = (method: 'GET', path: string, options: RequestOptions) => Promise<Answer>;

/** Reads what a query asks of an address, and has the documents of the answer. */
export async function read(
  send: Send,
  path: string,
  type: string,
  query: RawQuery,
  more?: Readonly<Record<string, string | number>>,
): Promise<Pick<Answer, 'body' | 'etag'> & { readonly documents: Any[] }> {
  const { body, etag } = await send('GET', path, {
    query: encodeQuery({ ...parametersOf(type, query), ...more }),
    signal: query.signal,
  });
  return { body, etag, documents: documentsOf(body, etag) };
}

/** What one request brings while a list is read to its end. */
const MOST = 1000;
const SOME = 100;

export class List<Document> implements AsyncIterable<Document> {
  readonly #send: Send;
  readonly #path: string;
  /** The type that names of `fields` are of; '' where only the service knows it. */
  readonly #type: string;
  readonly #query: RawQuery;

  constructor(send: Send, path: string, type: string, query: RawQuery) {
    this.#send = send;
    this.#path = path;
    this.#type = type;
    this.#query = query;
  }

  /** One page, with the number of documents on all of them. */
  async page({ after, number, offset, size = this.#query.size ?? 20, count }: PageOptions = {}): Promise<
    Page<Document>
  > {
    const place =
      number !== undefined
        ? { 'page[number]': number, 'page[size]': size }
        : offset !== undefined
          ? { 'page[offset]': offset, 'page[limit]': size }
          : { 'page[after]': after ?? '', 'page[size]': size };
    const { body, documents } = await read(this.#send, this.#path, this.#type, this.#query, {
      ...place,
      ...(count === false && { 'page[count]': 'false' }),
    });
    const next = new URLSearchParams(body.links?.next?.replace(/^[^?]*/, '') ?? '').get('page[after]');
    return {
      documents: documents as Document[],
      count: body.meta?.count,
      next,
      warnings: body.meta?.warnings ?? [],
    };
  }

  /** Every document, page by page, by cursors: `for await (const book of db.list('books'))`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Document, void, undefined> {
    yield* this.#read(this.#query.size ?? SOME);
  }

  /** Every document, in memory. */
  async all(): Promise<Document[]> {
    const documents: Document[] = [];
    for await (const document of this.#read(this.#query.size ?? MOST)) documents.push(document);
    return documents;
  }

  /** The first document, or null when there is none. */
  async first(): Promise<Document | null> {
    const { documents } = await this.page({ size: 1, count: false });
    return documents[0] ?? null;
  }

  /** How many documents there are. */
  async count(): Promise<number> {
    const { filter, parameters, signal } = this.#query;
    const bare = new List(this.#send, this.#path, this.#type, {
      filter,
      parameters,
      signal,
      fields: this.#type ? [] : undefined,
    });
    return (await bare.page({ size: 1 })).count ?? 0;
  }

  async *#read(size: number): AsyncGenerator<Document, void, undefined> {
    let after: string | null = '';
    do {
      const page: Page<Document> = await this.page({ after, size, count: false });
      yield* page.documents;
      after = page.next;
    } while (after !== null);
  }
}
