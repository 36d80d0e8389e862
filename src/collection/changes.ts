/**
 * How a collection writes. Whatever a write changes, it takes the steps of `#perform`, in their order: it is prepared, then
 * one transaction checks it, applies it to all tables and notes what it tells others, and it answers when those know who
 * must. What each kind of write applies is in write/transactor.ts.
 */
import type { DocumentId } from '../domain/ids.ts';
import { LIMITS } from '../domain/limits.ts';
import { failed, ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant } from '../domain/rights.ts';
import { areOfQuota } from './quotas/quota-lease.ts';
import type { LeaseRequests } from './quotas/lease-requests.ts';
import type { CopiedPart } from '../domain/types.ts';
import type { History } from './history.ts';
import type { Initialization } from './initialization.ts';
import type { BulkRequest } from './rpc/bulk.ts';
import type { EndedToken, PushedDocument } from './rpc/contract.ts';
import type { VersionAsked } from './rpc/history.ts';
import { noVersion } from './rpc/refusals.ts';
import type { Once } from './rpc/idempotency.ts';
import {
  localIdOf,
  unitsOfChange,
  unitsOfGrants,
  unitsOfList,
  type Change,
  type Draft,
  type Failure,
  type WriteList,
  type WriteListResult,
} from './rpc/operations.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AclResult, DeleteResult, WriteResult, Written } from './rpc/results.ts';
import type { Amount, WriteTarget } from './rpc/maintenance/quota-leases.ts';
import { reserveContent } from './write/contents.ts';
import { notEven, Undone, writeAll } from './write/lists/batch.ts';
import { Bulk, type ListPages } from './write/lists/bulk.ts';
import type { Expiry } from './write/expiry.ts';
import type { Inheritance } from './write/notify/inheritance.ts';
import type { Replication } from './write/notify/replication.ts';
import type { Idempotency } from './write/idempotency.ts';
import type { Tables } from './write/tables.ts';
import type { Transactor } from './write/transactor.ts';
import type { Writes } from './write/writes.ts';

/** A write, as its steps take it. */
interface Write<T> {
  readonly target: WriteTarget;
  /** Whether it may add documents: then there must be tables, and the type must be registered. */
  readonly adds?: true;
  /** The documents that it is about, as far as they are known before. */
  readonly ids?: readonly DocumentId[];
  /** About how much it adds; quotas must have room for that. */
  readonly wanted: Amount;
  /** What of that it needs to begin at all. */
  readonly least?: Amount;
  readonly once?: Once | undefined;
  /** Checks and changes tables, inside the transaction, and nothing else: it may run again. */
  readonly apply: () => Outcome<T>;
  /** Runs that in a transaction, and makes known what others hold of the documents. */
  readonly commit: (work: () => Outcome<T>) => Outcome<T> | Promise<Outcome<T>>;
}

interface Parts {
  readonly tables: Transactor;
  readonly writes: Writes;
  readonly idempotency: Idempotency;
  readonly replication: Replication;
  readonly history: Pick<History, 'version'>;
  readonly expiry: Expiry;
  readonly inheritance: Pick<Inheritance, 'isCurrent'>;
  readonly initialization: Initialization;
  readonly leaseRequests: LeaseRequests;
}

export class Changes {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #parts: Parts;

  constructor(storage: Pick<DurableObjectStorage, 'transactionSync'>, parts: Parts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  async #perform<T>(write: Write<T>): Promise<Outcome<T>> {
    const { leaseRequests, idempotency } = this.#parts;
    const { once, target, wanted } = write;
    const begun = idempotency.begin(once);
    if (!begun.ok) return begun;
    const leased = leaseRequests.begin(target, wanted);
    try {
      const prepared = await this.#prepare(write);
      if (!prepared.ok) return prepared;
      let written = await this.#commit(write);
      // Who has rights on the documents that it links to was not known.
      if (!written.ok && !this.#parts.inheritance.isCurrent) written = await this.#commit(write);
      while (!written.ok && areOfQuota(written.problems) && (await leased.more()))
        written = await this.#commit(write);
      if (written.ok && once !== undefined) await idempotency.remind();
      return written;
    } finally {
      leased.end();
      idempotency.end(once);
    }
  }

  /** What must be there before a type gets its first document: room in the quotas, and its tables. */
  async #prepare<T>({ adds, least, target, wanted }: Write<T>): Promise<Outcome<unknown>> {
    if (adds !== true) return ok(null);
    const room = await this.#parts.leaseRequests.ensure(target, wanted, least);
    return room.ok ? this.#parts.initialization.ready(target) : room;
  }

