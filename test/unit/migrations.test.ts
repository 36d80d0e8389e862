/** The tables of a collection: a new one has at once what all migrations make, one after the other. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { storageOf } from '../support/local-collection.ts';

interface Table {
  readonly name: string;
  readonly type: string;
}

function contentOf(database: DatabaseSync): unknown {
  const made = database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_master')
    .all() as unknown as Table[];
  const rows = made
    .filter(({ type }) => type === 'table')
    .map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).all()] as const);
  return { made: new Set(made), rows: new Map(rows) };
}

test('a new collection has the tables and rows that all migrations make', () => {
  // The platform has tables of its own.
  const newDatabase = () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE __platform (name TEXT)');
    return database;
  };
  const stepped = newDatabase();
  // Tables that are there are migrated on.
  for (const last of [1, undefined]) migrate(storageOf(stepped), last);
  for (const _ of ['the first', 'another']) {
    const fresh = newDatabase();
    migrate(storageOf(fresh));
    expect(contentOf(fresh)).toEqual(contentOf(stepped));
    // And nothing is left to do.
    migrate(storageOf(fresh));
    expect(contentOf(fresh)).toEqual(contentOf(stepped));
  }
});
