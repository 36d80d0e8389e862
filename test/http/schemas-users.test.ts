/** Schemas for users, and writes that race with a new schema (docs/schemas.md). */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { compareWithOwn } from '../support/contract-check.ts';
import { define, violationsIn } from '../support/schemas.ts';

compareWithOwn();

const client = await Client.create();

describe('schemas for users', () => {
  const user = (attributes: unknown) => client.create('/users/core.user', { attributes });

  test('see the password as sent, and the stored hash where a PATCH sends none', async () => {
    await define(client, 'core.user', {
      properties: { attributes: { properties: { password: { minLength: 10 }, email: { type: 'string' } } } },
    });
    expect(violationsIn(await user({ username: 'short', password: 'secret1' }))).toEqual([
      422,
      ['schema-violation', '/data/attributes/password', 'minLength'],
    ]);
    const made = await user({ username: 'long', password: 'a long secret' });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    const patch = (attributes: unknown) => client.update(`/users/core.user/${id}`, { attributes });
    expect((await patch({ email: 'a@b' })).status).toBe(200);
    expect((await patch({ password: 'secret1' })).status).toBe(422);
    expect((await patch({ email: 5 })).status).toBe(422);
  });

  test('hold for external users and groups', async () => {
    const required = { required: ['attributes'] };
    await define(client, 'core.external-user', required);
    await define(client, 'core.user-group', required);
    for (const type of ['core.external-user', 'core.user-group']) {
      expect((await client.create(`/users/${type}`)).status).toBe(422);
      expect((await client.create(`/users/${type}`, { attributes: { name: 'x' } })).status).toBe(201);
    }
  });
});

test('every write that began after the answer of a schema obeys it', async () => {
  const write = (v: number) => client.create('/resources/busy', { attributes: { v } });
  await write(0);
  let answered = false;
  const escaped: number[] = [];
  const writes = Array.from({ length: 500 }, async (_, index) => {
    // Every write starts when its turn comes: some before the answer, some after it.
    for (let turn = 0; turn < index % 50; turn += 1) await Promise.resolve();
    if (index >= 100) await client.get('/resources/busy?page[limit]=1');
    const after = answered;
    const reply = await write(index);
    if (after && reply.status !== 422) escaped.push(index);
    return after;
  });
  const schema = define(client, 'busy', {
    properties: { attributes: { properties: { v: { type: 'string' } } } },
  }).then((reply) => {
    answered = true;
    return reply;
  });
  expect((await schema).status).toBe(201);
  const late = await Promise.all(writes);
  expect(escaped).toEqual([]);
  expect(late.filter(Boolean).length).toBeGreaterThan(0);
  expect((await write(1)).status).toBe(422);
});
