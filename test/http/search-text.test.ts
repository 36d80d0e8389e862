/** Full-text search through the index of words: what the matcher finds without it, also while documents change. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { makeInOrder, searchPath } from '../support/search.ts';
import { scaled } from '../support/long.ts';

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
  const [first = '', second = ''] = await makeInOrder(client, 'notes', [
    '{"t":"red fox"}',
    '{"t":"blue whale"}',
  ]);
  expect(await found('notes', 'fox')).toEqual([first]);
  const third = await client.make('notes', { deep: [{ t: 'A Fox again' }] });
  expect(await found('notes', 'fox')).toEqual([first, third.id]);
  await client.patch(`/resources/notes/${first}`, {
    data: { type: 'notes', id: first, attributes: { t: 'red hen' } },
  });
  expect(await found('notes', 'fox')).toEqual([third.id]);
  await client.delete(`/resources/notes/${third.id}`);
  expect(await found('notes', 'fox')).toEqual([]);
  expect(await found('notes', 'whale hen')).toEqual([first, second]);
});

test('a search goes with other conditions, with sort and inside $or', async () => {
  const [a = '', b = '', c = ''] = await makeInOrder(client, 'mixed', [
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
  const [sea = '', call = ''] = await makeInOrder(client, 'messages', [
    '{"t":"I ❤️ the sea"}',
    '{"t":"call me ☎️ now"}',
    '{"t":"✔️ done"}',
  ]);
  for (const search of ['☎️ sea', 'sea -✔️']) expect(await found('messages', search)).toEqual([sea]);
  expect(await found('messages', '"call me now"')).toEqual([call]);
});

test('equals a naive tokenizer', async () => {
  const words = ['sun', 'SUN', 'Sün', 'moon', 'x', 'straße', 'strasse', '日', 'a_b', '7'];
  const documents = Array.from({ length: 40 }, (_, index) => ({
    t: [0, 1, 2]
      .map((step) => words[(index * (step + 3) + step) % words.length])
      .join(index % 2 === 0 ? ' ' : ', '),
    u: [words[index % words.length]],
  }));
  const ids = await makeInOrder(
    client,
    'naive',
    documents.map((each) => JSON.stringify(each)),
  );
  const naive = (text: string) =>
    text.toLowerCase().replaceAll('ü', 'u').replaceAll('ß', 'ss').split(/[ ,]+/);
  const term = fc.record({
    minus: fc.boolean(),
    words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 3 }), async (terms) => {
      const search = terms
        .map(
          ({ minus, words: [first = '', second] }) =>
            (minus ? '-' : '') + (second === undefined ? first : `"${first} ${second}"`),
        )
        .join(' ');
      const has = (index: number, sequence: readonly string[]) => {
        const wanted = sequence.flatMap(naive).join(' ');
        const document = documents[index];
        const strings = document === undefined ? [] : [document.t, ...document.u.map(String)];
        return strings.some((text) => ` ${naive(text).join(' ')} `.includes(` ${wanted} `));
      };
      const phrases = terms.filter(({ minus, words: each }) => !minus && each.length > 1);
      const plain = terms.filter(({ minus, words: each }) => !minus && each.length === 1);
      const expected = ids.filter(
        (_, index) =>
          (phrases.length > 0
            ? phrases.every((each) => has(index, each.words))
            : plain.some((each) => has(index, each.words))) &&
          !terms.some((each) => each.minus && has(index, each.words)),
      );
      expect(await found('naive', search)).toEqual(expected);
    }),
    { numRuns: scaled(60) },
  );
});
