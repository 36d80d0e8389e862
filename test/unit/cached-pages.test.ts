/** Which pages of lists a collection keeps, on its own tables: others write while a search is under way. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackDocuments, unpackList } from '../../src/collection/rpc/packing/packing.ts';
import type { LinkedTypes } from '../../src/collection/rpc/related.ts';
import type { ListRequest } from '../../src/collection/rpc/results.ts';
import type { IndexFeedback } from '../../src/collection/search/index-feedback.ts';
import { PageSemaphore } from '../../src/collection/search/page-semaphore.ts';
import { Searches } from '../../src/collection/searches.ts';
import { Memory, PageCache } from '../../src/collection/storage/caching/answer-cache.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { TRUSTED } from '../../src/domain/rules.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { typeOf } from '../support/names.ts';

const TYPE = 'place';

let collection: LocalCollection;
let memory: Memory;
let searches: Searches;
/** What others do while a search is prepared. */
let meanwhile: () => void;
let searched: number;
let lessons: IndexFeedback[];
let pages: PageSemaphore;
/** The types that the names of a condition link to. */
let linkTypes: () => Promise<readonly LinkedTypes[]>;

beforeEach(() => {
  collection = new LocalCollection();
  memory = new Memory();
  meanwhile = () => undefined;
  searched = 0;
  lessons = [];
  pages = new PageSemaphore();
  linkTypes = () => Promise.resolve([]);
  searches = new Searches({
    tables: collection.tables,
    memory,
    reader: () => collection.reader(),
    words: {
      prepare: (_, condition) => {
        searched += 1;
        meanwhile();
        return Promise.resolve(condition);
      },
    },
    learning: { after: (feedback) => lessons.push(feedback), keep: () => Promise.resolve() },
    linkTypes: { of: () => linkTypes() },
    feed: { marking: () => Promise.reject(new Error('No mark is asked for.')) },
    pages,
  });
});
afterEach(() => {
  collection.close();
});

function write(work: () => void): void {
  work();
  memory.forget();
}

const at = (n: number): Condition => ({ op: 'eq', path: ['n'], value: n });

/** The ids that a list shows. */
async function listed(condition: Condition, more: Partial<ListRequest> = {}): Promise<readonly string[]> {
  const page = { offset: 0, limit: 10 };
  const request = { condition: encodeText(condition), hidden: [], sort: [], page, ...TRUSTED, ...more };
  const answer = await searches.page(TYPE, JSON.stringify(request));
  if ('linked' in answer) return expect.fail();
  const found = unpackList(answer);
  return found.ok ? unpackDocuments(found.value.documents).map(({ id }) => id) : expect.fail();
}

/** What a list that asks linked documents is answered with. */
async function linkedBy(name: string): Promise<unknown> {
  const request = {
    condition: encodeText(at(1)),
    hidden: [],
    sort: [],
    page: { offset: 0, limit: 10 },
    ...TRUSTED,
  };
  const answer = await searches.page(TYPE, JSON.stringify({ ...request, through: [name] }));
  return 'linked' in answer ? answer.linked : null;
}

/** How many of several equal lists were searched for. */
async function searchedOf(times: number, condition: Condition): Promise<number> {
  const before = searched;
  for (let time = 0; time < times; time += 1) await listed(condition);
  return searched - before;
}

test('a page is searched for twice', async () => {
  write(() => collection.create({ n: 1 }));
  expect(await searchedOf(5, at(1))).toBe(2);
  expect(await searchedOf(5, at(2))).toBe(2);
});

test('nothing is kept of what others changed while it was looked for', async () => {
  write(() => collection.create({ n: 1 }));
  await listed(at(1));
  meanwhile = () => {
    meanwhile = () => undefined;
    // After the search has begun, and before it reads: what it finds is right, and older than the write after that.
    write(() => collection.create({ n: 1 }));
  };
  await listed(at(1));
  expect(await searchedOf(3, at(1))).toBe(2);
  expect(await listed(at(1))).toHaveLength(2);
});

test('a write leaves nothing, and what came before it counts no more', async () => {
  write(() => collection.create({ n: 1 }));
  expect(await searchedOf(3, at(1))).toBe(2);
  write(() => collection.create({ n: 1 }));
  expect(await searchedOf(3, at(1))).toBe(2);
  expect(await listed(at(1))).toHaveLength(2);
});

test('a search that lacks an index is not kept before it has one', async () => {
  for (let n = 0; n < 300; n += 1) collection.create({ n });
  write(() => undefined);
  expect(await searchedOf(4, at(1))).toBe(4);
  collection.learn('n');
  collection.build();
  lessons = [];
  expect(await searchedOf(4, at(1))).toBe(2);
  // Its index serves, though nothing asks it.
  expect(lessons.slice(2)).toEqual([
    { used: ['n'], saved: 300, wanted: [], looked: 0 },
    { used: ['n'], saved: 300, wanted: [], looked: 0 },
  ]);
});

test('a large page is not kept', async () => {
  write(() => collection.create({ n: 1, text: 'x'.repeat(LIMITS.sentAtOnce) }));
  for (let time = 1; time <= 4; time += 1) {
    expect(await searchedOf(1, at(1))).toBe(1);
    pages.release();
  }
});

test('a list without links is not kept when the first link came while it was asked for links', async () => {
  write(() => collection.create({ n: 1 }));
  const [begun, went] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  linkTypes = async () => {
    begun.resolve(null);
    await went.promise;
    return [];
  };
  const both = Promise.all([linkedBy('author'), linkedBy('author')]);
  await begun.promise;
  write(() => collection.create({ n: 1 }));
  went.resolve(null);
  expect(await both).toEqual([null, null]);
  const authors = [{ name: 'author', types: [typeOf('authors')] }];
  linkTypes = () => Promise.resolve(authors);
  expect(await linkedBy('author')).toEqual(authors);
});

test('a page keeps nothing of the text that it was cut out of', () => {
  const cache = new PageCache();
  const before = usedAfterCollection();
  for (let n = 0; n < 100; n += 1) {
    const whole = JSON.stringify('x'.repeat(1024 * 1024));
    const kept = { page: { rest: '', documents: whole.slice(0, 100) }, used: [], saved: 0 };
    for (let time = 0; time < 2; time += 1) cache.put(String(n), kept);
  }
  expect(usedAfterCollection() - before).toBeLessThan(20 * 1024 * 1024);
  expect(cache.get('99')?.page.documents).toHaveLength(100);
});

/** Bytes of V8's heap that are in use when all garbage is gone. */
function usedAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}
