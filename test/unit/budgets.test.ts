/** What the objects of one isolate remember is bounded for all of them together. */
import { expect, test } from 'vitest';
import { Counts } from '../../src/collection/search/counts/count-cache.ts';
import { Memory } from '../../src/collection/storage/caching/answer-cache.ts';
import { ResultCache, type Output } from '../../src/collection/aggregate/outputs.ts';
import { ok } from '../../src/domain/problems.ts';
import { idOf } from '../support/names.ts';
import { recall } from '../../src/domain/caching/recall.ts';

/** So many objects, each of which remembers so many things; what is left of all of them. */
function left(
  objects: number,
  each: number,
  make: () => { keep: (n: number) => void; has: (n: number) => boolean },
) {
  const all = Array.from({ length: objects }, make);
  for (const { keep } of all) for (let n = 0; n < each; n += 1) keep(n);
  const last = all.at(-1);
  const kept = all.reduce((sum, { has }) => {
    let count = 0;
    for (let n = 0; n < each; n += 1) if (has(n)) count += 1;
    return sum + count;
  }, 0);
  return { kept, newest: last?.has(each - 1) };
}

const TEXT = 'x'.repeat(100_000);
const OUTPUT: Output = { id: idOf('a'), fields: {}, relationships: [], text: TEXT };
const DOCUMENT = { id: idOf('0'.repeat(24)), version: 1, aclVersion: 0, relationships: null, body: TEXT };

test('results of pipelines', () => {
  const { kept, newest } = left(20, 20, () => {
    const cache = new ResultCache();
    return {
      keep: (n) => {
        cache.set(String(n), 1, ok([OUTPUT]));
      },
      has: (n) => cache.get(String(n), 1) !== undefined,
    };
  });
  expect(newest).toBe(true);
  expect(kept).toBeGreaterThan(10);
  expect(kept * TEXT.length).toBeLessThanOrEqual(8 * 1024 * 1024);
});

test('documents by a unique value', () => {
  const { kept, newest } = left(20, 10, () => {
    const { unique } = new Memory();
    return {
      keep: (n) => {
        recall(unique, String(n), () => DOCUMENT);
      },
      has: (n) => unique.get(String(n)) !== undefined,
    };
  });
  expect(newest).toBe(true);
  expect(kept).toBeGreaterThan(5);
  expect(kept * TEXT.length).toBeLessThanOrEqual(2 * 1024 * 1024);
});

test('small answers, and counts', () => {
  const answers = left(200, 500, () => {
    const { existing } = new Memory();
    return {
      keep: (n) => {
        existing.set(String(n).padStart(24, '0'), true);
      },
      has: (n) => existing.get(String(n).padStart(24, '0')) !== undefined,
    };
  });
  const counts = left(200, 50, () => {
    const remembered = new Counts();
    const search = (n: number) => ({
      condition: `${n} ${'y'.repeat(1_000)}`,
      viewer: null,
      rule: null,
      hidden: [],
    });
    return {
      keep: (n) => {
        remembered.put(search(n), 1, n);
      },
      has: (n) => remembered.get(search(n), 1) !== undefined,
    };
  });
  for (const [{ kept, newest }, most] of [
    [answers, 40_000],
    [counts, 2_000],
  ] as const) {
    expect(newest).toBe(true);
    expect(kept).toBeGreaterThan(most / 4);
    expect(kept).toBeLessThan(most);
  }
});
