/** A page is the same whatever the sizes of its documents: SQLite gives small ones as one text, larger one by one. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';

/** More than any page that is read at once. */
const TOTAL = 40;

/** Stored in one byte, `false` and its comma are six characters: nothing grows more on its way out. */
const growing = (members: number) => Array.from({ length: members }, () => false);

/** By the number of a document: what it holds beside that. */
const SIZES = {
  'nothing else': () => 0,
  'the largest that are joined': () => growing(8_100),
  'larger ones': () => growing(8_300),
  'one larger one': (n: number) => (n === 7 ? growing(8_300) : n),
  'every second a larger one': (n: number) => (n % 2 === 0 ? growing(8_300) : n),
} as const;

const client = await Client.create();

describe.each(Object.entries(SIZES))('of documents with %s', (name, holds) => {
  const type = name.replaceAll(' ', '-');
  const expected = Array.from({ length: TOTAL }, (_, n) => ({ n, even: n % 2 === 0, holds: holds(n) }));
  beforeAll(async () => {
    for (const attributes of expected) await client.makeUnseen(type, attributes);
  });

  test.each([
    ['', expected],
    ['&sort=-n', expected.toReversed()],
    ['&filter[even]=true', expected.filter(({ even }) => even)],
  ])('has all members, in order, with their values: %s', async (query, matches) => {
    for (const limit of [1, 31, 32, 33]) {
      for (const page of [`page[limit]=${limit}&page[offset]=3`, `page[size]=${limit}&page[after]=`]) {
        const { body } = await client.get(`/resources/${type}?${page}${query}`);
        const from = page.includes('offset') ? 3 : 0;
        expect(body.data.map(({ attributes }) => attributes)).toEqual(matches.slice(from, from + limit));
        expect(body.links.next !== null).toBe(matches.length > from + limit);
      }
    }
  });
});
