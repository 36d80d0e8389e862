/**
 * Pushes of documents to the collections that they are for: schemas, webhooks, settings of types. A write answers when its push has
 * arrived. The pending push is stored with the document itself, so that the alarm repeats it after a crash.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import { storedType } from '../../../domain/types.ts';
import { ALWAYS } from '../../../query/sql/condition.ts';
import type { DocumentReader } from '../../storage/documents.ts';
import type { StoredDocument } from '../../../domain/values/stored.ts';
import { NOT_IN_FORCE } from '../../rpc/outages.ts';
import { type ApplicationId, applicationId } from '../../../domain/ids.ts';

/** Milliseconds that a read of pushed documents waits for a push. */
const MOST_PUSHING = 5_000;

/** Resolves with a push; rejects when it fails or does not end in time. */
export async function inTime(push: Promise<void>): Promise<void> {
  const done = push.then(
    () => true,
    () => false,
  );
  const late = scheduler.wait(MOST_PUSHING).then(() => false);
  if (!(await Promise.race([done, late]))) throw new Error(NOT_IN_FORCE);
}

/** How all that is for one target reaches its collection. */
export type Send<T> = (target: CollectionName, number: number, pushed: readonly T[]) => Promise<void>;

/** A document as it is pushed: the type that it is for, and what of it is pushed. */
export interface Pushed<T> {
  readonly target: string;
  readonly content: T;
}

/** The tables of what is still to be pushed: schemas, settings, webhooks. */
type PushTable = 'pushes' | 'adoptions' | 'webhook_pushes';

export class Pushes<T> {
  readonly #sql: SqlStorage;
  readonly #records: DocumentReader;
  readonly #table: PushTable;
  readonly #open: (document: StoredDocument) => Pushed<T>;
  #last: Promise<unknown> = Promise.resolve();
  /** Whether a push may be pending: most collections never push, and need not look. */
  #noted = true;

  /** `table` holds what is pending; `open` throws for a document that cannot have been stored. */
  constructor(
    sql: SqlStorage,
    records: DocumentReader,
    table: PushTable,
    open: (document: StoredDocument) => Pushed<T>,
  ) {
    this.#sql = sql;
    this.#records = records;
    this.#table = table;
    this.#open = open;
  }

  /** Notes a pending push to a type's collection, inside the transaction of a change. */
  note(application: ApplicationId, target: string, number = this.#records.counter()): void {
    this.#noted = true;
    this.#sql.exec(`INSERT OR REPLACE INTO ${this.#table} VALUES (?, ?, ?)`, application, target, number);
  }

  /** The type that a document is for. */
  targetOf(document: StoredDocument): string {
    return this.#open(document).target;
  }

  /** To be called only when there are tables. */
  get pending(): boolean {
    this.#noted &&= this.#sql.exec(`SELECT 1 FROM ${this.#table} LIMIT 1`).toArray().length > 0;
    return this.#noted;
  }

  /** Resolves when all pending pushes have arrived; one push after the other. */
  push(send: Send<T>): Promise<void> {
    const turn = this.#last.then(() => this.#pushAll(send));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #pushAll(send: Send<T>): Promise<void> {
    const rows = this.#sql
      .exec<{ application: string; target: string }>(`SELECT application, target FROM ${this.#table}`)
      .toArray();
    const failures: unknown[] = [];
    for (const { application, target } of rows) {
      const number = this.#records.counter();
      try {
        await send(
          { application: applicationId(application), type: storedType(target) },
          number,
          this.#contentsFor(target),
        );
        this.#sql.exec(`DELETE FROM ${this.#table} WHERE target = ? AND number <= ?`, target, number);
      } catch (error) {
        // One unreachable target must not delay the others. Its push stays pending, for the alarm.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  #contentsFor(target: string): readonly T[] {
    const contents: T[] = [];
    for (const document of this.#records.after(0, ALWAYS)) {
      const pushed = this.#open(document);
      if (pushed.target === target) contents.push(pushed.content);
    }
    return contents;
  }
}
