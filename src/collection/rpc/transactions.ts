/**
 * A list of operations on several types: one transaction of several collections, in two phases. Plain data: it crosses the
 * objects' RPC.
 *
 * The collections are locked in the order of their names, and the last one coordinates: it needs no lock, because it decides
 * and applies its own share in one transaction of its storage. So no two transactions wait for each other.
 */
import type { TypeName } from '../../domain/types.ts';
import type { StoredContent, StoredDocument } from '../../domain/values/stored.ts';
import type { Once } from './idempotency.ts';
import type { Attempt, Failure, WriteList } from './operations.ts';

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

/** What the coordinator asks of another collection: to check its share, and to hold itself ready to apply it. */
export interface Preparation {
  readonly id: string;
  readonly coordinator: TypeName;
  readonly list: WriteList;
  /** Milliseconds since 1970 until which it is of use to wait for another transaction. */
  readonly until: number;
}

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
