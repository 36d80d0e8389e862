/** How the content of a new file is stored: it streams into the bucket, counted and digested on its way. */
import type { DocumentId } from '../../domain/ids.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { fail, failed, ok, type Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import type { Parsed } from '../../domain/values/json.ts';
import { Beginning, type Look } from './looks.ts';
import type { Piece, PieceSource } from './pieces.ts';
import { partedSink, wholeSink, type Sink } from './sinks.ts';
import { rememberContent, SMALL } from './small.ts';

/** What a request says of the content that it sends. */
export interface SentFile {
  /** Null where it says none. */
  readonly name: string | null;
  readonly mediaType: string;
  /** The bytes that it has, or has at most where it is part of a form. */
  readonly size: number;
  readonly isExact: boolean;
  /** In hexadecimal; null where it says none. */
  readonly digest: string | null;
  readonly source: PieceSource;
}

/** A content in the bucket that has no document yet. */
export interface StoredFile extends Pick<SentFile, 'name' | 'size'>, Look {
  readonly id: DocumentId;
  readonly digest: string;
  /** The document that a form has beside it. */
  readonly document?: Parsed | undefined;
}

/** Seconds until the bucket, or Images, may answer again. */
export const AGAIN = 10;

export function bucketOf({ environment: { FILES } }: Pick<CallContext, 'environment'>): Outcome<R2Bucket> {
  if (FILES !== undefined) return ok(FILES);
  return fail('not-configured', 'The service has no bucket for files: bind one as FILES in wrangler.toml.');
}

export async function storeFile(uploader: CallContext, sent: SentFile): Promise<Outcome<StoredFile>> {
  const bucket = bucketOf(uploader);
  if (!bucket.ok) return bucket;
  const { calls } = collectionOf(uploader, CORE.file);
  const reserved = await calls.reserveContent(sent.size);
  if (!reserved.ok) return reserved;
  const id = reserved.value;
  const key = keyOfContent(uploader.application, id);
  const sink =
    sent.isExact && sent.size > SMALL
      ? wholeSink(bucket.value, key, sent.size)
      : partedSink(bucket.value, key, sent.size, (upload) => calls.noteUpload(id, upload));
  const beginning = new Beginning();
  const check = () => (beginning.isFull ? beginning.look(sent.mediaType) : ok(null));
  const stored = await putContent(sent, [beginning, sink], check);
  const look = stored.ok ? await beginning.look(sent.mediaType) : stored;
  if (stored.ok && look.ok) {
    const { digest, size } = stored.value;
    if (size <= SMALL) rememberContent(key, digest, beginning.bytes);
    return ok({ id, name: sent.name, ...look.value, digest, size });
  }
  await giveUp(uploader, id);
  return failed(...(look.ok ? [] : look.problems));
}

/** Lets a content be deleted that gets no document. */
export async function giveUp(uploader: CallContext, id: DocumentId): Promise<void> {
  const isNoted = await collectionOf(uploader, CORE.file).calls.releaseContent(id);
  if (!isNoted) await uploader.environment.FILES?.delete(keyOfContent(uploader.application, id));
}

/** What is asked after each piece, so that a content is refused before all of it has come. */
type Check = () => Outcome<unknown> | Promise<Outcome<unknown>>;

/** Moves a content into sinks: it must have the digest that was said. */
export async function putContent(
  sent: SentFile,
  sinks: readonly Sink[],
  check: Check = () => ok(null),
): Promise<Outcome<Pick<StoredFile, 'digest' | 'size'>>> {
  const digests = new crypto.DigestStream('SHA-256');
  const moved = await pump(sent, [digests.getWriter(), ...sinks], check);
  if (!moved.ok) return moved;
  const { value: size } = moved;
  const { digest: said } = sent;
  const digest = new Uint8Array(await digests.digest).toHex();
  return said === null || said === digest
    ? ok({ digest, size })
    : fail('digest-differs', `The SHA-256 of the content is ${digest}.`, { header: 'Content-Digest' });
}

/** Moves all bytes of a content, and tells how many; what of it fails ends the sinks. */
async function pump(
  { isExact, size, source }: SentFile,
  sinks: readonly Sink[],
  check: Check,
): Promise<Outcome<number>> {
  let moved = 0;
  for (;;) {
    const piece = await source();
    if (piece instanceof Uint8Array) moved += piece.length;
    const refusal = refusalOf(piece, moved > size, isExact && moved !== size);
    if (refusal !== null) return ended(sinks, refusal);
    try {
      await Promise.all(
        sinks.map(async (sink) => (piece instanceof Uint8Array ? sink.write(piece) : sink.close?.())),
      );
    } catch {
      return ended(sinks, noAnswer());
    }
    if (piece === null) return ok(moved);
    const checked = await check();
    if (!checked.ok) return ended(sinks, checked);
  }
}

export function noAnswer(): Outcome<never> {
  return fail('unavailable', 'The bucket of files does not answer.', undefined, { 'retry-after': AGAIN });
}

function refusalOf(piece: Piece, isTooLarge: boolean, isPart: boolean): Outcome<never> | null {
  if (isTooLarge) return fail('body-too-large', 'The content is larger than a file may be.');
  if (piece === 'late') return fail('body-too-slow', 'The content has not arrived in time.');
  if (piece === 'broken' || (piece === null && isPart))
    return fail('invalid-body', 'The content has not arrived as a whole.');
  return null;
}

async function ended(sinks: readonly Sink[], refusal: Outcome<never>): Promise<Outcome<never>> {
  const reason = new Error('The content is given up.');
  await Promise.allSettled(sinks.map(async (sink) => sink.abort?.(reason)));
  return refusal;
}
