/** The examples of docs/types.md, run as the page has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { compareWithOwn } from '../support/contract-check.ts';
import { ACL, EVERY_METHOD, makeUser, may } from '../support/people.ts';

compareWithOwn();

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/types.md'), 'utf8');

/** The blocks of a section. */
function blocksOf(section: string): readonly string[] {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return Array.from(own.matchAll(/```json\n(.*?)```/gs), ([, block = '']) => block);
}

test('rights hold as the page says', async () => {
  const client = await Client.create();
  const [settings] = blocksOf('Rights');
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  const acl = await client.withPermissions([may(EVERY_METHOD, '/resources/.*', ACL)]);
  const [ann, bob, eve] = [
    await makeUser(client, 'ann'),
    await makeUser(client, 'bob'),
    await makeUser(client, 'eve'),
  ];
  const relationships = { from: { data: ann.link }, to: { data: [bob.link] } };
  const sent = await acl.create('/resources/messages', { relationships }, ann.headers);
  const path = `/resources/messages/${sent.body.data.id}`;
  const read = await Promise.all([ann, bob, eve].map(({ headers }) => acl.get(path, headers)));
  expect(read.map(({ status }) => status)).toEqual([200, 200, 403]);
  expect((await acl.delete(path, undefined, bob.headers)).status).toBe(403);
  expect((await acl.delete(path, undefined, ann.headers)).status).toBe(204);
});

test('unique fields answer as the page says', async () => {
  const client = await Client.create();
  const [settings, document, answer = ''] = blocksOf('Unique fields');
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  expect((await client.post('/resources/reviews', document)).status).toBe(201);
  const refused = await client.post('/resources/reviews', document);
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual(JSON.parse(answer.replace('http://127.0.0.1:8787', client.url)));
});

test('checks answer as the page says', async () => {
  const client = await Client.create();
  const [settings, document, answer = ''] = blocksOf('Checks');
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  const refused = await client.post('/resources/wallets', document);
  expect(refused.status).toBe(403);
  expect(refused.body).toEqual(JSON.parse(answer.replace('http://127.0.0.1:8787', client.url)));
  const { id } = await client.make('wallets', { balance: -2, credit: 2 });
  expect((await client.delete(`/resources/wallets/${id}`)).status).toBe(403);
});

test('fields are computed as the page says', async () => {
  const client = await Client.create();
  const [settings, document] = blocksOf('Computed fields');
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  const { body } = await client.post('/resources/orders', document);
  expect(body.data.attributes).toMatchObject({ total: 10, state: 'open' });
});

test('documents are counted as the page says', async () => {
  const client = await Client.create();
  const [settings] = blocksOf('Counters');
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  const { id } = await client.make('articles');
  const article = { data: { type: 'articles', id } };
  for (const state of ['approved', 'approved', 'sent']) await client.make('comments', { state }, { article });
  expect((await client.get(`/resources/articles/${id}`)).body.data.attributes).toEqual({ comments: 2 });
});

test('ids of clients are taken as the page says', async () => {
  const client = await Client.create();
  const [settings, document = ''] = blocksOf('Ids of clients');
  expect((await client.post('/resources/answers', document)).status).toBe(403);
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  expect((await client.post('/resources/answers', document)).status).toBe(201);
  expect((await client.post('/resources/answers', document)).body.errors[0]?.code).toBe('id-conflict');
});

test('inverses are taken as the page has them', async () => {
  const client = await Client.create();
  const [settings = ''] = blocksOf('Inverses');
  const made = await client.post('/schemas/core.type', settings);
  expect(made.status).toBe(201);
  expect(made.body.data.attributes).toEqual(
    (JSON.parse(settings) as { data: { attributes: unknown } }).data.attributes,
  );
});

test('documents end as the page says', async () => {
  const client = await Client.create();
  const [settings, story = ''] = blocksOf('Expiry');
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  const send = (text: string) => client.post('/resources/stories', text);
  const [stays, ends] = [
    await send(story.replace('2027', '2999')),
    await send(story.replace('2027', '2020')),
  ];
  expect([stays.status, ends.status]).toEqual([201, 201]);
  const listed = await client.get('/resources/stories');
  expect(listed.body.data.map(({ id }) => id)).toEqual([stays.body.data.id]);
});
