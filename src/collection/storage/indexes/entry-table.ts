/** The entries of indexes on values: a row per index, key and document. */
import { bytesOfHex } from '../ids.ts';
import type { Touched } from '../touched.ts';
import type { CachedCounts } from './cached-counts.ts';
import { Table } from '../sql.ts';

/** Up to this number, parameters for each key cost less than reading the keys from an array. */
const FEW_KEYS = 16;

/** The keys of a document in one index before a change and after it, in hexadecimal, each once. */
export interface KeyChange {
  readonly index: number;
  readonly had: readonly string[];
  readonly has: readonly string[];
}

/** The statements that insert so many entries of one document. */
const INSERTIONS = Array.from({ length: FEW_KEYS + 1 }, (_, entries) => {
  const rows = Array.from({ length: entries }, (_each, at) => `(?${2 * at + 2}, ?${2 * at + 3}, ?1)`);
  return `INSERT OR IGNORE INTO entries VALUES ${rows.join(', ')}`;
});

export class EntryTable extends Table {
  readonly #counts: CachedCounts;
  readonly #touched: Touched;

  constructor(sql: SqlStorage, counts: CachedCounts, touched: Touched) {
    super(sql);
    this.#touched = touched;
    this.#counts = counts;
  }

  /** Replaces the old keys of a document by its new ones; new ones of all indexes go in by few statements. */
  replace(seq: number, changes: readonly KeyChange[]): void {
    const few: (number | ArrayBuffer)[] = [];
    for (const { index, had, has } of changes) {
      const gone = without(had, has);
      const keys = without(has, had);
      this.#touched.keys(had.length + has.length);
      this.#touched.rows(gone.length + keys.length);
      this.#delete(index, seq, gone);
      this.#counts.note(index, seq, keys, 1);
      const many = 'INSERT OR IGNORE INTO entries SELECT ?, unhex(value), ? FROM json_each(?)';
      if (keys.length > FEW_KEYS) this.sql.exec(many, index, seq, JSON.stringify(keys));
      else for (const key of keys) few.push(index, bytesOfHex(key));
    }
    for (let at = 0; at < few.length; at += 2 * FEW_KEYS) {
      const entries = few.slice(at, at + 2 * FEW_KEYS);
      this.sql.exec(INSERTIONS[entries.length / 2] ?? '', seq, ...entries);
    }
  }

  #delete(id: number, seq: number, keys: readonly string[]): void {
    this.#counts.note(id, seq, keys, -1);
    if (keys.length <= FEW_KEYS) {
      for (const key of keys) {
        this.sql.exec('DELETE FROM entries WHERE path = ? AND key = ? AND seq = ?', id, bytesOfHex(key), seq);
      }
      return;
    }
    const many =
      'DELETE FROM entries WHERE path = ? AND seq = ? AND key IN (SELECT unhex(value) FROM json_each(?))';
    this.sql.exec(many, id, seq, JSON.stringify(keys));
  }
}

/** The keys that are not among others: unchanged keys are not written again. */
function without(keys: readonly string[], others: readonly string[]): readonly string[] {
  if (keys.length === 0 || others.length === 0) return keys;
  const known = new Set(others);
  return keys.filter((key) => !known.has(key));
}
