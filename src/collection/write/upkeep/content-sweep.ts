/** Deletes the contents of files that no document has: those of deleted documents, and of uploads that came to nothing. */
import type { CollectionName } from '../../../domain/documents.ts';
import type { ApplicationId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { ok } from '../../../domain/problems.ts';
import {
  deleteContents,
  deletePictures,
  keyOfContent,
  type WithFiles,
} from '../../rpc/maintenance/contents.ts';
import { ringBy, type AlarmStorage } from '../../storage/alarm.ts';
import type { DueContent } from '../../storage/secondary/contents.ts';
import type { Transactor } from '../transactor.ts';
import type { Writes } from '../writes.ts';

/** Contents that are deleted together: a bucket takes a thousand. */
const AT_ONCE = 100;

/** Milliseconds after which is tried again what has failed. */
const AGAIN = 60_000;

export class ContentSweep {
  readonly #environment: WithFiles;
  readonly #storage: AlarmStorage;
  readonly #own: CollectionName | null;
  readonly #tables: Transactor;
  readonly #writes: Pick<Writes, 'alone'>;

  constructor(
    environment: WithFiles,
    storage: AlarmStorage,
    own: CollectionName | null,
    tables: Transactor,
    writes: Pick<Writes, 'alone'>,
  ) {
    this.#environment = environment;
    this.#storage = storage;
    this.#own = own;
    this.#tables = tables;
    this.#writes = writes;
  }

  /** The rows go after the contents: a crash in between deletes these once more. */
  async alarm(): Promise<void> {
    const { contents } = this.#tables;
    const next = contents.next();
    const bucket = this.#environment.FILES;
    if (next === null || this.#own === null || bucket === undefined) return;
    const { application } = this.#own;
    for (;;) {
      const due = contents.due(Date.now(), AT_ONCE);
      if (due.length === 0) break;
      const isGone = await deleteAll(this.#environment, bucket, application, due).then(
        () => true,
        () => false,
      );
      const drop = () => {
        for (const { id, isKept } of due) {
          if (isKept) contents.linger(id, Date.now() + LIMITS.pictureLinger);
          else contents.drop(id);
        }
        return ok(null);
      };
      if (isGone && this.#writes.alone(drop).ok) continue;
      await ringBy(this.#storage, Date.now() + AGAIN);
      return;
    }
    await ringBy(this.#storage, contents.next());
  }
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
  await bucket.delete(due.filter(({ isKept }) => !isKept).map(keyOf));
  await deleteContents(environment, due.filter(({ isKept }) => isKept).map(keyOf));
  await deletePictures(bucket, due.map(keyOf));
}
