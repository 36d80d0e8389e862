/**
 * The steps of every write, in their order (`perform`): it is prepared, then one transaction checks it, applies it to all
 * tables and notes what it tells others, and it answers when those know who must.
 */
import type { DocumentId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { Initialization } from './initialization.ts';
import type { LeaseRequests } from './quotas/lease-requests.ts';
import { areOfQuota } from './quotas/quota-lease.ts';
import type { Seen } from '../domain/rules.ts';
import type { Once } from './rpc/writes/operations.ts';
import type { Amount, WriteTarget } from './rpc/writes/target.ts';
import type { Expiry } from './write/upkeep/expiry.ts';
import type { Idempotency } from './write/idempotency.ts';
import type { Inheritance } from './write/notify/inheritance.ts';
import type { Watching } from './write/rules/watching.ts';
import type { Transactor } from './write/transactor.ts';

/** A write, as its steps take it. */
export interface Write<T> {
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
  /** Those of its parts, where it has several: `apply` does each of them once (`part`). */
  readonly onces?: readonly Once[];
  /** What the rules of those who write have looked at. */
  readonly seen?: readonly Seen[] | undefined;
  /** Checks and changes tables, inside the transaction, and nothing else: it may run again. */
  readonly apply: () => Outcome<T>;
  /** Runs that in a transaction, and makes known what others hold of the documents. */
  readonly commit: (work: () => Outcome<T>) => Outcome<T> | Promise<Outcome<T>>;
}

interface Parts {
  readonly tables: Transactor;
  readonly idempotency: Idempotency;
  readonly expiry: Expiry;
  readonly inheritance: Pick<Inheritance, 'isCurrent'>;
  readonly initialization: Initialization;
  readonly leaseRequests: LeaseRequests;
  readonly watching: Watching;
}

export class WriteSteps {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Performs a write, in all its steps. */
  async perform<T>(write: Write<T>): Promise<Outcome<T>> {
    const { leaseRequests, idempotency } = this.#parts;
    const { once, onces = once === undefined ? [] : [once], target, wanted } = write;
    const begun = idempotency.begin(onces);
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
      if (written.ok && onces.length > 0) await idempotency.remind();
      return written;
    } finally {
      leased.end();
      idempotency.end(onces);
    }
  }

  /** What must be there before a type gets its first document: room in the quotas, and its tables. */
  async #prepare<T>({ adds, least, target, wanted }: Write<T>): Promise<Outcome<unknown>> {
    if (adds !== true) return ok(null);
    const room = await this.#parts.leaseRequests.ensure(target, wanted, least);
    return room.ok ? this.#parts.initialization.ready(target) : room;
  }

  async #commit<T>({ apply, commit, ids = [], once, seen = [], target }: Write<T>): Promise<Outcome<T>> {
    const { expiry, initialization, watching } = this.#parts;
    await initialization.sure();
    if (seen.length > 0) await watching.sure(seen);
    for (const id of ids) expiry.finish(id);
    const kept = () => watching.changed(seen) ?? apply();
    return initialization.reminded(commit(() => this.part(target, once, kept)));
  }

  /** Does a part of a transaction that may have been done before: its outcome, or that of then. */
  part<T>(target: WriteTarget, once: Once | undefined, apply: () => Outcome<T>): Outcome<T> {
    return this.#parts.idempotency.once(once, () => this.within(target, apply));
  }

  /** Runs a part of a transaction on behalf of who writes. */
  within<T>(target: WriteTarget, apply: () => Outcome<T>): Outcome<T> {
    const { tables } = this.#parts;
    const within = () => tables.quotaLease.within(target.quotas, apply);
    const audited = () => tables.audits.within(target, within);
    return tables.typeRules.within(target.requester, audited);
  }
}
