/** The outbox: the order of messages, and its bounds when nobody takes them. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Outbox } from '../../src/collection/storage/outbox/outbox.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { storageOf } from '../support/local-collection.ts';

const QUEUE = { kind: 'webhook', addressee: 'a' } as const;
const NOW = 1_000_000;

let outbox: Outbox;

beforeEach(() => {
  const sql = storageOf(new DatabaseSync(':memory:'));
  migrate(sql);
  outbox = new Outbox(sql);
});

const put = (key: string, payload = key, now = NOW) => {
  outbox.put({ ...QUEUE, key, about: 'update', payload }, now);
};
const due = (now = NOW) =>
  outbox.dueQueues(now).flatMap((queue) => outbox.due(queue, now, 100).map(({ payload }) => payload));
const first = (now = NOW) => {
  const [message] = outbox.dueQueues(now).flatMap((queue) => outbox.due(queue, now, 1));
  if (message === undefined) throw new Error('Nothing is due.');
  return message;
};

test('is empty until something is put, and again when all was delivered and tidied', () => {
  expect([outbox.isEmpty, outbox.next()]).toEqual([true, null]);
  put('x');
  expect([outbox.isEmpty, outbox.next(), outbox.takeFresh(), outbox.takeFresh()]).toEqual([
    false,
    NOW,
    true,
    false,
  ]);
  outbox.delivered(first(), NOW);
  outbox.tidy(NOW);
  expect([outbox.isEmpty, outbox.next()]).toEqual([true, null]);
});

describe('of messages of one key', () => {
  test('only the first is due, then the next', () => {
    put('x', 'x1');
    put('x', 'x2');
    put('y', 'y1');
    expect(due()).toEqual(['x1', 'y1']);
    outbox.delivered(first(), NOW);
    expect(due()).toEqual(['x2', 'y1']);
  });

  test('the next waits for one that failed, and goes when that is given up', () => {
    put('x', 'x1');
    put('x', 'x2');
    outbox.failed(first(), 'down', NOW + 10, 0);
    expect([due(), outbox.next()]).toEqual([[], NOW + 10]);
    outbox.giveUp(first(NOW + 10), 'down', NOW + 10, 0);
    expect(due(NOW + 10)).toEqual(['x2']);
    expect(outbox.dead.list(QUEUE, 10)).toMatchObject([
      { key: 'x', tries: 2, failure: 'down', died: NOW + 10 },
    ]);
  });
});

test('a queue that rests has nothing due, and all of it when a message was taken', () => {
  put('x');
  put('y');
  outbox.failed(first(), 'down', NOW + 100, NOW + 50);
  expect([due(NOW + 49), due(NOW + 50), outbox.next()]).toEqual([[], ['y'], NOW + 50]);
  outbox.delivered(first(NOW + 50), NOW + 50);
  expect(due(NOW + 50)).toEqual(['x']);
});

describe('when nobody takes them', () => {
  test('the oldest messages are given up where too many wait, and the oldest of these forgotten', () => {
    for (let n = 0; n <= LIMITS.messagesWaiting; n += 1) put(`key${n}`);
    const { waiting, dead } = outbox.counts(QUEUE);
    expect([waiting, dead]).toEqual([LIMITS.messagesWaiting * 0.95, LIMITS.messagesWaiting * 0.05 + 1]);
    expect(outbox.dead.list(QUEUE, 1)).toMatchObject([
      { key: `key${dead - 1}`, failure: 'Too many came after it.' },
    ]);
    for (let n = 0; n < 1_500; n += 1) put(`more${n}`);
    expect(outbox.counts(QUEUE).waiting).toBeLessThanOrEqual(LIMITS.messagesWaiting);
    expect(outbox.counts(QUEUE).dead).toBeLessThanOrEqual(LIMITS.deadLetters);
    const kept = outbox.dead.ids(QUEUE).length;
    expect([kept, outbox.dead.list(QUEUE, 1)[0]?.key]).toEqual([LIMITS.deadLetters, 'key1502']);
  });

  test('so they are where too much waits', () => {
    const large = 'x'.repeat(LIMITS.messageUnits / 32);
    for (let n = 0; n <= 32; n += 1) put(`key${n}`, large);
    const { waiting, dead } = outbox.counts(QUEUE);
    expect([waiting, dead]).toEqual([30, 3]);
    for (let n = 0; n < 32; n += 1) put(`more${n}`, large);
    expect(outbox.counts(QUEUE).dead).toBe(LIMITS.deadLetterUnits / large.length);
  });

  test('they are given up after some days, and forgotten after some more', () => {
    put('x');
    const later = NOW + LIMITS.messagePatience;
    outbox.tidy(later - 1);
    expect(outbox.counts(QUEUE)).toEqual({ waiting: 1, dead: 0 });
    outbox.tidy(later);
    expect(outbox.counts(QUEUE)).toEqual({ waiting: 0, dead: 1 });
    expect(outbox.next()).toBe(later + LIMITS.deadLetterLifetime);
    outbox.tidy(later + LIMITS.deadLetterLifetime);
    expect([outbox.counts(QUEUE), outbox.isEmpty]).toEqual([{ waiting: 0, dead: 0 }, true]);
  });
});

test('what is sent again comes behind what waits, with the id that it had', () => {
  put('x', 'x1');
  const { id } = first();
  outbox.giveUp(first(), 'down', NOW, 0);
  put('x', 'x2');
  expect([outbox.revive(QUEUE, 'other', NOW), outbox.revive(QUEUE, id, NOW)]).toEqual([false, true]);
  expect(due()).toEqual(['x2']);
  outbox.delivered(first(), NOW);
  expect([first().payload, first().id]).toEqual(['x1', id]);
});
