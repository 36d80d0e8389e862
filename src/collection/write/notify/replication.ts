/**
 * What of a write must reach others before it answers: copies of documents in KV, and schemas, webhooks and settings in
 * the collections that they are for.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import type { Outcome } from '../../../domain/problems.ts';
import { typeInfo, type PushedPart } from '../../../domain/types/facts.ts';
import type { StoredDocument } from '../../../domain/values/stored.ts';
import { lookupKey, LOOKUPS_AT_ONCE, type Lookup, type Withdrawal } from '../../rpc/maintenance/lookup.ts';
import { LookupWriter } from './lookups.ts';
import { PUSHED } from './pushed.ts';
import { Pushes } from './pushes.ts';
import { TenantDeletion } from '../upkeep/tenant-deletion.ts';
import { Part, type Ground } from '../ground.ts';

export class Replication extends Part<Ground> {
  readonly #lookups = new LookupWriter(this.parts, (id) => this.current(id));
  readonly #pushes = new Pushes(this.parts);
  readonly #tenantDeletion = new TenantDeletion(this.parts);

  /**
   * Writes one document, with content of this many units. `given`: its id; null where the write makes it, and
   * `idOf` gives it.
   */
  async write<T>(
    target: CollectionName,
    given: DocumentId | null,
    units: number,
    work: () => Outcome<T>,
    idOf: (value: T) => DocumentId,
  ): Promise<Outcome<T>> {
    const { ends = false, published = false, pushed } = typeInfo(target.type);
    if (pushed === 'settings') return this.#pushes.handOver(target.application, given, work, idOf);
    const noted = () => {
      const before = given === null || pushed === undefined ? undefined : this.#find(given);
      const result = work();
      if (!result.ok) return result;
      const id = given ?? idOf(result.value);
      if (pushed !== undefined) this.#note(target, pushed, [before, this.#find(id)]);
      // Until there is a copy, readers ask this object.
      if (published && given === null) this.#lookups.later(keyOf(target, id));
      if (ends && given !== null) this.#tenantDeletion.note(id);
      return result;
    };
    const written = await this.#write(target, published ? given : null, units, noted);
    if (written.ok && published && given === null) await this.#lookups.remind();
    if (pushed !== undefined) await this.push();
    if (ends) await this.#tenantDeletion.remind();
    return written;
  }

  /** `copied`: a document of which there may be a copy, which is invalidated meanwhile. */
  #write<T>(
    target: CollectionName,
    copied: DocumentId | null,
    units: number,
    work: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    // Ids that never existed get no copy, not even an invalidated one, or well-formed ids would fill KV.
    if (copied === null || !this.#everHad(copied)) return this.parts.writes.write(units, work);
    return this.#lookups.around(keyOf(target, copied), () => this.parts.writes.alone(work));
  }

  #find(id: DocumentId): StoredDocument | undefined {
    return this.parts.tables.records.find(id);
  }

  /** A change concerns what a document was for, and what it is for now. */
  #note(
    { application }: CollectionName,
    part: PushedPart,
    documents: readonly (StoredDocument | undefined)[],
  ): void {
    for (const document of documents) {
      if (document !== undefined) this.#pushes.note(part, application, PUSHED[part].targetOf(document));
    }
  }

  /** Reads when all that the answer might show is in force: at once, unless some of it is being pushed. */
  inForce<T>(read: () => T | Promise<T>): T | Promise<T> {
    return this.#pushes.pending ? this.#pushes.pushInTime().then(read) : read();
  }

  /** Resolves when all schemas, webhooks and settings that were written have arrived where they hold. */
  push(): Promise<void> {
    return this.#pushes.push();
  }

  /** Writes the copies that are due, and deletes what is to be deleted now. */
  async alarm(): Promise<void> {
    if (this.parts.writes.hasTables && !this.parts.writes.sealed) await this.#lookups.alarm();
    await this.#tenantDeletion.alarm();
  }

  /** The current copy of a document for lookups. */
  current(id: DocumentId): Lookup {
    if (this.parts.writes.sealed || !this.parts.writes.hasTables) return { state: 'gone' };
    const document = this.parts.tables.records.find(id);
    return document === undefined ? { state: 'gone' } : { state: 'current', body: document.body };
  }

  /** The same for a reader who met no copy: one is written. */
  async lookUp(name: CollectionName, id: DocumentId): Promise<Lookup> {
    const isKnown = this.#everHad(id);
    if (isKnown && this.#lookups.missed(keyOf(name, id))) await this.#lookups.remind();
    return this.current(id);
  }

  /**
   * Refuses writes, forever or until the object begins again, and sends readers of lookups to this object, or ends the
   * lookups where nobody will be here. Does so for some documents, after skipping so many, and gives their ids; fewer
   * than `LOOKUPS_AT_ONCE` are the last.
   */
  async withdrawLookups(name: CollectionName, { forever, skip }: Withdrawal): Promise<readonly DocumentId[]> {
    if (forever) this.parts.writes.seal();
    else this.parts.writes.hold();
    const all = isPublished(name) && this.parts.writes.hasTables ? this.parts.tables.records.ids() : [];
    const ids = all.slice(skip, skip + LOOKUPS_AT_ONCE);
    for (const id of ids) {
      const key = keyOf(name, id);
      await (forever ? this.#lookups.settle(key) : this.#lookups.invalidate(key));
    }
    return ids;
  }

  /** Makes the lookups of these ids, and of the documents that are there, what they have to be. */
  async settleLookups(name: CollectionName, ids: readonly DocumentId[]): Promise<void> {
    if (!isPublished(name)) return;
    const present = this.parts.writes.hasTables ? this.parts.tables.records.ids() : [];
    for (const id of new Set([...ids, ...present])) this.#lookups.later(keyOf(name, id));
    await this.#lookups.remind();
  }

  #everHad(id: DocumentId): boolean {
    if (!this.parts.writes.hasTables) return false;
    const { records } = this.parts.tables;
    return records.seqOf(id) !== undefined || records.deletion(id) !== undefined;
  }
}

/** The KV key of a document's copy. */
function keyOf({ application, type }: CollectionName, id: DocumentId): string {
  return lookupKey(application, type, id);
}

/** True where documents have copies in KV for lookups. */
function isPublished({ type }: CollectionName): boolean {
  return typeInfo(type).published === true;
}
