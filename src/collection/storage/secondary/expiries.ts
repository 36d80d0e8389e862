/**
 * When documents end: the dates that they have in the field that the settings of their type name (docs/types.md). There
 * are no rows where there is no such setting.
 */
import { decodeFields } from '../../../domain/values/codec.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { StoredDocument } from '../../../domain/values/stored.ts';
import { Table } from '../sql.ts';
import type { FieldName } from '../../../domain/field-names.ts';

/** The documents that have ended: those that have a date up to `until` (milliseconds since 1970) in a field. */
export interface Ended {
  readonly name: FieldName;
  readonly until: number;
}

const TAKE_DUE = `DELETE FROM expiries WHERE name = ?1 AND (at, seq) IN
  (SELECT at, seq FROM expiries WHERE name = ?1 AND at <= ?2 ORDER BY at, seq LIMIT ?3 + 0) RETURNING seq`;

const CLEAR = `DELETE FROM expiries WHERE name = ?1 AND (at, seq) IN
  (SELECT at, seq FROM expiries WHERE name = ?1 LIMIT ?2 + 0) RETURNING 1`;

export class Expiries extends Table {
  /**
   * What has ended, while some of it is not deleted yet; null for nothing. It changes only with the collection's
   * counter (write/upkeep/expiry.ts): whatever is kept for a counter stays true.
   */
  ended: Ended | null = null;

  /** Whether a document has ended, and is not deleted yet. */
  has(document: Pick<StoredDocument, 'body'> | undefined): boolean {
    if (this.ended === null || document === undefined) return false;
    const end = endOf(document, this.ended.name);
    return end !== null && end <= this.ended.until;
  }

  /** Whether a document has come to its end by a time, after another; in milliseconds since 1970. */
  isDue(name: FieldName, now: number, after = -Infinity): boolean {
    const next = this.next(name, after);
    return next !== null && next <= now;
  }

  /** When the first document ends after a time, in milliseconds since 1970; null where none does. */
  next(name: FieldName, after = -Infinity): number | null {
    return this.numberOf(
      'SELECT min(at) FROM expiries WHERE name = ? AND at > ?',
      name,
      Math.max(after, EARLIEST),
    );
  }

  /** Takes the rows of some documents that have come to their end, the earliest first, and gives their positions. */
  takeDue(name: FieldName, now: number, limit: number): readonly number[] {
    return this.column(TAKE_DUE, name, now, limit);
  }

  put(name: FieldName, at: number, seq: number): void {
    this.sql.exec('INSERT OR IGNORE INTO expiries (name, at, seq) VALUES (?, ?, ?)', name, at, seq);
  }

  take(name: FieldName, at: number, seq: number): void {
    this.sql.exec('DELETE FROM expiries WHERE name = ? AND at = ? AND seq = ?', name, at, seq);
  }

  /** Removes so many rows of a field; whether there may be more. */
  clear(name: FieldName, rows: number): boolean {
    return this.finds(CLEAR, name, rows);
  }
}

/** Before all dates. */
const EARLIEST = -9e15;

/** The date of a field, in milliseconds since 1970; null where it has none. */
export function endOf({ body }: Pick<StoredDocument, 'body'>, name: FieldName): number | null {
  const value = memberOf(decodeFields(body), name);
  return value instanceof Date ? value.getTime() : null;
}
