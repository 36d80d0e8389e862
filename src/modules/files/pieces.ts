/** The bytes of a request as they come: a content is read piece by piece, and is never held. */
import { LIMITS } from '../../domain/limits.ts';
import { within } from '../../domain/values/within.ts';

/** Null after the last; a client that goes away, or is too slow, is no fault of the service. */
export type Piece = Uint8Array | null | 'broken' | 'late';

export type PieceSource = () => Promise<Piece>;

/** Bytes of a piece at most: by itself a reader gives 4 KB at a time, and each costs a turn. */
const PIECE = 32 * 1024;

export type PieceReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

/** Reads a body of bytes in pieces as large as they come. */
export function readerOf(body: ReadableStream): PieceReader {
  const reader = body.getReader({ mode: 'byob' });
  return { read: () => reader.read(new Uint8Array(PIECE)), cancel: (reason) => reader.cancel(reason) };
}

/** The pieces of a body that come within `patience`, in milliseconds, of each other. */
export function sourceOf(reader: PieceReader | undefined, patience: number): PieceSource {
  const until = Date.now() + LIMITS.contentDeadline;
  return () => within(Math.max(0, Math.min(patience, until - Date.now())), next(reader));
}

function next(reader: PieceReader | undefined): Promise<Piece> {
  if (reader === undefined) return Promise.resolve(null);
  return reader.read().then(
    (part) => (part.done ? null : part.value),
    () => 'broken' as const,
  );
}
