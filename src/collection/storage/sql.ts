/** What every SQL statement must take care of, and what a reader has of SQLite. */

export type Select = `SELECT ${string}`;

/** SQLite for what only reads: it takes no statement that writes. An object's `SqlStorage` is one. */
export interface ReadSql {
  readonly databaseSize: SqlStorage['databaseSize'];
  exec<Row extends Record<string, SqlStorageValue>>(
    statement: Select,
    ...parameters: SqlStorageValue[]
  ): SqlStorageCursor<Row>;
}

/** What some tables take: those that are only read take nothing that writes. */
type Statement<Sql> = Select | (Sql extends SqlStorage ? string : never);

interface AnySql {
  exec(statement: string, ...parameters: SqlStorageValue[]): Pick<SqlStorageCursor<never>, 'raw'>;
}

/** Tables that belong together: their readers, and what writes them. */
export abstract class Table<Sql extends ReadSql = SqlStorage> {
  protected readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = sql;
  }

  /** The first column of the rows of a statement. */
  protected column<T extends SqlStorageValue>(
    statement: Statement<Sql>,
    ...parameters: SqlStorageValue[]
  ): T[] {
    const sql: AnySql = this.sql;
    return Array.from(sql.exec(statement, ...parameters).raw<[T]>(), ([value]) => value);
  }

  /** The number that a statement gives; null for none. */
  protected numberOf(statement: Statement<Sql>, ...parameters: SqlStorageValue[]): number | null {
    const [value] = this.column(statement, ...parameters);
    return typeof value === 'number' ? value : null;
  }

  /** Whether a statement gives a row. */
  protected finds(statement: Statement<Sql>, ...parameters: SqlStorageValue[]): boolean {
    return this.column(statement, ...parameters).length > 0;
  }
}

/**
 * A bound limit, written as an expression: for a bare parameter SQLite would plan the statement again for every value.
 */
export const LIMIT = 'LIMIT ? + 0';

/** Milliseconds since 1970. */
export const NOW = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

/**
 * The rows of a statement, read to their end even when the reader stops early: an open statement prevents the
 * checkpoint of SQLite's log, and the log grows. So a statement whose reader may stop early must be bounded.
 */
export function* toItsEnd<T>(rows: IterableIterator<T>): Generator<T> {
  try {
    for (let row = rows.next(); row.done !== true; row = rows.next()) yield row.value;
  } finally {
    while (rows.next().done !== true);
  }
}

/** The first of some rows that have so many bytes together, and the one that exceeds them: one at least, if any. */
export function fitting<T extends { readonly size: number }>(rows: Iterable<T>, bytes: number): readonly T[] {
  const all = [...rows];
  let left = bytes;
  const last = all.findIndex(({ size }) => (left -= size) <= 0);
  return last === -1 ? all : all.slice(0, last + 1);
}

/** How many rows the last statement has changed. A statement that returned them all would take twice as long. */
export function changesOf(sql: SqlStorage): number {
  return sql.exec<{ changed: number }>('SELECT changes() AS changed').one().changed;
}
