/** A few rounds with a clock that is set back; `npm run test:faults` makes many. */
import { expect, test } from 'vitest';
import { runClocks } from './clocks.ts';

test('what was told as ended stays so when the clock is set back', async () => {
  const figures = await runClocks({ seed: 1, rounds: 2, until: Infinity });
  expect(figures['Clocks set back']).toBeGreaterThan(1);
  expect(figures['of them over a start']).toBeGreaterThan(0);
});
