/** Floods of passwords: one takes a tenth of a second to hash, and others must be served meanwhile. */
import { expect, test } from 'vitest';
import { AT_ONCE } from '../../src/domain/limits.ts';
import type { Reply } from '../support/client.ts';
import { SERVICE } from '../support/own-service.ts';
import { logIn, PASSWORD } from '../support/people.ts';
import { newService } from '../support/scope.ts';

const service = await newService({ entry: SERVICE });

const MANY = 3 * AT_ONCE.hashesWaiting;

test.each<[string, (n: number) => Promise<Reply>, number]>([
  ['logins with made-up names', (n) => logIn(service.client, `nobody${n}`, PASSWORD), 401],
  [
    'new users',
    (n) =>
      service.client.create('/users/core.user', { attributes: { username: `user${n}`, password: PASSWORD } }),
    201,
  ],
])(
  'of many %s at once, those that cannot wait are told to come later, and a read is served',
  async (_, send, status) => {
    const ended = { count: 0 };
    const flood = Array.from({ length: MANY }, async (_each, n) => {
      const reply = await send(n);
      ended.count += 1;
      return reply;
    });
    expect((await service.client.get('/resources/notes')).status).toBe(200);
    expect(ended.count).toBeLessThan(MANY);
    const replies = await Promise.all(flood);
    const refused = replies.filter((each) => each.status === 429);
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']));
    expect(replies.filter((each) => each.status === status)).toHaveLength(MANY - refused.length);
  },
);
