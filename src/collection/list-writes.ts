/** Writes of many documents at once: lists, shares of transactions, and changes of all that a filter finds. */
import type { DocumentId } from '../domain/ids.ts';
import { fail, failed, ok, type Outcome } from '../domain/problems.ts';
import type { Initialization } from './initialization.ts';
import type { BulkRequest } from './rpc/bulk.ts';
import type { Once } from './rpc/idempotency.ts';
import type { WriteTarget } from './rpc/maintenance/quota-leases.ts';
import {
  localIdOf,
  unitsOfChange,
  unitsOfList,
  type Attempt,
  type Failure,
  type ListOutcome,
  type Operation,
  type WriteList,
  type WriteListResult,
} from './rpc/operations.ts';
import type { Preparation } from './rpc/transactions.ts';
import { newIdsIn } from './write/contents.ts';
import type { WriteSteps } from './write-steps.ts';
import type { Prepared, PreparedShare } from './write/transactions/prepared.ts';
import type { Transactor } from './write/transactor.ts';
import type { Writes } from './write/writes.ts';
import { notEven, Undone, writeAll } from './write/lists/batch.ts';
import { Bulk, type ListPages } from './write/lists/bulk.ts';

interface Parts {
  readonly steps: WriteSteps;
  readonly tables: Transactor;
  readonly writes: Writes;
  readonly initialization: Initialization;
  readonly prepared: Pick<PreparedShare, 'isHeld' | 'hold' | 'release'>;
}

export class ListWrites {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #parts: Parts;

