/** Short runs with kills; `npm run test:faults` makes long ones. */
import { expect, test } from 'vitest';
import { runCrashes } from './crash.ts';
import { runRetries } from './retries.ts';
import { runTransfers } from './transfers.ts';

test('what was answered is there after kills at random moments', async () => {
  const figures = await runCrashes({ seed: 1, kills: 2, until: Infinity });
  expect(figures['Kills']).toBe(2);
  expect(figures['Answered writes']).toBeGreaterThan(1);
  expect(figures['Versions compared']).toBeGreaterThan(1);
});

test('money that moves between types is neither made nor lost by kills, and nothing stays locked', async () => {
  const figures = await runTransfers({ seed: 1, kills: 2, until: Infinity });
  expect(figures['Kills']).toBe(2);
  expect(figures['Audits of all accounts']).toBe(3);
});

test('what is sent again with its Idempotency-Key after a kill is done once, and answered as before', async () => {
  const figures = await runRetries({ seed: 1, kills: 1, until: Infinity });
  expect(figures['Creates answered before them']).toBeGreaterThan(0);
});
