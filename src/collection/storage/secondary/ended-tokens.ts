/** Tokens that ended before their time, kept in the collection of their holders. */
import type { DocumentId } from '../../../domain/ids.ts';
import { bytesOfId } from '../ids.ts';
import type { ReadSql } from '../sql.ts';

export class EndedTokensReader {
  protected readonly sql: ReadSql;

  constructor(sql: ReadSql) {
    this.sql = sql;
  }

  /** Whether a document has this version still, and a token made for it has not ended. */
  vouches(id: DocumentId, version: number, token: string): boolean {
    const rows = this.sql.exec(
      `SELECT 1 FROM documents WHERE id = ? AND version = ?
       AND NOT EXISTS (SELECT 1 FROM ended_tokens WHERE ended_tokens.id = ?)`,
      bytesOfId(id),
      version,
      bytesOfId(token),
    );
    return rows.toArray().length > 0;
  }

  hasEnded(token: string): boolean {
    return this.sql.exec('SELECT 1 FROM ended_tokens WHERE id = ?', bytesOfId(token)).toArray().length > 0;
  }
}

export class EndedTokensWriter extends EndedTokensReader {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    super(sql);
    this.#sql = sql;
  }

  /** Remembers that a token has ended, until it would have ended by itself; forgets those that have since. */
  end(id: DocumentId, until: number, now: number): void {
    this.#sql.exec('DELETE FROM ended_tokens WHERE until < ?', now);
    this.#sql.exec('INSERT OR IGNORE INTO ended_tokens VALUES (?, ?)', bytesOfId(id), until);
  }
}
