/** Indexes on paths whose keys say less than the values: what is found is what the matcher alone finds. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Long, type Fields, type Value } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

let collection: LocalCollection;
beforeEach(() => {
  collection = new LocalCollection();
});
afterEach(() => {
  collection.close();
});

/** How many of the documents the collection finds, with an index on `a`, and how many the matcher. */
async function found(values: readonly Value[], filter: string) {
  const documents: readonly Fields[] = values.map((a) => ({ a }));
  for (const document of documents) collection.create(document);
  collection.learn('a');
  collection.build();
  const condition = conditionOf(filter);
  const { total, documents: page, plan } = await collection.list(condition, { offset: 0, limit: 100 });
  expect(plan.used).toEqual(['a']);
  return { total, page: page.length, expected: documents.filter(compileMatcher(condition)).length };
}

const long = 'x'.repeat(128);
const longs = [0n, 1n, 2n, 3n, 4n].map((more) => new Long(9_007_199_254_740_992n + more));

describe('an index finds no more and no less than the matcher', () => {
  test.each<[string, readonly Value[], string, number]>([
    ['strings that are cut', [`${long}a`, `${long}b`, long], `{"a":"${long}a"}`, 1],
    ['the bound of a cut string', [`${long}a`, `${long}b`, long], `{"a":{"$gt":"${long}a"}}`, 1],
    [
      'a range between cut strings',
      [`${long}a`, `${long}b`, `${long}c`, 'y'],
      `{"a":{"$gt":"${long}a","$lt":"y"}}`,
      2,
    ],
    [
      'a range of which one bound is cut',
      ['a', `${long}a`, `${long}b`, `${long}c`],
      `{"a":{"$gte":"a","$lt":"${long}b"}}`,
      2,
    ],
    // The keys of all documents are whole: only the bound is not.
    ['a bound that is cut', [long, 'xz', 'y'], `{"a":{"$gt":"${long}a","$lt":"y"}}`, 1],
    ['longs that share a double', longs, '{"a":{"$numberLong":"9007199254740993"}}', 1],
    [
      'a range between longs that share doubles',
      longs,
      '{"a":{"$gt":{"$numberLong":"9007199254740992"},"$lt":{"$numberLong":"9007199254740995"}}}',
      2,
    ],
    ['two bounds that two items meet', [[1, 5], [3], 2, 4], '{"a":{"$gt":2,"$lt":4}}', 2],
    ['two bounds of plain values', [1, 2, 3, 4], '{"a":{"$gt":1,"$lt":4}}', 2],
  ])('%s', async (_, values, filter, count) => {
    expect(await found(values, filter)).toEqual({ total: count, page: count, expected: count });
  });
});

test('what a document was is found no more, with a complete index and with one that is being built', async () => {
  const ids = Array.from({ length: 4 }, (_, a) => collection.create({ a }));
  collection.learn('a');
  collection.build(1);
  const count = async (a: number) =>
    (await collection.list(conditionOf({ a }), { offset: 0, limit: 9 })).total;
  collection.update(ids[0] ?? '', { a: 9 });
  collection.build();
  collection.update(ids[1] ?? '', { a: 9 });
  collection.remove(ids[2] ?? '');
  expect([await count(0), await count(1), await count(2), await count(3), await count(9)]).toEqual([
    0, 0, 0, 1, 2,
  ]);
});

test.each([
  [0, 0, 0],
  [1, 1, 1],
  [15, 2, 16],
  [16, 16, 16],
  [17, 3, 40],
])('every key of arrays of %i, %i and %i items is found, in each of their indexes', async (...lengths) => {
  const names = ['a', 'b', 'c'];
  const documentFrom = (start: number): Fields =>
    Object.fromEntries(
      names.map((name, at) => [name, Array.from({ length: lengths[at] ?? 0 }, (_, item) => start + item)]),
    );
  const first = collection.create(documentFrom(0));
  for (const name of names) collection.learn(name);
  collection.build();
  collection.create(documentFrom(100));
  collection.update(first, documentFrom(5));
  const total = async (name: string, value: number) =>
    (await collection.list(conditionOf({ [name]: value }), { offset: 0, limit: 9 })).total;
  for (const [at, name] of names.entries()) {
    const length = lengths[at] ?? 0;
    const expected = Array.from(
      { length: 150 },
      (_, value) => [5, 100].filter((start) => value >= start && value < start + length).length,
    );
    const found = [];
    for (const value of expected.keys()) found.push(await total(name, value));
    expect(found).toEqual(expected);
  }
  // Each item, and the array itself.
  const keys = lengths.map((length) => length + 1).reduce((sum, each) => sum + each);
  expect(collection.rows('entries')).toBe(2 * keys);
});
