/** Whether there is room for data on the disk, as the Worker asks it about once a second. */
import { statfs } from 'node:fs/promises';

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
