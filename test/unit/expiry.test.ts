/** Documents past the end that settings give, not yet deleted: nothing shows them, and their number costs nothing. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Expiry } from '../../src/collection/write/upkeep/expiry.ts';
import { Memory } from '../../src/collection/storage/caching/answer-cache.ts';
import { Reads } from '../../src/collection/reads.ts';
import { Searches } from '../../src/collection/searches.ts';
import { unpackDocuments } from '../../src/collection/rpc/packing/packing.ts';
import { WRITE_STEP_TOUCHED } from '../../src/collection/storage/steps.ts';
import { PageSemaphore } from '../../src/collection/search/page-semaphore.ts';
import { CORE } from '../../src/domain/types.ts';
import { NO_SETTINGS } from '../../src/domain/types/settings.ts';
import { TRUSTED } from '../../src/domain/rules.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import type { Outcome } from '../../src/domain/problems.ts';
import { storedId, type DocumentId } from '../../src/domain/ids.ts';
import { EVERYTHING } from '../../src/operators/filter/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { fieldOf, idOf, typeOf } from '../support/names.ts';

const TYPE = 'place';
const PAST = new Date('2020-01-01T00:00:00Z');
const FUTURE = new Date('2999-01-01T00:00:00Z');
const MANY = 200;

let collection: LocalCollection;
let expiry: Expiry;
let ended: readonly DocumentId[];
let kept: DocumentId;
/** The type whose name the object has kept. */
let known: string;
let alarms: number[];
let steps: number;
let memory: Memory;

beforeEach(() => {
  vi.stubGlobal('scheduler', { wait: () => Promise.resolve() });
  collection = new LocalCollection();
  const { tables } = collection;
  const settings = { ...NO_SETTINGS, expires: fieldOf('until'), unique: [['slug']] };
  tables.settings.stage(1, settings);
  tables.settings.settle(1, settings);
  ended = Array.from({ length: MANY }, (_, n) =>
    storedId(collection.create({ n, slug: `s${n}`, until: PAST })),
  );
  kept = storedId(collection.create({ n: -1, slug: 'kept', until: FUTURE }));
  collection.create({ n: -2, until: [PAST] });
  alarms = [];
  known = TYPE;
  steps = 0;
  memory = new Memory();
  const writes = {
    hasTables: true,
    sealed: false,
    waits: () => false,
    alone: <T>(work: () => Outcome<T>): Outcome<T> => {
      memory.forget();
      return work();
    },
  };
  const storage = {
    getAlarm: () => Promise.resolve(alarms.at(-1) ?? null),
    setAlarm: (at: number | Date) => {
      alarms.push(Number(at));
      return Promise.resolve();
    },
    kv: {
      get: (key: string) => (key === 'type' ? known : undefined),
      put: () => undefined,
      delete: () => true,
    } as unknown as DurableObjectStorage['kv'],
  };
  const rest = () => () => {
    steps += 1;
    return Promise.resolve();
  };
  expiry = new Expiry({ storage, tables, writes, rest });
});
afterEach(() => {
  collection.close();
  vi.unstubAllGlobals();
});

function searches(): Searches {
  return new Searches({
    tables: collection.tables,
    memory,
    reader: () => collection.reader(),
    words: { prepare: (_, condition) => Promise.resolve(condition) },
    learning: { after: () => undefined, keep: () => Promise.resolve() },
    linkTypes: { of: () => Promise.resolve([]) },
    feed: { marking: () => Promise.reject(new Error('No mark is asked for.')) },
    pages: new PageSemaphore(),
  });
}

const everything = { condition: encodeText(EVERYTHING), hidden: [], ...TRUSTED };

async function listed(): Promise<readonly [count: number | null, ids: readonly string[]]> {
  const page = { offset: 0, limit: 10 };
  const found = await searches().list(TYPE, { ...everything, sort: [], page });
  if (!found.ok) return expect.fail();
  return [found.value.total, unpackDocuments(found.value.documents).map(({ id }) => id)];
}

test('entries of the audit trail end, and leave no trace of themselves', async () => {
  known = CORE.auditEntry;
  const { records } = collection.tables;
  await expiry.settled();
  expect(records.count()).toBe(2);
  expect(records.deleted(ended).size).toBe(0);
});

test('before the first request after their end all are there', async () => {
  expect((await listed())[0]).toBe(MANY + 2);
});

