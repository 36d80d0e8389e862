/** What a feed keeps in the tables: for how long, how much, and what stays when it ends. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FeedTables } from '../../src/collection/storage/secondary/feed-tables.ts';
import { Edits } from '../../src/collection/storage/secondary/edits.ts';
import { Versions } from '../../src/collection/storage/secondary/versions.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { makeTables, storageOf } from '../support/local-collection.ts';

let database: DatabaseSync;
let feed: FeedTables;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  makeTables(sql);
  feed = new FeedTables(sql, new Versions(sql, new Edits(sql, { current: null })));
  for (let seq = 1; seq <= 3; seq += 1) {
    database.exec(
      `INSERT INTO documents (id, version, body) VALUES (unhex('0${seq}'), ${seq}, jsonb('{"n":${seq}}'))`,
    );
  }
});
afterEach(() => {
  database.close();
});

const change = (seq: number, version: number, units = 2) => {
  database.exec(
    `UPDATE documents SET version = ${version}, body = jsonb('"${'x'.repeat(units)}"') WHERE seq = ${seq}`,
  );
};
const remove = (seq: number, version: number) => {
  database.exec(`UPDATE documents SET acl_version = ${version} WHERE seq = ${seq}`);
  database.exec(`DELETE FROM documents WHERE seq = ${seq}`);
};
const states = () => database.prepare('SELECT began, ended FROM versions ORDER BY ended').all();
const numbers = () =>
  database
    .prepare('SELECT number FROM changes ORDER BY number')
    .all()
    .map(({ number }) => number);
const triggers = () => database.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all().length;
const horizon = () => feed.state?.horizon;

function begin(): void {
  feed.begin('epoch', 3, Date.now());
  while (!feed.complete) feed.build();
}

function forget(now: number): void {
  while (feed.forget(now));
}

test('nothing is kept before anybody asks', () => {
  change(1, 4);
  remove(2, 5);
  expect([states(), numbers(), triggers(), feed.next(0)]).toEqual([[], [], 0, null]);
});

test('from then on the order of last changes, and each state with the numbers between which it stood', () => {
  begin();
  expect([numbers(), horizon()]).toEqual([[1, 2, 3], 3]);
  change(1, 4);
  change(1, 5);
  remove(2, 6);
  expect(numbers()).toEqual([3, 5, 6]);
  expect(states()).toEqual([
    { began: 1, ended: 4 },
    { began: 4, ended: 5 },
    { began: 2, ended: 6 },
  ]);
});

test('a document that changes while the order is made has one place in it', () => {
  feed.begin('epoch', 3, Date.now());
  change(2, 4);
  while (!feed.complete) feed.build();
  change(3, 5);
  expect(numbers()).toEqual([1, 4, 5]);
});

test('states past their time go, and with them the deletions that ended them; the horizon says so', () => {
  begin();
  change(1, 4);
  remove(2, 5);
  const now = Date.now();
  forget(now);
  expect([states().length, horizon()]).toEqual([2, 3]);
  const later = now + LIMITS.feedRetention + 60_000;
  feed.note(later);
  forget(later);
  expect([states(), numbers(), horizon()]).toEqual([[], [3, 4], 5]);
});

test('the oldest states go when they take too much room, and no more than that', () => {
  begin();
  const units = LIMITS.feedBytes / 8;
  for (let version = 4; version < 16; version += 1) change(1, version, units);
  expect(feed.isFull).toBe(true);
  forget(Date.now());
  expect(feed.isFull).toBe(false);
  expect(states().map(({ ended }) => ended)).toEqual([9, 10, 11, 12, 13, 14, 15]);
  expect(horizon()).toBe(8);
});

test('a feed that nobody asks for ends, and leaves nothing', () => {
  begin();
  change(1, 4);
  forget(Date.now() + LIMITS.feedRetention + 60_000);
  expect([feed.active, states(), numbers(), triggers(), feed.state]).toEqual([false, [], [], 0, null]);
  feed.begin('another', 4, Date.now());
  while (!feed.complete) feed.build();
  expect([feed.state, numbers()]).toEqual([{ ...feed.state, epoch: 'another', horizon: 4 }, [2, 3, 4]]);
});

test('the feed of an earlier release goes on', () => {
  const older = new DatabaseSync(':memory:');
  const sql = storageOf(older);
  migrate(sql, 18);
  older.exec(`INSERT INTO feed VALUES (1, 'epoch', 3, 0, 1, 1, 1);
    INSERT INTO changes VALUES (3, unhex('01'));
    CREATE TRIGGER feed_after_insert AFTER INSERT ON documents BEGIN
      INSERT INTO changes VALUES (NEW.version, NEW.id); END`);
  migrate(sql);
  const tables = new FeedTables(sql, new Versions(sql, new Edits(sql, { current: null })));
  tables.load();
  tables.within('a list', () => {
    older.exec(`INSERT INTO documents (id, version, body) VALUES (unhex('02'), 4, jsonb('{}'))`);
  });
  older.exec(`INSERT INTO documents (id, version, body) VALUES (unhex('03'), 5, jsonb('{}'))`);
  const lists = (rows: ReturnType<FeedTables['after']>) => rows.map(({ id, list }) => [id, list]);
  const all = [
    ['01', null],
    ['02', 'a list'],
    ['03', null],
  ];
  expect(lists(tables.after(0, 9, 9, 9999))).toEqual(all);
  expect(lists(tables.allAfter(0, 9, 9, 9999))).toEqual(all);
  older.close();
});
