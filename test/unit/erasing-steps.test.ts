/** Erasing a person in the history of a type goes in steps, each of which changes few rows (write/upkeep/people.ts). */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WRITE_STEP_ROWS } from '../../src/collection/storage/steps.ts';
import type { Ground } from '../../src/collection/write/ground.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import { erasePerson } from '../../src/collection/write/upkeep/people.ts';
import { makeTables, storageOf } from '../support/local-collection.ts';
import { typeOf } from '../support/names.ts';

const ADA = 'core.user 6b011e2f6aeea231a557b681';
const HERS = JSON.stringify({ 'super-update': [ADA] });
const SHARED = JSON.stringify({ read: [ADA], update: ['core.user 6b011e2f6aeea231a557b682'] });

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  makeTables(storageOf(database));
});
afterEach(() => {
  database.close();
});

/** Inserts so many rows; `n` is the number of each. */
function fill(table: string, rows: number, values: string): void {
  database.exec(
    `INSERT INTO ${table} WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ${rows})
     SELECT ${values} FROM each`,
  );
}

const id = (n: string) => `unhex(printf('%024x', ${n}))`;
const versions = (rows: number, from: number, of: string, creator: string, acl: string) => {
  const columns = 'versions (ended, id, seq, began, at, body, relationships, acl, creator)';
  const place = `${from} + ${of}`;
  const number = `${from} + n`;
  const values = `${number}, ${id(place)}, ${place}, ${number} - 1, 0, jsonb('{}'), NULL, ${acl}, ${creator}`;
  fill(columns, rows, values);
};
const count = (table: string, where = '1') =>
  database.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${where}`).get()?.['count'];

/** The rows that each step has changed. */
async function stepsOf(type: string): Promise<readonly number[]> {
  const changed: number[] = [];
  const changes = () =>
    Number(database.prepare('SELECT total_changes() AS all_of_them').get()?.['all_of_them']);
  const sql = storageOf(database);
  const tables = new Transactor(sql);
  tables.load();
  const ground = {
    sql,
    tables,
    rest: () => () => Promise.resolve(),
    writes: {
      exclusive: (work: () => unknown) => {
        const before = changes();
        const done = work();
        changed.push(changes() - before);
        return Promise.resolve(done);
      },
    },
  } as unknown as Ground;
  const person = { identity: ADA, user: null, senders: ['hers', 'also hers'], owns: true };
  expect(await erasePerson(ground, typeOf(type), person)).toMatchObject({ more: false });
  return changed;
}

test('who has made versions, whose they were, and who could read what is deleted', async () => {
  const edit = `${id('n / 50')}, 400000 + n, 400000 + n, 0, n, 'update', CASE WHEN n % 15 = 0 THEN '${ADA}' END`;
  fill('versions (id, ended, began, at, n, change, user)', 30_000, edit);
  versions(12_000, 0, 'n / 50', 'NULL', 'NULL');
  // Her documents, which are deleted: of the second half only the end names her.
  versions(3_000, 100_000, 'n / 1500', `'${ADA}'`, 'NULL');
  versions(3_000, 200_000, 'n / 1500', 'NULL', `CASE WHEN n % 1500 = 1499 OR n = 3000 THEN '${HERS}' END`);
  versions(1_200, 300_000, 'n', 'NULL', `'${SHARED}'`);
  fill('tombstones', 13_000, `${id('n')}, n, CASE WHEN n % 10 = 0 THEN '["${ADA}"]' END`);
  const steps = await stepsOf('notes');
  expect(Math.max(...steps)).toBeLessThanOrEqual(WRITE_STEP_ROWS);
  expect(steps.reduce((sum, each) => sum + each, 0)).toBe(2_000 + 6_000 + 1_200 + 1_300);
  expect([count('versions', "user = 'erased'"), count('versions', `user = '${ADA}'`)]).toEqual([2_000, 0]);
  expect([count('versions', 'body IS NOT NULL'), count('versions', `acl LIKE '%${ADA}%'`)]).toEqual([
    13_200, 0,
  ]);
  expect(count('tombstones', 'readers IS NOT NULL')).toBe(0);
});

test('members of groups, in the log of their feed', async () => {
  const columns = 'versions (ended, id, seq, began, at, body)';
  const body = `jsonb(json_object('users', json_array('${ADA.slice(10)}')))`;
  fill(columns, 2_100, `n, ${id('1')}, 1, n - 1, 0, ${body}`);
  const steps = await stepsOf('core.user-group');
  expect([Math.max(...steps), count('versions')]).toEqual([WRITE_STEP_ROWS, 0]);
});

test('snapshots of exports that are being read', async () => {
  database.exec(`INSERT INTO moments VALUES ('a', 1, ${Date.now() + 60_000})`);
  await stepsOf('notes');
  expect(count('moments')).toBe(0);
});

test('outcomes that are kept for repeated requests', async () => {
  const sender = `CASE WHEN n % 4 = 0 THEN 'theirs' WHEN n % 2 = 0 THEN 'hers' ELSE 'also hers' END`;
  fill('outcomes (key, digest, until, bytes, sender)', 3_000, `n, 'd', 0, x'00', ${sender}`);
  fill('outcome_sums', 1, `'hers', 750`);
  const steps = await stepsOf('notes');
  // And the sums of both.
  expect(Math.max(...steps)).toBeLessThanOrEqual(WRITE_STEP_ROWS + 2);
  expect([count('outcomes'), count('outcomes', `sender = 'theirs'`), count('outcome_sums')]).toEqual([
    750, 750, 0,
  ]);
});
