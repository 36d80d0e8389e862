/**
 * Indexes that nobody declares: a collection learns from its searches which paths are worth one, builds it in steps
 * that let other requests in between, keeps it with every write, and drops it when it is no longer asked for. One
 * holds the values at its path or, by its name (query/index/cells.ts), the cells of the geometries there.
 */
import { decodeFields } from '../domain/codec.ts';
import type { Fields } from '../domain/values.ts';
import { compileCells, pathOfCells, type CellEntries } from '../query/index/cells.ts';
import { compileEntries, type PathEntries } from '../query/index/paths.ts';
import type { PathIndex } from '../query/index/sql.ts';
import { isOwn } from '../query/own.ts';
import { CellTable } from './cell-table.ts';
import { bytesOfHex } from './ids.ts';
import type { Reader } from './records.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from './steps.ts';

/** A smaller collection is searched faster than an index is kept. */
const WORTHWHILE_DOCUMENTS = 500;

/** Scans that a path must have caused before it gets an index: one search may be chance. */
const WORTHWHILE_SCANS = 2;

/** Indexes of one collection; each makes every write dearer. */
const MOST_INDEXES = 16;

/** Paths whose scans are counted at a time. */
const MOST_CANDIDATES = 100;

/** Milliseconds after which an index that no search asked for goes. */
const IDLE = 14 * 86_400_000;

/** How often, in milliseconds, the use of an index is written down. */
const USE_NOTED = 3_600_000;

type IndexRow = {
  id: number;
  path: string;
  built: number;
  complete: number;
  exact: number;
  single: number;
  used: number;
};

interface LearnedIndex {
  readonly id: number;
  readonly path: string;
  /** What it holds of a document: values or cells. */
  readonly entriesOf: ((document: Fields) => PathEntries) | null;
  readonly cellsOf: ((document: Fields) => CellEntries) | null;
  built: number;
  complete: boolean;
  exact: boolean;
  single: boolean;
  used: number;
}

