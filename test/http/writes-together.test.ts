/** Writes that reach a collection together: they share a commit, and nothing else. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { makeSchema } from '../support/type-settings.ts';

let client: Client;
beforeEach(async () => {
  client = await Client.create();
});

const create = (attributes: object) => client.create('/resources/things', { attributes });
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status);

describe('of writes that are sent at the same time', () => {
  test('those that are refused hinder no other', async () => {
    await makeSchema(client, 'things', { attributes: { properties: { n: { multipleOf: 2 } } } });
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => create({ n })));
    expect(statuses(replies)).toEqual(replies.map((_, n) => (n % 2 === 0 ? 201 : 422)));
    const list = await client.get('/resources/things?sort=n&page[limit]=100');
    expect(list.body.data.map(({ attributes }) => attributes?.['n'])).toEqual(
      Array.from({ length: 20 }, (_, n) => 2 * n),
    );
  });

  test('each kind is done, and each is answered with its own document and tag', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, (_, n) => client.make('things', { n })));
    const path = (n: number) => `/resources/things/${made[n]?.id ?? ''}`;
    const replies = await Promise.all(
      made.map(({ type, id }, n) => {
        if (n % 3 === 0) return create({ n: 100 + n });
        if (n % 3 === 1) return client.patch(path(n), { data: { type, id, attributes: { n: -n } } });
        return client.delete(path(n));
      }),
    );
    expect(statuses(replies)).toEqual(made.map((_, n) => [201, 200, 204][n % 3]));
    const tags = replies.flatMap(({ headers }) => headers.get('etag') ?? []);
    expect(new Set(tags).size).toBe(20);
    for (const [n, { body }] of replies.entries()) {
      if (n % 3 === 2) continue;
      expect(body.data.attributes).toEqual({ n: n % 3 === 0 ? 100 + n : -n });
      const read = await client.get(`/resources/things/${body.data.id}`);
      expect(read.body.data).toEqual(body.data);
    }
    const { body } = await client.get('/resources/things');
    expect(body.meta.count).toBe(30);
  });

  test('two of the same unique value: one is made', async () => {
    const user = { username: 'ada@example.org', password: 'a password of hers' };
    const register = () => client.create('/users/core.user', { attributes: user });
    const replies = await Promise.all([register(), register(), register()]);
    expect(statuses(replies).toSorted()).toEqual([201, 409, 409]);
    expect(replies.flatMap((reply) => (reply.status === 201 ? [] : faultsOf(reply)))).toHaveLength(2);
  });
});

test('clients that go away in the middle of a write leave the collection as it should be', async () => {
  await create({ n: 0 });
  const leaving = Array.from({ length: 60 }, async (_, n) => {
    const response = fetch(`${client.url}/resources/things`, {
      method: 'POST',
      headers: {
        'application-id': client.application,
        'api-key': client.key,
        'content-type': 'application/vnd.api+json',
      },
      body: JSON.stringify({ data: { type: 'things', attributes: { n } } }),
      signal: AbortSignal.timeout(n % 6),
    });
    return (await response).status;
  });
  const ended = await Promise.allSettled(leaving);
  const answered = ended.filter((each) => each.status === 'fulfilled');
  expect(answered.every(({ value }) => value === 201)).toBe(true);

  expect((await create({ n: -1 })).status).toBe(201);
  const { body } = await client.get('/resources/things?page[limit]=100');
  expect(body.meta.count).toBe(body.data.length);
  expect(body.meta.count).toBeGreaterThanOrEqual(answered.length + 2);
});
