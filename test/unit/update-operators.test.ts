/** Update operators do what MongoDB's do, on values of every kind, and change nothing that they are given. */
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../src/domain/values/codec.ts';
import { applyUpdate } from '../../src/operators/update/apply.ts';
import type { UpdateStep } from '../../src/operators/update/update.ts';
import { UPDATE_CASES } from '../support/update-cases.ts';
import { updated, valueOf } from '../support/update-run.ts';

describe('an update', () => {
  test.each(UPDATE_CASES)('%s', (_name, before, update, after) => {
    const result = updated(valueOf(before), update);
    if (typeof after === 'string') expect(result).toEqual([expect.stringContaining(after)]);
    // As text: the kinds of numbers and the order of fields count.
    else expect(encodeText(result as ReturnType<typeof valueOf>)).toBe(encodeText(valueOf(after)));
  });

  test('tells every fault with its place', () => {
    const faults = updated({ a: 'x', b: 1 }, { $inc: { a: 1 }, $push: { 'b.c': 1 } });
    expect(faults).toEqual([
      expect.stringContaining('/data/meta/update/$inc/a'),
      expect.stringContaining('/data/meta/update/$push/b.c'),
    ]);
  });

  test('keeps the order of fields', () => {
    expect(Object.keys(updated({ c: 1, a: 1, b: 1 }, { $inc: { a: 1, z: 1, c: 1 } }))).toEqual([
      'c',
      'a',
      'b',
      'z',
    ]);
  });

  test('nests no deeper than the JSON of a request may', () => {
    const deep = (levels: number): string => Array.from({ length: levels }, () => 'a').join('.');
    expect(updated({}, { $inc: { [deep(61)]: 1 } })).not.toBeInstanceOf(Array);
    expect(updated({}, { $inc: { [deep(62)]: 1 } })).toEqual([expect.stringContaining('at most 61 steps')]);
    expect(updated({}, { $push: { [deep(61)]: 1 } })).not.toBeInstanceOf(Array);
    expect(updated({}, { $push: { [deep(61)]: [1] } })).toEqual([
      expect.stringContaining('more than 64 levels'),
    ]);
  });

  test('looks through a field once, however many steps are in it', () => {
    let looks = 0;
    const watched = new Proxy(
      {},
      {
        ownKeys: (target) => {
          looks += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
    const steps = Array.from({ length: 1000 }, (_, n): UpdateStep => ({
      op: '$unset',
      path: ['a', `k${n}`],
      operand: true,
    }));
    expect(applyUpdate({ a: { watched } }, steps, new Date(0)).ok).toBe(true);
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(10);
  });

  test('takes work in proportion to the document', () => {
    const many = Array.from({ length: 100_000 }, (_, n) => n);
    const condition = { $in: many.slice(0, 2_000), $nin: many.slice(0, 2_000) };
    expect(updated({ a: many }, { $pull: { a: { $gte: 50_000 } } })).toEqual({ a: many.slice(0, 50_000) });
    expect(updated({ a: many }, { $pull: { a: condition } })).toEqual([
      expect.stringContaining('too much work'),
    ]);
    const sparse = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`a.${n}.200000`, 1]));
    const lists = { a: Array.from({ length: 1000 }, () => []) };
    expect(updated(lists, { $inc: sparse })).toContainEqual(
      expect.stringContaining('larger than a document'),
    );
  });
});
