/** The statements of one search, counted. */
import type { ReadSql, Select } from '../../storage/sql.ts';

/** A statement that gives positions: rows of `seq`. */
export interface Positions {
  readonly text: Select;
  readonly parameters: readonly SqlStorageValue[];
}

/** A number of positions after one, without the first of them. */
export interface StatementPart {
  readonly after: number;
  readonly limit: number;
  readonly offset: number;
}

export class Statements {
  readonly #sql: ReadSql;
  readonly #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  #rowsRead = 0;

  constructor(sql: ReadSql) {
    this.#sql = sql;
  }

  /** Rows of tables and indexes that SQLite has read for these statements. */
  get rowsRead(): number {
    return this.#cursors.reduce((sum, { rowsRead }) => sum + rowsRead, this.#rowsRead);
  }

  /** The positions that a statement gives. */
  seqs({ text, parameters }: Positions): readonly number[] {
    const rows = this.run(text, ...parameters).raw();
    return Array.from(rows, ([seq]) => Number(seq));
  }

  /** The columns of all rows of a statement of which a search makes many: nothing of it is held. */
  all(text: Select, ...parameters: SqlStorageValue[]): readonly (readonly SqlStorageValue[])[] {
    const cursor = this.#sql.exec(text, ...parameters);
    const rows = Array.from(cursor.raw());
    this.#rowsRead += cursor.rowsRead;
    return rows;
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
