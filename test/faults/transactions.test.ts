/** A few histories of lists of several types, with faults; `npm run test:faults` records many. */
import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { ALL_FAULTS, runTransactions } from './transactions.ts';

test('lists of several types are strictly serializable, whatever gets lost', async () => {
  const count = isLong('whole') ? 24 : 8;
  const met = new Set<string>();
  const figures = await runTransactions({ seed: 1, count, until: Infinity, met });
  expect(figures['Histories with lost calls and ended objects']).toBe(count);
  expect(figures['of them sent again']).toBeGreaterThan(0);
  expect(figures['Writes sent again after their answer']).toBeGreaterThan(0);
  expect(figures['Processes killed']).toBe(count / 8);
  if (isLong('whole')) expect(ALL_FAULTS.filter((each) => !met.has(each))).toEqual([]);
});
