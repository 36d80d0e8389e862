/** Full-text search through the index of words: what the matcher finds without it, also while documents change. */
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';

const client = await Client.create();

async function found(type: string, search: string, more: object = {}): Promise<readonly string[]> {
  const reply = await client.get(
    searchPath(type, { $text: { $search: search }, ...more }, { 'page[limit]': '1000' }),
  );
  expect(reply.status).toBe(200);
  expect(reply.body.meta.count).toBe(reply.body.data.length);
  return reply.body.data.map(({ id }) => id);
}

test('documents written after the first search are found, changed ones as they are, deleted ones no more', async () => {
  const [first = '', second = ''] = await crowd(client, 'notes', ['{"t":"red fox"}', '{"t":"blue whale"}']);
  expect(await found('notes', 'fox')).toEqual([first]);
  const third = await client.make('notes', { deep: [{ t: 'A Fox again' }] });
  expect(await found('notes', 'fox')).toEqual([first, third.id]);
  await client.update(`/resources/notes/${first}`, { attributes: { t: 'red hen' } });
  expect(await found('notes', 'fox')).toEqual([third.id]);
  await client.delete(`/resources/notes/${third.id}`);
  expect(await found('notes', 'fox')).toEqual([]);
  expect(await found('notes', 'whale hen')).toEqual([first, second]);
});

test('a search goes with other conditions, with sort and inside $or', async () => {
  const [a = '', b = '', c = ''] = await crowd(client, 'mixed', [
    '{"t":"green tea","n":1}',
    '{"t":"green apple","n":2}',
    '{"t":"grey","n":3}',
  ]);
  expect(await found('mixed', 'green', { n: { $gt: 1 } })).toEqual([b]);
  const or = await client.get(
    searchPath('mixed', { $or: [{ $text: { $search: 'tea' } }, { n: 3 }] }, { sort: '-n' }),
  );
  expect(or.body.data.map(({ id }) => id)).toEqual([c, a]);
});

test('what is invisible in an emoji is no word', async () => {
  const [sea = '', call = ''] = await crowd(client, 'messages', [
    '{"t":"I ❤️ the sea"}',
    '{"t":"call me ☎️ now"}',
    '{"t":"✔️ done"}',
  ]);
  for (const search of ['☎️ sea', 'sea -✔️']) expect(await found('messages', search)).toEqual([sea]);
  expect(await found('messages', '"call me now"')).toEqual([call]);
});
