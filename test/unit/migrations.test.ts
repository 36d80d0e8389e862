/** The tables of a collection: what migrations make of those of former releases is what a new one has. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { ON_DEMAND } from '../../src/collection/storage/tables.ts';
import { storageOf } from '../support/local-collection.ts';

interface Made {
  readonly name: string;
  readonly type: string;
  readonly sql: string | null;
}

/** The platform has tables of its own. */
function newDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE __platform (name TEXT)');
  return database;
}

/** Statements without comments, and with blanks only where they part words. */
const plain = (sql: string | null) =>
  sql
    ?.replaceAll(/--.*/g, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1');

function contentOf(database: DatabaseSync) {
  const made = database
    // A migrated log has its columns in another order.
    .prepare(`SELECT type, name, sql FROM sqlite_master WHERE name <> 'versions'`)
    .all() as unknown as Made[];
  const tables = made.filter(({ type }) => type === 'table').map(({ name }) => name);
  return {
    made: new Map(made.map(({ name, sql }) => [name, plain(sql)])),
    rows: new Map(tables.map((name) => [name, database.prepare(`SELECT * FROM ${name}`).all()])),
  };
}

test('a new collection that has used all tables has those that all migrations make, and their rows', () => {
  const stepped = newDatabase();
  // Tables that are there are migrated on.
  for (const last of [1, undefined]) migrate(storageOf(stepped), last);
  const fresh = newDatabase();
  const sql = storageOf(fresh);
  migrate(sql);
  for (const name of Object.keys(ON_DEMAND)) {
    expect(contentOf(fresh).made.keys()).not.toContain(name);
    for (const each of [sql, storageOf(stepped)]) each.exec(`SELECT * FROM ${name}`);
  }
  expect(contentOf(fresh)).toEqual(contentOf(stepped));
  // And nothing is left to do.
  migrate(sql);
  expect(contentOf(fresh)).toEqual(contentOf(stepped));
});

test('the log that migrations make has the columns of a new one', () => {
  const [stepped, fresh] = [storageOf(newDatabase()), storageOf(newDatabase())];
  for (const last of [1, undefined]) migrate(stepped, last);
  migrate(fresh);
  fresh.exec('SELECT * FROM versions');
  const columnsOf = (sql: typeof fresh) =>
    sql.exec(`SELECT name, type, "notnull" FROM pragma_table_info('versions') ORDER BY name`).toArray();
  expect(columnsOf(stepped)).toEqual(columnsOf(fresh));
});

test('what looks for rows in a table that is not there finds none, and what deletes some deletes none', () => {
  const database = newDatabase();
  const sql = storageOf(database);
  migrate(sql);
  sql.exec('INSERT INTO ranges VALUES (1, 2)');
  expect(sql.exec('SELECT 1 FROM outcomes WHERE key = ? LIMIT 1', 'x').toArray()).toEqual([]);
  expect(
    sql.exec('DELETE FROM outcomes WHERE seq IN (SELECT seq FROM outcomes WHERE until <= ?)', 1).toArray(),
  ).toEqual([]);
  expect(sql.exec('SELECT min(until) FROM outcomes').raw().next().value).toEqual([null]);
  expect(sql.exec('SELECT changes() AS changed').one()).toEqual({ changed: 0 });
  expect(contentOf(database).made.keys()).not.toContain('outcomes');
  // What lacks another one makes it.
  sql.exec('DELETE FROM ranges WHERE first IN (SELECT seq FROM rights)');
  expect(contentOf(database).made.keys()).toContain('rights');
});

test('what is known to be missing is found once it is made, and not when that was undone', () => {
  const database = newDatabase();
  const sql = storageOf(database);
  migrate(sql);
  const found = () => sql.exec('SELECT 1 FROM members LIMIT 1').toArray().length;
  const make = () => sql.exec(`INSERT INTO changes VALUES (1, x'01', NULL)`);
  const look = () => sql.exec('SELECT 1 FROM changes').toArray().length;
  expect([look(), found()]).toEqual([0, 0]);
  database.exec('BEGIN');
  make();
  expect(look()).toBe(1);
  database.exec('ROLLBACK');
  expect(look()).toBe(0);
  make();
  expect([look(), found()]).toEqual([1, 0]);
});

test('a statement in a trigger makes its table, and a collection that was erased gets none', () => {
  const database = newDatabase();
  const sql = storageOf(database);
  migrate(sql);
  sql.exec(
    `CREATE TRIGGER noted AFTER INSERT ON ranges BEGIN INSERT INTO changes VALUES (new.first, x'01', NULL); END`,
  );
  sql.exec('INSERT INTO ranges VALUES (1, 2)');
  expect(database.prepare('SELECT number FROM changes').all()).toEqual([{ number: 1 }]);
  database.exec('DROP TABLE migrations');
  expect(() => sql.exec('SELECT * FROM rights')).toThrow('no such table: rights');
});
