/** The entries of indexes on values: a row per index, key and document. */
import { bytesOfHex } from '../ids.ts';
import type { KeptCounts } from './kept-counts.ts';

/** Up to this number, a statement for each key costs less than reading the keys from an array. */
const FEW_KEYS = 16;

export class EntryTable {
  readonly #sql: SqlStorage;
  readonly #counts: KeptCounts;

  constructor(sql: SqlStorage, counts: KeptCounts) {
    this.#sql = sql;
    this.#counts = counts;
  }

  /** Replaces the old keys of a document by its new ones. Both are in hexadecimal, each key once. */
  replace(id: number, seq: number, had: readonly string[], has: readonly string[]): void {
    this.#delete(id, seq, without(had, has));
    this.#insert(id, seq, without(has, had));
  }

  /** Deletes a limited number of entries of an index; true when none is left. */
  dropSome(id: number, count: number): boolean {
    this.#sql.exec(
      'DELETE FROM entries WHERE path = ?1 AND (key, seq) IN (SELECT key, seq FROM entries WHERE path = ?1 LIMIT ?2 + 0)',
      id,
      count,
    );
    return this.#sql.exec('SELECT 1 FROM entries WHERE path = ? LIMIT 1', id).toArray().length === 0;
  }

  #insert(id: number, seq: number, keys: readonly string[]): void {
    this.#counts.note(id, seq, keys, 1);
    if (keys.length <= FEW_KEYS) {
      for (const key of keys) {
        this.#sql.exec('INSERT OR IGNORE INTO entries VALUES (?, ?, ?)', id, bytesOfHex(key), seq);
      }
      return;
    }
    this.#sql.exec(
      'INSERT OR IGNORE INTO entries SELECT ?, unhex(value), ? FROM json_each(?)',
      id,
      seq,
      JSON.stringify(keys),
    );
  }

  #delete(id: number, seq: number, keys: readonly string[]): void {
    this.#counts.note(id, seq, keys, -1);
    if (keys.length <= FEW_KEYS) {
      for (const key of keys) {
        this.#sql.exec(
          'DELETE FROM entries WHERE path = ? AND key = ? AND seq = ?',
          id,
          bytesOfHex(key),
          seq,
        );
      }
      return;
    }
    this.#sql.exec(
      'DELETE FROM entries WHERE path = ? AND seq = ? AND key IN (SELECT unhex(value) FROM json_each(?))',
      id,
      seq,
      JSON.stringify(keys),
    );
  }
}

/** The keys that are not among others: unchanged keys are not written again. */
function without(keys: readonly string[], others: readonly string[]): readonly string[] {
  if (keys.length === 0 || others.length === 0) return keys;
  const known = new Set(others);
  return keys.filter((key) => !known.has(key));
}
