/**
 * How many files this machine lets the runtime open, and what follows from it: an object keeps three open while it is
 * in memory (its database, the log, the index of the log), and each connection is one more.
 */
import { execFileSync } from 'node:child_process';

/** For connections, logs and the runtime itself. */
const OTHER_FILES = 256;
const FILES_OF_OBJECT = 3;

/** Whatever the machine lets us open: an object takes about 350 KB. */
const MOST_OBJECTS = 1_000;

/** Objects that may be in use at a time; the wrapper raises the limit on files as far as it goes (workerd.sh). */
export function objectsAtOnce(files = openFiles()): number {
  const objects = Math.floor((files - OTHER_FILES) / FILES_OF_OBJECT);
  return Math.max(10, Math.min(MOST_OBJECTS, objects));
}

function openFiles(): number {
  if (process.platform === 'win32') return Infinity;
  const limit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
  return limit === 'unlimited' ? Infinity : Number(limit);
}
