/** The client's documents against the service: made, read, saved, deleted, linked (docs/client.md). */
import { describe, expect, test } from 'vitest';
import { ConflictError, Decimal, ForedgeError, ObjectId, relation } from '../../src/client/index.ts';
import { Client, NO_ID } from '../support/client.ts';
import { newLibrary, openLibrary } from '../support/library.ts';

describe('a document', () => {
  test('is a plain object with its attributes, and its links in place', async () => {
    const { db } = await newLibrary();
    const author = await db.create('authors', { name: 'Bram Stoker' });
    const made = await db.create('books', { title: 'Dracula', year: 1897, author, tags: undefined as never });
    expect(made.author).toBe(author);
    expect({ ...made, author: made.author?.name }).toMatchObject({
      type: 'books',
      title: 'Dracula',
      year: 1897,
      author: 'Bram Stoker',
    });
    const read = await db.get('books', made.id);
    expect(read?.author).toEqual({ type: 'authors', id: author.id });
    expect(Object.keys(read ?? {})).toEqual(['id', 'type', 'title', 'year', 'author']);
  });

  test('that is included twice is one object, and circles close', async () => {
    const { db } = await newLibrary();
    const author = await db.create('authors', { name: 'Mary Shelley' });
    const books = [
      await db.create('books', { title: 'Frankenstein', author }),
      await db.create('books', { title: 'Mathilda', author }),
    ];
    await db.link(author, 'books', books);
    const [one, other] = await db.list('books', { include: 'author.books', sort: 'title' }).all();
    expect(one?.author?.name).toBe('Mary Shelley');
    expect(one?.author).toBe(other?.author);
    expect(one?.author?.books?.[0]).toBe(one);
  });

  test('has the documents of an included inverse in $inverses, which is never sent', async () => {
    const client = await Client.create();
    const inverses = {
      books: { type: 'books', through: 'author' },
      plays: { type: 'plays', through: 'author' },
    };
    await client.create('/schemas/core.type', { attributes: { name: 'authors', inverses } });
    const db = openLibrary(client);
    const author = await db.create('authors', { name: 'Mary Shelley' });
    await db.create('books', { title: 'Frankenstein', author });
    await db.create('books', { title: 'Mathilda', author });
    const read = await db.get('authors', author.id, { include: ['books', 'plays'] as never });
    const found = (read as unknown as { $inverses: Record<string, { title: string; author: unknown }[]> })
      .$inverses;
    expect(found['books']?.map(({ title }) => title)).toEqual(['Frankenstein', 'Mathilda']);
    expect([found['plays'], found['books']?.[0]?.author === read]).toEqual([[], true]);
    if (read === null) throw new Error('It is there.');
    const copy = { ...read, name: 'Mary' };
    expect([db.changes(read), db.changes(copy)]).toEqual([{}, { name: 'Mary' }]);
    expect((await db.save(copy)).name).toBe('Mary');
  });

  test('that was included is saved like others', async () => {
    const { db } = await newLibrary();
    await db.create('books', { title: 'Dracula', author: await db.create('authors', { name: 'Abraham' }) });
    const book = await db.list('books', { include: 'author' }).first();
    if (book?.author?.name === undefined) throw new Error('The author is not included.');
    book.author.name = 'Bram';
    await db.save(book.author);
    book.title = 'Dracula, annotated';
    await db.save(book);
    expect(await db.list('books', { include: 'author' }).first()).toEqual(book);
  });

  test('is null when it was deleted, or never was', async () => {
    const { db } = await newLibrary();
    const book = await db.create('books', { title: 'Gone' });
    await db.delete(book);
    expect(await db.get('books', book.id)).toBeNull();
    expect(await db.get('books', NO_ID)).toBeNull();
  });

  test('shows what the service knows where fields ask for it', async () => {
    const { db } = await newLibrary();
    const { id } = await db.create('books', { title: 'Dracula' });
    const read = await db.get('books', id, { fields: ['title', '$created', '$creator'] });
    const { $created, $creator } = read as unknown as Record<string, unknown>;
    expect($created).toBeInstanceOf(Date);
    expect($creator).toBeNull();
    expect(db.changes(read ?? { type: '', id: '' })).toEqual({});
  });

  test.each(['__proto__', 'constructor', 'toString', 'save'])('may have a member %s', async (name) => {
    const { db, plain } = await newLibrary();
    const { id } = await plain.make('odd', JSON.parse(`{"${name}": 1, "in": {"${name}": 2}}`));
    const read = await openLibrary(plain).get('odd' as 'books', id);
    expect(Object.entries(read ?? {}).slice(2)).toEqual([
      [name, 1],
      ['in', JSON.parse(`{"${name}": 2}`)],
    ]);
    if (read !== null) Object.defineProperty(read, name, { value: 3, enumerable: true });
    expect(Object.entries(db.changes(read ?? { type: '', id: '' }))).toEqual([[name, 3]]);
  });
});

