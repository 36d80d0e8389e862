/** How the content of a new file is stored: it streams into the bucket, counted and digested on its way, and is never held. */
import type { DocumentId } from '../../domain/ids.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Asker } from '../../collection/rpc/client-reads.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { within } from '../../domain/values/within.ts';

/** What a request says of the content that it sends. */
export interface SentFile {
  /** Null where it says none. */
  readonly name: string | null;
  readonly mediaType: string;
  readonly size: number;
  /** In hexadecimal; null where it says none. */
  readonly digest: string | null;
  /** Null where there are no bytes. */
  readonly body: ReadableStream<Uint8Array> | null;
}

/** A content in the bucket that has no document yet. */
export interface StoredFile extends Pick<SentFile, 'name' | 'mediaType' | 'size'> {
  readonly id: DocumentId;
  readonly digest: string;
}

/** Seconds until the bucket may answer again. */
const AGAIN = 10;

export function bucketOf({ environment: { FILES } }: Pick<Asker, 'environment'>): Outcome<R2Bucket> {
  if (FILES !== undefined) return ok(FILES);
  return fail('not-configured', 'The service has no bucket for files: bind one as FILES in wrangler.toml.');
}

/** Stores a content whose parts come within `patience`, in milliseconds, of each other. */
export async function storeFile(
  uploader: Asker,
  sent: SentFile,
  patience: number,
): Promise<Outcome<StoredFile>> {
  const bucket = bucketOf(uploader);
  if (!bucket.ok) return bucket;
  const reserved = await collectionOf(uploader, CORE.file).calls.reserveContent(sent.size);
  if (!reserved.ok) return reserved;
  const id = reserved.value;
  const stored = await put(bucket.value, keyOfContent(uploader.application, id), sent, patience);
  const { name, mediaType, size } = sent;
  if (stored.ok) return ok({ id, name, mediaType, size, digest: stored.value });
  await giveUp(uploader, id);
  return stored;
}

/** Lets a content be deleted that gets no document. */
export function giveUp(uploader: Asker, id: DocumentId): Promise<void> {
  return collectionOf(uploader, CORE.file).calls.releaseContent(id);
}

/** Puts a content into the bucket, and gives its digest. */
async function put(
  bucket: R2Bucket,
  key: string,
  { body, digest: said, size }: SentFile,
  patience: number,
): Promise<Outcome<string>> {
  const digests = new crypto.DigestStream('SHA-256');
  const through = new FixedLengthStream(size);
  const taken = bucket.put(key, through.readable).then(
    () => true,
    () => false,
  );
  const came = await pump(body, [digests.getWriter(), through.writable.getWriter()], patience);
  const isTaken = await taken;
  if (!came.ok) return came;
  if (!isTaken)
    return fail('unavailable', 'The bucket of files does not answer.', undefined, { 'retry-after': AGAIN });
  const digest = new Uint8Array(await digests.digest).toHex();
  return said === null || said === digest
    ? ok(digest)
    : fail('digest-differs', `The SHA-256 of the content is ${digest}.`, { header: 'Content-Digest' });
}

/** Moves all bytes of a body into writers; what of it fails ends them. */
async function pump(
  body: SentFile['body'],
  writers: readonly WritableStreamDefaultWriter<Uint8Array>[],
  patience: number,
): Promise<Outcome<null>> {
  const reader = body?.getReader();
  const until = Date.now() + LIMITS.contentDeadline;
  const end = async (code: 'body-too-slow' | 'invalid-body', detail: string) => {
    const reason = new Error(detail);
    await Promise.allSettled(writers.map((writer) => writer.abort(reason)));
    return fail(code, detail);
  };
  for (;;) {
    const part = await within(Math.max(0, Math.min(patience, until - Date.now())), next(reader));
    if (part === 'late') return end('body-too-slow', 'The content has not arrived in time.');
    if (part === 'broken') return end('invalid-body', 'The content has not arrived as a whole.');
    try {
      if (part === null) {
        for (const writer of writers) await writer.close();
        return ok(null);
      }
      for (const writer of writers) await writer.write(part);
    } catch {
      // It is shorter or longer than was said, or the bucket takes no more.
      reader?.releaseLock();
      return end('invalid-body', 'The content has not been taken as a whole.');
    }
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The next bytes, null after the last; a client that goes away is no fault of the service. */
function next(reader: Reader | undefined): Promise<Uint8Array | null | 'broken'> {
  if (reader === undefined) return Promise.resolve(null);
  return reader.read().then(
    (part) => (part.done ? null : part.value),
    () => 'broken' as const,
  );
}
