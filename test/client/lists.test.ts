/** The client's lists against the service: pages, cursors, filters, includes, aggregates (docs/client.md). */
import { describe, expect, test } from 'vitest';
import type { Filter } from '../../src/client/index.ts';
import { defined } from '../support/aggregates.ts';
import { newLibrary, type Library } from '../support/library.ts';

const asked: string[] = [];
const { db, plain } = await newLibrary({
  fetch: (url, init) => {
    asked.push(typeof url === 'string' ? decodeURIComponent(url) : '');
    return fetch(url, init);
  },
});
const [even, odd] = [
  await db.create('authors', { name: 'Bram', born: 1847 }),
  await db.create('authors', { name: 'Mary' }),
];
const bram = even.id;
await db.transaction((tx) => {
  for (let n = 1; n <= 25; n += 1) {
    tx.create('books', {
      title: `Book ${n}`,
      year: 1880 + n,
      tags: n % 2 === 0 ? ['even', 'all'] : ['all'],
      published: new Date(Date.UTC(1880 + n, 0, 1)),
      shelf: { room: n < 10 ? 'A' : 'B', row: n },
      author: n % 2 === 0 ? even : odd,
    });
  }
});

const titles = (documents: readonly { readonly title: string }[]) =>
  documents.map(({ title }) => title).join();

describe('a list', () => {
  test('is read to its end by cursors, as many at a time as size says', async () => {
    const read: string[] = [];
    asked.length = 0;
    for await (const book of db.list('books', { size: 10 })) read.push(book.title);
    expect(read).toHaveLength(25);
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain('page[after]=&page[size]=10&page[count]=false');
  });

  test('asks for no more pages than are read', async () => {
    asked.length = 0;
    for await (const book of db.list('books', { size: 10 })) if (book.title === 'Book 3') break;
    expect(asked).toHaveLength(1);
  });

  test('gives one page with the count and the cursor of the next', async () => {
    const list = db.list('books', { sort: '-year' });
    const first = await list.page({ size: 2 });
    expect([titles(first.documents), first.count]).toEqual(['Book 25,Book 24', 25]);
    const second = await list.page({ size: 2, after: first.next });
    expect(titles(second.documents)).toBe('Book 23,Book 22');
    expect(titles((await list.page({ number: 13, size: 2 })).documents)).toBe('Book 1');
    expect(titles((await list.page({ offset: 1, size: 1 })).documents)).toBe('Book 24');
    expect((await list.page({ size: 25, count: false })).count).toBeUndefined();
    expect((await list.page({ size: 25 })).next).toBeNull();
  });

  test('gives its first document, or null, and its count', async () => {
    expect((await db.list('books', { sort: ['-year', 'title'] }).first())?.title).toBe('Book 25');
    expect(await db.list('books', { filter: { year: 1 } }).first()).toBeNull();
    expect(await db.list('books', { filter: { 'author.name': 'Bram' } }).count()).toBe(12);
    expect((await db.list('books').all()).length).toBe(25);
  });

  test('may be ended by a signal', async () => {
    const list = db.list('books', { signal: AbortSignal.abort() });
    await expect(list.page()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a filter', () => {
  const cases: readonly (readonly [string, () => Filter<Library, 'books'>, number])[] = [
    ['a value', () => ({ title: 'Book 7' }), 1],
    ['an operator', () => ({ year: { $gt: 1890, $lte: 1895 } }), 5],
    ['an item of an array', () => ({ tags: 'even' }), 12],
    ['a date', () => ({ published: { $lt: new Date('1883-01-01T00:00:00Z') } }), 2],
    ['a path into a value', () => ({ 'shelf.row': { $lt: 4 } }), 3],
    ['a field of a linked document', () => ({ 'author.name': 'Mary' }), 13],
    ['the id of a linked document', () => ({ 'author.id': bram }), 12],
    ['ids in a list', () => ({ 'author.id': { $in: [bram] } }), 12],
    ['a linked document', () => ({ author: { type: 'authors', id: bram } }), 12],
    ['logic', () => ({ $or: [{ title: 'Book 1' }, { 'author.id': bram, year: 1882 }] }), 2],
    ['a pattern', () => ({ title: { $regex: '^book 1', $options: 'i' } }), 11],
  ];
  test.each(cases)('takes %s', async (_, filter, count) => {
    expect(await db.list('books', { filter: filter() }).count()).toBe(count);
  });

  test('takes the id of a document as it is', async () => {
    const [one] = await db.list('books', { filter: { title: 'Book 9' } }).all();
    expect(titles(await db.list('books', { filter: { id: one?.id ?? '' } }).all())).toBe('Book 9');
    expect(await db.list('books', { filter: { id: { $ne: one?.id ?? '' } } }).count()).toBe(24);
  });
});

describe('fields', () => {
  test('show of each type what they name', async () => {
    const query = {
      fields: { books: ['title', 'author'], authors: ['born'] },
      include: 'author',
      sort: 'year',
    } as const;
    const book = await db.list('books', query).first();
    expect(Object.keys(book ?? {})).toEqual(['id', 'type', 'title', 'author']);
    expect(Object.keys(book?.author ?? {})).toEqual(['id', 'type']);
    expect(await db.list('books', { fields: ['year'], sort: 'year' }).first()).toEqual({
      ...book,
      title: undefined,
      author: undefined,
      year: 1881,
    });
  });
});

describe('an aggregate', () => {
  test('is a list like others, with parameters', async () => {
    await defined(
      plain,
      'by-author',
      'books',
      [
        { filter: { year: { $gte: '$$parameters.since' } } },
        { group: { id: '$author.id', books: { $sum: 1 } } },
        { project: { id: { $toString: '$id' }, author: { $toString: '$id' }, books: 1 } },
      ],
      { since: 0 },
    );
    const all = db.list('agt.by-author', { parameters: { since: 1900 }, sort: '-books' });
    expect((await all.all()).map(({ books }) => books)).toEqual([3, 3]);
    expect(await all.count()).toBe(2);
    expect(await db.get('agt.by-author', bram)).toMatchObject({ author: bram, books: 12 });
    expect(await db.get('agt.by-author', bram, { parameters: { since: 1900 } })).toMatchObject({ books: 3 });
  });
});
