/** What single writes obey, lists obey: schemas, links, search indexes, full text. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, relink, remove, update } from '../support/operations.ts';
import { makeSchema } from '../support/type-settings.ts';

const client = await Client.create();

describe('schemas', () => {
  beforeAll(async () => {
    await makeSchema(client, 'books', {
      attributes: {
        required: ['title'],
        properties: { title: { type: 'string', pattern: '^[A-Z]' }, pages: { minimum: 1 } },
      },
      relationships: { properties: { author: { type: 'object' } } },
    });
  });

  test('hold for each operation, after those before it', async () => {
    const book = await client.make('books', { title: 'A' }, { author: { data: { ...(await linked()) } } });
    const cases = [
      [add('books', { title: 'a' }), '/data/attributes/title'],
      [add('books', { title: 'A', pages: 0 }), '/data/attributes/pages'],
      [add('books', { pages: 1 }), '/data/attributes'],
      [update(book, { title: 7 }), '/data/attributes/title'],
      [relink('update', book, 'author', null), '/data/relationships/author'],
    ] as const;
    for (const [operation, place] of cases) {
      const answer = await operate(client, [add('books', { title: 'B' }), operation]);
      expect(faultsOf(answer)).toEqual([`422 schema-violation /atomic:operations/1${place}`]);
    }
    expect((await client.get('/resources/books')).body.meta.count).toBe(1);
  });

  test('a document may be invalid only after its list, not between its operations', async () => {
    const fix = { op: 'update', data: { type: 'books', lid: 'x', attributes: { title: 'C' } } };
    const answer = await operate(client, [add('books', { title: 'c' }, undefined, 'x'), fix]);
    expect(faultsOf(answer)).toEqual(['422 schema-violation /atomic:operations/0/data/attributes/title']);
  });

  const linked = async (): Promise<Link> => {
    const { type, id } = await client.make('authors');
    return { type, id };
  };
});

describe('links', () => {
  test('of all kinds that lead nowhere are told of one operation together', async () => {
    const nowhere = (type: string) => ({ data: { type, id: NO_ID } });
    const bad = add('linking', {}, { a: nowhere('linking'), b: nowhere('red'), c: nowhere('core.api-key') });
    const at = '404 link-not-found /atomic:operations/0/data/relationships';
    expect(faultsOf(await operate(client, [bad, bad])).toSorted()).toEqual([
      `${at}/a/data`,
      `${at}/b/data`,
      `${at}/c/data`,
    ]);
  });
});

describe('searches find what a list has written, and nothing of one that failed', () => {
  const titles = async (query: string) =>
    (await client.get(`/resources/songs?${query}&page[limit]=1000`)).body.data.map(
      ({ attributes }) => attributes?.['title'],
    );
  const byNumber = (n: number) => titles(`filter[n]=${n}`);
  const byWord = (word: string) => titles(`filter[*]={"$text":{"$search":"${word}"}}`);

  test('by words and by learned indexes', async () => {
    const many = Array.from({ length: 600 }, (_, n) => add('songs', { n, title: `song ${n}` }));
    expect((await operate(client, many)).status).toBe(200);
    // The second scan makes the collection learn an index; the first full-text search makes that of words.
    for (let asked = 0; asked < 4; asked += 1) expect(await byNumber(7)).toEqual(['song 7']);
    expect(await byWord('7')).toEqual(['song 7']);

    const [first] = (await client.get('/resources/songs?filter[n]=7')).body.data;
    const change = [
      add('songs', { n: 7, title: 'another' }),
      update(first ?? { type: '', id: '' }, { n: [1000, 1001], title: 'changed' }),
    ];
    const failing = [...change, remove({ type: 'songs', id: NO_ID })];
    expect((await operate(client, failing)).status).toBe(404);
    expect([await byNumber(7), await byNumber(1001), await byWord('another')]).toEqual([['song 7'], [], []]);
    expect((await operate(client, change)).status).toBe(200);
    expect([await byNumber(7), await byNumber(1001), await byWord('another')]).toEqual([
      ['another'],
      ['changed'],
      ['another'],
    ]);
    expect((await operate(client, [remove(first ?? { type: '', id: '' })])).status).toBe(204);
    expect([await byNumber(1001), await byWord('changed')]).toEqual([[], []]);
  });
});
