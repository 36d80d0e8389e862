/** Outcomes of writes that are done once: kept whole, for a day, and then forgotten. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { Outcomes } from '../../src/collection/storage/secondary/outcomes.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { fail, ok } from '../../src/domain/problems.ts';
import { makeTables, storageOf } from '../support/local-collection.ts';

const OUTCOME_LIFETIME = LIMITS.outcomeLifetime;
const ONCE = { key: 'k', sender: 's', digests: ['new', 'old'] };

let outcomes: Outcomes;
let database: DatabaseSync;
let done: number;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  makeTables(sql);
  outcomes = new Outcomes(sql);
  done = 0;
});

const count = () => ok({ count: (done += 1) });
const rows = (): unknown => database.prepare('SELECT count(*) AS n FROM outcomes').get()?.['n'];

test('work is done once, and again when its outcome is a day old', () => {
  expect(outcomes.once(ONCE, 0, count)).toEqual(ok({ count: 1 }));
  expect(outcomes.once(ONCE, OUTCOME_LIFETIME - 1, count)).toEqual(ok({ count: 1 }));
  expect(outcomes.once(ONCE, OUTCOME_LIFETIME, count)).toEqual(ok({ count: 2 }));
  expect(outcomes.once(undefined, OUTCOME_LIFETIME, count)).toEqual(ok({ count: 3 }));
});

test('another body is refused, whatever the key was for', () => {
  outcomes.once(ONCE, 0, count);
  const other = outcomes.once({ key: 'k', sender: 's', digests: ['other'] }, 0, count);
  expect(other).toMatchObject({ ok: false, problems: [{ code: 'idempotency-key-reused' }] });
  expect(done).toBe(1);
});

test('a body is known under a secret that signs no more', () => {
  outcomes.once({ key: 'k', sender: 's', digests: ['old'] }, 0, count);
  expect(outcomes.once(ONCE, 0, count)).toEqual(ok({ count: 1 }));
});

test('a refusal is not kept', () => {
  expect(outcomes.once(ONCE, 0, () => fail('forbidden', 'No.')).ok).toBe(false);
  expect(outcomes.once(ONCE, 0, count)).toEqual(ok({ count: 1 }));
});

test('audit fields of an outcome from before an update are known by their former name', () => {
  const body = '{"provenance":1}';
  outcomes.once(ONCE, 0, () => ok({ body, provenance: '1 2 ' }));
  const known = { body, auditFields: '1 2 ' };
  expect(outcomes.once(ONCE, 0, count)).toEqual(ok(known));
  // Most repeated requests ask before they write.
  expect(outcomes.find(ONCE, 0)).toEqual(ok(JSON.stringify(known)));
});

test('large outcomes are kept in parts', () => {
  const text = `x${'é😀'.repeat(700_000)}`;
  outcomes.once(ONCE, 0, () => ok({ text }));
  expect(rows()).toBeGreaterThan(3);
  expect(outcomes.once(ONCE, 0, () => ok({ text: '' }))).toEqual(ok({ text }));
});

test('what is a day old is forgotten, a bounded number of rows at a time', () => {
  for (let n = 0; n < 30; n += 1) outcomes.once({ key: `k${n}`, sender: 's', digests: ['d'] }, n, count);
  expect(outcomes.next()).toBe(OUTCOME_LIFETIME);
  outcomes.forget(OUTCOME_LIFETIME + 9, 100);
  expect(rows()).toBe(20);
  expect(outcomes.next()).toBe(OUTCOME_LIFETIME + 10);
  outcomes.forget(2 * OUTCOME_LIFETIME, 5);
  expect(rows()).toBe(15);
  outcomes.once({ key: 'later', sender: 's', digests: ['d'] }, 2 * OUTCOME_LIFETIME, count);
  expect(rows()).toBe(1);
});

test('of each sender a bounded number of bytes is kept: its own oldest outcomes go, whole', () => {
  const text = 'x'.repeat(3 * 1024 * 1024);
  const large = (sender: string, n: number) =>
    outcomes.once({ key: `${sender}${n}`, sender, digests: ['d'] }, n, () => ok({ text }));
  const kept = (sender: string, n: number) => {
    const found = outcomes.find({ key: `${sender}${n}`, sender, digests: ['d'] }, 0);
    return found.ok && found.value === JSON.stringify({ text });
  };
  for (let n = 0; n < 5; n += 1) large('other', n);
  for (let n = 0; n < 30; n += 1) large('many', n);
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  expect(numbers.filter((n) => kept('many', n))).toEqual(numbers.slice(9));
  expect(numbers.slice(0, 5).every((n) => kept('other', n))).toBe(true);
  const sums = () => database.prepare('SELECT sender, bytes FROM outcome_sums ORDER BY sender').all();
  const held = database
    .prepare('SELECT sender, sum(length(bytes)) AS bytes FROM outcomes GROUP BY sender ORDER BY sender')
    .all();
  expect(sums()).toEqual(held);
  outcomes.forget(OUTCOME_LIFETIME + 30, 1000);
  expect(sums()).toEqual([]);
});

test('what was kept before senders were counted is found, and forgotten', () => {
  database
    .prepare('INSERT INTO outcomes (key, digest, until, bytes) VALUES (?, ?, ?, ?)')
    .run('k', 'old', 100, new TextEncoder().encode('{"count":9}'));
  expect(outcomes.once(ONCE, 0, count)).toEqual(ok({ count: 9 }));
  expect(outcomes.once(ONCE, 100, count)).toEqual(ok({ count: 1 }));
});
