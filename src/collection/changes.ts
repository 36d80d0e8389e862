/**
 * How a collection creates, changes and deletes documents: when it is ready, once however often the same is asked, and
 * made known to those who must know before it answers.
 */
import type { Link } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant } from '../domain/rights.ts';
import { areOfQuota } from './quotas/allowance.ts';
import type { Claims } from './quotas/claims.ts';
import type { PushedPart } from '../domain/types.ts';
import type { Readiness } from './readiness.ts';
import type { BulkRequest } from './rpc/bulk.ts';
import type { PushedDocument } from './rpc/contract.ts';
import type { Once } from './rpc/once.ts';
import {
  localIdOf,
  unitsOfChange,
  unitsOfGrants,
  unitsOfList,
  type Change,
  type Draft,
  type WriteList,
  type WriteListResult,
} from './rpc/operations.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AclResult, DeleteResult, WriteResult } from './rpc/results.ts';
import type { WriteTarget } from './rpc/upkeep/shares.ts';
import { notEven, Undone, writeAll } from './write/lists/batch.ts';
import { Bulk, orUndone, type ListPages } from './write/lists/bulk.ts';
import type { Expiry } from './write/expiry.ts';
import type { Propagation } from './write/telling/propagation.ts';
import type { Repeats } from './write/repeats.ts';
import type { Transactor } from './write/transactor.ts';
import type { Writes } from './write/writes.ts';

interface Parts {
  readonly tables: Transactor;
  readonly writes: Writes;
  readonly repeats: Repeats;
  readonly propagation: Propagation;
  readonly expiry: Expiry;
  readonly readiness: Readiness;
  readonly claims: Claims;
}

/** Whether a write was refused for a quota. */
const lacksRoom = (written: Outcome<unknown>) => !written.ok && areOfQuota(written.problems);

/** Runs the write of a transaction: within the quotas of the application, and told to its audit trail. */
function within<T>({ allowance, audits }: Transactor, name: WriteTarget, work: () => Outcome<T>): Outcome<T> {
  return audits.within(name, () => allowance.within(name.quotas, work));
}

export class Changes {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #parts: Parts;