describe('from the first request on, which deletes nothing', () => {
  let counter: number;
  beforeEach(() => {
    counter = collection.tables.records.counter();
    expiry.notice();
  });

  test('the collection has changed, once: tags and kept results from before are none of it', () => {
    expect(collection.tables.records.counter()).toBe(counter + 1);
    expiry.notice();
    expect(collection.tables.records.counter()).toBe(counter + 1);
    expect(collection.tables.records.count()).toBe(MANY + 2);
    collection.create({ until: PAST });
    expect(collection.tables.expiries.ended).not.toBe(null);
  });

  test('lists and counts are without them', async () => {
    const [count, ids] = await listed();
    expect(count).toBe(2);
    expect(ids).toContain(kept);
    const found = await searches().matching(TYPE, {
      ...TRUSTED,
      hidden: [],
      limit: 10,
      conditions: [everything.condition],
    });
    expect(found.ok && found.value?.[0]).toHaveLength(2);
  });

  test('no aggregate reads them', async () => {
    const made = await searches().aggregate(TYPE, {
      ...TRUSTED,
      outputType: typeOf('agt.all'),
      pipeline: JSON.stringify([{ group: { id: 'all', n: { $sum: 1 } } }]),
      parameters: null,
      overrides: {},
      select: { ids: [idOf('all')] },
    });
    expect(made.ok && made.value.documents.bodies).toEqual(['{"n":2}']);
  });

  test('no include has them', async () => {
    const reads = new Reads(collection.tables, memory);
    const [first = kept] = ended;
    const read = await reads.readMany({ ...TRUSTED, ids: [first, kept], limit: 9, units: 1e6 });
    expect(unpackDocuments(read.documents).map(({ id }) => id)).toEqual([kept]);
  });

  test('no link leads to them', () => {
    const reads = new Reads(collection.tables, memory);
    const [first = kept, second = kept] = ended;
    expect(reads.missing([first])).toEqual([first]);
    expect(reads.missing([kept])).toEqual([]);
    expect(reads.missing([first, kept, second])).toEqual([first, second]);
  });

  test('their unique values are free', () => {
    collection.create({ slug: 's1' });
    expect(() => collection.create({ slug: 'kept' })).toThrow('value-taken');
    expect(collection.tables.records.count()).toBe(MANY + 2);
  });

  test('one that is asked for is deleted, and it alone: its address tells of a deletion', () => {
    const [first = kept] = ended;
    expiry.finish(first);
    expiry.finish(kept);
    expect(collection.tables.records.count()).toBe(MANY + 1);
    expect(new Reads(collection.tables, memory).read(first, TRUSTED)).toMatchObject({ state: 'deleted' });
    expect(new Reads(collection.tables, memory).read(kept, TRUSTED)).toContain('"slug":"kept"');
  });

  test('a restart in between forgets nothing', async () => {
    const { tables } = collection;
    tables.expiries.ended = null;
    expiry.notice();
    expect((await listed())[0]).toBe(2);
    expect(tables.records.count()).toBe(MANY + 2);
  });
});

test('while none has ended, an index decides as it does where nothing ends', async () => {
  await expiry.settled();
  expiry.notice();
  collection.learn('n');
  collection.build();
  const condition = encodeText({ op: 'lt', path: ['n'], value: 0 });
  const found = await searches().list(TYPE, {
    ...everything,
    condition,
    sort: [],
    page: { offset: 0, limit: 10 },
  });
  if (!found.ok) return expect.fail();
  const { total, plan } = found.value;
  expect([total, plan.way, plan.visited]).toEqual([2, 'positions-of-an-index', 0]);
});

test('the alarm deletes all of them, in steps, and is set for the next that ends', async () => {
  expiry.notice();
  await expiry.remind();
  expect(alarms.at(-1)).toBeLessThanOrEqual(Date.now());
  alarms.length = 0;
  await expiry.alarm();
  expect(steps).toBe(MANY / 50);
  expect(collection.tables.records.count()).toBe(2);
  for (const id of ended.slice(0, 3)) expect(collection.tables.records.deletion(id)?.readers).toEqual([]);
  expect(alarms.at(-1)).toBeGreaterThan(Date.now());
  expiry.notice();
  expect(collection.tables.expiries.ended).toBe(null);
  expect((await listed())[0]).toBe(2);
});

test('documents that name many are fewer in a step', async () => {
  const readers = Array.from({ length: 1000 }, (_, n) => `core.user ${n}`);
  for (const id of ended.slice(0, 100)) collection.share(id, readers);
  await expiry.settled();
  expect(steps).toBeGreaterThan((100 * readers.length * 256) / WRITE_STEP_TOUCHED / 2);
  expect(collection.tables.records.count()).toBe(2);
});
