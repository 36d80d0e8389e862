/** Statements on tables that are made on demand (tables.ts). */
import { hasTables, ON_DEMAND } from './tables.ts';

/** What statements come to that only look for rows of a table that is not there, or delete some: `changes()` is 0. */
const ON_NONE = new Map([
  ['DELETE', 'DELETE FROM meta WHERE FALSE'],
  ['SELECT 1', 'SELECT 1 WHERE FALSE'],
  ['SELECT min', 'SELECT NULL'],
]);

/** What SQLite says where a statement names a table that is not there. */
const MISSING = /no such table: (?:main\.)?(\w+)/;

/**
 * Performs a statement, and makes a table first that it lacks, unless the statement only looks for rows there, or
 * deletes some. Not for several statements that change something.
 */
export function execWithTables<Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  query: string,
  bindings: readonly unknown[],
): SqlStorageCursor<Row> {
  for (;;) {
    try {
      return sql.exec<Row>(query, ...bindings);
    } catch (error) {
      const [, name = ''] = MISSING.exec(String(error)) ?? [];
      // Those of an application that was deleted meanwhile stay away.
      if (!isOnDemand(name) || !hasTables(sql)) throw error;
      const [, verb = '', of] = /^\s*(DELETE|SELECT 1|SELECT min)(?:\(\w+\))? FROM (\w+)/.exec(query) ?? [];
      const instead = ON_NONE.get(verb);
      if (of === name && instead !== undefined) return sql.exec<Row>(instead);
      sql.exec(ON_DEMAND[name]);
    }
  }
}

function isOnDemand(name: string): name is keyof typeof ON_DEMAND {
  return Object.hasOwn(ON_DEMAND, name);
}
