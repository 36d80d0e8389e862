/**
 * How a collection writes: the first write makes the tables, writes that arrive together share a transaction, and after
 * the deletion of its application nothing is written any more.
 */
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, type Outcome } from '../../domain/problems.ts';
import { GroupCommit } from './group-commit.ts';
import type { Memory } from '../storage/caching/answer-cache.ts';
import { migrate } from '../storage/migrations.ts';
import { hasTables } from '../storage/tables.ts';
import { WRITE_STEP_TOUCHED, yieldToArrivals } from '../storage/steps.ts';
import { Touched } from '../storage/touched.ts';
import type { PreparedShare } from './transactions/prepared.ts';
import type { Transactor } from './transactor.ts';

/** The storage key that says that nothing may be written any more. */
const SEALED = 'sealed';

/** The storage key that says that the type is registered (registration.ts). */
const REGISTERED = 'registered';

interface Parts {
  readonly storage: DurableObjectStorage;
  readonly tables: Transactor;
  readonly memory: Memory;
  /** The transaction of several collections that is prepared here, for which documents wait. */
  readonly prepared: Pick<PreparedShare, 'isHeld' | 'names' | 'free' | 'reload'>;
  /** Told after each commit. */
  committed(): void;
}

export class Writes {
  readonly #parts: Parts;
  readonly #commits = new GroupCommit(
    (writes) => {
      // A deleted application has no tables to write: each write is refused.
      if (this.#sealed) writes();
      else {
        this.#transaction(() => {
          this.#checkpoint = this.#parts.tables.touched.checkpoint;
          this.#parts.tables.records.together(writes);
        });
      }
    },
    yieldToArrivals,
    () => this.#parts.tables.touched.since(this.#checkpoint) > WRITE_STEP_TOUCHED,
  );
  /** What was touched before the transaction. */
  #checkpoint = new Touched().checkpoint;
  #hasTables: boolean;
  #sealed: boolean;
  #registered: boolean;
  #held = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { storage, tables } = parts;
    this.#sealed = storage.kv.get(SEALED) === true;
    this.#registered = storage.kv.get(REGISTERED) === true;
    this.#hasTables = hasTables(storage.sql);
    if (this.#hasTables) {
      storage.transactionSync(() => {
        migrate(storage.sql);
        tables.load();
      });
    }
  }

  /** False until the first write: before it, there are no tables. */
  get hasTables(): boolean {
    return this.#hasTables;
  }

  get sealed(): boolean {
    return this.#sealed;
  }

  /** Whether the registry of types is known to have this one. */
  get registered(): boolean {
    return this.#registered;
  }

  /** Whether a prepared transaction keeps documents from being written; with an id, that one from being deleted. */
  waits(id?: DocumentId): boolean {
    return id === undefined ? this.#parts.prepared.isHeld : this.#parts.prepared.names(id);
  }

  noteRegistered(): void {
    if (this.#sealed) return;
    this.#parts.storage.kv.put(REGISTERED, true);
    this.#registered = true;
  }

  /**
   * Performs a write, of content with this number of units, in one transaction with others that arrive at the same
   * time. It may run a second time when another one throws, so it must change nothing but tables.
   */
  async write<T>(units: number, work: () => Outcome<T>): Promise<Outcome<T>> {
    const until = Date.now() + LIMITS.transactionPatience;
    for (;;) {
      if (this.#sealed || this.#held || !this.#hasTables) return this.alone(work);
      // Before the write runs, the application may have been deleted, or a transaction prepared.
      const written = await this.#commits.write(units, () =>
        this.#parts.prepared.isHeld ? null : (this.#refusal() ?? work()),
      );
      if (written !== null) return written;
      await this.#parts.prepared.free(until);
    }
  }

  /** Makes a write of documents, or of what decides about them, in its own transaction, once no other is prepared. */
  async exclusive<T>(work: () => Outcome<T>): Promise<Outcome<T>> {
    const until = Date.now() + LIMITS.transactionPatience;
    while (this.#parts.prepared.isHeld) await this.#parts.prepared.free(until);
    return this.alone(work);
  }

  /** Performs a write in its own transaction, now: of what no write of documents depends on. */
  alone<T>(work: () => Outcome<T>): Outcome<T> {
    return this.#refusal() ?? this.#transaction(work);
  }

  /** Why nothing is written now; null where it is. */
  #refusal(): ReturnType<typeof fail> | null {
    if (this.#sealed)
      return fail('invalid-api-key', 'The application was deleted.', { header: 'application-id' });
    return this.#held ? goingBack() : null;
  }

  /** Refuses every later write, until the object begins again. */
  hold(): void {
    this.#held = true;
  }

  /** Refuses every later write, forever. */
  seal(): void {
    this.#parts.storage.kv.put(SEALED, true);
    this.#sealed = true;
  }

  /** Deletes everything, and refuses every later write. */
  async erase(): Promise<void> {
    this.seal();
    this.#hasTables = false;
    this.#parts.memory.forget();
    await this.#parts.storage.deleteAll();
    this.seal();
  }

  #transaction<T>(work: () => T): T {
    const result = this.#commit(work);
    try {
      this.#parts.committed();
    } catch (error) {
      // The write is done, and must not be taken for one that is not.
      console.warn(`What follows a commit has failed: ${String(error)}`);
    }
    return result;
  }

  #commit<T>(work: () => T): T {
    const { counts } = this.#parts.tables.indexes;
    const { groups } = this.#parts.tables;
    counts.rollBack();
    groups.rollBack();
    try {
      const result = this.#parts.storage.transactionSync(() => {
        if (!this.#hasTables) migrate(this.#parts.storage.sql);
        return work();
      });
      this.#hasTables = true;
      counts.commit();
      groups.commit();
      // Nothing is waited for in between: so the alarm is stored together with the messages, or the commit fails.
      const { contents, outbox } = this.#parts.tables;
      const isFresh = [outbox.takeFresh(), contents.takeFresh()].includes(true);
      if (isFresh) this.#parts.storage.setAlarm(Date.now()).catch(() => undefined);
      return result;
    } catch (error) {
      // The state in memory may include writes that were undone.
      if (this.#hasTables) this.#parts.tables.load();
      this.#parts.prepared.reload();
      throw error;
    } finally {
      this.#parts.memory.forget();
    }
  }
}

/** Seconds until an object that is held has begun again. */
const AGAIN = 10;

function goingBack() {
  const detail = 'The application is being set back to a former moment.';
  return fail('unavailable', detail, undefined, { 'retry-after': AGAIN });
}
