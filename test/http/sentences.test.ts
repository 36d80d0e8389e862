/** Sentences of the pages that no other test holds: each test is named after one, and finds it where it stands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { feedMeta } from '../support/feed.ts';
import { makeUser, underAcl } from '../support/people.ts';
import { ROOT } from '../support/started.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();

/** Whether a page says something, whatever its lines. */
const says = (page: string, sentence: string) =>
  readFileSync(join(ROOT, 'docs', page), 'utf8')
    .replaceAll(/\s+/g, ' ')
    .includes(sentence);

test('the rights of a request are those before it', async () => {
  expect(says('users.md', 'The rights of a request are those before it')).toBe(true);
  const acl = await underAcl(client);
  const [ann, bob] = [await makeUser(client, 'ann'), await makeUser(client, 'bob')];
  await settle(client, { name: 'tickets', rights: { read: ['$owner'], update: ['$owner'] } });
  const { id } = await client.make('tickets', { n: 1 }, { owner: { data: ann.link } });
  const path = `/resources/tickets/${id}`;
  const relationships = { owner: { data: bob.link } };
  const given = await acl.patch(path, { data: { type: 'tickets', id, relationships } }, ann.headers);
  expect([given.status, given.body.data.attributes]).toEqual([200, { n: 1 }]);
  expect((await acl.get(path, ann.headers)).status).toBe(403);
  expect((await acl.get(path, bob.headers)).status).toBe(200);
});

test('`meta.deleted` may name what has come and gone since, while pages are read', async () => {
  expect(says('live.md', 'Skip those that you do not have.')).toBe(true);
  const [a, b] = [await client.make('visits', { n: 1 }), await client.make('visits', { n: 2 })];
  const read = async (mark: string) => {
    const reply = await client.get(`/resources/visits/changes?page[size]=1&changes[since]=${mark}`);
    const { data, links } = reply.body;
    return { ...feedMeta(reply), told: data.map(({ id }) => id), more: links.next !== null };
  };
  const { mark } = feedMeta(await client.get('/resources/visits/changes'));
  const brief = await client.make('visits', { n: 3 });
  for (const { id } of [a, b, brief])
    await client.update(`/resources/visits/${id}`, { attributes: { changed: true } });
  const pages = [await read(mark)];
  await client.delete(`/resources/visits/${brief.id}`);
  for (let last = pages[0]; last?.more === true; last = pages.at(-1)) pages.push(await read(last.mark));
  expect(pages.flatMap(({ told }) => told)).toEqual([a.id, b.id]);
  expect(pages.flatMap(({ deleted }) => deleted)).toEqual([{ type: 'visits', id: brief.id }]);
});
