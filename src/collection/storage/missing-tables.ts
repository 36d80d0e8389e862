/** Statements on tables that are made on demand (tables.ts). */
import { hasTables, ON_DEMAND } from './tables.ts';

/** Statements that only look for rows of a table, or delete some: the verb, and the table. */
const LOOKS = /^\s*(DELETE|SELECT 1|SELECT min)(?:\(\w+\))? FROM (\w+)/;

/** What they come to where the table is not there: `changes()` is 0. */
const ON_NONE = new Map([
  ['DELETE', 'DELETE FROM meta WHERE FALSE'],
  ['SELECT 1', 'SELECT 1 WHERE FALSE'],
  ['SELECT min', 'SELECT NULL'],
]);

/** What SQLite says where a statement names a table that is not there. */
const MISSING = /no such table: (?:main\.)?(\w+)/;

/** The object's SQLite, as if all tables were there. */
export class TablesOnDemand {
  readonly #sql: SqlStorage;
  /** Those that are known not to be there: an error of SQLite takes long. */
  #missing: Set<string> | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Performs a statement, and makes a table first that it lacks, unless the statement only looks for rows there, or
   * deletes some. Not for several statements that change something.
   */
  exec<Row extends Record<string, SqlStorageValue>>(
    query: string,
    bindings: readonly unknown[],
  ): SqlStorageCursor<Row> {
    const [, verb = '', of = ''] = LOOKS.exec(query) ?? [];
    const instead = ON_NONE.get(verb);
    if (instead !== undefined && this.#isMissing(of)) return this.#sql.exec<Row>(instead);
    for (;;) {
      try {
        return this.#sql.exec<Row>(query, ...bindings);
      } catch (error) {
        const [, name = ''] = MISSING.exec(String(error)) ?? [];
        // Those of an application that was deleted meanwhile stay away.
        if (!isOnDemand(name) || !hasTables(this.#sql)) throw error;
        if (of === name && instead !== undefined) {
          // The transaction that had made it was undone.
          this.#missing?.add(name);
          return this.#sql.exec<Row>(instead);
        }
        this.#sql.exec(ON_DEMAND[name]);
        this.#missing?.delete(name);
      }
    }
  }

  #isMissing(name: string): boolean {
    if (!isOnDemand(name)) return false;
    if (this.#missing === undefined) {
      const tables = this.#sql.exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`);
      this.#missing = new Set(Object.keys(ON_DEMAND));
      for (const table of tables) this.#missing.delete(table.name);
    }
    return this.#missing.has(name);
  }
}

function isOnDemand(name: string): name is keyof typeof ON_DEMAND {
  return Object.hasOwn(ON_DEMAND, name);
}
