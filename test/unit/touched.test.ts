/** What a write touches beside its document is counted by the rows of other tables that it changes, and by words. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Touched } from '../../src/collection/storage/touched.ts';
import type { Fields } from '../../src/domain/values/values.ts';
import { nameOfCells } from '../../src/query/index/cells.ts';
import { LocalCollection } from '../support/local-collection.ts';

const ROW = 256;

let collection: LocalCollection;
beforeEach(() => {
  collection = new LocalCollection();
});
afterEach(() => {
  collection.close();
});

/** What a write counts. */
function countOf(write: () => void): number {
  const { touched } = collection.tables;
  const { checkpoint } = touched;
  write();
  return touched.since(checkpoint);
}

const items = Array.from({ length: 1000 }, (_, n) => n);

describe('a write counts', () => {
  test('nothing beside its document where nothing else follows it', () => {
    expect(countOf(() => collection.create({ items }))).toBe(0);
  });

  test.each<readonly [string, string, Fields, number]>([
    ['each entry of an index of values', 'items', { items }, items.length],
    [
      'each cell of a geometry',
      nameOfCells(['place']),
      {
        place: {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [90, 45],
          ],
        },
      },
      5,
    ],
  ])('%s, once more when it goes', (_, name, fields, rows) => {
    collection.create(fields);
    collection.learn(name);
    collection.build();
    const ids: string[] = [];
    const made = countOf(() => ids.push(collection.create(fields)));
    expect(made).toBeGreaterThanOrEqual(rows * ROW);
    const [id = ''] = ids;
    // An index that stays as it is costs its keys, and no rows.
    expect(
      countOf(() => {
        collection.update(id, { other: 1 });
      }),
    ).toBeLessThan(made / 4);
    expect(
      countOf(() => {
        collection.remove(id);
      }),
    ).toBeGreaterThanOrEqual(rows * ROW);
  });

  test('the characters of its words, where words are indexed', async () => {
    await collection.buildWords();
    const text = 'word '.repeat(1000);
    const ids: string[] = [];
    expect(countOf(() => ids.push(collection.create({ text })))).toBeGreaterThan(2 * text.length);
    expect(
      countOf(() => {
        collection.update(ids[0] ?? '', { n: 1 });
      }),
    ).toBe(0);
  });

  test('each identity that its rights name, as they change', () => {
    const id = collection.create({});
    const readers = items.map((n) => `core.user ${n}`);
    expect(
      countOf(() => {
        collection.share(id, readers);
      }),
    ).toBe(1000 * ROW);
    expect(
      countOf(() => {
        collection.share(id, [...readers, 'core.user more']);
      }),
    ).toBe(ROW);
    expect(
      countOf(() => {
        collection.share(id, []);
      }),
    ).toBe(1001 * ROW);
  });
});

test.each([
  [0, 25],
  [25, 25],
  [26, 250],
  [250, 250],
  [251, 2500],
  [5000, 25_000],
])('%i rows of rights count as %i to who may not know how many they are', (rows, counted) => {
  const touched = new Touched();
  const { checkpoint } = touched;
  touched.ownRights(rows);
  expect(touched.since(checkpoint, false)).toBe(counted * ROW);
  expect(touched.since(checkpoint)).toBe(rows * ROW);
});
