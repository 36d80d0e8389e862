/** What `files` of a database has, and takes. */
import type { Link } from '../transport.ts';
import type { Document, Reference } from '../types.ts';

export interface Upload {
  readonly blob: Blob;
  readonly name?: string | undefined;
  /** The id of an upload that was begun before. */
  readonly id?: string | undefined;
  readonly onBegin?: ((id: string) => void) | undefined;
  readonly onProgress?: ((sent: number, size: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for which nothing may come through. */
  readonly patience: number;
}

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
export type Uploaded<S> = Document<S, 'core.file'> | Reference<S, 'core.file'>;

/** What `files` of a database has. */
export interface Files<S> {
  /** Stores a content as a new file. Above 5 MB, or with `onBegin`, it can go on after the connection was lost. */
  readonly upload: (blob: Blob, options?: UploadOptions) => Promise<Uploaded<S>>;
  /** The address of a content for whoever has it, as `<img>` does: the same again for most of its life. */
  readonly url: (file: Link, options?: UrlOptions) => Promise<string>;
  /** The answer with a content: its body is a stream, or with `blob()` a Blob. */
  readonly content: (file: Link, options?: ContentOptions) => Promise<Response>;
}
