/** Where there is room for data: on the disk, as the Worker asks it about once a second, and in memory. */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes kept back for reads: an object that is opened needs a log and its index, whatever it is asked. */
const RESERVE = 32 * 1024 * 1024;

/** Asks how many bytes are free. */
export type FreeBytes = () => Promise<number>;

/** The binding ROOM: 200 where there is room, else 507. */
export function roomOn(free: FreeBytes) {
  return async (): Promise<Response> => new Response(null, { status: (await free()) > RESERVE ? 200 : 507 });
}

/** The bytes that are free where a folder is. */
export function freeBytesOf(folder: string): FreeBytes {
  return async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
}

/** Where Linux keeps files in memory: in a container it is often tiny. */
const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;

let made: string | undefined;

/**
 * The folder for data that nobody needs after this process: in memory, if it can be, as no commit waits for a disk. It
 * ends with the process, or else with the next one that makes such a folder. `gibibytes` must be free.
 */
export function volatileFolder(gibibytes = 2): string {
  try {
    return (made ??= folderInMemory(gibibytes));
  } catch {
    // There is no such memory, or not enough of it, or it is not for this process.
    return tmpdir();
  }
}

function folderInMemory(gibibytes: number): string {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < gibibytes * GIB) throw new Error('There is too little memory.');
  // Containers that share the memory have numbers of processes of their own.
  const [numbers = ''] = /\d+/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
  const prefix = `foredge-memory-${numbers}-`;
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(prefix)) continue;
    if (!isRunning(parseInt(name.slice(prefix.length)))) remove(join(MEMORY, name));
  }
  // Each thread of a process has its own.
  const folder = mkdtempSync(join(MEMORY, `${prefix}${process.pid}-`));
  process.once('exit', () => {
    remove(folder);
  });
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Another user's folder stays: whose it is could put a link in the place of what is being removed. */
function remove(folder: string): void {
  try {
    if (lstatSync(folder).uid === process.geteuid?.()) rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another process has removed it.
  }
}
