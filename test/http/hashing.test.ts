/** Floods of passwords: one takes a tenth of a second to hash, and others must be served meanwhile. */
import { expect, test } from 'vitest';
import { AT_ONCE } from '../../src/domain/limits.ts';
import { SERVICE } from '../support/own-service.ts';
import { logIn, PASSWORD } from '../support/people.ts';
import { newService } from '../support/scope.ts';

const service = await newService({ entry: SERVICE });

const MANY = 3 * AT_ONCE.hashesWaiting;

test('of many logins and new users at once, those that cannot wait come later, and a read is served', async () => {
  const ended = { count: 0 };
  const user = (n: number) => ({ attributes: { username: `user${n}`, password: PASSWORD } });
  const flood = Array.from({ length: MANY }, async (_, n) => {
    const isLogin = n % 2 === 0;
    const reply = isLogin
      ? await logIn(service.client, `nobody${n}`, PASSWORD)
      : await service.client.create('/users/core.user', user(n));
    ended.count += 1;
    return { ...reply, isLogin };
  });
  expect((await service.client.get('/resources/notes')).status).toBe(200);
  expect(ended.count).toBeLessThan(MANY);
  for (const replies of Map.groupBy(await Promise.all(flood), ({ isLogin }) => isLogin).values()) {
    const refused = replies.filter(({ status }) => status === 429);
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']));
    const done = replies[0]?.isLogin === true ? 401 : 201;
    expect(replies.filter(({ status }) => status === done)).toHaveLength(replies.length - refused.length);
  }
});
