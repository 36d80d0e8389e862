/** Moments of exports in the tables: what is kept for them, and what is left of them (storage/moments.ts). */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Moments } from '../../src/collection/storage/moments.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { storageOf } from '../support/local-collection.ts';

const NOW = 1_000_000;

let database: DatabaseSync;
let moments: Moments;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  migrate(sql);
  moments = new Moments(sql);
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
const kept = () => database.prepare('SELECT moment, seq FROM kept ORDER BY moment, seq').all();
const triggers = () => database.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all().length;

test('nothing is kept before a moment is, nor of positions that its reader has', () => {
  change(1, 5);
  expect([kept(), triggers()]).toEqual([[], 0]);
  moments.keep(moments.now(), 'a', 2, NOW);
  change(1, 6);
  change(3, 7);
  change(3, 8);
  expect(kept().map(({ seq }) => seq)).toEqual([3]);
  moments.resume('a', 3, NOW);
  database.exec('DELETE FROM documents WHERE seq >= 3');
  expect(kept().map(({ seq }) => seq)).toEqual([3, 4]);
});

test('a document that takes the position of one that was deleted is none of the moment', () => {
  database.exec('DELETE FROM documents WHERE seq = 3');
  const moment = moments.now();
  moments.keep(moment, 'a', 0, NOW);
  database.exec('DELETE FROM documents WHERE seq = 4');
  database.exec(`INSERT INTO documents (id, version, body) VALUES (unhex('05'), 5, jsonb('{}'))`);
  const read = moments.documents({ ...moment, id: 'a' }, 0, 10, 1000);
  expect(read.map(({ packed }) => packed.slice(0, 2))).toEqual(['01', '02', '04']);
});

test('what nobody reads on is given up after a time, and everything that it has left goes', () => {
  moments.keep(moments.now(), 'a', 0, NOW);
  change(1, 5);
  const late = NOW + LIMITS.exportPatience;
  expect(moments.resume('a', 0, late)).toMatchObject({ id: 'a' });
  expect(moments.resume('a', 0, late + LIMITS.exportPatience + 1)).toBeUndefined();
  expect([kept().length, triggers()]).toEqual([1, 2]);
  while (moments.tidy(late + LIMITS.exportPatience + 1));
  expect([kept().length, triggers(), moments.next()]).toEqual([0, 0, null]);
});

test('of too many moments, the one that nobody has read for longest is given up', () => {
  for (let n = 0; n <= LIMITS.exportMoments; n += 1) moments.keep(moments.now(), `m${n}`, 0, NOW + n);
  expect(moments.resume('m0', 0, NOW)).toBeUndefined();
  expect(moments.resume('m1', 0, NOW)).toMatchObject({ id: 'm1' });
});

test('the last page of a moment can be read again for a while', () => {
  moments.keep(moments.now(), 'a', 0, NOW);
  moments.linger('a', NOW);
  expect(moments.resume('a', 0, NOW + 59_000)).toMatchObject({ id: 'a' });
  moments.linger('a', NOW);
  expect(moments.resume('a', 0, NOW + 61_000)).toBeUndefined();
});
