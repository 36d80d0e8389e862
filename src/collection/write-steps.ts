/**
 * The steps of every write, in their order (`perform`): it is prepared, one transaction checks it, applies it to all
 * tables and notes what it tells others, and it answers when those know who must.
 */
import type { DocumentId } from '../domain/ids.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Outcome } from '../domain/problems.ts';
import type { Initialization } from './initialization.ts';
import type { LeaseRequests } from './quotas/lease-requests.ts';
import { areOfQuota } from './quotas/quota-lease.ts';
import type { Seen } from '../domain/rules.ts';
import type { Once } from './rpc/writes/operations.ts';
import { NOTHING, type Amount, type WriteTarget } from './rpc/writes/target.ts';
import type { Expiry } from './write/upkeep/expiry.ts';
import { ringBy } from './storage/alarm.ts';
import type { Inheritance } from './write/notify/inheritance.ts';
import { Looked } from './write/rules/looked.ts';
import type { Watching } from './write/rules/watching.ts';
import type { Transactor } from './write/transactor.ts';
import type { Ground } from './write/ground.ts';
import type { Registration } from './write/registration.ts';

/** A write, as its steps take it. */
export interface Write<T> {
  /** Whether it may add documents: then there must be tables, and the type must be registered. */
  readonly adds?: true;
  /** The documents that it is about, as far as they are known before. */
  readonly ids?: readonly DocumentId[];
  /** About how much it adds, if anything; quotas must have room for that. */
  readonly wanted?: Amount;
  /** What of that it needs to begin at all. */
  readonly least?: Amount;
  readonly once?: Once | undefined;
  /** Those of its parts, where it has several: `apply` does each of them once (`performPart`). */
  readonly onces?: readonly Once[];
  /** What the rules of those who write have looked at. */
  readonly seen?: readonly Seen[] | undefined;
  /** True where it leaves nothing that others must hear of: those may wait for what it prepares. */
  readonly rehearses?: true;
  /** Checks and changes tables, inside the transaction, and nothing else: it may run again. */
  readonly apply: () => Outcome<T>;
  /** Runs that in a transaction, and makes known what others hold of the documents; absent where they hold nothing. */
  readonly commit?: (work: () => Outcome<T>) => Outcome<T> | Promise<Outcome<T>>;
}

/** Who has a part in a write. */
export interface Steps extends Ground {
  readonly expiry: Expiry;
  readonly inheritance: Pick<Inheritance, 'isCurrent'>;
  readonly initialization: Initialization;
  readonly leaseRequests: LeaseRequests;
  readonly registration: Registration;
  readonly watching: Watching;
}

/** How often a write asks for linked documents: of the next level, or because some have changed meanwhile. */
const LOOKS = 2 * LIMITS.linksInARow;

/** What is written: a collection, as the caller names it. */
interface Called {
  readonly parts: Steps;
  readonly target: WriteTarget;
}

export async function perform<T>(called: Called, write: Write<T>): Promise<Outcome<T>> {
  const { parts, target } = called;
  const { inheritance, leaseRequests, registration, storage } = parts;
  const { outcomes } = parts.tables;
  const { adds, least, once, onces = once === undefined ? [] : [once], wanted = NOTHING } = write;
  const begun = outcomes.begin(onces);
  if (!begun.ok) return begun;
  leaseRequests.count(target, wanted, 1);
  try {
    if (adds === true) {
      // What must be there before a type gets its first document: room in the quotas, and its tables.
      const room = await leaseRequests.ensure(target, wanted, least);
      const ready = room.ok ? await registration.ready(target) : room;
      if (!ready.ok) return ready;
    }
    const looked = new Looked(parts.watching);
    let written = await commit(called, write, looked);
    // Who has rights on the documents that it links to was not known.
    if (!written.ok && !inheritance.isCurrent) written = await commit(called, write, looked);
    for (let left = LOOKS; left > 0 && !written.ok && looked.isWanting; left -= 1) {
      await looked.look(parts.watching);
      written = await commit(called, write, looked);
    }
    for (let times = 0; !written.ok && areOfQuota(written.problems); times += 1) {
      if (!(await leaseRequests.more(target, wanted, times))) break;
      written = await commit(called, write, looked);
    }
    if (written.ok && onces.length > 0) await ringBy(storage, outcomes.next());
    return written;
  } finally {
    leaseRequests.count(target, wanted, -1);
    outcomes.end(onces);
  }
}

async function commit<T>({ parts, target }: Called, write: Write<T>, looked: Looked): Promise<Outcome<T>> {
  const { expiry, initialization, tables, watching, writes } = parts;
  const { ids = [], once, rehearses, seen = [] } = write;
  await initialization.sure();
  if (seen.length > 0) await watching.sure(seen);
  for (const id of ids) expiry.finish(id);
  const apply = () => {
    for (const id of ids) expiry.end(id);
    return watching.changed(seen) ?? tables.typeRules.looking(looked, write.apply);
  };
  const work = () => performPart(tables, target, once, apply);
  const done = write.commit === undefined ? writes.write(0, work) : write.commit(work);
  return rehearses === true ? done : initialization.reminded(done);
}

/** Does a part of a transaction that may have been done before, for who writes: its outcome, or that of then. */
export function performPart<T>(
  tables: Transactor,
  target: WriteTarget,
  once: Once | undefined,
  apply: () => Outcome<T>,
): Outcome<T> {
  return tables.outcomes.once(once, Date.now(), () => tables.onBehalf(target, apply));
}
