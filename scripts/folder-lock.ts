/**
 * One server per data folder: an exclusive transaction on an SQLite file of its own, a lock that the kernel drops when
 * the process ends, however it ends. It shuts out other servers; that no runtime outlives its server is for workerd.sh.
 */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Failure, isSystemError, systemFailure } from './failure.ts';

/** Milliseconds that a start waits for a server that is on its way out. */
const PATIENCE = 2_000;

/** SQLite's code for a lock that another process holds. */
const BUSY = 5;

/** Held for the life of the process: were it collected, the lock would go with it. */
const held: DatabaseSync[] = [];

/** Locks a folder for this process, or fails with the line that says who holds it. */
export function lockFolder(folder: string): void {
  // Its content is for people alone; nothing is decided by it.
  const holder = join(folder, 'server.pid');
  const file = join(folder, 'server.lock');
  try {
    // SQLite tells a folder that is read-only as one that it cannot open.
    closeSync(openSync(file, 'a'));
    const database = new DatabaseSync(file, { timeout: PATIENCE });
    held.push(database);
    // A journal on disk would be one more file to leave behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    if (errcode === BUSY)
      throw new Failure(
        `Another server${processIn(holder)} holds ${folder}. Stop it, or choose another folder: DATA_DIR=… npm start`,
      );
    if (isSystemError(error))
      throw new Failure(`The folder can not be written: ${systemFailure(error).message}`, { cause: error });
    throw new Failure(`The folder can not be locked: ${file}: ${message}.`, { cause: error });
  }
  writeFileSync(holder, String(process.pid));
}

function processIn(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^\d+$/.test(text) ? ` (process ${text})` : '';
  } catch {
    return '';
  }
}