  constructor(storage: Pick<DurableObjectStorage, 'transactionSync'>, parts: Parts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  writeList(target: WriteTarget, list: WriteList): Promise<WriteListResult> {
    return this.#writeList(target, list, list.once, () => this.#writeAll(target, list, Date.now()));
  }

  /** Writes the coordinator's share of a transaction; `note` gives the results of all shares, in the same transaction. */
  writeShare<T>(
    target: WriteTarget,
    list: WriteList,
    once: Once | undefined,
    note: (done: readonly Attempt[]) => T,
  ): Promise<ListOutcome<T>> {
    return this.#writeList(target, list, once, () => note(this.#writeAll(target, list, Date.now())));
  }

  /** Checks a share of a transaction, and writes nothing. */
  rehearse(target: WriteTarget, list: WriteList): Promise<WriteListResult> {
    return this.#writeList(target, list, undefined, () => this.#rehearse(target, list, Date.now()));
  }

  /** Checks a share, and lets nothing else be written until its transaction is decided. */
  async prepare(
    target: WriteTarget,
    { id, coordinator, list, until }: Preparation,
  ): Promise<WriteListResult> {
    const { prepared, tables, writes } = this.#parts;
    // Behind the writes that wait here for another transaction.
    if (prepared.isHeld) await writes.write(0, () => ok(null));
    return this.#writeList(target, list, undefined, () => {
      const now = Date.now();
      if (now > until) throw new Undone(notEven(busy().problems));
      // So that the numbers of the rehearsal are those of the performance.
      tables.records.beginEpoch();
      const done = this.#rehearse(target, list, now);
      prepared.hold({ id, coordinator, target, now, list: asRehearsed(list, done) });
      return done;
    });
  }

  /** Applies a share that was prepared. Nothing was written since, so what was allowed still is. */
  apply({ target, list, now }: Prepared): Promise<readonly Attempt[]> {
    const { initialization, prepared, writes } = this.#parts;
    const { quotas: _, ...allowed } = target;
    const applied = writes.alone(() => {
      prepared.release();
      return this.#parts.steps.within(allowed, () =>
        ok(this.#writeAll(target, { ...list, again: true }, now)),
      );
    });
    if (!applied.ok) throw new Error(`A prepared share can not be applied: ${applied.problems[0]?.detail}`);
    return initialization.reminded(applied.value);
  }

  #writeAll({ type }: WriteTarget, list: WriteList, now: number): readonly Attempt[] {
    return writeAll(this.#parts.tables, type, list, now, this.#nested);
  }

  /** What a list would come to; throws `Undone` where it would fail. To be called inside a transaction. */
  #rehearse(target: WriteTarget, list: WriteList, now: number): readonly Attempt[] {
    const rehearsed: { done: readonly Attempt[] } = { done: [] };
    const undone = new Error('A rehearsal is undone.');
    try {
      this.#parts.tables.attempt(this.#nested, () => {
        rehearsed.done = this.#writeAll(target, list, now);
        throw undone;
      });
    } catch (error) {
      if (error !== undone) throw error;
    }
    return rehearsed.done;
  }

  readonly #nested = <T>(work: () => T): T => this.#storage.transactionSync(work);

  async #writeList<T>(
    target: WriteTarget,
    list: WriteList,
    once: Once | undefined,
    apply: () => T,
  ): Promise<ListOutcome<T>> {
    const { writes } = this.#parts;
    const wanted = unitsOfList(list);
    const undone: { failure: Failure | null } = { failure: null };
    const written = await this.#parts.steps.perform({
      target,
      ...(wanted.documents > 0 && { adds: true }),
      ids: list.operations.flatMap((each) => ('id' in each && localIdOf(each.id) === null ? [each.id] : [])),
      wanted,
      ...(list.goesOn === true && { least: { documents: Math.min(1, wanted.documents), bytes: 0 } }),
      once,
      apply: () => ok(apply()),
      commit: (work) => {
        undone.failure = null;
        return orUndone(() => writes.exclusive(work), undone);
      },
    });
    if (written.ok) return { ok: true, done: written.value };
    return { ok: false, failure: undone.failure ?? notEven(written.problems) };
  }

  /** Gives out ids of documents that a transaction will add. */
  reserveIds(target: WriteTarget, count: number): Promise<Outcome<readonly DocumentId[]>> {
    const { tables, writes } = this.#parts;
    return this.#parts.steps.perform({
      target,
      adds: true,
      wanted: { documents: count, bytes: 0 },
      apply: () => ok(newIdsIn(tables.records, Math.floor(Date.now() / 1000), count)),
      commit: (work) => writes.write(0, work),
    });
  }

  async bulk(target: WriteTarget, request: BulkRequest, list: ListPages): Promise<Outcome<number>> {
    const { initialization, tables, writes } = this.#parts;
    await initialization.sure();
    if (!writes.hasTables) return ok(0);
    const bulk = new Bulk(tables, target.type, request);
    const found = await bulk.find(list);
    if (!found.ok) return found;
    return this.#parts.steps.perform({
      target,
      wanted: { documents: 0, bytes: request.change === null ? 0 : unitsOfChange(request.change) },
      apply: () => ok(bulk.write(found.value)),
      commit: (work) => orUndone(() => writes.exclusive(work)),
    });
  }
}

/** A list as it has been rehearsed: what it adds gets the same ids. */
function asRehearsed(list: WriteList, done: readonly Attempt[]): WriteList {
  const operations = list.operations.map((operation, at): Operation => {
    const each = done[at];
    if (operation.kind !== 'add' || operation.id !== undefined || each === undefined || !('id' in each))
      return operation;
    return { ...operation, given: each.id };
  });
  return { ...list, operations };
}

/** Seconds after which a collection may have ended the transactions that wait for each other. */
const AGAIN = 1;

function busy() {
  const detail = 'Other transactions write the same types: send the list again.';
  return fail('unavailable', detail, undefined, { 'retry-after': AGAIN });
}

/** The result of a write that may have been undone; `undone` is told why. */
async function orUndone<T>(
  write: () => Promise<Outcome<T>>,
  undone?: { failure: Failure | null },
): Promise<Outcome<T>> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    if (undone !== undefined) undone.failure = error.failure;
    return failed(...error.failure.problems);
  }
}
