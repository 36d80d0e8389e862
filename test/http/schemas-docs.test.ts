/** The example of docs/schemas.md, run as the page has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client, type Link } from '../support/client.ts';
import { compareWithOwn } from '../support/contract-check.ts';

compareWithOwn();

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/schemas.md'), 'utf8');
const [SCHEMA = '', DOCUMENT = '', ANSWER = ''] = Array.from(
  PAGE.matchAll(/```json\n(.*?)```/gs),
  ([, text = '']) => text,
);

test('the example answers as the page says, and takes the links that it means to take', async () => {
  const client = await Client.create();
  expect((await client.post('/schemas/core.schema', SCHEMA)).status).toBe(201);
  const refused = await client.post('/resources/articles', DOCUMENT);
  expect(refused.status).toBe(422);
  const errors = refused.body.errors.map(({ links, ...error }) => {
    expect(links?.about).toContain('#schema-violation');
    return error;
  });
  expect({ errors }).toEqual(JSON.parse(ANSWER));

  const user = await client.create('/users/core.user', {
    attributes: { username: 'ada', password: 'a good secret' },
  });
  const ada: Link = { type: 'core.user', id: user.body.data.id };
  const [writer, dog] = [await client.make('writers'), await client.make('dogs')];
  const write = async (author: Link | null, reviewers: readonly Link[]) => {
    const linked = (link: Link) => ({ type: link.type, id: link.id });
    const relationships = {
      author: { data: author && linked(author) },
      reviewers: { data: reviewers.map(linked) },
    };
    const attributes = { title: 'Notes', price: 19.99 };
    const reply = await client.create('/resources/articles', { attributes, relationships });
    return reply.status === 201
      ? []
      : reply.body.errors.map(({ source, meta }) => [source?.pointer, meta?.['keyword']]);
  };
  expect(await write(ada, [ada])).toEqual([]);
  expect(await write(writer, [])).toEqual([]);
  expect(await write(null, [])).toEqual([]);
  expect(await write(dog, [])).toEqual([['/data/relationships/author', 'oneOf']]);
  expect(await write(null, [ada, writer])).toEqual([
    ['/data/relationships/reviewers/data/1/type', 'pattern'],
  ]);
});
