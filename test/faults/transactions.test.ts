/** A few histories of lists of several types, with faults; `npm run test:faults` records many. */
import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { runTransactions } from './transactions.ts';

test.each(isLong('store') ? [1, 2, 3] : [1])(
  'lists of several types are strictly serializable, whatever gets lost: seed %i',
  async (seed) => {
    const figures = await runTransactions({ seed, count: 8, until: Infinity });
    expect(figures['Histories with lost calls and ended objects']).toBe(8);
    expect(figures['of them sent again']).toBeGreaterThan(0);
    expect(figures['Processes killed']).toBe(1);
  },
);
