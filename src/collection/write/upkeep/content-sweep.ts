/** Deletes the contents of files that no document has: of deleted documents, and of uploads that came to nothing. */
import type { ApplicationId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { ok } from '../../../domain/problems.ts';
import {
  deleteContents,
  deletePictures,
  keyOfContent,
  type WithFiles,
} from '../../rpc/maintenance/contents.ts';
import type { DueContent } from '../../storage/secondary/contents.ts';
import { ringBy } from '../../storage/alarm.ts';
import type { Ground } from '../ground.ts';

/** Contents that are deleted together: a bucket takes a thousand. */
const AT_ONCE = 100;

/** Milliseconds after which is tried again what has failed. */
const AGAIN = 60_000;

/** Deletes those that are due. The rows go after the contents: a crash in between deletes these once more. */
export async function sweepContents({ environment, own, storage, tables, writes }: Ground): Promise<void> {
  const { contents } = tables;
  const next = contents.next();
  const bucket = environment.FILES;
  if (next === null || own === null || bucket === undefined) return;
  const { application } = own;
  for (;;) {
    const due = contents.due(Date.now(), AT_ONCE);
    if (due.length === 0) break;
    const isGone = await deleteAll(environment, bucket, application, due).then(
      () => true,
      () => false,
    );
    const drop = () => {
      for (const { id, isStored } of due) {
        if (isStored) contents.linger(id, Date.now() + LIMITS.pictureLinger);
        else contents.drop(id);
      }
      return ok(null);
    };
    if (isGone && writes.alone(drop).ok) continue;
    await ringBy(storage, Date.now() + AGAIN);
    return;
  }
  await ringBy(storage, contents.next());
}

async function deleteAll(
  environment: WithFiles,
  bucket: R2Bucket,
  application: ApplicationId,
  due: readonly DueContent[],
): Promise<void> {
  const keyOf = ({ id }: DueContent) => keyOfContent(application, id);
  for (const each of due) {
    // One that is complete, or gone, can not be aborted.
    const parts = each.upload === null ? null : bucket.resumeMultipartUpload(keyOf(each), each.upload);
    await parts?.abort().catch(() => undefined);
  }
  await bucket.delete(due.filter(({ isStored }) => !isStored).map(keyOf));
  await deleteContents(environment, due.filter(({ isStored }) => isStored).map(keyOf));
  await deletePictures(bucket, due.map(keyOf));
}
