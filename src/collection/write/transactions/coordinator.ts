/**
 * Transactions of several collections, in the collection that decides them (rpc/transactions.ts). The others check their
 * shares and hold themselves ready, one after the other. Then this one applies its own share and notes the commit in one
 * transaction of its storage: from that moment on the transaction has happened. What is neither noted nor running is aborted,
 * and nothing has to be stored of it.
 */
import type { ApplicationId } from '../../../domain/ids.ts';
import { settingsOf } from '../../../domain/settings.ts';
import type { TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { Environment } from '../../rpc/environment.ts';
import type { WriteTarget } from '../../rpc/maintenance/quota-leases.ts';
import type { Once } from '../../rpc/idempotency.ts';
import type { Attempt, Failure, ListOutcome, WriteList, WriteListResult } from '../../rpc/operations.ts';
import type {
  Decision,
  Share,
  Transaction,
  TransactionResult,
  TransactionResults,
} from '../../rpc/transactions.ts';
import { ringBy, type AlarmStorage } from '../../storage/alarm.ts';
import { LEASE_MARGIN, toldOrEnded } from '../notify/lease-ends.ts';

/** The beginning of the storage keys of commits, whose values say who has not been told. */
const COMMITTED = 'committed ';

/** Milliseconds within which all collections are locked, or the transaction is given up. */
const PATIENCE = 10_000;

/** Milliseconds after which the alarm tells those who could not be told. */
const AGAIN = 1_000;

/** Who takes part beside the coordinator. */
interface Commit {
  readonly application: ApplicationId;
  readonly types: readonly TypeName[];
}

/** What the coordinator does with its own share. */
interface OwnShare {
  rehearse(target: WriteTarget, list: WriteList): Promise<WriteListResult>;
  writeShare<T>(
    target: WriteTarget,
    list: WriteList,
    once: Once | undefined,
    note: (done: readonly Attempt[]) => T,
  ): Promise<ListOutcome<T>>;
}

type Storage = AlarmStorage & Pick<DurableObjectStorage, 'kv'>;

export class Coordinator {
  readonly #environment: Environment;
  readonly #storage: Storage;
  readonly #own: OwnShare;
  /** The transactions that are not decided; each resolves when it is. */
  readonly #running = new Map<string, Promise<null>>();

  constructor(environment: Environment, storage: Storage, own: OwnShare) {
    this.#environment = environment;
    this.#storage = storage;
    this.#own = own;
  }

  /** Writes all shares, or none. */
  async run(target: WriteTarget, { shares, once }: Transaction): Promise<TransactionResult> {
    const own = shares.at(-1);
    if (own === undefined) throw new Error('A transaction has a share.');
    const others = shares.slice(0, -1);
    const id = crypto.randomUUID();
    const commit = { application: target.application, types: others.map(({ type }) => type) };
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#running.set(id, promise);
    let result: TransactionResult;
    try {
      await ringBy(this.#storage, Date.now() + AGAIN);
      const prepared = await this.#prepare(target, id, others, own);
      result = prepared.ok ? await this.#commit(target, { id, commit, own, once }, prepared.done) : prepared;
    } finally {
      this.#running.delete(id);
      resolve(null);
      // Whoever is not reached asks by itself.
      if (this.#noted(id) === undefined) void this.#tell(id, commit, false).catch(() => undefined);
    }
    if (!result.ok || this.#noted(id) === undefined) return result;
    return { ok: true, done: await this.#applied(id, commit, result.done) };
  }

  /** Has every other collection check its share and hold itself ready: in their order, so that nobody waits in a circle. */
  async #prepare(
    target: WriteTarget,
    id: string,
    others: readonly Share[],
    own: Share,
  ): Promise<TransactionResult> {
    const until = Date.now() + PATIENCE;
    const done: (readonly Attempt[])[] = [];
    for (const [share, { type, list }] of others.entries()) {
      const { calls } = this.#client(target, type);
      const prepared = await calls.prepare({ id, coordinator: target.type, list, until });
      if (!prepared.ok) {
        return this.#firstFailure(target, [...others, own], { ok: false, share, failure: prepared.failure });
      }
      done.push(prepared.done);
    }
    return { ok: true, done };
  }

  /** The failure of the first operation of the whole list, where shares after the one that failed have one, too. */
  async #firstFailure(
    target: WriteTarget,
    shares: readonly Share[],
    found: TransactionResult & { readonly ok: false },
  ): Promise<TransactionResult> {
    let first = found;
    for (const [share, { type, list }] of shares.entries()) {
      if (share <= found.share || placeOf(shares, first) === null) continue;
      const checked =
        type === target.type
          ? await this.#own.rehearse(target, list)
          : await this.#client(target, type).calls.rehearse(list);
      if (checked.ok) continue;
      const other = { ok: false as const, share, failure: checked.failure };
      if (isBefore(placeOf(shares, other), placeOf(shares, first))) first = other;
    }
    return first;
  }

  /** Applies the own share, and notes the commit with it. */
  async #commit(
    target: WriteTarget,
    { id, commit, own, once }: { id: string; commit: Commit; own: Share; once: Transaction['once'] },
    prepared: TransactionResults,
  ): Promise<TransactionResult> {
    const written = await this.#own.writeShare(target, own.list, once, (done) => {
      this.#storage.kv.put(`${COMMITTED}${id}`, commit);
      return [...prepared, done];
    });
    return written.ok ? written : { ok: false, share: prepared.length, failure: written.failure };
  }

  /**
   * The results, when all collections have applied their shares and told whom that concerns. One that is not reached has
   * them applied before anybody reads it; what others know of its rights they know no longer than a lease lasts.
   */
  async #applied(id: string, commit: Commit, done: TransactionResults): Promise<TransactionResults> {
    let applied: readonly (readonly Attempt[] | null)[] = [];
    const end = Date.now() + settingsOf(this.#environment).sessionLease + LEASE_MARGIN;
    await toldOrEnded(end, async () => {
      applied = await this.#tell(id, commit, true);
    });
    return done.map((each, share) => applied[share] ?? each);
  }

  /** Tells all others what was decided, and forgets the commit. Throws where one is not reached. */
  async #tell(id: string, { application, types }: Commit, committed: boolean) {
    const asker = { environment: this.#environment, application };
    const results = await Promise.all(
      types.map((type) => collectionOf(asker, type).calls.decide(id, committed)),
    );
    this.#storage.kv.delete(`${COMMITTED}${id}`);
    return results;
  }

  /** Whether a transaction is committed; `patient`: once that is decided. */
  async decided(id: string, patient: boolean): Promise<Decision> {
    if (this.#noted(id) !== undefined) return 'committed';
    const running = this.#running.get(id);
    if (running === undefined) return 'aborted';
    if (!patient) return 'pending';
    await running;
    return this.#noted(id) === undefined ? 'aborted' : 'committed';
  }

  /** Tells those who could not be told. */
  async alarm(): Promise<void> {
    const commits = [...this.#storage.kv.list<Commit>({ prefix: COMMITTED })];
    const told = await Promise.allSettled(
      commits.map(([key, commit]) => this.#tell(key.slice(COMMITTED.length), commit, true)),
    );
    const isLeft = this.#running.size > 0 || told.some(({ status }) => status === 'rejected');
    if (isLeft) await ringBy(this.#storage, Date.now() + AGAIN);
  }

  #noted(id: string): Commit | undefined {
    return this.#storage.kv.get<Commit>(`${COMMITTED}${id}`);
  }

  #client(target: WriteTarget, type: TypeName) {
    return collectionOf({ ...target, environment: this.#environment }, type);
  }
}

/** The position in the whole list of the operation that failed; null where a whole share is refused. */
function placeOf(shares: readonly Share[], { share, failure }: { share: number; failure: Failure }) {
  const { at } = failure;
  return at === null ? null : (shares[share]?.list.operations[at]?.place ?? at);
}

function isBefore(one: number | null, other: number | null): boolean {
  return one === null || (other !== null && one < other);
}
