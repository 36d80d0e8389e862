/**
 * Pushes of documents to the collections that they are for (pushed.ts). A write answers when its push has arrived. The
 * pending push is stored with the document itself, so that the alarm repeats it after a crash.
 */
import { applicationId, type ApplicationId } from '../../../domain/ids.ts';
import { Turns } from '../../../domain/work/turns.ts';
import { storedType } from '../../../domain/types.ts';
import type { PushedPart } from '../../../domain/types/facts.ts';
import { ALWAYS } from '../../../query/sql/condition.ts';
import { collectionOf } from '../../rpc/client.ts';
import { NOT_IN_FORCE } from '../../rpc/outages.ts';
import { ringBy } from '../../storage/alarm.ts';
import { PUSHED } from './pushed.ts';
import { Part, type Ground } from '../ground.ts';

/** Milliseconds after which a failed push is tried again. */
const AGAIN = 2_000;

/** Milliseconds that a read of pushed documents waits for a push. */
const MOST_PUSHING = 5_000;

export class Pushes extends Part<Ground> {
  readonly #turns = new Turns();
  /** What may be pending: most collections never push, and need not look. */
  readonly #noted = new Set<PushedPart>(['schemas', 'webhooks', 'settings']);

  /** Notes a pending push to a type's collection, inside the transaction of a change. */
  note(
    part: PushedPart,
    application: ApplicationId,
    target: string,
    number = this.parts.tables.records.counter(),
  ): void {
    this.#noted.add(part);
    const { table } = PUSHED[part];
    this.parts.storage.sql.exec(
      `INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`,
      application,
      target,
      number,
    );
  }

  get pending(): boolean {
    if (!this.parts.writes.hasTables) return false;
    for (const part of this.#noted) {
      const { table } = PUSHED[part];
      const isPending = this.parts.storage.sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length > 0;
      if (!isPending) this.#noted.delete(part);
    }
    return this.#noted.size > 0;
  }

  /** Resolves when all that is pending has arrived. */
  push(): Promise<void> {
    return this.pending ? this.inTurn(() => this.settle()) : Promise.resolve();
  }

  /** The same; rejects when it fails or does not end in time. */
  async pushInTime(): Promise<void> {
    const done = this.push().then(
      () => true,
      () => false,
    );
    const late = scheduler.wait(MOST_PUSHING).then(() => false);
    if (!(await Promise.race([done, late]))) throw new Error(NOT_IN_FORCE);
  }

  /** Does what no push may come in between. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(work);
  }

  /** Pushes what is pending. To be called in turn. */
  async settle(): Promise<void> {
    if (!this.pending) return;
    await this.remind();
    const failures: unknown[] = [];
    for (const part of this.#noted) await this.#pushAll(part, failures);
    if (failures.length > 0) throw failures[0];
  }

  /** If the object dies before all has arrived, the alarm pushes it. */
  remind(): Promise<void> {
    return ringBy(this.parts.storage, Date.now() + AGAIN);
  }

  /** One unreachable target must not delay the others. Its push stays pending, for the alarm. */
  async #pushAll(part: PushedPart, failures: unknown[]): Promise<void> {
    const { sql } = this.parts.storage;
    const { send, table } = PUSHED[part];
    const rows = sql.exec<{ application: string; target: string }>(
      `SELECT application, target FROM ${table}`,
    );
    for (const { application, target } of rows.toArray()) {
      const number = this.parts.tables.records.counter();
      const caller = { environment: this.parts.environment, application: applicationId(application) };
      try {
        const { calls } = collectionOf(caller, storedType(target));
        await send(calls, number, target, this.parts.tables.records.after(0, ALWAYS));
        sql.exec(`DELETE FROM ${table} WHERE target = ? AND number <= ?`, target, number);
      } catch (error) {
        failures.push(error);
      }
    }
  }
}
