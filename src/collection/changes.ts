/**
 * How a collection creates, changes and deletes documents: when it is ready, once however often the same is asked, and
 * made known to those who must know before it answers.
 */
import type { CollectionName } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant } from '../domain/rights.ts';
import type { Readiness } from './readiness.ts';
import type { BulkRequest } from './rpc/bulk.ts';
import type { PushedSchema } from './rpc/contract.ts';
import type { Once } from './rpc/once.ts';
import {
  localIdOf,
  unitsOfChange,
  type Change,
  type Draft,
  type WriteList,
  type WriteListResult,
} from './rpc/operations.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AclResult, DeleteResult, WriteResult } from './rpc/results.ts';
import { notEven, Undone, writeAll } from './write/lists/batch.ts';
import { Bulk, orUndone, type ListPages } from './write/lists/bulk.ts';
import type { Expiry } from './write/expiry.ts';
import type { Propagation } from './write/propagation.ts';
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
}

export class Changes {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #parts: Parts;

  constructor(storage: Pick<DurableObjectStorage, 'transactionSync'>, parts: Parts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  create(name: CollectionName, draft: Draft): Promise<WriteResult> {
    const { repeats, tables } = this.#parts;
    return repeats.guard(draft.once, () =>
      this.#create(name, draft, () => tables.create(name.type, draft, Date.now())),
    );
  }

  findOrCreate(name: CollectionName, draft: Draft): Promise<WriteResult> {
    return this.#create(name, draft, () => this.#parts.tables.findOrCreate(name.type, draft, Date.now()));
  }

  update(
    name: CollectionName,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null,
    once: Once | undefined,
  ): Promise<WriteResult> {
    const { repeats, tables } = this.#parts;
    const units = unitsOfChange(change);
    const update = () => tables.update(name.type, id, change, precondition, overlay);
    return repeats.guard(once, () => this.#change(name, id, units, () => repeats.once(once, update)));
  }

  remove(name: CollectionName, id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    return this.#change(name, id, 0, () => this.#parts.tables.remove(name.type, id, precondition));
  }

  async writeList(name: CollectionName, list: WriteList): Promise<WriteListResult> {
    const { expiry, readiness, repeats, tables, writes } = this.#parts;
    if (list.operations.some(({ kind }) => kind === 'add')) {
      const registered = await readiness.ready(name);
      if (!registered.ok) return notEven(registered.problems);
    }
    try {
      const nested = <T>(work: () => T): T => this.#storage.transactionSync(work);
      const all = () => ok(writeAll(tables, name.type, list, Date.now(), nested));
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

  async bulk(name: CollectionName, request: BulkRequest, list: ListPages): Promise<Outcome<number>> {
    const { readiness, tables, writes } = this.#parts;
    await readiness.sure();
    if (!writes.hasTables) return ok(0);
    const bulk = new Bulk(tables, name.type, request);
    const found = await bulk.find(list);
    if (!found.ok) return found;
    return readiness.reminded(orUndone(() => writes.alone(() => ok(bulk.write(found.value)))));
  }

  async updateAcl(
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    const { expiry, readiness, tables, writes } = this.#parts;
    await readiness.sure();
    expiry.finish(id);
    return writes.write(0, () => tables.updateAcl(id, level, grants, precondition));
  }

  async endToken(token: DocumentId, until: number): Promise<Outcome<null>> {
    const { readiness, tables, writes } = this.#parts;
    await readiness.sure();
    return writes.write(0, () => tables.endToken(token, until, Math.floor(Date.now() / 1000)));
  }

  async setSchemas(name: CollectionName, number: number, schemas: readonly PushedSchema[]): Promise<void> {
    const { readiness, tables, writes } = this.#parts;
    const registered = await readiness.ready(name);
    if (!registered.ok) return;
    writes.alone(() => {
      tables.schemas.replace(number, schemas);
      return ok(null);
    });
  }

  async #create(name: CollectionName, draft: Draft, work: () => WriteResult): Promise<WriteResult> {
    const { propagation, readiness, repeats } = this.#parts;
    const registered = await readiness.ready(name);
    if (!registered.ok) return registered;
    const units = draft.content.body.length;
    await readiness.sure();
    const create = () => repeats.once(draft.once, work);
    return readiness.reminded(propagation.create(name, units, create));
  }

  async #change<T>(
    name: CollectionName,
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
