/**
 * Whether what is written will find room. A disk that is full to the last byte lets no object be opened, not even to be
 * read: where the disk is ours to watch, writes end while there is room for that.
 */
import type { Environment } from './environment.ts';

/** Milliseconds for which an answer holds. */
const HOLDS = 1_000;

let full = false;
let until = 0;

/** Always true where nobody watches the disk. */
export async function hasRoom({ ROOM }: Pick<Environment, 'ROOM'>): Promise<boolean> {
  if (ROOM === undefined) return true;
  const now = Date.now();
  if (now >= until) {
    // Those who come while it is asked go by what was known.
    until = now + HOLDS;
    full = (await ROOM.fetch('http://room/').catch(() => null))?.status === 507;
  }
  return !full;
}