  async #commit<T>({ apply, commit, ids = [], once, target }: Write<T>): Promise<Outcome<T>> {
    const { expiry, idempotency, initialization, tables } = this.#parts;
    await initialization.sure();
    for (const id of ids) expiry.finish(id);
    const within = () => {
      tables.edits.requester = target.requester;
      return tables.quotaLease.within(target.quotas, apply);
    };
    const audited = () => tables.audits.within(target, within);
    const requested = () => tables.typeRules.within(target.requester, audited);
    return initialization.reminded(commit(() => idempotency.once(once, requested)));
  }

  create(target: WriteTarget, draft: Draft): Promise<WriteResult> {
    return this.#add(target, draft, () => this.#parts.tables.create(target.type, draft, Date.now()));
  }

  findOrCreate(target: WriteTarget, draft: Draft): Promise<WriteResult> {
    return this.#add(target, draft, () => this.#parts.tables.findOrCreate(target.type, draft, Date.now()));
  }

  #add(target: WriteTarget, draft: Draft, apply: () => WriteResult): Promise<WriteResult> {
    const bytes = draft.content.body.length;
    return this.#perform({
      target,
      adds: true,
      wanted: { documents: 1, bytes },
      once: draft.once,
      apply,
      commit: (work) => this.#parts.replication.write(target, null, bytes, work, idOfWritten),
    });
  }

  /** Makes room for the content of a file, which gets its document later. */
  reserveContent(target: WriteTarget, bytes: number): Promise<Outcome<DocumentId>> {
    const { tables, writes } = this.#parts;
    return this.#perform({
      target,
      adds: true,
      wanted: { documents: 1, bytes },
      apply: () => reserveContent(tables, bytes, Date.now()),
      commit: (work) => writes.write(0, work),
    });
  }

  /** Notes that the content of a file comes in parts, which are to be aborted if it gets no document. */
  noteUpload(id: DocumentId, upload: string): Promise<void> {
    return this.#ofUpload(id, ({ contents }) => {
      contents.noteUpload(id, upload);
    });
  }

  /** Lets the content of a file be deleted that gets no document. */
  releaseContent(id: DocumentId): Promise<void> {
    return this.#ofUpload(id, ({ contents }) => {
      contents.release(id, Date.now());
    });
  }

  async #ofUpload(id: DocumentId, apply: (tables: Tables) => void): Promise<void> {
    const { tables, writes } = this.#parts;
    await writes.write(0, () => {
      if (writes.hasTables && !tables.records.isTaken(id)) apply(tables);
      return ok(null);
    });
  }

  update(
    target: WriteTarget,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null,
    once: Once | undefined,
  ): Promise<WriteResult> {
    const { replication, tables } = this.#parts;
    const bytes = unitsOfChange(change);
    return this.#perform({
      target,
      ids: [id],
      wanted: { documents: 0, bytes },
      once,
      apply: () => tables.update(target.type, id, change, precondition, overlay),
      commit: (work) => replication.write(target, id, bytes, work, idOfWritten),
    });
  }

  /** Makes a version what the document is, be it deleted or not; as `readers` the version must be seen. */
  async restore(
    target: WriteTarget,
    { id, n, readers }: VersionAsked,
    precondition: Precondition,
    once: Once | undefined,
  ): Promise<WriteResult> {
    const { history, replication, tables, writes } = this.#parts;
    const isThere = !writes.hasTables || tables.records.seqOf(id) !== undefined;
    return this.#perform({
      target,
      ...(!isThere && { adds: true }),
      ids: [id],
      wanted: { documents: isThere ? 0 : 1, bytes: 0 },
      once,
      apply: () => {
        const read = history.version(id, readers, n);
        if (read.state !== 'found' || read.document === null) return noVersion(id, n);
        const { body, relationships } = read.document;
        const content = { body, relationships };
        return tables.records.seqOf(id) === undefined
          ? tables.revive(target.type, id, content, precondition, Date.now())
          : tables.update(target.type, id, { kind: 'merge', content, whole: true }, precondition, null);
      },
      commit: (work) =>
        writes.hasTables
          ? replication.write(target, id, LIMITS.document, work, idOfWritten)
          : noVersion(id, n),
    });
  }

  remove(target: WriteTarget, id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    const { replication, tables } = this.#parts;
    return this.#perform({
      target,
      ids: [id],
      wanted: NOTHING,
      apply: () => tables.remove(target.type, id, precondition),
      commit: (work) => replication.write(target, id, 0, work, () => id),
    });
  }

  updateAcl(
    target: WriteTarget,
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    const { tables, writes } = this.#parts;
    return this.#perform({
      target,
      ids: [id],
      wanted: { documents: 0, bytes: unitsOfGrants(grants) },
      apply: () => tables.updateAcl(id, level, grants, precondition),
      commit: (work) => writes.write(0, work),
    });
  }

  async writeList(target: WriteTarget, list: WriteList): Promise<WriteListResult> {
    const { tables, writes } = this.#parts;
    const wanted = unitsOfList(list);
    const nested = <T>(work: () => T): T => this.#storage.transactionSync(work);
    const undone: { failure: Failure | null } = { failure: null };
    const written = await this.#perform({
      target,
      ...(wanted.documents > 0 && { adds: true }),
      ids: list.operations.flatMap((each) => ('id' in each && localIdOf(each.id) === null ? [each.id] : [])),
      wanted,
      ...(list.goesOn === true && { least: { documents: Math.min(1, wanted.documents), bytes: 0 } }),
      once: list.once,
      apply: () => ok(writeAll(tables, target.type, list, Date.now(), nested)),
      commit: (work) => {
        undone.failure = null;
        return orUndone(() => writes.alone(work), undone);
      },
    });
    if (written.ok) return { ok: true, done: written.value };
    return undone.failure === null ? notEven(written.problems) : { ok: false, failure: undone.failure };
  }

  async bulk(target: WriteTarget, request: BulkRequest, list: ListPages): Promise<Outcome<number>> {
    const { initialization, tables, writes } = this.#parts;
    await initialization.sure();
    if (!writes.hasTables) return ok(0);
    const bulk = new Bulk(tables, target.type, request);
    const found = await bulk.find(list);
    if (!found.ok) return found;
    return this.#perform({
      target,
      wanted: { documents: 0, bytes: request.change === null ? 0 : unitsOfChange(request.change) },
      apply: () => ok(bulk.write(found.value)),
      commit: (work) => orUndone(() => writes.alone(work)),
    });
  }

  /** An import may bring them before their holders. */
  endTokens(target: WriteTarget, tokens: readonly EndedToken[]): Promise<Outcome<null>> {
    const { tables, writes } = this.#parts;
    return this.#perform({
      target,
      adds: true,
      wanted: NOTHING,
      apply: () => ok(tables.endTokens(tokens, Math.floor(Date.now() / 1000))),
      commit: (work) => writes.write(0, work),
    });
  }

  async setPushed(
    target: WriteTarget,
    part: CopiedPart,
    number: number,
    documents: readonly PushedDocument[],
  ): Promise<void> {
    const { initialization, tables, writes } = this.#parts;
    const registered = await initialization.ready(target);
    if (!registered.ok) return;
    writes.alone(() => {
      tables.setPushed(part, number, documents);
      return ok(null);
    });
  }
}

const NOTHING: Amount = { documents: 0, bytes: 0 };

const idOfWritten = ({ document }: Written): DocumentId => document.id;

/** The result of a write that may have been undone; `undone` is told why. */
function orUndone<T>(write: () => Outcome<T>, undone?: { failure: Failure | null }): Outcome<T> {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    if (undone !== undefined) undone.failure = error.failure;
    return failed(...error.failure.problems);
  }
}
