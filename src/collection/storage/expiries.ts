/**
 * When documents end: the dates that they have in the field that the settings of their type name (docs/types.md). There
 * are no rows where there is no such setting.
 */
import { LIMIT } from './sql.ts';

export class Expiries {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Whether a document has come to its end by a time, in milliseconds since 1970. */
  isDue(name: string, now: number): boolean {
    const next = this.next(name);
    return next !== null && next <= now;
  }

  /** When the first document ends, in milliseconds since 1970; null where none does. */
  next(name: string): number | null {
    return this.#sql
      .exec<{ at: number | null }>('SELECT min(at) AS at FROM expiries WHERE name = ?', name)
      .one().at;
  }

  /** Takes the rows of some documents that have come to their end, the earliest first, and gives their positions. */
  takeDue(name: string, now: number, limit: number): readonly number[] {
    const rows = this.#sql.exec<{ seq: number }>(
      `DELETE FROM expiries WHERE name = ? AND (at, seq) IN
         (SELECT at, seq FROM expiries WHERE name = ? AND at <= ? ORDER BY at, seq ${LIMIT}) RETURNING seq`,
      name,
      name,
      now,
      limit,
    );
    return Array.from(rows, ({ seq }) => seq);
  }

  put(name: string, at: number, seq: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO expiries (name, at, seq) VALUES (?, ?, ?)', name, at, seq);
  }

  take(name: string, at: number, seq: number): void {
    this.#sql.exec('DELETE FROM expiries WHERE name = ? AND at = ? AND seq = ?', name, at, seq);
  }

  /** Removes so many rows of a field; whether there may be more. */
  clear(name: string, rows: number): boolean {
    const cleared = this.#sql.exec(
      `DELETE FROM expiries WHERE name = ? AND (at, seq) IN
         (SELECT at, seq FROM expiries WHERE name = ? ${LIMIT}) RETURNING 1`,
      name,
      name,
      rows,
    );
    return cleared.toArray().length > 0;
  }
}
