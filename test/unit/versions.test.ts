/** The log as exports read it: what it keeps for their moments, and what they leave (storage/secondary/versions.ts). */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { FeedTables } from '../../src/collection/storage/secondary/feed-tables.ts';
import { Edits } from '../../src/collection/storage/secondary/edits.ts';
import { Versions } from '../../src/collection/storage/secondary/versions.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { makeTables, storageOf } from '../support/local-collection.ts';

const NOW = 1_000_000;

let database: DatabaseSync;
let sql: SqlStorage;
let versions: Versions;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  sql = storageOf(database);
  makeTables(sql);
  versions = new Versions(sql, new Edits(sql, { current: null }));
  for (let seq = 1; seq <= 4; seq += 1) {
    database.exec(
      `INSERT INTO documents (id, version, body) VALUES (unhex('0${seq}'), ${seq}, jsonb('{"n":${seq}}'))`,
    );
  }
  database.exec('UPDATE meta SET counter = 4, documents = 4');
});
afterEach(() => {
  database.close();
});

const change = (seq: number, version: number) => {
  database.exec(`UPDATE documents SET version = ${version}, body = jsonb('{}') WHERE seq = ${seq}`);
};
const remove = (seq: number, version: number) => {
  database.exec(`UPDATE documents SET acl_version = ${version} WHERE seq = ${seq}`);
  database.exec(`DELETE FROM documents WHERE seq = ${seq}`);
};
const kept = () => database.prepare('SELECT seq, began, ended FROM versions ORDER BY ended').all();
const triggers = () => database.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all().length;

test('nothing is kept before a moment is; then every version, once for all moments', () => {
  change(1, 5);
  expect([kept(), triggers()]).toEqual([[], 0]);
  versions.keep(versions.now(), 'a', NOW);
  versions.keep(versions.now(), 'b', NOW);
  change(1, 6);
  change(1, 7);
  database.exec('UPDATE documents SET creator = NULL WHERE seq = 2');
  expect(kept()).toEqual([
    { seq: 1, began: 5, ended: 6 },
    { seq: 1, began: 6, ended: 7 },
  ]);
});

test('versions that an export needs stay when the feed is full of them, and go when it has ended', () => {
  const feed = new FeedTables(sql, versions);
  feed.begin('epoch', 4, NOW);
  versions.keep(versions.now(), 'a', NOW);
  for (let version = 5; version < 8; version += 1) {
    database.exec(
      `UPDATE documents SET version = ${version}, body = jsonb('"${'x'.repeat(LIMITS.feedBytes / 2)}"') WHERE seq = 1`,
    );
  }
  feed.forget(NOW);
  expect([feed.isFull, kept().length]).toEqual([false, 3]);
  versions.endSnapshots(NOW + LIMITS.exportPatience + 1);
  expect(feed.isFull).toBe(true);
  while (feed.forget(NOW));
  expect(kept().length).toBe(1);
});

test('a document that takes the position of one that was deleted is none of the moment', () => {
  remove(3, 5);
  const moment = versions.now();
  versions.keep(moment, 'a', NOW);
  remove(4, 6);
  database.exec(`INSERT INTO documents (id, version, body) VALUES (unhex('05'), 7, jsonb('{}'))`);
  const read = versions.documents({ ...moment, id: 'a' }, 0, 10, 1000);
  expect(read.map(({ packed }) => packed.slice(0, 2))).toEqual(['01', '02', '04']);
});

test('what nobody reads on is given up after a time, and everything that it has left goes', () => {
  versions.keep(versions.now(), 'a', NOW);
  change(1, 5);
  const late = NOW + LIMITS.exportPatience;
  expect(versions.resume('a', late)).toMatchObject({ id: 'a' });
  expect(versions.resume('a', late + LIMITS.exportPatience + 1)).toBeUndefined();
  expect([kept().length, triggers()]).toEqual([1, 1]);
  while (versions.tidy(late + LIMITS.exportPatience + 1));
  expect([kept().length, triggers(), versions.next()]).toEqual([0, 0, null]);
});

test('of too many moments, the one that nobody has read for longest is given up', () => {
  for (let n = 0; n <= LIMITS.exportMoments; n += 1) versions.keep(versions.now(), `m${n}`, NOW + n);
  expect(versions.resume('m0', NOW)).toBeUndefined();
  expect(versions.resume('m1', NOW)).toMatchObject({ id: 'm1' });
});

test('the last page of a moment can be read again for a while', () => {
  versions.keep(versions.now(), 'a', NOW);
  versions.linger('a', NOW);
  expect(versions.resume('a', NOW + 59_000)).toMatchObject({ id: 'a' });
  versions.linger('a', NOW);
  expect(versions.resume('a', NOW + 61_000)).toBeUndefined();
});

test('what an earlier release kept for a feed is in the log, also of documents that are gone', () => {
  const older = new DatabaseSync(':memory:');
  migrate(storageOf(older), 18);
  older.exec(`INSERT INTO documents (id, version, body) VALUES (unhex('01'), 6, jsonb('{}'));
    INSERT INTO feed VALUES (1, 'epoch', 3, 0, 1, 1, 1);
    INSERT INTO moments VALUES ('a', 4, 1, 0, 9);
    INSERT INTO former_states (ended, id, began, at, body)
      VALUES (5, unhex('01'), 1, 0, jsonb('{}')), (6, unhex('01'), 5, 0, jsonb('{}')),
        (4, unhex('02'), 2, 0, jsonb('{}')), (7, unhex('02'), 4, 0, jsonb('{}'));
    CREATE TRIGGER feed_after_update AFTER UPDATE ON documents BEGIN
      INSERT INTO former_states (ended, id, began, at, body) VALUES (0, OLD.id, 0, 0, jsonb('{}')); END`);
  migrate(storageOf(older));
  const log = new Versions(storageOf(older), new Edits(storageOf(older), { current: null }));
  new FeedTables(storageOf(older), log).load();
  const before = (id: string) => log.between(id as DocumentId, { began: 9, ended: 3 }, 9).length;
  expect([before('01'), before('02'), log.next()]).toEqual([2, 2, null]);
  storageOf(older).exec('UPDATE documents SET version = 8');
  expect(log.around('01' as DocumentId, 8).map(({ ended }) => ended)).toEqual([8]);
  older.close();
});
