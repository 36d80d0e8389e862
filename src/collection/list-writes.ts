/** Lists of writes, and shares of transactions. */
import { ok, type Outcome } from '../domain/problems.ts';
import {
  localIdOf,
  seenBy,
  unitsOfList,
  type Attempt,
  type Failure,
  type ListOutcome,
  type Once,
  type Operation,
  type WriteList,
  type WriteListResult,
} from './rpc/writes/operations.ts';
import type { WriteTarget } from './rpc/writes/target.ts';
import { busy, type Branch, type Preparation, type PreparationResult } from './rpc/writes/transactions.ts';
import { WRITE_STEP_TOUCHED } from './storage/steps.ts';
import type { Touched } from './storage/touched.ts';
import { perform, performPart, type Steps, type Write } from './write-steps.ts';
import type { Prepared, PreparedShare } from './write/transactions/prepared.ts';
import { Part } from './write/ground.ts';
import type { Inheritors } from './write/notify/inheritors.ts';
import type { Watchers } from './write/rules/watchers.ts';
import { Looked } from './write/rules/looked.ts';
import { writeAll } from './write/lists/batch.ts';
import { notEven, orUndone, tried, Undone } from './write/lists/undone.ts';

/** A share of the coordinator's own. */
interface OwnShare extends Branch {
  readonly once?: Once | undefined;
}

interface Parts extends Steps {
  readonly inheritors: Pick<Inheritors, 'rely'>;
  readonly watchers: Pick<Watchers, 'rely'>;
  readonly prepared: Pick<PreparedShare, 'free' | 'hold' | 'isHeld' | 'release' | 'remind'>;
}

export class ListWrites extends Part<Parts> {
  writeList(target: WriteTarget, list: WriteList): Promise<WriteListResult> {
    const apply = () => this.#writeAll({ target, list }, Date.now());
    return this.#perform([{ target, list }], { once: list.once }, apply);
  }

  /**
   * Writes the coordinator's shares of transactions, all or none. `resultOf` makes the result of each of those of its
   * share; `note` is called in the same transaction, unless the only one has been done before.
   */
  writeShares<T>(
    shares: readonly OwnShare[],
    resultOf: (at: number, done: readonly Attempt[]) => T,
    note: () => void,
  ): Promise<ListOutcome<readonly T[]>> {
    const { tables } = this.parts;
    const onces = shares.flatMap(({ once }) => once ?? []);
    const apply = () => {
      const { checkpoint } = tables.touched;
      let performed = 0;
      const results = tables.records.together(() =>
        shares.map(({ once, ...part }, at) => {
          this.#bound(checkpoint, at);
          const done = performPart(tables, part.target, once, () => {
            performed += 1;
            return ok(resultOf(at, this.#writeAll(part, Date.now())));
          });
          return valueOf(done);
        }),
      );
      if (performed === shares.length) note();
      else if (shares.length > 1) throw new Undone(notEven([]));
      if (shares.length > 1 && tables.typeRules.looked.seen.length > 0) throw new Undone(notEven([]));
      return results;
    };
    return this.#perform(shares, { onces }, apply);
  }

  /** Checks a share of a transaction, and writes nothing. */
  rehearse(part: Branch): Promise<ListOutcome<unknown>> {
    return this.#perform([part], { rehearses: true }, () => this.#rehearse([part], Date.now()));
  }

  /** Checks shares, and lets nothing else be written until their transactions are decided. */
  async prepare({ until, ...preparation }: Preparation): Promise<PreparationResult> {
    const { inheritors, prepared, tables, watchers, writes } = this.parts;
    if (prepared.isHeld) {
      if (until === null) return null;
      // Behind the writes that wait here for another transaction.
      await writes.write(0, () => ok(null));
    }
    const { parts } = preparation;
    const rehearsal = () => {
      const now = Date.now();
      // So that the numbers of the rehearsal are those of the performance.
      const counter = tables.records.counter();
      tables.records.beginEpoch();
      const results = this.#rehearse(parts, now);
      const { found: looked, seen } = tables.typeRules.looked;
      prepared.hold({
        ...preparation,
        now,
        looked,
        parts: parts.map((part, at) => asRehearsed(part, results[at] ?? [])),
      });
      return { results, seen, counter, isReliedOn: inheritors.rely || watchers.rely };
    };
    const apply = () => tables.records.together(rehearsal);
    const taken = { isHeld: false };
    const result = await this.#perform(parts, { rehearses: true }, apply, async (work) => {
      do {
        if (until !== null) await prepared.free(until);
        await prepared.remind();
      } while (until !== null && prepared.isHeld);
      taken.isHeld = prepared.isHeld;
      return taken.isHeld ? busy() : writes.alone(work);
    });
    return taken.isHeld ? null : result;
  }

