/** A few histories of lists of several types, with faults; `npm run test:faults` records many. */
import { expect, test } from 'vitest';
import { runTransactions } from './transactions.ts';

test('lists of several types are strictly serializable, whatever gets lost', async () => {
  const figures = await runTransactions({ seed: 1, count: 12, until: Infinity });
  expect(figures['Histories with lost calls and ended objects']).toBe(12);
  expect(figures['of them sent again']).toBeGreaterThan(0);
});