describe('save', () => {
  test('sends what has changed and nothing else, and again nothing', async () => {
    const bodies: string[] = [];
    const { db, plain } = await newLibrary({
      fetch: (url, init) => {
        bodies.push(typeof init?.body === 'string' ? init.body : '');
        return fetch(url, init);
      },
    });
    const book = await db.create('books', { title: 'Dracula', year: 1897, tags: ['gothic'] });
    bodies.length = 0;
    book.title = 'Dracula, annotated';
    book.tags?.push('vampires');
    delete book.year;
    expect(db.changes(book)).toEqual({
      title: 'Dracula, annotated',
      tags: ['gothic', 'vampires'],
      year: undefined,
    });
    await db.save(book);
    await db.save(book);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      {
        data: {
          type: 'books',
          id: book.id,
          attributes: { title: 'Dracula, annotated', tags: ['gothic', 'vampires'] },
          meta: { update: { $unset: { year: true } } },
        },
      },
    ]);
    const { body } = await plain.get(`/resources/books/${book.id}`);
    expect(body.data.attributes).toEqual({ title: 'Dracula, annotated', tags: ['gothic', 'vampires'] });
    book.title = 'Dracula';
    await db.save(book);
    expect((await db.get('books', book.id))?.title).toBe('Dracula');
  });

  test('changes links, to documents and to none', async () => {
    const { db } = await newLibrary();
    const [bram, mary] = [
      await db.create('authors', { name: 'Bram' }),
      await db.create('authors', { name: 'Mary' }),
    ];
    const book = await db.create('books', { title: 'Dracula', author: mary, sequels: relation([]) });
    book.author = bram;
    book.sequels?.push(book);
    await db.save(book);
    const read = await db.get('books', book.id, { include: ['author', 'sequels'] });
    expect(read?.author?.name).toBe('Bram');
    expect(read?.sequels).toEqual([read]);
    if (read === null) return;
    read.author = null;
    await db.save(read);
    expect((await db.get('books', book.id))?.author).toBeNull();
  });

  test('tells a conflict with the current document, and stores nothing', async () => {
    const { db, plain } = await newLibrary();
    const book = await db.create('books', { title: 'Dracula' });
    await plain.update(`/resources/books/${book.id}`, { attributes: { year: 1897 } });
    book.title = 'Carmilla';
    const conflict = await db.save(book).catch((error: unknown) => error);
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({
      status: 412,
      code: 'precondition-failed',
      current: { title: 'Dracula', year: 1897 },
    });
    // The current document may be saved in its place.
    const { current } = conflict as ConflictError<typeof book>;
    if (current !== null) await db.save(Object.assign(current, { title: 'Carmilla' }));
    expect(await db.get('books', book.id)).toMatchObject({ title: 'Carmilla', year: 1897 });
  });

  test('with force stores in any case, and learns what others have changed', async () => {
    const { db, plain } = await newLibrary();
    const author = await db.create('authors', { name: 'Le Fanu' });
    const book = await db.create('books', { title: 'Dracula', author });
    await plain.update(`/resources/books/${book.id}`, { attributes: { year: 1872 } });
    book.title = 'Carmilla';
    await db.save(book, { force: true });
    expect(book).toMatchObject({ title: 'Carmilla', year: 1872 });
    expect(book.author).toBe(author);
    expect(db.changes(book)).toEqual({});
  });

  test('a copy is saved as its original would be, and does not hide what the other one stored', async () => {
    const { db } = await newLibrary();
    const book = await db.create('books', { title: 'Dracula' });
    const copy = await db.save({ ...book, year: 1897 });
    expect(await db.get('books', book.id)).toMatchObject({ title: 'Dracula', year: 1897 });
    await db.save({ ...copy, year: 1898 });
    book.title = 'Carmilla';
    await expect(db.save(book)).rejects.toBeInstanceOf(ConflictError);
  });

  test('of what was never read is an error that says what to do', async () => {
    const { db } = await newLibrary();
    await expect(db.save({ type: 'books', id: NO_ID })).rejects.toThrow('use create() or update()');
  });
});

