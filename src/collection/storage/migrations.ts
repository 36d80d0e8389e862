/**
 * What makes the tables of a collection (tables.ts) of those of former releases. Migrations are numbered and
 * append-only: none is ever edited, released or not, because objects in the field have run it. Nothing is written
 * before the first write of a document, so that asking about a type nobody uses leaves nothing behind.
 */
import { RELEASED } from './released.ts';
import { SINCE_0_2 } from './since-0-2.ts';
import { AT_ONCE, hasTables, INDEXES_OF_DIFFERENCES } from './tables.ts';

/** Lets states of a log be differences that was made before they could (secondary/differences.ts). */
function addDifferences(sql: SqlStorage): void {
  const whole = `SELECT 1 FROM sqlite_master WHERE name = 'versions' AND instr(sql, 'base INTEGER') = 0`;
  if (sql.exec(whole).toArray().length > 0)
    sql.exec(`ALTER TABLE versions ADD COLUMN base INTEGER; ${INDEXES_OF_DIFFERENCES}`);
}

const MIGRATIONS: readonly (string | typeof addDifferences)[] = [...RELEASED, ...SINCE_0_2, addDifferences];

/**
 * Updates the tables to the newest form. To be called inside a transaction, or before any other use. Tests of what an
 * earlier release stored stop at its last migration.
 */
export function migrate(sql: SqlStorage, last = MIGRATIONS.length): void {
  const isNew = last === MIGRATIONS.length && !hasTables(sql);
  sql.exec(`CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT`);
  if (isNew) {
    const numbers = Array.from(MIGRATIONS, (_, index) => `(${index + 1})`);
    sql.exec(`${AT_ONCE} INSERT INTO migrations VALUES ${numbers.join()}`);
    return;
  }
  const { done } = sql
    .exec<{ done: number }>(`SELECT coalesce(max(number), 0) AS done FROM migrations`)
    .one();
  for (const [index, migration] of MIGRATIONS.slice(done, last).entries()) {
    if (typeof migration === 'string') sql.exec(migration);
    else migration(sql);
    sql.exec(`INSERT INTO migrations VALUES (?)`, done + index + 1);
  }
}
