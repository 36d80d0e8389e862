/** Conditions on the fields of linked documents: `filter[author.name]`, through the links, under the rights of both. */
import { describe, expect, test } from 'vitest';
import { makeBooks, titles } from '../support/books.ts';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const { client, person, find } = await makeBooks();

describe('A document is found by a field of a document that it links to', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['equal', { 'author.name': 'Ann' }, ['by Ann', 'by Ann and Bob', 'of another kind']],
    ['of several types', { 'author.age': 30 }, ['by Ann', 'by Ann and Bob', 'by Acme', 'by Bob and Acme']],
    ['deeper in', { 'author.city.name': 'Ulm' }, ['by Bob', 'by Ann and Bob', 'by Bob and Acme']],
    ['elements of it', { 'author.tags': { $elemMatch: { $eq: 'x' } } }, ['by Ann', 'by Ann and Bob']],
    ['null', { 'author.name': null }, ['by Eve', 'by nobody', 'without']],
    [
      'different: no linked document has it',
      { 'author.age': { $ne: 30 } },
      ['by Bob', 'by Eve', 'by nobody', 'by none', 'of another kind', 'without'],
    ],
    [
      'twice: each condition may be met by another link',
      { 'author.name': 'Ann', 'author.age': 40 },
      ['by Ann and Bob'],
    ],
    [
      'in none of several',
      { $nor: [{ 'author.age': { $exists: true } }, { title: 'without' }] },
      ['by nobody', 'by none'],
    ],
  ])('%s', async (_, filter, expected) => {
    expect(await find(filter)).toEqual(expected);
  });

  test.each<[string, unknown, readonly string[]]>([
    [
      'the id of the link',
      () => ({ 'author.id': { $oid: person('Bob').id } }),
      ['by Bob', 'by Ann and Bob', 'by Bob and Acme'],
    ],
    ['the type of the link', { 'author.type': 'companies' }, ['by Acme', 'by Bob and Acme']],
    ['elements that are links', { author: { $elemMatch: { type: 'companies' } } }, ['by Bob and Acme']],
  ])('%s is asked of the links, as before', async (_, filter, expected) => {
    expect(await find(typeof filter === 'function' ? (filter as () => unknown)() : filter)).toEqual(expected);
  });

  test('type and id are those of one link, where documents of two types have one id', async () => {
    const own = await Client.create();
    const id = '0123456789abcdef01234567';
    for (const [type, name] of [
      ['people', 'Ann'],
      ['firms', 'Acme'],
    ]) {
      const settings = { data: { type: 'core.type', attributes: { name: type, 'client-ids': true } } };
      expect((await own.post('/schemas/core.type', settings)).status).toBe(201);
      const made = await own.create(`/resources/${type}`, { id, attributes: { name } });
      expect(made.status, made.text).toBe(201);
    }
    const { id: other } = await own.make('firms', { name: 'Other' });
    const links = {
      data: [
        { type: 'people', id },
        { type: 'firms', id: other },
      ],
    };
    await own.make('books', { title: 'of two' }, { author: links });
    await own.make('books', { title: 'of one' }, { author: { data: { type: 'firms', id } } });
    expect(titles(await own.get('/resources/books?filter[author.name]=Acme'))).toEqual(['of one']);
    expect(titles(await own.get('/resources/books?filter[author.name]=Ann'))).toEqual(['of two']);
  });

  test('changes of links and of linked documents show at once, and change the tag', async () => {
    const own = await Client.create();
    const ann = await own.make('people', { name: 'Ann' });
    const link = (id: string, type = 'people') => ({ data: { type, id } });
    const book = await own.make('books', { title: 'b' }, { author: link(ann.id) });
    const path = '/resources/books?filter[author.name]=Ann';
    const first = await own.get(path);
    expect(titles(first)).toEqual(['b']);
    expect((await own.get(path, { 'if-none-match': first.etag })).status).toBe(304);
    await own.update(`/resources/people/${ann.id}`, { attributes: { name: 'Anna' } });
    expect(titles(await own.get(path, { 'if-none-match': first.etag }))).toEqual([]);
    // Another type than any link had before.
    const firm = await own.make('firms', { name: 'Ann' });
    await own.patch(`/resources/books/${book.id}/relationships/author`, link(firm.id, 'firms'));
    expect(titles(await own.get(path))).toEqual(['b']);
    await own.delete(`/resources/firms/${firm.id}`);
    expect(titles(await own.get(path))).toEqual([]);
  });

  test('pages, cursors and sorts are those of any filter', async () => {
    const own = await Client.create();
    const ann = await own.make('people', { name: 'Ann' });
    const author = { data: { type: 'people', id: ann.id } };
    for (const title of ['c', 'a', 'd', 'b']) await own.make('books', { title }, { author });
    const first = await own.get(
      '/resources/books?filter[author.name]=Ann&sort=title&page[after]=&page[size]=3',
    );
    expect(first.body.meta.count).toBe(4);
    expect(first.body.data.map(({ attributes }) => attributes?.['title'])).toEqual(['a', 'b', 'c']);
    const next = await own.get(String(first.body.links.next));
    expect(next.body.data.map(({ attributes }) => attributes?.['title'])).toEqual(['d']);
    const stranger = String(first.body.links.next).replace('Ann', 'Bob');
    expect(faultsOf(await own.get(stranger))).toEqual(['400 invalid-parameter ?page[after]']);
  });

  test('more conditions, or more linked documents, than the limits are refused', async () => {
    const many = Array.from({ length: 21 }, (_, age) => ({ 'author.age': age + 1000 }));
    const query = (filter: unknown) => `filter[*]=${encodeURIComponent(JSON.stringify(filter))}`;
    expect(faultsOf(await client.get(`/resources/books?${query({ $or: many })}`))).toEqual([
      '400 invalid-filter ?filter',
    ]);
    expect(await find({ $or: many.slice(1) })).toEqual([]);
  });
});
