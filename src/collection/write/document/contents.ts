/** What writes of files do beside those of other documents: the content has an id, and room, before it is stored. */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import { decodeFields } from '../../../domain/values/codec.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import type { DocumentWriter } from '../../storage/documents/document-writer.ts';
import { nextId } from '../../storage/ids.ts';
import type { Stepped, UploadBegun, UploadStep } from '../../rpc/maintenance/uploads.ts';
import type { WriteTarget } from '../../rpc/writes/target.ts';
import { userHasEnough } from '../../quotas/quota-lease.ts';
import type { Tables } from '../tables.ts';

/** The id of the next document. */
export function newIdIn(records: DocumentWriter, seconds: number): DocumentId {
  const { id: last, chosenIds } = records.last();
  const after = (id: DocumentId | null): DocumentId => {
    const next = nextId(id, seconds, crypto.getRandomValues(new BigUint64Array(1)));
    // A client may have chosen it.
    return chosenIds && records.isTaken(next) ? after(next) : next;
  };
  return after(last);
}

/** The ids of the next documents, given out before these are there. */
export function newIdsIn(records: DocumentWriter, seconds: number, count: number): readonly DocumentId[] {
  return Array.from({ length: count }, () => {
    const id = newIdIn(records, seconds);
    records.reserve(id);
    return id;
  });
}

/** Makes room for the content of a new document, and gives the id of both. `begun`: for one in several requests. */
export function reserveContent(
  tables: Tables,
  { requester }: WriteTarget,
  bytes: number,
  begun: UploadBegun | undefined,
  now: number,
): Outcome<DocumentId> {
  const { contents, quotaLease, records, settings } = tables;
  const owner = requester?.named?.user ?? null;
  const most = settings.current?.bytesPerUser ?? null;
  if (owner !== null && most !== null) {
    const held = contents.bytesOfOwner(owner);
    if (held + bytes > most) return userHasEnough(held, most);
  }
  const room = quotaLease.admits(tables, 1, bytes);
  if (!room.ok) return room;
  const id = newIdIn(records, Math.floor(now / 1000));
  records.reserve(id);
  contents.reserve(id, bytes, now + (begun === undefined ? LIMITS.contentWaits : LIMITS.uploadWaits), owner);
  if (begun !== undefined) contents.uploads.begin(id, begun);
  return ok(id);
}

/** The bytes of the content of a file, as its document says. */
export function sizeIn({ body }: StoredContent): number {
  const size = memberOf(decodeFields(body), 'size');
  return typeof size === 'number' ? size : 0;
}

/** Goes on with an upload, which then waits for its next request. */
export function stepUpload(tables: Tables, id: DocumentId, step: UploadStep, now: number): Stepped | null {
  const { contents } = tables;
  const due = contents.extend(id, now, now + LIMITS.uploadWaits);
  if (due === null) return null;
  if (step.kind === 'number') contents.noteUpload(id, step.upload);
  return contents.uploads.step(id, step, due);
}
