/** Requests in Analytics Engine: the local runtime has none, so its place is taken here. */
import { expect, test } from 'vitest';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { isApplicationId } from '../../src/domain/ids.ts';
import { countRequest } from '../../src/modules/applications/usage/requests.ts';

test('a request is a data point where Analytics Engine is bound, and nothing is handed on', () => {
  const points: unknown[] = [];
  const USAGE = { writeDataPoint: (point: unknown) => void points.push(point) };
  const application = '0'.repeat(24);
  if (!isApplicationId(application)) throw new Error('No id.');
  const count = (status: number, type: string | null) => {
    countRequest({ USAGE } as unknown as Environment, { application, key: 'k', type, status }, 1, () => {
      throw new Error('Something waits to be handed on.');
    });
  };
  count(200, 'notes');
  count(404, null);
  expect(points).toEqual([
    { indexes: [application], blobs: ['k', 'notes'], doubles: [1, 0] },
    { indexes: [application], blobs: ['k', ''], doubles: [1, 1] },
  ]);
});
