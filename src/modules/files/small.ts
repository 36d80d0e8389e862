/** The small contents that an isolate remembers as they come and go. What a digest stands for never changes. */
import { BoundedCache, CacheBudget } from '../../domain/caching/bounded-cache.ts';
import { LOOKED } from './looks.ts';

/** Bytes of a small content: it goes into the bucket at once, because a stream takes longer, and is remembered. */
export const SMALL = LOOKED;

const remembered = new BoundedCache<Uint8Array>(
  new CacheBudget(8 * 1024 * 1024),
  (key, bytes) => 2 * key.length + bytes.length,
);

export function rememberContent(key: string, digest: string, bytes: Uint8Array): void {
  remembered.set(`${key} ${digest}`, bytes);
}

export function recallContent(key: string, digest: string): Uint8Array | undefined {
  return remembered.get(`${key} ${digest}`);
}
