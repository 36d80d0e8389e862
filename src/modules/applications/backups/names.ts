/**
 * The objects of the bucket: `<application>/<moment>.ndjson.gz` for each whole backup, and one for the backup that an
 * application has under way. A moment is in UTC, without characters that files or paths dislike; names sort by time.
 */
import { LIMITS } from '../../../domain/limits.ts';

const ENDING = '.ndjson.gz';

/** A whole backup. */
export interface Backup {
  /** Its moment, as in the name of its object. */
  readonly name: string;
  /** Of the compressed file. */
  readonly bytes: number;
}

export function nameAt(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** Milliseconds since 1970; undefined for a text that is no name of a backup. */
export function timeOf(name: string): number | undefined {
  const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)Z$/.exec(name) ?? [];
  const at = Date.parse(`${date}T${time.replaceAll('-', ':')}Z`);
  return Number.isNaN(at) ? undefined : at;
}

export function keyOfBackup(application: string, name: string): string {
  return `${application}/${name}${ENDING}`;
}

/** Of what an unfinished backup has come to. Backups of applications have names that begin with an id. */
export function keyOfUnfinished(application: string): string {
  return `unfinished/${application}`;
}

/** The whole backups of an application, the oldest first; those after a moment, if one is named. */
export async function backupsOf(
  bucket: R2Bucket,
  application: string,
  after?: number,
): Promise<readonly Backup[]> {
  const found: Backup[] = [];
  const prefix = `${application}/`;
  const from = after === undefined ? {} : { startAfter: keyOfBackup(application, nameAt(after)) };
  for await (const objects of pagesIn(bucket, { prefix, ...from, limit: LIMITS.pageSize })) {
    for (const { key, size } of objects) {
      const name = key.slice(prefix.length, -ENDING.length);
      if (key.endsWith(ENDING) && timeOf(name) !== undefined) found.push({ name, bytes: size });
    }
  }
  return found;
}

/** What the bucket lists, page by page. */
export async function* pagesIn(bucket: R2Bucket, asked: R2ListOptions): AsyncGenerator<readonly R2Object[]> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await bucket.list({ ...asked, ...(cursor !== undefined && { cursor }) });
    yield page.objects;
    cursor = page.truncated ? page.cursor : null;
  }
}
