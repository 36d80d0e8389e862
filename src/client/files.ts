/**
 * Files and their content: uploads that go on after the connection was lost, content, and addresses for `<img>`. It is
 * a module of its own, `/client-files.js`, which `files` of a database loads (docs/client.md, Files).
 */
import type { Database } from './database.ts';
import { uploadInPieces } from './files/resumable.ts';
import { sendBytes, type Sender } from './files/send.ts';
import type { ContentOptions, Upload, Uploaded, UploadOptions, UrlOptions } from './files/types.ts';
import { documentsOf } from './index.ts';
import { pathOf, pathOfDocument } from './paths.ts';
import type { Link } from './transport.ts';
import type { Name } from './types.ts';

const TYPE = 'core.file';

/** Bytes of the largest content that goes in one request. */
const DIRECT = 5_000_000;

/** Links that are cached at most, and for which part of their life. */
const MOST_CACHED = 1000;
const USED = 3 / 4;

export async function upload<S>(
  db: Database<S>,
  blob: Blob,
  options: UploadOptions = {},
): Promise<Uploaded<S>> {
  const { id, onBegin, patience = 60_000 } = options;
  const name = options.name ?? nameOf(blob);
  if (blob.size <= DIRECT && id === undefined && onBegin === undefined)
    return uploadAtOnce(db, { ...options, blob, name, patience });
  const made = await uploadInPieces(db, { ...options, blob, name, patience });
  const document = await db.get(TYPE as Name<S>, made).catch(() => null);
  return (document ?? { type: TYPE, id: made }) as Uploaded<S>;
}

/** Links of each database by what was asked for. */
const caches = new WeakMap<object, Map<string, { readonly href: Promise<string>; readonly fresh: number }>>();

export function url(
  db: Sender & { readonly token: string | null },
  file: Link,
  { lifetime = 3_600_000, ...shown }: UrlOptions = {},
): Promise<string> {
  const links = caches.get(db) ?? new Map<string, { href: Promise<string>; fresh: number }>();
  caches.set(db, links);
  // What one user may read, the next one may not.
  const name = [db.token, file.id, lifetime, JSON.stringify(shown)].join();
  const now = Date.now();
  const cached = links.get(name);
  if (cached !== undefined && cached.fresh > now) return cached.href;
  const href = link(db, file, { ...shown, until: new Date(now + lifetime).toISOString() });
  href.catch(() => links.delete(name));
  links.delete(name);
  links.set(name, { href, fresh: now + lifetime * USED });
  const [oldest = ''] = links.keys();
  if (links.size > MOST_CACHED) links.delete(oldest);
  return href;
}

export async function content(
  db: Sender,
  file: Link,
  { range, signal }: ContentOptions = {},
): Promise<Response> {
  const headers = { accept: '*/*', range };
  return (await sendBytes(db, 'GET', pathOfDocument(file, 'content'), { headers, signal })).response;
}

async function uploadAtOnce<S>(
  db: Database<S>,
  { blob, name, onProgress, signal }: Upload,
): Promise<Uploaded<S>> {
  const { size, type } = blob;
  const { body, etag } = await sendBytes(db, 'POST', pathOf(TYPE), {
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

async function link(db: Sender, file: Link, meta: object): Promise<string> {
  const answer = await db.request('POST', pathOfDocument(file, 'links'), { body: { meta } });
  return (answer.body.meta as { readonly href: string }).href;
}

/** A File has a name. */
const nameOf = (blob: Blob) => ('name' in blob && typeof blob.name === 'string' ? blob.name : undefined);

/** A text as RFC 8187 has it in a parameter of a header. */
const encoded = (text: string) =>
  encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD')).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.codePointAt(0)?.toString(16)}`,
  );
