/**
 * Whether there is room for writes. On a completely full disk no object can be opened, not even for reads. So, where we
 * watch the disk, writes are refused while there is still room to open objects.
 */
import type { Environment } from '../environment.ts';

/** Milliseconds for which an answer is valid. */
const HOLDS = 1_000;

let full = false;
let until = 0;

/** Always true where nobody watches the disk. */
export async function hasRoom({ ROOM }: Pick<Environment, 'ROOM'>): Promise<boolean> {
  if (ROOM === undefined) return true;
  const now = Date.now();
  if (now >= until) {
    // Requests during the check use the last answer.
    until = now + HOLDS;
    full = (await ROOM.fetch('http://room/').catch(() => null))?.status === 507;
  }
  return !full;
}
