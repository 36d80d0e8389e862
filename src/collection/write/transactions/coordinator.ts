/**
 * Transactions of several collections, in the collection that decides them (rpc/writes/transactions.ts). The others
 * check their shares and hold themselves ready. Then this one applies its share and notes the commit in one transaction
 * of its storage: from then on the transaction has happened. What is neither noted nor running is aborted, and nothing
 * has to be stored of it.
 *
 * Those of the same types that have waited for one another are decided as one; if one fails, each is decided alone.
 */
import type { ApplicationId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { Seen } from '../../../domain/rules.ts';
import type { TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import { seenChanged } from '../../rpc/refusals.ts';
import type { WriteTarget } from '../../rpc/writes/target.ts';
import { type Attempt, type Failure, type ListOutcome, type Once } from '../../rpc/writes/operations.ts';
import {
  busy,
  hasChanged,
  withSeen,
  type Decision,
  type Branch,
  type PreparationResult,
  type Share,
  type Transaction,
  type TransactionResult,
  type TransactionResults,
} from '../../rpc/writes/transactions.ts';
import { ringBy } from '../../storage/alarm.ts';
import { yieldToArrivals } from '../../storage/steps.ts';
import { inProgress } from '../../storage/secondary/outcomes.ts';
import { notEven } from '../lists/undone.ts';
import { LEASE_MARGIN, notifiedOrEnded } from '../notify/lease-ends.ts';
import { Part, type Ground } from '../ground.ts';
import { firstOf, fitting, partOf, placeOf, type Waiting } from './waiting.ts';

/** The beginning of the storage keys of commits, whose values say who has not been told. */
const COMMITTED = 'committed ';

/** Milliseconds after which the alarm tells those who could not be told. */
const AGAIN = 1_000;

/** Milliseconds that transactions wait at most for as many as were decided together before. */
const COMPANY = 10;

/** Who takes part beside the coordinator. */
interface Commit {
  readonly application: ApplicationId;
  readonly types: readonly TypeName[];
}

/** What the coordinator does with its own shares (list-writes.ts). */
interface OwnShares {
  rehearse(part: Branch): Promise<ListOutcome<unknown>>;
  writeShares<T>(
    shares: readonly (Branch & { readonly once?: Once | undefined })[],
    resultOf: (at: number, done: readonly Attempt[]) => T,
    note: () => void,
  ): Promise<ListOutcome<readonly T[]>>;
}

/** What transactions that are decided together come to, by transactions; null: another one is in the way. */
type GroupResult =
  | {
      readonly ok: true;
      readonly done: readonly TransactionResults[];
      /** Resolves when all who rely on what was before have heard of it. */
      readonly answers?: Promise<void> | undefined;
    }
  | { readonly ok: false; readonly share: number; readonly failure: Failure }
  | null;

/** The refusal of what has waited for too long. */
const REFUSED = { ok: false, share: 0, failure: notEven(busy().problems) } as const;

interface Parts extends Pick<Ground, 'environment' | 'storage' | 'tables' | 'writes'> {
  readonly listWrites: OwnShares;
}

export class Coordinator extends Part<Parts> {
  /** The transactions that are not decided; each resolves when it is. `isSeen`: somebody has read the state before. */
  readonly #running = new Map<string, { readonly decided: Promise<null>; isSeen: boolean }>();
  /** Those of which all have heard, and which are noted. */
  readonly #heard: string[] = [];
  /** Those that wait or run, by their keys. */
  readonly #sent = new Map<string, Pick<Once, 'digests'> & { readonly result: Promise<TransactionResult> }>();
  /** Those that wait for one of the same types. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** How many were decided together, the last time: those whose senders come again will soon be as many. */
  #together = 1;

  /** Writes all shares, or none. The same sent again meanwhile waits: its shares would be found done elsewhere. */
  async run(target: WriteTarget, transaction: Transaction): Promise<TransactionResult> {
    const { once } = transaction;
    if (once === undefined) return this.#wait(target, transaction);
    for (let same = this.#sent.get(once.key); same !== undefined; same = this.#sent.get(once.key)) {
      const result = await same.result.catch(() => null);
      if (result?.ok === true && same.digests.some((each) => once.digests.includes(each))) return result;
    }
    const refused = this.#begun(once);
    if (!refused.ok) return { ok: false, share: 0, failure: notEven(refused.problems) };
    const result = this.#wait(target, transaction);
    this.#sent.set(once.key, { digests: once.digests, result });
    return result.finally(() => this.#sent.delete(once.key));
  }

  /** Whether a transaction was done after its sender had looked: then it is to be sent again. */
  #begun(once: Once): Outcome<unknown> {
    const { tables, writes } = this.parts;
    if (!writes.hasTables) return ok(null);
    const known = tables.outcomes.before(once);
    return known.ok && known.value !== null ? inProgress() : known;
  }

  #wait(target: WriteTarget, { shares, once }: Transaction): Promise<TransactionResult> {
    return new Promise((resolve, reject) => {
      const transaction = {
        target,
        shares,
        once,
        until: Date.now() + LIMITS.transactionPatience,
        resolve,
        reject,
      };
      const types = shares.map(({ type }) => type).join();
      const waiting = this.#waiting.get(types);
      if (waiting !== undefined) waiting.push(transaction);
      else void this.#runAll(types, [transaction]);
    });
  }

  async #runAll(types: string, waiting: Waiting[]): Promise<void> {
    this.#waiting.set(types, waiting);
    while (waiting.length > 0) {
      await yieldToArrivals();
      for (let left = COMPANY; left > 0 && waiting.length < this.#together; left -= 1)
        await scheduler.wait(1);
      const group = waiting.splice(0, fitting(waiting));
      this.#together = group.length;
      if (group.length === 1 || !(await this.#settle(group, false)))
        for (const each of group) await this.#settle([each], true);
    }
    this.#waiting.delete(types);
  }

  /** Whether transactions are decided. `alone`: a failure is told; else those that fail are decided again. */
  async #settle(group: readonly Waiting[], alone: boolean): Promise<boolean> {
    const until = Math.min(...group.map((each) => each.until));
    try {
      const isLate = Date.now() > until;
      const result = isLate
        ? null
        : ((await this.#decide(group, null)) ?? (await this.#decide(group, until)));
      if (!alone && result?.ok !== true) return false;
      for (const [at, { resolve }] of group.entries()) {
        if (result?.ok === true) resolve(doneBy(result, at));
        else resolve(result ?? REFUSED);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  /** Decides transactions together. Until when others are waited for, collection by collection; null: not at all. */
  async #decide(group: readonly Waiting[], until: number | null): Promise<GroupResult> {
    const { target, shares } = firstOf(group);
    const id = crypto.randomUUID();
    const commit = { application: target.application, types: shares.slice(0, -1).map(({ type }) => type) };
    const { promise: decided, resolve } = Promise.withResolvers<null>();
    const running = { decided, isSeen: false };
    this.#running.set(id, running);
    let result: GroupResult;
    let isReliedOn = true;
    try {
      const ringing = ringBy(this.parts.storage, Date.now() + AGAIN);
      const [prepared] = await Promise.all([this.#prepare(group, id, until), ringing]);
      result = prepared?.ok === true ? await this.#commit(group, id, commit, prepared) : prepared;
      isReliedOn = (prepared?.ok === true && prepared.isReliedOn) || running.isSeen;
    } catch (error) {
      if (group.length === 1 || this.#noted(id) !== undefined) throw error;
      result = null;
    } finally {
      this.#running.delete(id);
      resolve(null);
      // Whoever is not reached asks by itself.
      if (this.#noted(id) === undefined) void this.#announce(id, commit, false).catch(() => undefined);
    }
    if (result?.ok !== true) return result;
    // What was done before is not done again.
    if (this.#noted(id) === undefined) return result;
    if (isReliedOn) return { ...result, answers: this.#finished(id, commit) };
    // The alarm is behind it.
    this.#announce(id, commit, true).catch(() => undefined);
    return result;
  }

  /**
   * Has every other collection check its shares and hold itself ready: all at once, or, where others are waited for, in
   * their order, so that nobody waits in a circle.
   */
  async #prepare(group: readonly Waiting[], id: string, until: number | null) {
    const { target, shares } = firstOf(group);
    const prepare = ({ type }: Share, share: number): Promise<PreparationResult> => {
      const parts = group.map((each) => partOf(each, share));
      return this.#client(target, type).calls.prepare({ id, coordinator: target.type, parts, until });
    };
    const others = shares.slice(0, -1);
    const results = until === null ? await Promise.all(others.map(prepare)) : await inTurn(others, prepare);
    const failures = results.map((each) => (each?.ok === false ? each.failure : null));
    if (results.includes(null)) return null;
    if (!failures.every((each) => each === null)) return this.#firstFailure(group, failures);
    const done = results.flatMap((each) => (each?.ok === true ? each.done : []));
    const seen = done.flatMap((each) => each.seen);
    // What settings look at must be as the transactions before have left it, and as the others find it.
    if (group.length > 1 && seen.length > 0) return null;
    if (others.some(({ type }, share) => hasChanged(type, done[share], seen)))
      return { ok: false as const, share: 0, failure: notEven(seenChanged().problems) };
    const isReliedOn = done.some((each) => each.isReliedOn);
    return { ok: true as const, done: done.map((each) => each.results), seen, isReliedOn };
  }

  /** The failure of the first operation of the whole list. */
  async #firstFailure(group: readonly Waiting[], failures: readonly (Failure | null)[]) {
    const first = firstOf(group);
    const own =
      group.length > 1 ? null : await this.parts.listWrites.rehearse(partOf(first, first.shares.length - 1));
    const all = [...failures, own?.ok === false ? own.failure : null];
    const [found] = all
      .flatMap(
        (failure, share) => failure && { share, failure, place: placeOf(first.shares, share, failure) },
      )
      .filter((each) => each !== null)
      .toSorted((one, other) => one.place - other.place);
    if (found === undefined) throw new Error('Nothing has failed.');
    return { ok: false as const, share: found.share, failure: found.failure };
  }

  /** Applies the own shares, and notes the commit. `prepared`: the results by collections and transactions. */
  async #commit(
    group: readonly Waiting[],
    id: string,
    commit: Commit,
    {
      done: prepared,
      seen,
    }: { readonly done: readonly TransactionResults[]; readonly seen: readonly Seen[] },
  ): Promise<GroupResult> {
    const share = prepared.length;
    const written = await this.parts.listWrites.writeShares(
      group.map((each) => ({ ...withSeen(partOf(each, share), each.target.type, seen), once: each.once })),
      (at, done) => [...prepared.map((each) => each[at] ?? []), done],
      () => {
        this.#forgetHeard();
        this.parts.storage.kv.put(`${COMMITTED}${id}`, commit);
      },
    );
    return written.ok ? written : { ok: false, share, failure: written.failure };
  }

  /**
   * Resolves when all collections have applied their shares and told whom that concerns. One that is not reached has
   * them applied before anybody reads it; what others know of its rights they know no longer than a lease lasts.
   */
  #finished(id: string, commit: Commit): Promise<void> {
    const end = Date.now() + settingsOf(this.parts.environment).sessionLease + LEASE_MARGIN;
    return notifiedOrEnded(end, () => this.#announce(id, commit, true));
  }

  /** Tells all others what was decided, and forgets the commit. Throws where one is not reached. */
  async #announce(id: string, { application, types }: Commit, committed: boolean): Promise<void> {
    const caller = { environment: this.parts.environment, application };
    await Promise.all(types.map((type) => collectionOf(caller, type).calls.decide(id, committed)));
    if (committed) this.#heard.push(id);
  }

  /** With the next write: for this one nobody has to wait. */
  #forgetHeard(): void {
    for (const id of this.#heard.splice(0)) this.parts.storage.kv.delete(`${COMMITTED}${id}`);
  }

  /** Whether a transaction is committed; `patient`: once that is decided. */
  async decided(id: string, patient: boolean): Promise<Decision> {
    if (this.#noted(id) !== undefined) return 'committed';
    const running = this.#running.get(id);
    if (running === undefined) return 'aborted';
    running.isSeen ||= !patient;
    if (!patient) return 'pending';
    await running.decided;
    return this.#noted(id) === undefined ? 'aborted' : 'committed';
  }

  /** Tells those who could not be told. */
  async alarm(): Promise<void> {
    this.#forgetHeard();
    const commits = [...this.parts.storage.kv.list<Commit>({ prefix: COMMITTED })];
    const answers = await Promise.allSettled(
      commits.map(([key, commit]) => this.#announce(key.slice(COMMITTED.length), commit, true)),
    );
    this.#forgetHeard();
    const isLeft = this.#running.size > 0 || answers.some(({ status }) => status === 'rejected');
    if (isLeft) await ringBy(this.parts.storage, Date.now() + AGAIN);
  }

  #noted(id: string): Commit | undefined {
    return this.parts.storage.kv.get<Commit>(`${COMMITTED}${id}`);
  }

  #client(target: WriteTarget, type: TypeName) {
    return collectionOf({ ...target, environment: this.parts.environment }, type);
  }
}

/** The result of one of the transactions that are done together, when all who must have heard of it. */
async function doneBy(
  { done, answers }: Extract<GroupResult, { readonly ok: true }>,
  at: number,
): Promise<TransactionResult> {
  await answers;
  return { ok: true, done: done[at] ?? [] };
}

/** Asks one after the other. */
async function inTurn(
  shares: readonly Share[],
  prepare: (share: Share, at: number) => Promise<PreparationResult>,
) {
  const results: PreparationResult[] = [];
  for (const [at, share] of shares.entries()) results.push(await prepare(share, at));
  return results;
}
