/** Many types at once: where objects share a process, one more than there are files for is refused, not failed. */
import { expect, test } from 'vitest';
import { objectsAtOnce } from '../../scripts/files.ts';
import { newService } from '../support/scope.ts';

const service = await newService({ settings: { OBJECTS_AT_ONCE: '20' } });
const { client } = service;

test('beyond the bound a type is answered 503 with Retry-After; those in use are served', async () => {
  const { id } = await client.make('in-use', { n: 1 });
  const asked = Array.from({ length: 60 }, (_, number) => client.get(`/resources/type-${number}`));
  const replies = await Promise.all(asked);
  const refused = replies.filter(({ status }) => status === 503);
  const served = replies.filter(({ status }) => status === 200);
  expect(served.length + refused.length).toBe(60);
  expect(served.length).toBeLessThanOrEqual(20);
  expect(refused.length).toBeGreaterThanOrEqual(40);
  for (const { headers, body } of refused) {
    expect(body.errors.map(({ code }) => code)).toEqual(['unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await client.get(`/resources/in-use/${id}`)).status).toBe(200);
});

test.each([
  [1_024, 256],
  [4_096, 1_000],
  [Infinity, 1_000],
  [100, 10],
])('a limit of %d open files lets %d objects be in use', (files, objects) => {
  expect(objectsAtOnce(files)).toBe(objects);
});