  /** Applies shares that were prepared. Nothing was written since, so what was allowed still is. */
  apply({ parts, now, looked }: Prepared): Promise<unknown> {
    const { initialization, prepared, tables, writes } = this.parts;
    const again = () => ok(tables.records.together(() => parts.map((part) => this.#again(part, now))));
    const applied = writes.alone(() => {
      prepared.release();
      return tables.typeRules.looking(new Looked(undefined, looked), again);
    });
    if (!applied.ok) throw new Error(`A prepared share can not be applied: ${applied.problems[0]?.detail}`);
    return initialization.reminded(applied.value);
  }

  #again({ target: prepared, list }: Branch, now: number): readonly Attempt[] {
    const { quotas: _, ...target } = prepared;
    const again = { target, list: { ...list, again: true as const } };
    return valueOf(this.parts.tables.onBehalf(target, () => ok(this.#writeAll(again, now))));
  }

  #writeAll({ target: { type }, list }: Branch, now: number): readonly Attempt[] {
    return writeAll(this.parts.tables, type, list, now, this.#nested);
  }

  /** The results of shares, one after the other; throws `Undone` where one would fail. To be called in transactions. */
  #rehearse(parts: readonly Branch[], now: number): readonly (readonly Attempt[])[] {
    const { tables } = this.parts;
    const { checkpoint } = tables.touched;
    const rehearse = () =>
      parts.map((part, at) => {
        this.#bound(checkpoint, at);
        return valueOf(tables.onBehalf(part.target, () => ok(this.#writeAll(part, now))));
      });
    return tried((work) => tables.attempt(this.#nested, work), rehearse);
  }

  /** Throws `Undone` where shares that are written together have touched so much that the next is for another time. */
  #bound(checkpoint: Touched['checkpoint'], at: number): void {
    if (at > 0 && this.parts.tables.touched.since(checkpoint) > WRITE_STEP_TOUCHED)
      throw new Undone(notEven([]));
  }

  readonly #nested = <T>(work: () => T): T => this.parts.storage.transactionSync(work);

  async #perform<T>(
    parts: readonly Branch[],
    how: Pick<Write<T>, 'once' | 'onces' | 'rehearses'>,
    apply: () => T,
    commit: NonNullable<Write<T>['commit']> = (work) => this.parts.writes.exclusive(work),
  ): Promise<ListOutcome<T>> {
    const [first] = parts;
    if (first === undefined) throw new Error('There is nothing to write.');
    const operations = parts.flatMap(({ list }) => list.operations);
    const wanted = unitsOfList({ operations });
    const undone: { failure: Failure | null } = { failure: null };
    const written = await perform(
      { parts: this.parts, target: first.target },
      {
        ...(wanted.documents > 0 && { adds: true }),
        ids: operations.flatMap((each) => ('id' in each && localIdOf(each.id) === null ? [each.id] : [])),
        wanted,
        ...(first.list.goesOn === true && { least: { documents: Math.min(1, wanted.documents), bytes: 0 } }),
        ...how,
        seen: parts.flatMap(({ list }) => seenBy(list)),
        apply: () => ok(apply()),
        commit: (work) => {
          undone.failure = null;
          return orUndone(async () => commit(work), undone);
        },
      },
    );
    if (written.ok) return { ok: true, done: written.value };
    return { ok: false, failure: undone.failure ?? notEven(written.problems) };
  }
}

/** Throws `Undone` where there is none. */
function valueOf<T>(done: Outcome<T>): T {
  if (!done.ok) throw new Undone(notEven(done.problems));
  return done.value;
}

/** A share as it has been rehearsed: what it adds gets the same ids. */
function asRehearsed({ target, list }: Branch, done: readonly Attempt[]): Branch {
  const operations = list.operations.map((operation, at): Operation => {
    const each = done[at];
    if (operation.kind !== 'add' || operation.id !== undefined || each === undefined || !('id' in each))
      return operation;
    return { ...operation, given: each.id };
  });
  return { target, list: { ...list, operations } };
}
