/** The bytes of a request as they come: a content is read piece by piece, and is never held. */
import { LIMITS } from '../../domain/limits.ts';
import { within } from '../../domain/values/within.ts';

/** Null after the last; a client that goes away, or is too slow, is no fault of the service. */
export type Piece = Uint8Array | null | 'broken' | 'late';

export type Source = () => Promise<Piece>;

/** The pieces of a body that come within `patience`, in milliseconds, of each other. */
export function sourceOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  patience: number,
): Source {
  const until = Date.now() + LIMITS.contentDeadline;
  return () => within(Math.max(0, Math.min(patience, until - Date.now())), next(reader));
}

function next(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<Piece> {
  if (reader === undefined) return Promise.resolve(null);
  return reader.read().then(
    (part) => (part.done ? null : part.value),
    () => 'broken' as const,
  );
}
