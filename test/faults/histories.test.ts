/** A few recorded histories, and what the checker of histories is worth; `npm run test:faults` records many. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { MODEL, runHistories } from './histories.ts';
import { isLinearizable } from './linearizable.ts';

test('recorded histories of parallel clients are linearizable', async () => {
  const client = await Client.create();
  const figures = await runHistories(client, { seed: 1, count: 6, until: Infinity });
  expect(figures['Histories']).toBe(6);
  expect(figures['of them stale (412)']).toBeGreaterThan(0);
});

describe('the checker', () => {
  type Step = Parameters<typeof isLinearizable<readonly (number | null)[], Input, Output>>[0][number];
  type Input = Parameters<typeof MODEL.step>[1];
  type Output = Parameters<typeof MODEL.step>[2];
  const at = (invoked: number, returned: number, input: Input, output: Output): Step => ({
    invoked,
    returned,
    input,
    output,
  });
  const read = (value: number | null) =>
    [{ kind: 'read', at: 0 } as const, { status: 200, values: [value] }] as const;
  const write = (value: number, seen: number | null, status: number) =>
    [{ kind: 'patch', at: 0, value, seen } as const, { status }] as const;

  test.each<[string, boolean, readonly Step[]]>([
    ['a read after a write sees it', true, [at(1, 2, ...write(5, null, 200)), at(3, 4, ...read(5))]],
    [
      'a read after a write does not see it',
      false,
      [at(1, 2, ...write(5, null, 200)), at(3, 4, ...read(-1))],
    ],
    [
      'a read beside a write does not see it',
      true,
      [at(1, 4, ...write(5, null, 200)), at(2, 3, ...read(-1))],
    ],
    [
      'a read sees what a later one does not',
      false,
      [at(1, 8, ...write(5, null, 200)), at(2, 3, ...read(5)), at(4, 5, ...read(-1))],
    ],
    [
      'two writes on one tag succeed',
      false,
      [at(1, 4, ...write(5, -1, 204)), at(2, 3, ...write(6, -1, 204))],
    ],
    ['one of two writes on one tag', true, [at(1, 4, ...write(5, -1, 204)), at(2, 3, ...write(6, -1, 412))]],
    ['a fresh tag is refused', false, [at(1, 2, ...write(5, -1, 412))]],
    [
      'a list sees half of a list of operations',
      false,
      [
        at(1, 4, { kind: 'patch all', at: 0, value: 5 }, { status: 204 }),
        at(2, 3, { kind: 'list', at: 0 }, { status: 200, values: [5, -2, -3] }),
      ],
    ],
  ])('%s: %s', (_, expected, history) => {
    expect(isLinearizable(history, MODEL)).toBe(expected);
  });
});
