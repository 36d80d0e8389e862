/** The client's transactions and batches against the service (docs/client.md). */
import { describe, expect, test } from 'vitest';
import { NO_ID } from '../support/client.ts';
import { newLibrary } from '../support/library.ts';

describe('a transaction', () => {
  test('does all, in order, with links to what it creates, and gives the documents', async () => {
    const { db } = await newLibrary();
    const old = await db.create('books', { title: 'Old' });
    const saved = await db.create('books', { title: 'Draft' });
    const counted = await db.create('books', { title: 'Counted', year: 1 });
    saved.title = 'Done';
    const results = await db.transaction((tx) => {
      const first = tx.create('books', { title: 'First' });
      tx.create('books', { title: 'Second', sequels: [first, saved] });
      tx.save(saved);
      tx.update(counted, { $inc: { year: 1 } });
      tx.link(first, 'sequels', [counted]);
      tx.unlink(first, 'sequels', [counted]);
      tx.delete(old);
    });
    expect(results).toHaveLength(7);
    const [first, second] = results;
    expect(first).toMatchObject({ type: 'books', title: 'First' });
    expect(second).toMatchObject({ title: 'Second', sequels: [{ id: first?.id }, { id: saved.id }] });
    expect(results.slice(2)).toEqual([saved, { ...counted, year: 2 }, null, null, null]);
    expect(results[2]).toBe(saved);
    expect(await db.get('books', old.id)).toBeNull();
    // What was saved and what was created may be saved on.
    saved.year = 3;
    await db.save(saved);
    if (second?.type === 'books') await db.save(Object.assign(second, { year: 4 }));
    expect(await db.list('books', { filter: { year: { $gt: 2 } } }).count()).toBe(2);
  });

  test('that fails does nothing and says where', async () => {
    const { db } = await newLibrary();
    const failed = db.transaction((tx) => {
      tx.create('books', { title: 'Kept?' });
      tx.delete({ type: 'books', id: NO_ID });
    });
    await expect(failed).rejects.toMatchObject({
      code: 'document-not-found',
      pointer: '/atomic:operations/1',
    });
    expect(await db.list('books').count()).toBe(0);
  });

  test('with a document that others have changed is refused', async () => {
    const { db } = await newLibrary();
    const book = await db.create('books', { title: 'Dracula' });
    await db.update({ type: 'books', id: book.id }, { year: 1 });
    book.title = 'Carmilla';
    await expect(
      db.transaction((tx) => {
        tx.save(book);
      }),
    ).rejects.toMatchObject({ status: 412 });
    expect(Object.keys(db.changes(book))).toEqual(['title']);
  });

  test('is done again where what it has read has changed', async () => {
    const { db } = await newLibrary();
    const counter = await db.create('books', { title: 'Counter', year: 0 });
    let runs = 0;
    await Promise.all(
      Array.from({ length: 5 }, () =>
        db.transaction(async (tx) => {
          runs += 1;
          const book = await tx.get('books', counter.id);
          tx.update({ type: 'books', id: counter.id }, { year: Number(book?.year) + 1 });
          tx.create('authors', { name: `Reader ${book?.year}` });
        }),
      ),
    );
    expect((await db.get('books', counter.id))?.year).toBe(5);
    const names: string[] = [];
    for await (const { name } of db.list('authors', { sort: ['name'] })) names.push(name);
    expect(names).toEqual([0, 1, 2, 3, 4].map((year) => `Reader ${year}`));
    expect(runs).toBeGreaterThanOrEqual(5);
    expect(await db.transaction(async (tx) => void (await tx.get('books', NO_ID)))).toEqual([]);
  });

  test('is done again where what was not there has come', async () => {
    const { db } = await newLibrary();
    await db.create('core.type', { name: 'books', 'client-ids': true });
    let runs = 0;
    await db.transaction(async (tx) => {
      runs += 1;
      const found = await tx.get('books', NO_ID);
      const data = { type: 'books', id: NO_ID, attributes: { title: 'Claimed' } };
      if (runs === 1) await db.request('POST', '/resources/books', { body: { data } });
      tx.create('authors', { name: found === null ? 'first' : 'second' });
    });
    const authors = await db.list('authors').all();
    expect([runs, authors.map(({ name }) => name)]).toEqual([2, ['second']]);
  });

  test('of nothing asks nothing', async () => {
    const { db } = await newLibrary({ fetch: () => Promise.reject(new Error('asked')) });
    expect(await db.transaction(() => undefined)).toEqual([]);
  });
});

describe('a batch', () => {
  test('does what can be done, and says for each what became of it', async () => {
    const { db } = await newLibrary();
    const results = await db.batch((tx) => {
      tx.create('books', { title: 'Fine' });
      tx.delete({ type: 'books', id: NO_ID });
      tx.create('books', { title: { $date: 'yesterday' } as never });
    });
    expect(results.map(({ document, error }) => error?.code ?? document?.type)).toEqual([
      'books',
      'document-not-found',
      'invalid-value',
    ]);
    expect(results[2]?.error).toMatchObject({
      status: 422,
      pointer: '/atomic:operations/2/data/attributes/title',
    });
  });
});
