/** The statements of one search, counted. */
import type { SqlText } from '../../query/sql/condition.ts';

/** A statement that gives positions: rows of `seq`. */
export type Positions = SqlText;

/** A number of positions after one, without the first of them. */
export interface Part {
  readonly after: number;
  readonly limit: number;
  readonly offset: number;
}

export class Statements {
  readonly #sql: SqlStorage;
  readonly #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  constructor(sql: SqlStorage) {
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
    text: string,
    ...parameters: SqlStorageValue[]
  ): SqlStorageCursor<Columns> {
    const cursor = this.#sql.exec<Columns>(text, ...parameters);
    this.#cursors.push(cursor);
    return cursor;
  }
}
