/** The one notion of a work budget: what is spent, what is left, and what ends with what. */
import { describe, expect, test } from 'vitest';
import type { Outbox } from '../../src/collection/storage/outbox/outbox.ts';
import type { Webhooks } from '../../src/collection/storage/secondary/webhooks.ts';
import { notifyWebhooks } from '../../src/collection/write/notify/webhooks.ts';
import { WorkBudget } from '../../src/domain/work/work.ts';
import { readRule } from '../../src/operators/filter/rule.ts';
import { idOf, typeOf } from '../support/names.ts';

describe('a work budget', () => {
  test('can be spent to its last unit, and not beyond', () => {
    const budget = new WorkBudget(10);
    expect([budget.spend(7), budget.spend(3), budget.exceeded, budget.left]).toEqual([true, true, false, 0]);
    expect([budget.spend(0.5), budget.exceeded]).toEqual([false, true]);
  });

  test('stays exceeded: nothing gives units back', () => {
    const budget = new WorkBudget(1);
    budget.spend(2);
    expect([budget.spend(0), budget.has(0), budget.exceeded]).toEqual([false, false, true]);
  });

  test('ends with what it could never pay, however much it has', () => {
    const budget = new WorkBudget(Infinity);
    budget.exhaust();
    expect([budget.spend(1), budget.exceeded]).toEqual([false, true]);
  });
});

describe('a part of a work budget', () => {
  test('is spent of the whole', () => {
    const whole = new WorkBudget(100);
    whole.part(40).spend(30);
    expect(whole.left).toBe(70);
  });

  test('ends by itself, and the whole goes on', () => {
    const whole = new WorkBudget(100);
    const part = whole.part(40);
    expect([part.spend(41), part.exceeded, whole.exceeded, whole.part(40).spend(40)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('ends with the whole, whoever spent that', () => {
    const whole = new WorkBudget(100);
    const [one, other] = [whole.part(90), whole.part(90)];
    one.spend(80);
    expect([other.has(21), other.has(20), other.spend(30)]).toEqual([false, true, false]);
    expect([one.exceeded, whole.exceeded]).toEqual([true, true]);
  });
});

test('filters of webhooks decide while the budget of the list lasts: then dear ones tell all, others as before', () => {
  const filters = { dear: '{"text":{"$regex":"b$"}}', plain: '{"n":2}' };
  const hearing = Object.entries(filters).map(([id, filter]) => ({
    webhook: { id, filter },
    rule: readRule(filter, () => undefined),
  }));
  const told: string[] = [];
  const tables = {
    webhooks: { hearing: () => hearing } as unknown as Webhooks,
    outbox: {
      put: ({ addressee }: { addressee: string }) => {
        told.push(addressee);
      },
    } as unknown as Outbox,
  };
  const body = JSON.stringify({ text: 'a'.repeat(1_000), n: 1 });
  const after = { id: idOf('a'.repeat(24)), version: 1, aclVersion: 0, body, relationships: null };
  const list = new WorkBudget(20_000);
  const tellOne = () => {
    notifyWebhooks(tables, typeOf('notes'), { before: null, after, transaction: 'list' }, list);
  };
  tellOne();
  expect([told, list.exceeded]).toEqual([[], false]);
  while (!list.exceeded) tellOne();
  told.length = 0;
  tellOne();
  expect(told).toEqual(['dear']);
});