describe('other changes', () => {
  test('update sends fields and operators, and gives the document', async () => {
    const { db } = await newLibrary();
    const { type, id } = await db.create('books', { title: 'Dracula', year: 1 });
    const changed = await db.update({ type, id }, { title: 'D', $inc: { year: 4 }, $push: { tags: 'new' } });
    expect(changed).toMatchObject({ title: 'D', year: 5, tags: ['new'] });
    expect(await db.update({ type, id }, { tags: undefined })).toEqual({ ...changed, tags: undefined });
  });

  test('delete is refused for a document that has changed since', async () => {
    const { db } = await newLibrary();
    const book = await db.create('books', { title: 'Dracula' });
    await db.update(book, { year: 1897 });
    await expect(db.delete(book)).rejects.toMatchObject({ name: 'ConflictError', current: { year: 1897 } });
    await db.delete({ type: 'books', id: book.id });
    await expect(db.delete({ type: 'books', id: book.id })).rejects.toMatchObject({
      code: 'document-not-found',
    });
  });

  test('links are added and removed in place, and the document can be saved afterwards', async () => {
    const { db } = await newLibrary();
    const book = await db.create('books', { title: 'Dracula' });
    const others = [await db.create('books', { title: 'One' }), await db.create('books', { title: 'Two' })];
    book.title = 'Not saved yet';
    await db.link(book, 'sequels', others);
    expect(book.sequels).toEqual(others);
    expect(book.sequels?.[0]).toBe(others[0]);
    await db.unlink(book, 'sequels', others.slice(0, 1));
    expect(book.sequels).toEqual(others.slice(1));
    await db.save(book);
    expect(await db.get('books', book.id)).toMatchObject({
      title: 'Not saved yet',
      sequels: [{ id: others[1]?.id }],
    });
  });

  test('links of a document that others have changed are added, and saving it still tells the conflict', async () => {
    const { db } = await newLibrary();
    const book = await db.create('books', { title: 'Dracula' });
    await db.update({ type: 'books', id: book.id }, { title: 'Carmilla' });
    await db.link(book, 'sequels', [book]);
    expect(book.sequels).toEqual([book]);
    book.year = 1;
    await expect(db.save(book)).rejects.toBeInstanceOf(ConflictError);
  });

  test('related documents are a list', async () => {
    const { db } = await newLibrary();
    const books = await Promise.all(['A', 'B', 'C'].map((title) => db.create('books', { title })));
    const author = await db.create('authors', { name: 'Anon', books });
    const page = await db.related(author, 'books').page({ number: 1, size: 2 });
    expect(page).toMatchObject({ count: 3, documents: [{ title: 'A' }, { title: 'B' }] });
    const bare = db.related(author, 'books', { fields: { books: ['title'] } });
    expect((await bare.all()).map(({ title }) => title)).toEqual(['A', 'B', 'C']);
    expect(await bare.count()).toBe(3);
  });
});

describe('values', () => {
  test('of all kinds come back as they were sent', async () => {
    const { db } = await newLibrary();
    const values = {
      date: new Date('2026-05-04T10:00:00.000Z'),
      long: 2n ** 62n,
      decimal: new Decimal('0.10'),
      oid: new ObjectId('6b0122e2540892199184e0aa'),
      deep: [{ at: new Date(0), none: null }],
      huge: 1e300,
      beyond: 2 ** 60,
      negative: -0,
      text: 'no {"$date"}',
    };
    const made = await db.create('things' as 'books', values as never);
    const read = await db.get('things' as 'books', made.id);
    expect(read).toEqual({ ...made, ...values });
    expect(db.changes(read ?? { type: '', id: '' })).toEqual({});
  });

  const long = { $numberLong: '3' };
  test.each([
    ['a number', 3, 3n, true, long],
    ['a double', 3.5, 3n, true, long],
    ['a number in an array of objects', [{ n: 3, m: 3n }], [{ n: 3n, m: 3n }], true, [{ n: long, m: long }]],
    ['the same long', 3n, 3n, false, long],
    ['a long, with its number,', 3n, 3, false, long],
    ['a long in an object', { n: 3n, m: 1 }, { n: 3n, m: 1 }, false, { n: long, m: 1 }],
    ['a number, with itself,', 3, 3, false, 3],
  ])('a bigint says long: %s that is set to it', async (_, stored, value, changed, now) => {
    const { db, plain } = await newLibrary();
    const { id } = await db.create('books', { pages: stored } as never);
    const book = await db.get('books', id);
    Object.assign(book ?? {}, { pages: value });
    expect(Object.keys(db.changes(book ?? { type: '', id: '' }))).toEqual(changed ? ['pages'] : []);
    await db.save(book ?? { type: '', id: '' });
    expect(db.changes(book ?? { type: '', id: '' })).toEqual({});
    const accept = `application/vnd.api+json;profile="${plain.url}/profiles/extended-json"`;
    const { body } = await plain.get(`/resources/books/${id}`, { accept });
    expect(body.data.attributes).toEqual({ pages: now });
  });

  test.each([[NaN], [Infinity], [() => 1], [Symbol('s')], [new Date(NaN)]])(
    '%o is refused here',
    async (value) => {
      const { db } = await newLibrary();
      await expect(db.create('books', { title: value as never })).rejects.toThrow();
    },
  );
});

describe('a failure', () => {
  test('says what, where and in which request', async () => {
    const { db } = await newLibrary();
    const error = await db
      .create('books', { title: { $date: 'yesterday' } as never })
      .catch((it: unknown) => it);
    expect(error).toBeInstanceOf(ForedgeError);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid-value',
      pointer: '/data/attributes/title',
      message: expect.stringContaining('$date') as unknown,
      requestId: expect.stringMatching(/./) as unknown,
    });
    expect((error as ForedgeError).errors).toHaveLength(1);
    await expect(db.list('books', { filter: { title: { $nope: 1 } as never } }).all()).rejects.toMatchObject({
      status: 400,
      parameter: 'filter[*]',
    });
  });

  test('to reach the service is an error like others', async () => {
    const db = openLibrary(new Client('http://127.0.0.1:1', 'a', 'k'), { retries: 0 });
    await expect(db.get('books', NO_ID)).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });
});
