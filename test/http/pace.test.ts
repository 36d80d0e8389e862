/** Large pages wait for one another; small ones of the same type pass, however many large ones wait. */
import { expect, test } from 'vitest';
import { HALTING } from '../support/own-service.ts';
import { until } from '../support/started.ts';
import { newService } from '../support/scope.ts';

/** A page of these is large, one of them is not. */
const PAD = 'x'.repeat(100_000);

const service = await newService({ entry: HALTING });
const { client } = service;
for (let n = 0; n < 10; n += 1) await client.make('notes', { n, pad: PAD });

const halt = (how: 'hold' | 'free') => service.halt('taken', how);

const SMALL = [
  '/resources/notes?page[limit]=1',
  '/resources/notes?filter[n]=3',
  '/resources/notes?filter[n]=99',
  '/resources/notes?sort=-n&page[limit]=2',
  '/resources/notes?page[after]=&page[size]=1',
];
const LARGE = ['/resources/notes', '/resources/notes?sort=-n', '/resources/notes?filter[n]={"$lt":9}'];

test('while large pages are on their way and others wait, small ones are answered', async () => {
  await halt('hold');
  const done: number[] = [];
  const large = Array.from({ length: 30 }, async (_, index) => {
    const reply = await client.get(LARGE[index % LARGE.length] ?? '');
    done.push(reply.status);
    return reply;
  });
  await until('two have left and are held', async () => (await service.held()) >= 2);
  for (const path of SMALL) expect((await client.get(path)).status, path).toBe(200);
  expect(done).toEqual([]);
  // Each that nobody takes counts as received after a while, so that it may be more than two.
  expect(await service.held()).toBeLessThan(large.length / 2);

  await halt('free');
  const replies = await Promise.all(large);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const [all, last, nine] = replies;
  const numbers = (reply: typeof all) => reply?.body.data.map(({ attributes }) => attributes?.['n']);
  expect(numbers(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(numbers(last)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  expect(numbers(nine)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});
