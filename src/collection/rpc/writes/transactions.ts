/**
 * A list of operations on several types: one transaction of several collections, in two phases. Plain data for RPC.
 *
 * The last collection in the order of their names coordinates: it needs no lock, because it decides and applies its own
 * share in one transaction of its storage. The others are locked at once if all are free, else in that order: so no
 * two transactions wait for each other. Transactions of the same types that wait are decided together.
 */
import { fail } from '../../../domain/problems.ts';
import type { Seen } from '../../../domain/rules.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { StoredContent, StoredDocument } from '../../../domain/values/stored.ts';
import type { Once, Attempt, Failure, ListOutcome, WriteList } from './operations.ts';
import type { WriteTarget } from './target.ts';

/** What a transaction writes in one collection. */
export interface Share<Encoding = StoredContent> {
  readonly type: TypeName;
  readonly list: WriteList<Encoding>;
}

export interface Transaction<Encoding = StoredContent> {
  /** In the order of the names of their types; the last one is the coordinator's. */
  readonly shares: readonly Share<Encoding>[];
  readonly once?: Once;
}

/** The results of each share. */
export type TransactionResults<Form = StoredDocument> = readonly (readonly Attempt<Form>[])[];

/** The results, or the failure of the first operation that failed in one of them. */
export type TransactionResult<Form = StoredDocument> =
  | { readonly ok: true; readonly done: TransactionResults<Form> }
  | { readonly ok: false; readonly share: number; readonly failure: Failure };

/** What one transaction writes in a collection, and for whom. */
export interface Branch {
  readonly target: WriteTarget;
  readonly list: WriteList;
}

/** What the coordinator asks of another collection: to check its share, and to hold itself ready to apply it. */
export interface Preparation {
  readonly id: string;
  readonly coordinator: TypeName;
  /** Of all transactions that are decided together, in their order. */
  readonly parts: readonly Branch[];
  /** Milliseconds since 1970 until which it is of use to wait for others; null: they are not waited for. */
  readonly until: number | null;
}

/** What is prepared. */
export interface Rehearsal {
  /** Of each part. */
  readonly results: readonly (readonly Attempt[])[];
  /** What the settings of the type have looked at. */
  readonly seen: readonly Seen[];
  /** The collection's counter before. */
  readonly counter: number;
  /** Whether others rely on what is there, until they are told. */
  readonly isReliedOn: boolean;
}

/** What is prepared, or why a part fails; null where other transactions are prepared. */
export type PreparationResult = ListOutcome<Rehearsal> | null;

/** What the coordinator says of a transaction. What it does not know has not been committed, and never will be. */
export type Decision = 'pending' | 'committed' | 'aborted';

/** A transaction that is prepared in a collection, as the operator sees it. */
export interface PreparedState {
  readonly id: string;
  readonly coordinator: TypeName;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The shares in the order in which their collections are asked. Every sender must have the same. */
export function byType<T extends { readonly type: TypeName }>(shares: readonly T[]): readonly T[] {
  return shares.toSorted((one, other) => (one.type < other.type ? -1 : 1));
}

/** Seconds after which a collection may have ended the transactions that wait for each other. */
const AGAIN = 1;

/** The refusal of a transaction that has waited for too long. */
export function busy() {
  const detail = 'Other transactions write the same types: send the list again.';
  return fail('unavailable', detail, undefined, { 'retry-after': AGAIN });
}

/** A part, with what others have looked at there: so it is as they have seen it when all are written. */
export function withSeen<Part extends { readonly list: WriteList }>(
  part: Part,
  type: TypeName,
  all: readonly Seen[],
): Part {
  const seen = [...(part.list.seen ?? []), ...all.filter((each) => each.type === type)];
  return seen.length === 0 ? part : { ...part, list: { ...part.list, seen } };
}

/** Whether a collection had changed, when it was prepared, since others have looked at it. */
export function hasChanged(type: TypeName, prepared: Rehearsal | undefined, all: readonly Seen[]): boolean {
  return all.some((each) => each.type === type && (prepared?.counter ?? 0) > each.counter);
}
