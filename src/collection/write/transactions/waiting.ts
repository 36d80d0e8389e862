/** Transactions that wait to be decided (coordinator.ts): what each has, and how many of them are decided together. */
import { seenBy, unitsOfList, type Failure, type Once } from '../../rpc/writes/operations.ts';
import type { WriteTarget } from '../../rpc/writes/target.ts';
import type { Branch, Share, Transaction, TransactionResult } from '../../rpc/writes/transactions.ts';

/** What is decided together at most: transactions, their operations, and about how many UTF-16 units. */
const TOGETHER = { transactions: 16, operations: 256, units: 256 * 1024 };

export interface Waiting {
  readonly target: WriteTarget;
  readonly shares: Transaction['shares'];
  readonly once?: Once | undefined;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly resolve: (result: TransactionResult | Promise<TransactionResult>) => void;
  readonly reject: (error: unknown) => void;
}

/** How many of those that wait are decided together. */
export function fitting(waiting: readonly Waiting[]): number {
  let [operations, units] = [0, 0];
  const [first] = waiting;
  // Where a rule looks at documents, a transaction is judged by what the one before it has left.
  const end = waiting.findIndex((each, at) => {
    const { shares } = each;
    if (at > 0 && (looks(each) || (first !== undefined && looks(first)))) return true;
    operations += shares.reduce((sum, { list }) => sum + list.operations.length, 0);
    units += shares.reduce((sum, { list }) => sum + unitsOfList(list).bytes, 0);
    return at > 0 && (operations > TOGETHER.operations || units > TOGETHER.units);
  });
  return Math.min(end === -1 ? waiting.length : end, TOGETHER.transactions);
}

function looks({ shares }: Waiting): boolean {
  return shares.some(({ list }) => seenBy(list).length > 0);
}

/** Throws where there is none. */
export function firstOf([first]: readonly Waiting[]): Waiting {
  if (first === undefined) throw new Error('A group has a transaction.');
  return first;
}

/** The share of a transaction in one of its collections. */
export function partOf({ target, shares }: Waiting, at: number): Branch {
  const share = shares[at];
  if (share === undefined) throw new Error('A transaction has a share for each type.');
  return { target: { ...target, type: share.type }, list: share.list };
}

/** The position in the whole list of the operation that failed; before all of them where a whole share is refused. */
export function placeOf(shares: readonly Share[], share: number, { at }: Failure): number {
  return at === null ? -1 : (shares[share]?.list.operations[at]?.place ?? at);
}
