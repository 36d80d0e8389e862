import { beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.create();
});

test('a created document is read back', async () => {
  const made = await client.make('articles', { title: 'On edges' });
  const read = await client.get(`/resources/articles/${made.id}`);
  expect(read.status).toBe(200);
  expect(read.body.data.attributes).toEqual({ title: 'On edges' });
});
