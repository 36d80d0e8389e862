/**
 * Pushes of documents to the collections that they are for (pushed.ts). A write answers when its push has arrived. The
 * pending push is stored with the document itself, so that the alarm repeats it after a crash.
 *
 * The collection of a type may refuse new settings, so it is asked before they are stored: it prepares them (stage),
 * they are stored, and it keeps them (settle). What is pending is noted before the first of these. One write goes after
 * the other, because each asks on top of what is stored.
 */
import pLimit from 'p-limit';
import { applicationId, type DocumentId, type ApplicationId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { TypeSettings } from '../../../domain/types/settings.ts';
import { storedType } from '../../../domain/types.ts';
import type { PushedPart } from '../../../domain/types/facts.ts';
import { collectionOf } from '../../rpc/client.ts';
import { NOT_IN_FORCE } from '../../rpc/outages.ts';
import { ringBy } from '../../storage/alarm.ts';
import { openSettings, PUSHED } from './pushed.ts';
import { tried } from '../lists/undone.ts';
import { Part, type Ground } from '../ground.ts';

/** Milliseconds after which a failed push is tried again. */
const AGAIN = 2_000;

/** Milliseconds that a read of pushed documents waits for a push. */
const MOST_PUSHING = 5_000;

/** What a write of settings would change. */
interface Trial {
  readonly target: string;
  readonly settings: TypeSettings | null;
}

export class Pushes extends Part<Ground> {
  readonly #turns = pLimit(1);
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
    const noted = `INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`;
    this.parts.sql.exec(noted, application, target, number);
  }

  get pending(): boolean {
    if (!this.parts.writes.hasTables) return false;
    for (const part of this.#noted) {
      const { table } = PUSHED[part];
      const isPending = this.parts.sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length > 0;
      if (!isPending) this.#noted.delete(part);
    }
    return this.#noted.size > 0;
  }

  /** Resolves when all that is pending has arrived. */
  push(): Promise<void> {
    return this.pending ? this.#turns(() => this.#settle()) : Promise.resolve();
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

  /** Performs a write of settings; `idOf` gives their id, `given` is the id that they have before, null for none. */
  handOver<T>(
    application: ApplicationId,
    given: DocumentId | null,
    work: () => Outcome<T>,
    idOf: (value: T) => DocumentId,
  ): Promise<Outcome<T>> {
    const { environment, tables, writes } = this.parts;
    return this.#turns(async () => {
      await this.#settle();
      const trial = this.#tryOut(given, work, idOf);
      if (!trial.ok) return trial;
      // A request that is repeated after its settings were deleted changes nothing.
      if (trial.value === null) return writes.alone(work);
      const { target, settings } = trial.value;
      const noted = writes.alone(() => {
        const number = tables.records.nextVersion();
        this.note('settings', application, target, number);
        return ok(number);
      });
      if (!noted.ok) return noted;
      await this.#remind();
      const { calls } = collectionOf({ environment, application }, storedType(target));
      const taken = await calls.stageSettings(noted.value, settings);
      const written = taken.ok ? writes.alone(work) : taken;
      await this.#settle();
      return written;
    });
  }

  /** What a write of settings would change, or why it is refused: it is performed and undone. */
  #tryOut<T>(
    given: DocumentId | null,
    work: () => Outcome<T>,
    idOf: (value: T) => DocumentId,
  ): Outcome<Trial | null> {
    const { tables, writes } = this.parts;
    const trial = (): Outcome<Trial | null> => {
      const before = given === null ? undefined : tables.records.find(given);
      const result = work();
      if (!result.ok) return result;
      const after = tables.records.find(given ?? idOf(result.value));
      const source = after ?? before;
      if (source === undefined) return ok(null);
      const { target, content } = openSettings(source);
      return ok({ target, settings: after === undefined ? null : content });
    };
    return tried((doing) => writes.alone<never>(doing), trial);
  }

  /** Pushes what is pending. To be called in turn. */
  async #settle(): Promise<void> {
    if (!this.pending) return;
    await this.#remind();
    const failures: unknown[] = [];
    for (const part of this.#noted) await this.#pushAll(part, failures);
    if (failures.length > 0) throw failures[0];
  }

  /** If the object dies before all has arrived, the alarm pushes it. */
  #remind(): Promise<void> {
    return ringBy(this.parts.storage, Date.now() + AGAIN);
  }

  /** One unreachable target must not delay the others. Its push stays pending, for the alarm. */
  async #pushAll(part: PushedPart, failures: unknown[]): Promise<void> {
    const { sql } = this.parts;
    const { send, table } = PUSHED[part];
    const rows = sql.exec<{ application: string; target: string }>(
      `SELECT application, target FROM ${table}`,
    );
    for (const { application, target } of rows.toArray()) {
      const number = this.parts.tables.records.counter();
      const caller = { environment: this.parts.environment, application: applicationId(application) };
      try {
        const { calls } = collectionOf(caller, storedType(target));
        await send(calls, number, target, this.parts.tables.records.all());
        sql.exec(`DELETE FROM ${table} WHERE target = ? AND number <= ?`, target, number);
      } catch (error) {
        failures.push(error);
      }
    }
  }
}
