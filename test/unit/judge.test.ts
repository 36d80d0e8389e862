/** What the rules of one request may take, and what the failures of one list may. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Policy } from '../../src/collection/rpc/rules.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { storedId } from '../../src/domain/ids.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

let collection: LocalCollection;
beforeEach(() => {
  collection = new LocalCollection();
});
afterEach(() => {
  collection.close();
});

function ruleOf(filter: object) {
  const condition = encodeText(conditionOf(filter));
  return { where: condition, check: [{ at: '/check', condition }], read: null, write: null };
}

const document = (text: string) => ({ id: storedId('0'.repeat(24)), body: JSON.stringify({ text }) });

test('patterns of rules share one budget, over all documents of a request', () => {
  const end = `b${'a'.repeat(900)}`;
  const rule = ruleOf({ text: { $regex: end } });
  const policy = new Policy();
  const large = document(`${'a'.repeat(1_000_000)}${end}`);
  const answers = Array.from({ length: 20 }, () => policy.violated(rule, large));
  expect(answers[0]).toEqual([]);
  expect(answers.at(-1)?.map(({ at }) => at)).toEqual(['/check']);
  expect(policy.maySee({ rule }, document(end))).toBe(false);
  expect(new Policy().violated(rule, large)).toEqual([]);
});

test('a failure that has written nothing costs no reading of what memory holds', () => {
  collection.create({ n: 1 });
  const { tables } = collection;
  const load = vi.spyOn(tables, 'load');
  const fail = (work: () => void) => () =>
    tables.attempt(
      (part) => part(),
      () => {
        work();
        throw new Error('failed');
      },
    );
  tables.together(() => {
    for (let turn = 0; turn < 1_000; turn += 1) expect(fail(() => undefined)).toThrow('failed');
    expect(load).toHaveBeenCalledTimes(0);
    expect(fail(() => tables.records.nextVersion())).toThrow('failed');
    expect(load).toHaveBeenCalledTimes(1);
  });
});
