/**
 * Pushes of schemas to the collections that they validate. A schema's write answers when its push has arrived. The
 * pending push is stored with the schema itself, so that the alarm repeats it after a crash.
 */
import type { CollectionName } from '../../domain/documents.ts';
import { keptType } from '../../domain/types.ts';
import { ALWAYS } from '../../query/sql/condition.ts';
import type { DocumentReader } from '../storage/documents.ts';
import { unpackContent, type StoredDocument } from '../rpc/content.ts';
import { NOT_IN_FORCE } from '../rpc/outages.ts';
import type { PushedSchema } from '../rpc/contract.ts';
import { memberOf } from '../../domain/tree.ts';

/** Milliseconds that a read of schemas waits for a push. */
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

/** How the schemas of one target reach its collection. */
export type Send = (
  target: CollectionName,
  number: number,
  schemas: readonly PushedSchema[],
) => Promise<void>;

export class SchemaPushes {
  readonly #sql: SqlStorage;
  readonly #records: DocumentReader;
  #last: Promise<unknown> = Promise.resolve();
  /** Whether a push may be pending: most collections never push, and need not look. */
  #noted = true;

  constructor(sql: SqlStorage, records: DocumentReader) {
    this.#sql = sql;
    this.#records = records;
  }

  /** Notes a pending push to the target's collection, inside the transaction of a schema's change. */
  note(application: string, schema: StoredDocument): void {
    const { target } = openSchema(schema);
    const number = this.#records.counter();
    this.#noted = true;
    this.#sql.exec('INSERT OR REPLACE INTO pushes VALUES (?, ?, ?)', application, target, number);
  }

  /** To be called only when there are tables. */
  get pending(): boolean {
    this.#noted &&= this.#sql.exec('SELECT 1 FROM pushes LIMIT 1').toArray().length > 0;
    return this.#noted;
  }

  /** Resolves when all pending pushes have arrived; one push after the other. */
  push(send: Send): Promise<void> {
    const turn = this.#last.then(() => this.#pushAll(send));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #pushAll(send: Send): Promise<void> {
    const rows = this.#sql
      .exec<{ application: string; target: string }>('SELECT application, target FROM pushes')
      .toArray();
    const failures: unknown[] = [];
    for (const { application, target } of rows) {
      const number = this.#records.counter();
      try {
        await send({ application, type: keptType(target) }, number, this.#schemasOf(target));
        this.#sql.exec('DELETE FROM pushes WHERE target = ? AND number <= ?', target, number);
      } catch (error) {
        // One unreachable target must not delay the others. Its push stays pending, for the alarm.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  #schemasOf(target: string): readonly PushedSchema[] {
    const schemas: PushedSchema[] = [];
    for (const document of this.#records.after(0, ALWAYS)) {
      const schema = openSchema(document);
      if (schema.target === target) schemas.push({ id: document.id, content: schema.content });
    }
    return schemas;
  }
}

function openSchema(document: StoredDocument): { readonly target: string; readonly content: string } {
  const { attributes } = unpackContent(document);
  const target = memberOf(attributes, 'target');
  const content = memberOf(attributes, 'content');
  if (typeof target !== 'string' || typeof content !== 'string') throw new Error('A stored schema is none.');
  return { target, content };
}
