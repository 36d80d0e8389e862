/**
 * Files and their content: uploads that go on after the connection was lost, content, and addresses for `<img>`. It is
 * a module of its own, `/client-files.js`, beside the client (docs/client.md, Files).
 */
import type { Database } from './database.ts';
import { uploadInPieces, type Upload } from './files/resumable.ts';
import { sendBytes } from './files/send.ts';
import { documentsOf } from './index.ts';
import { pathOf, pathOfDocument } from './paths.ts';
import type { Link } from './transport.ts';
import type { Document, Name, Reference } from './types.ts';

const TYPE = 'core.file';

/** Bytes of the largest content that goes in one request. */
const DIRECT = 5_000_000;

/** Links that are cached at most, and for which part of their life. */
const MOST_CACHED = 1000;
const USED = 3 / 4;

export type UploadOptions = Partial<Omit<Upload, 'blob'>>;

export interface UrlOptions {
  /** Milliseconds for which a new link leads to the content, a week at most; an hour without it. */
  readonly lifetime?: number | undefined;
  /** Whether the content is to be saved, and not shown. */
  readonly download?: boolean | undefined;
  /** The size of a picture (docs/files.md, Pictures in sizes); without any, the content as it is. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit?: 'scale-down' | 'contain' | 'cover' | undefined;
  readonly format?: 'auto' | 'webp' | 'jpeg' | 'avif' | undefined;
}

export interface ContentOptions {
  /** The bytes that are asked for, as `Range` has them: `bytes=0-99`. */
  readonly range?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file as it was stored; its type and id alone where the key does not show it. */
export type Uploaded<S> = Document<S, typeof TYPE> | Reference<S, typeof TYPE>;

export function filesOf<S>(db: Database<S>): Files<S> {
  return new Files(db);
}

export class Files<S> {
  readonly #db: Database<S>;
  readonly #links = new Map<string, { readonly href: Promise<string>; readonly fresh: number }>();

  constructor(db: Database<S>) {
    this.#db = db;
  }

  /** Stores a content as a new file. Above 5 MB, or with `onBegin`, it can go on after the connection was lost. */
  async upload(blob: Blob, options: UploadOptions = {}): Promise<Uploaded<S>> {
    const { id, onBegin, patience = 60_000 } = options;
    const name = options.name ?? nameOf(blob);
    if (blob.size <= DIRECT && id === undefined && onBegin === undefined)
      return this.#uploadAtOnce({ ...options, blob, name, patience });
    const made = await uploadInPieces(this.#db, { ...options, blob, name, patience });
    const document = await this.#db.get(TYPE as Name<S>, made).catch(() => null);
    return (document ?? { type: TYPE, id: made }) as Uploaded<S>;
  }

  /** The address of a content for whoever has it, as `<img>` does: the same again for most of its life. */
  url(file: Link, { lifetime = 3_600_000, ...shown }: UrlOptions = {}): Promise<string> {
    // What one user may read, the next one may not.
    const name = [this.#db.token, file.id, lifetime, JSON.stringify(shown)].join();
    const now = Date.now();
    const cached = this.#links.get(name);
    if (cached !== undefined && cached.fresh > now) return cached.href;
    const href = this.#link(file, { ...shown, until: new Date(now + lifetime).toISOString() });
    href.catch(() => this.#links.delete(name));
    this.#links.delete(name);
    this.#links.set(name, { href, fresh: now + lifetime * USED });
    const [oldest = ''] = this.#links.keys();
    if (this.#links.size > MOST_CACHED) this.#links.delete(oldest);
    return href;
  }

  /** The answer with a content: its body is a stream, or with `blob()` a Blob. */
  async content(file: Link, { range, signal }: ContentOptions = {}): Promise<Response> {
    const headers = { accept: '*/*', range };
    return (await sendBytes(this.#db, 'GET', pathOfDocument(file, 'content'), { headers, signal })).response;
  }

  async #uploadAtOnce({ blob, name, onProgress, signal }: Upload): Promise<Uploaded<S>> {
    const { size, type } = blob;
    const { body, etag } = await sendBytes(this.#db, 'POST', pathOf(TYPE), {
      headers: {
        'content-type': type || 'application/octet-stream',
        'content-disposition': name && `attachment; filename*=UTF-8''${encoded(name)}`,
      },
      body: blob,
      signal,
      onSent: (bytes) => onProgress?.(bytes, size),
    });
    onProgress?.(size, size);
    return documentsOf(body, etag)[0] as Uploaded<S>;
  }

  async #link(file: Link, meta: object): Promise<string> {
    const answer = await this.#db.request('POST', pathOfDocument(file, 'links'), { body: { meta } });
    return (answer.body.meta as { readonly href: string }).href;
  }
}

/** A File has a name. */
const nameOf = (blob: Blob) => ('name' in blob && typeof blob.name === 'string' ? blob.name : undefined);

/** A text as RFC 8187 has it in a parameter of a header. */
const encoded = (text: string) =>
  encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD')).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.codePointAt(0)?.toString(16)}`,
  );
