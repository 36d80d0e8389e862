/**
 * Large documents among many small ones: whatever looks at them reads each about once, however often it stops to let
 * others in. A statement whose reader stops is read to its end, so what it still has must be little.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ListPage } from '../../src/collection/rpc/results.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import { conditionOf } from '../support/conditions.ts';
import { idOf } from '../support/names.ts';
import { LocalCollection } from '../support/local-collection.ts';

const SMALL = 300;
const LARGE = 60;
const TEXT = 'x'.repeat(300_000);
/** Characters of all large documents. */
const SIZE = LARGE * TEXT.length;

let collection: LocalCollection;
let ids: DocumentId[];
let given: number;

beforeEach(() => {
  given = 0;
  collection = new LocalCollection({}, (rows) => {
    for (const row of rows)
      for (const value of Object.values(row)) if (typeof value === 'string') given += value.length;
  });
  const make = (n: number, text: string) => idOf(collection.create({ n, text, [`f${n}`]: n }));
  ids = Array.from({ length: SMALL }, (_, n) => make(n, 'y'));
  for (let n = 0; n < LARGE; n += 1) ids.push(make(SMALL + n, `${TEXT}${n % 2 === 0 ? 'y' : 'z'}`));
  for (let n = 0; n < SMALL; n += 1) ids.push(make(SMALL + LARGE + n, 'y'));
});
afterEach(() => {
  collection.close();
});

/** What a list is, what statements gave for it, and how often others were let in. */
async function costOf(filter: unknown, page: ListPage, sort: readonly SortField[] = []) {
  given = 0;
  let pauses = 0;
  const pause = () => {
    pauses += 1;
  };
  const list = await collection.list(conditionOf(filter), page, { sort, pause });
  return { list, given, pauses };
}

/** The matcher decides: SQL compares no ends of texts. */
const ENDS_IN_Y = { text: { $regex: '[yq]$' } };
const MATCHES = 2 * SMALL + LARGE / 2;
const NINE = Array.from({ length: 9 }, (_, at) => ({ [`f${SMALL + 2 * at}`]: { $type: 'number' } }));

describe('each large document is read once, and others are let in after a few', () => {
  test.each<readonly [string, unknown]>([
    ['a field of each', ENDS_IN_Y],
    ['all of each', { $or: [ENDS_IN_Y, ...NINE] }],
  ])('by a pass over %s', async (_, filter) => {
    const { list, given, pauses } = await costOf(filter, { offset: 2 * SMALL, limit: 1 });
    expect(list.total).toBe(MATCHES);
    expect(given).toBeGreaterThan(SIZE);
    expect(given).toBeLessThan(1.3 * SIZE);
    expect(pauses).toBeGreaterThan(LARGE / 6);
  });

  test.each<readonly [string, unknown, number]>([
    ['find to match', { text: { $gt: 'x' } }, 2 * SMALL + LARGE],
    ['find not to match', { text: 'x' }, 0],
  ])('by SQL, which looks at what it may %s', async (_, filter, matches) => {
    const { list, given, pauses } = await costOf(filter, { offset: 0, limit: 1 });
    expect(list.total).toBe(matches);
    expect(given).toBeLessThan(SIZE / 10);
    expect(pauses).toBeGreaterThan(0);
  });

  test('by a walk over an index in the order of the answer', async () => {
    collection.learn('n');
    collection.build();
    const page = { offset: SMALL + LARGE, limit: 20, counted: false };
    const { list, given, pauses } = await costOf(ENDS_IN_Y, page, [{ path: ['n'], direction: 'ascending' }]);
    expect([list.plan.way, list.documents.length]).toEqual(['order-of-an-index', 20]);
    expect(given).toBeGreaterThan(SIZE);
    expect(given).toBeLessThan(1.3 * SIZE);
    expect(pauses).toBeGreaterThan(LARGE / 6);
  });
});

test('a reader of many ids that has enough leaves the rest unread', () => {
  let read = 0;
  given = 0;
  for (const packed of collection.tables.records.packedOf(ids, false)) {
    read += packed.length;
    if (read > 3 * TEXT.length) break;
  }
  expect(read).toBeGreaterThan(3 * TEXT.length);
  expect(given).toBeLessThan(1.3 * read);
});
