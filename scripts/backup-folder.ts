/**
 * The bucket of backups on this machine: a folder of its own, which may be on another disk and outlives the folder of
 * data. The runtime keeps all buckets in one folder of the data: there, a link leads to it. So the contents of files go
 * there too, and are never left behind.
 */
import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from './data-folder.ts';
import { Failure, isSystemError, systemFailure } from './failure.ts';

/** The name of the bucket in the folder: the paths of its files have it. */
const BUCKET = 'backups';

/** Leads the buckets of a data folder to a folder, and returns the name of the bucket. `others`: those beside it. */
export function bucketIn(folder: string, data: string, others: readonly string[]): string {
  const target = resolve(folder);
  const link = join(data, 'data', 'r2');
  try {
    makeFolder(target);
    mkdirSync(join(data, 'data'), { recursive: true });
    const found = lstatSync(link, { throwIfNoEntry: false });
    if (found !== undefined && !(found.isSymbolicLink() && readlinkSync(link) === target)) {
      const former = found.isSymbolicLink() ? readlinkSync(link) : link;
      if (others.some((name) => existsSync(join(former, name)))) {
        throw new Failure(
          `There are files in ${former}: move what is in it to ${target}, and remove ${link}.`,
        );
      }
      rmSync(link, { recursive: true });
    }
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(target, link, 'junction');
  } catch (error) {
    throw isSystemError(error) ? systemFailure(error) : error;
  }
  return BUCKET;
}
