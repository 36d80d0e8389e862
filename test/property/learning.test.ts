/** Which paths get indexes: those that save most work, whatever else is asked for, whatever the clock says. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Learning } from '../../src/collection/learning.ts';
import { TopN } from '../../src/collection/search/top-n.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const DAY = 86_400_000;
const FIELDS = Array.from({ length: 20 }, (_, index) => `f${index}`);

let collection: LocalCollection;
beforeEach(() => {
  collection = new LocalCollection();
  const fields = Object.fromEntries(FIELDS.map((name, index): [string, number] => [name, index]));
  collection.create({ ...fields, tags: ['a'], nothing: null });
});
afterEach(() => {
  collection.close();
});

/** Nothing is searched meanwhile, and there is room. */
const QUIET = {
  isSearched: () => false,
  hasRoom: () => Promise.resolve(true),
  pause: () => Promise.resolve(),
};

/** Two searches for want of an index, and what follows in the background. */
function want(name: string, now = 0): void {
  collection.search([name], [], now);
  collection.search([name], [], now);
  collection.build(Infinity, now);
  collection.tidy(now);
  collection.build(Infinity, now);
}

describe('places for indexes', () => {
  test('are for paths that documents have', () => {
    for (const name of ['made-up', 'f1.x', 'nothing', 'id', 'type.x', '$cells.f1']) want(name);
    expect(collection.rows('path_indexes')).toBe(0);
    for (const name of ['f1', 'tags', '$created', '$updated']) want(name);
    expect(collection.rows('path_indexes')).toBe(4);
  });

  test('are not taken by any number of made-up paths, nor do these push out what is searched for', () => {
    for (let index = 0; index < 400; index += 1) {
      collection.search([`made-up-${index}`, `made-up-${index + 1}`]);
      // One search in twenty is for a path that is there.
      if (index % 20 === 0) collection.search(['f1']);
      if (index % 10 === 0) collection.build();
    }
    collection.build();
    expect(collection.indexes(['f1'])).toEqual(['f1']);
    expect(collection.rows('path_indexes')).toBe(1);
  });

  test('are sixteen, and go from what saves nothing to what saves work', () => {
    const first = FIELDS.slice(0, 16);
    for (const name of first) want(name);
    for (const name of first.slice(1))
      for (let times = 0; times < 9; times += 1) collection.search([], [name]);
    want('f16');
    expect(collection.indexes(FIELDS)).toEqual(first);
    for (let times = 0; times < 3; times += 1) want('f16');
    expect(collection.indexes(FIELDS)).toEqual([...first.slice(1), 'f16']);
    // Its entries go with it.
    expect(collection.rows('entries')).toBe(16);
  });

  test('stay with what saves work, also after a restart', () => {
    const first = FIELDS.slice(0, 16);
    for (const name of first) want(name);
    for (let times = 0; times < 20; times += 1) for (const name of first) collection.search([], [name]);
    collection.tidy();
    collection.restart();
    for (const name of FIELDS.slice(16)) for (let times = 0; times < 3; times += 1) want(name);
    expect(collection.indexes(FIELDS)).toEqual(first);
  });

  test('are given whatever a clock that is set back says', () => {
    want('f1', 400 * DAY);
    collection.search(['f2'], [], 400 * DAY);
    collection.search(['f2'], ['f1'], DAY);
    collection.build();
    expect(collection.indexes(FIELDS)).toEqual(['f1', 'f2']);
  });
});

describe('learning', () => {
  /** What a search tells that looked at a million documents for want of an index. */
  const search = { used: [], saved: 0, wanted: ['f1'], looked: 1_000_000 };
  const storage = (alarm: number | null, fault?: Error) => ({
    set: [] as number[],
    getAlarm: () => Promise.resolve(alarm),
    setAlarm(at: number | Date) {
      if (fault !== undefined) throw fault;
      this.set.push(Number(at));
      return Promise.resolve();
    },
    transactionSync: <T>(work: () => T): T => work(),
  });

  test('takes up what an alarm should do that a clock set back has put off', async () => {
    for (const [name, alarm, rings] of [
      ['f1', null, 1],
      ['f2', Date.now() + DAY, 1],
      ['f3', Date.now() - DAY, 0],
    ] as const) {
      const store = storage(alarm);
      const learning = new Learning({ ...QUIET, storage: store, tables: collection.tables });
      collection.search([name]);
      collection.search([name]);
      await learning.store();
      expect(store.set).toHaveLength(rings);
      collection.build();
    }
  });

  test('is not begun, and not gone on with, where there is no room', async () => {
    collection.search(['f1']);
    collection.search(['f1']);
    const store = storage(null);
    const state = { room: false };
    const around = { ...QUIET, hasRoom: () => Promise.resolve(state.room) };
    const learning = new Learning({ ...around, storage: store, tables: collection.tables });
    await learning.store();
    await learning.alarm();
    expect(store.set).toEqual([]);
    expect(collection.rows('path_indexes')).toBe(0);
    state.room = true;
    await learning.store();
    await learning.alarm();
    expect(store.set).not.toEqual([]);
    expect(collection.rows('path_indexes')).toBe(1);
  });

  test('never fails a search, whatever storage says', async () => {
    const full = new Error('database or disk is full: SQLITE_FULL');
    const learning = new Learning({ ...QUIET, storage: storage(null, full), tables: collection.tables });
    learning.after(search, 1_000_000);
    learning.after(search, 1_000_000);
    await expect(learning.store()).resolves.toBeUndefined();
    await expect(learning.alarm()).resolves.toBeUndefined();
  });
});

describe('two bounds of one path, of which one stands for other values as well', () => {
  test('leave the last word to the matcher', async () => {
    collection.create({ n: 9007199254740992 });
    const high = collection.create({ n: 9007199254740994 });
    collection.learn('n');
    collection.build();
    const bounds = { $gte: { $numberLong: '9007199254740993' }, $lt: 9007199254740996 };
    const found = await collection.list(conditionOf({ n: bounds }), { offset: 0, limit: 10 });
    expect(found.plan.used).toEqual(['n']);
    expect(found.documents.map(({ id }) => id)).toEqual([high]);
  });
});

describe('the first so many of a stream', () => {
  const MEGABYTE = 1024 * 1024;
  const topOf = (size: number) =>
    new TopN<number>(
      0,
      size,
      (a, b) => a - b,
      () => MEGABYTE,
    );

  test('that would hold more than its weight says so, and holds nothing', () => {
    const top = topOf(20);
    for (let element = 0; element < 20; element += 1) top.add(element);
    expect(top.page()).toEqual([]);
    expect(top.tooHeavy).toBe(true);
    const filled = topOf(1000);
    let weighed = 0;
    for (let element = 0; element < 1000; element += 1) {
      if (!filled.tooHeavy) weighed += 1;
      filled.add(element);
    }
    // It does not wait for the end of the stream.
    expect(filled.tooHeavy).toBe(true);
    expect(weighed).toBeLessThan(40);
  });

  test('is as heavy as what it keeps, not as what went through it', () => {
    const top = topOf(16);
    for (let element = 500; element > 0; element -= 1) top.add(element);
    expect(top.page()).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    expect(top.tooHeavy).toBe(false);
  });
});
