/** A short run of fuzzing; `npm run test:faults` makes a long one. */
import { expect, test } from 'vitest';
import { runFuzz } from './fuzz/fuzz.ts';

test('whatever is sent, the answer is one that the documentation tells of', async () => {
  const figures = await runFuzz({ seed: 1, requests: 2000, until: Infinity });
  // The run says nothing unless much of it was understood.
  expect(figures['answered with success']).toBeGreaterThan(200);
  expect(figures['Error codes seen']).toBeGreaterThan(20);
});