  constructor(storage: Pick<DurableObjectStorage, 'transactionSync'>, parts: Parts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  create(name: WriteTarget, draft: Draft): Promise<WriteResult> {
    const { repeats, tables } = this.#parts;
    return repeats.guard(draft.once, () =>
      this.#create(name, draft, () => tables.create(name.type, draft, Date.now())),
    );
  }

  findOrCreate(name: WriteTarget, draft: Draft): Promise<WriteResult> {
    return this.#create(name, draft, () => this.#parts.tables.findOrCreate(name.type, draft, Date.now()));
  }

  update(
    name: WriteTarget,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null,
    once: Once | undefined,
  ): Promise<WriteResult> {
    const { repeats, tables } = this.#parts;
    const units = unitsOfChange(change);
    const update = () =>
      within(tables, name, () => tables.update(name.type, id, change, precondition, overlay));
    const write = () => this.#change(name, id, units, () => repeats.once(once, update));
    const wanted = { documents: 0, bytes: units };
    return repeats.guard(once, () => this.#parts.claims.within(name, wanted, write, lacksRoom));
  }

  remove(name: WriteTarget, id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    const { tables } = this.#parts;
    const remove = () => tables.remove(name.type, id, precondition);
    return this.#change(name, id, 0, () => tables.audits.within(name, remove));
  }

  async writeList(name: WriteTarget, list: WriteList): Promise<WriteListResult> {
    const { claims } = this.#parts;
    const wanted = unitsOfList(list);
    if (name.quotas !== undefined) {
      const least = list.goesOn === true ? { documents: Math.min(1, wanted.documents), bytes: 0 } : wanted;
      const room = await claims.ensure(name, wanted, least);
      if (!room.ok) return notEven(room.problems);
    }
    const write = () => this.#writeList(name, list);
    return claims.within(
      name,
      wanted,
      write,
      (written) => !written.ok && areOfQuota(written.failure.problems),
    );
  }

  async #writeList(name: WriteTarget, list: WriteList): Promise<WriteListResult> {
    const { expiry, readiness, repeats, tables, writes } = this.#parts;
    if (list.operations.some(({ kind }) => kind === 'add')) {
      const registered = await readiness.ready(name);
      if (!registered.ok) return notEven(registered.problems);
    }
    try {
      const nested = <T>(work: () => T): T => this.#storage.transactionSync(work);
      const all = () => within(tables, name, () => ok(writeAll(tables, name.type, list, Date.now(), nested)));
      const written = await repeats.guard(list.once, async () => {
        await readiness.sure();
        for (const operation of list.operations) {
          if ('id' in operation && localIdOf(operation.id) === null) expiry.finish(operation.id);
        }
        return readiness.reminded(writes.alone(() => repeats.once(list.once, all)));
      });
      return written.ok ? { ok: true, done: written.value } : notEven(written.problems);
    } catch (error) {
      if (error instanceof Undone) return { ok: false, failure: error.failure };
      throw error;
    }
  }

  async bulk(name: WriteTarget, request: BulkRequest, list: ListPages): Promise<Outcome<number>> {
    const { claims, readiness, tables, writes } = this.#parts;
    await readiness.sure();
    if (!writes.hasTables) return ok(0);
    const bulk = new Bulk(tables, name.type, request);
    const found = await bulk.find(list);
    if (!found.ok) return found;
    const all = () => within(tables, name, () => ok(bulk.write(found.value)));
    const write = async () => readiness.reminded(orUndone(() => writes.alone(all)));
    const wanted = { documents: 0, bytes: request.change === null ? 0 : unitsOfChange(request.change) };
    return claims.within(name, wanted, write, lacksRoom);
  }

  async updateAcl(
    name: WriteTarget,
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    const { claims, expiry, readiness, tables, writes } = this.#parts;
    await readiness.sure();
    expiry.finish(id);
    const update = () => within(tables, name, () => tables.updateAcl(id, level, grants, precondition));
    const wanted = { documents: 0, bytes: unitsOfGrants(grants) };
    return claims.within(name, wanted, () => writes.write(0, update), lacksRoom);
  }

  async endToken(holder: Link, token: DocumentId, until: number): Promise<Outcome<null>> {
    const { readiness, tables, writes } = this.#parts;
    await readiness.sure();
    const end = () => tables.endToken(holder, token, until, Math.floor(Date.now() / 1000));
    return readiness.reminded(writes.write(0, end));
  }

  async setPushed(
    name: WriteTarget,
    part: PushedPart,
    number: number,
    documents: readonly PushedDocument[],
  ): Promise<void> {
    const { readiness, tables, writes } = this.#parts;
    const registered = await readiness.ready(name);
    if (!registered.ok) return;
    writes.alone(() => {
      tables.setPushed(part, number, documents);
      return ok(null);
    });
  }

  async #create(name: WriteTarget, draft: Draft, work: () => WriteResult): Promise<WriteResult> {
    const { claims, propagation, readiness, repeats, tables } = this.#parts;
    const units = draft.content.body.length;
    const wanted = { documents: 1, bytes: units };
    if (name.quotas !== undefined) {
      const room = await claims.ensure(name, wanted);
      if (!room.ok) return room;
    }
    const registered = await readiness.ready(name);
    if (!registered.ok) return registered;
    await readiness.sure();
    const create = () => repeats.once(draft.once, () => within(tables, name, work));
    const write = async () => readiness.reminded(propagation.create(name, units, create));
    return claims.within(name, wanted, write, lacksRoom);
  }

  async #change<T>(
    name: WriteTarget,
    id: DocumentId,
    units: number,
    work: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    const { expiry, propagation, readiness } = this.#parts;
    await readiness.sure();
    expiry.finish(id);
    return readiness.reminded(propagation.change(name, id, units, work));
  }
}
