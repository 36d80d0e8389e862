/** The statements of one search, counted. */
import type { SqlText } from '../../query/sql/condition.ts';
import type { ReadSql, Select } from '../storage/sql.ts';

/** A statement that gives positions: rows of `seq`. */
export interface Positions extends SqlText {
  readonly text: Select;
}

/** A number of positions after one, without the first of them. */
export interface Part {
  readonly after: number;
  readonly limit: number;
  readonly offset: number;
}

export class Statements {
  readonly #sql: ReadSql;
  readonly #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  constructor(sql: ReadSql) {
    this.#sql = sql;
  }

  /** Rows of tables and indexes that SQLite has read for these statements. */
  get rowsRead(): number {
    return this.#cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  }

  /** The positions that a statement gives. */
  seqs({ text, parameters }: Positions): readonly number[] {
    const rows = this.run(text, ...parameters).raw();
    return Array.from(rows, ([seq]) => Number(seq));
  }

  run<Columns extends Record<string, SqlStorageValue>>(
    text: Select,
    ...parameters: SqlStorageValue[]
  ): SqlStorageCursor<Columns> {
    const cursor = this.#sql.exec<Columns>(text, ...parameters);
    this.#cursors.push(cursor);
    return cursor;
  }
}
