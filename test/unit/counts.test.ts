/** Counts are remembered for a search, its viewer, and the state of the collection that they are of. */
import { expect, test } from 'vitest';
import { Counts } from '../../src/collection/search/counts/count-cache.ts';

const search = { condition: '{"op":"and","conditions":[]}', viewer: null, rule: null, hidden: [] };

test('a count holds until the collection changes', () => {
  const counts = new Counts();
  counts.put(search, 7, 42);
  expect(counts.get(search, 7)).toBe(42);
  expect(counts.get(search, 8)).toBeUndefined();
  counts.put(search, 8, 43);
  expect(counts.get(search, 8)).toBe(43);
});

test('a count is of its viewer, and of what that viewer is not shown', () => {
  const counts = new Counts();
  counts.put(search, 7, 42);
  expect(counts.get({ ...search, viewer: ['core.user/1'] }, 7)).toBeUndefined();
  expect(counts.get({ ...search, hidden: ['password'] }, 7)).toBeUndefined();
});