export class PathIndexes {
  readonly #sql: SqlStorage;
  readonly #cells: CellTable;
  #indexes = new Map<string, LearnedIndex>();
  readonly #scans = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#cells = new CellTable(sql);
  }

  /** To be called once there are tables. */
  load(): void {
    const rows = this.#sql.exec<IndexRow>('SELECT * FROM path_indexes').toArray();
    this.#indexes = new Map(rows.map((row) => [row.path, opened(row)]));
  }

  /** The index of a name, if it covers every document. */
  find(path: string): PathIndex | undefined {
    const index = this.#indexes.get(path);
    return index?.complete === true ? index : undefined;
  }

  get any(): boolean {
    return this.#indexes.size > 0;
  }

  get building(): boolean {
    return [...this.#indexes.values()].some(({ complete }) => !complete);
  }

  /** Notes that a search used indexes on paths. */
  used(paths: readonly string[], now: number): void {
    for (const path of paths) {
      const index = this.#indexes.get(path);
      if (index === undefined || now - index.used < USE_NOTED) continue;
      index.used = now;
      this.#sql.exec('UPDATE path_indexes SET used = ? WHERE id = ?', now, index.id);
    }
  }

  /** Notes that a search had to scan for want of indexes on paths. True when one begins to be built. */
  learn(paths: readonly string[], documents: number, now: number): boolean {
    if (documents < WORTHWHILE_DOCUMENTS) return false;
    let begun = false;
    for (const path of paths) {
      if (this.#indexes.has(path) || isOfOwn(path)) continue;
      const scans = (this.#scans.get(path) ?? 0) + 1;
      if (this.#scans.size >= MOST_CANDIDATES) this.#scans.clear();
      this.#scans.set(path, scans);
      if (scans < WORTHWHILE_SCANS || this.#indexes.size >= MOST_INDEXES) continue;
      this.#scans.delete(path);
      this.#begin(path, now);
      begun = true;
    }
    return begun;
  }

  /** Keeps the indexes over a change of the document at a position; null where there was or is none. */
  change(seq: number, before: Fields | null, after: Fields | null): void {
    for (const index of this.#indexes.values()) {
      // Documents beyond what is built come to their turn with the building.
      if (!index.complete && seq > index.built) continue;
      this.#replace(index, seq, before, after);
    }
  }

  /** One step of building what is not complete, inside a transaction. False when nothing is left to do. */
  step(records: Reader): boolean {
    const index = [...this.#indexes.values()].find(({ complete }) => !complete);
    if (index === undefined) return false;
    let units = 0;
    let last = index.built;
    for (const { seq, body } of records.next(index.built, STEP_DOCUMENTS, STEP_UNITS)) {
      units += body.length + this.#replace(index, seq, null, decodeFields(body));
      last = seq;
      if (units > STEP_UNITS) break;
    }
    index.complete = last === index.built;
    index.built = last;
    this.#sql.exec(
      'UPDATE path_indexes SET built = ?, complete = ? WHERE id = ?',
      last,
      index.complete ? 1 : 0,
      index.id,
    );
    return true;
  }

  /** Drops what no search has asked for in a long time. Not while a search runs. */
  dropIdle(now: number): void {
    for (const index of [...this.#indexes.values()]) {
      if (now - index.used < IDLE && !isOfOwn(index.path)) continue;
      this.#sql.exec('DELETE FROM entries WHERE path = ?', index.id);
      this.#cells.drop(index.id);
      this.#sql.exec('DELETE FROM path_indexes WHERE id = ?', index.id);
      this.#indexes.delete(index.path);
    }
  }

  #begin(path: string, now: number): void {
    const row = this.#sql
      .exec<IndexRow>(
        'INSERT INTO path_indexes (path, built, complete, exact, single, used) VALUES (?1, 0, 0, ?2, ?2, ?3) RETURNING *',
        path,
        // Cells are not values: they decide no equality and no order.
        pathOfCells(path) === undefined ? 1 : 0,
        now,
      )
      .one();
    this.#indexes.set(path, opened(row));
  }

  /** Puts what a document is now in place of what it was. Tells what that took beyond reading it, in units of text. */
  #replace(index: LearnedIndex, seq: number, before: Fields | null, after: Fields | null): number {
    const { id, entriesOf, cellsOf } = index;
    if (entriesOf !== null) {
      const had = before === null ? NO_KEYS : entriesOf(before).keys;
      const has = after && entriesOf(after);
      const keys = has?.keys ?? NO_KEYS;
      this.#delete(id, seq, without(had, keys));
      this.#insert(id, seq, without(keys, had));
      if (has !== null) this.#note(index, has);
    }
    if (cellsOf === null) return 0;
    const entries = after && cellsOf(after);
    this.#cells.replace(id, seq, before && cellsOf(before), entries);
    return entries?.cost ?? 0;
  }

  #insert(id: number, seq: number, keys: readonly string[]): void {
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

  /** Notes what keys do not tell any more once a document has such entries. */
  #note(index: LearnedIndex, { exact, single }: PathEntries): void {
    if ((exact || !index.exact) && (single || !index.single)) return;
    index.exact &&= exact;
    index.single &&= single;
    this.#sql.exec(
      'UPDATE path_indexes SET exact = ?, single = ? WHERE id = ?',
      index.exact ? 1 : 0,
      index.single ? 1 : 0,
      index.id,
    );
  }
}

const NO_KEYS: readonly string[] = [];

/** Up to so many, a statement for each key costs less than taking them from an array. */
const FEW_KEYS = 16;

/** The keys that are not among others: what a change leaves as it was is not written again. */
function without(keys: readonly string[], others: readonly string[]): readonly string[] {
  if (keys.length === 0 || others.length === 0) return keys;
  const known = new Set(others);
  return keys.filter((key) => !known.has(key));
}

/** True for the name of an index on what no body holds: it would be empty, and whoever believed it would find nothing. */
function isOfOwn(name: string): boolean {
  return isOwn(pathOfCells(name) ?? name.split('.'));
}

function opened({ id, path, built, complete, exact, single, used }: IndexRow): LearnedIndex {
  const cells = pathOfCells(path);
  return {
    id,
    path,
    entriesOf: cells === undefined ? compileEntries(path.split('.')) : null,
    cellsOf: cells === undefined ? null : compileCells(cells),
    built,
    complete: complete === 1,
    exact: exact === 1,
    single: single === 1,
    used,
  };
}
