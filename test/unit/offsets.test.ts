/** Pages at an offset in the order of creation, whether or not documents were deleted. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../src/operators/filter/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const SIZE = 30;
let collection: LocalCollection;
let ids: string[];
beforeEach(() => {
  collection = new LocalCollection();
  ids = Array.from({ length: SIZE }, (_, n) => collection.create({ n }));
});
afterEach(() => {
  collection.close();
});

describe.each([
  ['nothing', []],
  ['the first', [0, 1]],
  ['the last', [SIZE - 1]],
  ['some between', [7, 8, 20]],
  ['all but one', Array.from({ length: SIZE - 1 }, (_, at) => at)],
  ['all', Array.from({ length: SIZE }, (_, at) => at)],
])('after deletion of %s', (_name, deleted) => {
  test.each([0, 1, 6, 7, 19, 27, 28, 29, 30, 31, 1_000])('from offset %i on', async (offset) => {
    for (const at of deleted) collection.remove(ids[at] ?? '');
    const kept = ids.filter((_id, at) => !deleted.includes(at));
    const { documents, total } = await collection.list(EVERYTHING, { offset, limit: 5 });
    expect(documents.map(({ id }) => id)).toEqual(kept.slice(offset, offset + 5));
    expect(total).toBe(kept.length);
  });
});
