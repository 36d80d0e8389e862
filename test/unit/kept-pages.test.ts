/** Which pages of lists a collection keeps, on its own tables: others write while a search is under way. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Lists } from '../../src/collection/lists.ts';
import { unpackDocuments, unpackList } from '../../src/collection/rpc/packing/packing.ts';
import type { ListRequest } from '../../src/collection/rpc/results.ts';
import type { Lesson } from '../../src/collection/search/lesson.ts';
import { PageSemaphore } from '../../src/collection/search/page-semaphore.ts';
import { Searches } from '../../src/collection/searches.ts';
import { Memory } from '../../src/collection/storage/answer-cache.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { TRUSTED } from '../../src/domain/rules.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const TYPE = 'place';

let collection: LocalCollection;
let memory: Memory;
let lists: Lists;
/** What others do while a search is prepared. */
let meanwhile: () => void;
let searched: number;
let lessons: Lesson[];
let pages: PageSemaphore;

beforeEach(() => {
  collection = new LocalCollection();
  memory = new Memory();
  meanwhile = () => undefined;
  searched = 0;
  lessons = [];
  pages = new PageSemaphore();
  const searches = new Searches(collection.tables, memory, {
    reader: () => collection.reader(),
    prepare: (_, condition) => {
      searched += 1;
      meanwhile();
      return Promise.resolve(condition);
    },
    learn: () => undefined,
  });
  lists = new Lists({
    searches,
    memory,
    linkTypes: { of: () => Promise.resolve([]) },
    pages,
    learn: (lesson) => lessons.push(lesson),
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
  const answer = await lists.page(TYPE, JSON.stringify(request));
  if ('linked' in answer) return expect.fail();
  const found = unpackList(answer);
  return found.ok ? unpackDocuments(found.value.documents).map(({ id }) => id) : expect.fail();
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
  expect(await searchedOf(4, at(1))).toBe(2);
  // Its index serves, though nothing asks it.
  expect(lessons).toEqual([
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
