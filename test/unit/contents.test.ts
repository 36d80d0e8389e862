/** The contents of files, as a collection notes them (storage/secondary/contents.ts): when their alarm must ring. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Contents } from '../../src/collection/storage/secondary/contents.ts';
import { storedId } from '../../src/domain/ids.ts';
import { storageOf } from '../support/local-collection.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const idOf = (n: number) => storedId(n.toString(16).padStart(24, '0'));

let contents: Contents;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  const sql = storageOf(new DatabaseSync(':memory:'));
  migrate(sql);
  contents = new Contents(sql);
  return () => vi.useRealTimers();
});

const reserve = (n: number, due = Date.now() + HOUR) => {
  contents.reserve(idOf(n), 10, due, null);
  return contents.takeFresh();
};

test('an upload asks for the alarm until that is known to ring, and not again before', () => {
  expect([reserve(1), reserve(2)]).toEqual([true, true]);
  expect(contents.next()).toBe(NOW + HOUR);
  expect([reserve(3), reserve(4, NOW + 1)]).toEqual([false, true]);
});

test('an upload asks for the alarm once more where it has not rung, or has found nothing', () => {
  reserve(1);
  contents.next();
  vi.setSystemTime(NOW + HOUR);
  expect(reserve(2)).toBe(true);
  for (const n of [1, 2]) contents.keep(idOf(n), 10);
  expect([contents.next(), reserve(3)]).toEqual([null, true]);
});

test('what is to be deleted asks for it at once', () => {
  reserve(1);
  contents.next();
  contents.release(idOf(1), NOW);
  expect([contents.takeFresh(), contents.next()]).toEqual([true, NOW]);
});
