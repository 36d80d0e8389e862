/**
 * Aggregates that keep themselves: whatever is written, whenever, what is made of kept groups is what one run over all
 * documents makes, to the last digit and in the same order; and it reads no more than what was written around.
 */
import fc from '../support/fast-check.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AggregateRequest } from '../../src/collection/rpc/results.ts';
import { CachedCollection, shown } from '../support/cached-collection.ts';
import { COLUMNS, fields, PIPELINES, step } from '../support/cached-groups-arbitraries.ts';
import { scaled } from '../support/long.ts';

let cached: CachedCollection;
beforeEach(() => {
  cached = new CachedCollection();
});
afterEach(() => {
  cached.close();
});

describe('what is made of kept groups', () => {
  test('is what is made of all documents, after any writes, between any pauses, after restarts', async () => {
    let [served, failed, indexed, restored] = [0, 0, 0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { minLength: 8, maxLength: 60, size: 'max' }),
        fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }),
        fc.array(step),
        // One that is read again and again.
        fc.nat(PIPELINES.length - 1),
        async (made, steps, between, usual) => {
          cached.close();
          cached = new CachedCollection();
          for (const each of made) cached.write({ do: 'make', fields: each });
          const others = between.values();
          const pause = () => {
            const { value: each } = others.next();
            if (each !== undefined && each.do !== 'restart') cached.write(each);
          };
          for (const each of steps) {
            if (each.do !== 'read') cached.write(each);
            else {
              const pipeline = PIPELINES[each.other ?? usual];
              // Writes during a run show in part; behind it, nothing of them is missing.
              await cached.read(pipeline, pause);
              cached.write({ do: 'change', at: each.other ?? usual, fields: { kind: 'a' } });
              const found = await cached.read(pipeline);
              expect(shown(found)).toEqual(await cached.computed(pipeline));
              if (typeof found === 'string') failed += 1;
              else if (found.plan.way === 'kept-groups') served += 1;
              if (cached.collection.indexes(COLUMNS).length > 0) indexed += 1;
            }
          }
          restored += cached.restored;
        },
      ),
      { numRuns: scaled(200) },
    );
    expect(served).toBeGreaterThan(scaled(200));
    expect(failed).toBeGreaterThan(scaled(20));
    expect(indexed).toBeGreaterThan(scaled(100));
    expect(restored).toBeGreaterThan(scaled(10));
  });

  /** Reads after changes of the document at a place among 40; gives how many documents the last one looked at. */
  async function visitedAfter(
    places: readonly number[],
    pipeline: unknown,
    some: Partial<AggregateRequest> = {},
    settled = true,
  ): Promise<number> {
    for (let n = 0; n < 40; n += 1) cached.write({ do: 'make', fields: { kind: 'a', value: n } });
    const all = [...cached.ids];
    let visited = 0;
    for (const place of places) {
      cached.collection.update(all[place] ?? '', { value: place + 0.5 });
      const page = await cached.read(pipeline, undefined, some, settled);
      visited = typeof page === 'string' ? -1 : page.plan.visited;
    }
    return visited;
  }

  test.each<readonly [string, readonly number[], unknown, number, Partial<AggregateRequest>]>([
    ['the first time of all', [5], PIPELINES[0], 40, {}],
    ['from the second time on of the part around what was written', [5, 5, 5, 5], PIPELINES[0], 4, {}],
    ['of the last part, which is short', [39, 39, 39, 39], PIPELINES[0], 4, {}],
    ['of the segment, where none of its parts was made before', [5, 5, 5, 20], PIPELINES[0], 16, {}],
    ['with a filter in front', [5, 5, 5, 5], PIPELINES[2], 4, {}],
    ['of all where the order of the documents shows', [5, 5, 5, 5], PIPELINES[6], 40, {}],
    ['of all where deviations are asked for', [5, 5, 5, 5], PIPELINES[8], 40, {}],
    [
      'of all where chance has a say',
      [5, 5, 5, 5],
      [{ group: { id: null, n: { $sum: { $rand: {} } } } }],
      40,
      {},
    ],
    ['of what a viewer may read', [5, 5, 5, 5], PIPELINES[0], 0, { viewer: ['core.user 1'] }],
  ])('looks at documents: %s', async (_, places, pipeline, visited, some) => {
    expect(await visitedAfter(places, pipeline, some)).toBe(visited);
  });

  /** Has 40 documents, and the groups of the segments before the last one stored. */
  async function stored(pipeline: unknown): Promise<void> {
    await visitedAfter([39, 39, 39, 39], pipeline);
    cached.write({ do: 'store' });
    expect(cached.collection.rows('stored_groups')).toBe(2);
  }

  /** How many documents the first read after a restart looks at, which finds what is made of all. */
  async function visitedAgain(pipeline: unknown): Promise<number> {
    cached.write({ do: 'restart', stored: false });
    const page = await cached.read(pipeline);
    expect(shown(page)).toEqual(await cached.computed(pipeline));
    return typeof page === 'string' ? -1 : page.plan.visited;
  }

  type Write = (all: readonly string[]) => void;
  const change =
    (...places: readonly number[]): Write =>
    (all) => {
      for (const place of places) cached.collection.update(all[place] ?? '', { value: place });
    };
  const undone =
    (write: Write): Write =>
    (all) => {
      cached.collection.undone(() => {
        write(all);
      });
    };
  const remove: Write = (all) => {
    cached.collection.remove(all[20] ?? '');
  };
  const make: Write = () => {
    cached.write({ do: 'make', fields: { tags: ['x'] } });
  };
  const both =
    (first: Write, second: Write): Write =>
    (all) => {
      first(all);
      second(all);
    };

  test.each<readonly [string, unknown, Write, number]>([
    ['nothing is written', PIPELINES[0], () => undefined, 8],
    ['the last segment is written', PIPELINES[1], change(35), 8],
    ['documents come', PIPELINES[4], make, 9],
    ['a segment is written', PIPELINES[2], change(5), 24],
    ['two are written, one after the other', PIPELINES[0], change(5, 20), 40],
    ['a document goes', PIPELINES[0], remove, 24],
    ['a write is undone', PIPELINES[0], undone(change(5)), 8],
    ['a deletion is undone', PIPELINES[0], undone(remove), 8],
    ['it is written after a write was undone', PIPELINES[0], both(undone(change(5)), change(20, 5)), 40],
  ])(
    'outlives a sleep, and is read but for the segments that are written: %s',
    async (_, pipeline, write, visited) => {
      await stored(pipeline);
      write([...cached.ids]);
      expect(await visitedAgain(pipeline)).toBe(visited);
    },
  );

  test('is made again of what was written while it was made', async () => {
    await visitedAfter([39, 39, 39, 39], PIPELINES[0]);
    const [, , , early = '', , changed = ''] = cached.ids;
    const last = cached.ids.at(-1) ?? '';
    cached.collection.update(changed, { value: 7 });
    let value = 100;
    await cached.read(PIPELINES[0], () => {
      cached.collection.update(early, { value: (value += 1) });
    });
    expect(value).toBeGreaterThan(100);
    cached.collection.update(last, { value: 8 });
    const page = await cached.read(PIPELINES[0]);
    expect(page).toMatchObject({ plan: { way: 'kept-groups' } });
    expect(shown(page)).toEqual(await cached.computed(PIPELINES[0]));
  });

  test('is not stored where it was written between the read and the storing', async () => {
    await visitedAfter([39, 39, 39, 39], PIPELINES[0]);
    cached.collection.update(cached.ids[5] ?? '', { value: 100 });
    cached.write({ do: 'store' });
    expect(cached.collection.rows('stored_groups')).toBe(1);
    expect(await visitedAgain(PIPELINES[0])).toBe(24);
  });

  test('is stored again once it is as it was between two reads', async () => {
    await stored(PIPELINES[0]);
    for (const place of [5, 39, 39]) {
      cached.collection.update(cached.ids[place] ?? '', { value: place });
      await cached.read(PIPELINES[0]);
      cached.write({ do: 'store' });
    }
    expect(cached.collection.rows('stored_groups')).toBe(2);
    expect(await visitedAgain(PIPELINES[0])).toBe(8);
  });

  test('is not stored of the last segment, where documents come', async () => {
    await visitedAfter([5, 5, 5, 5], PIPELINES[0]);
    cached.write({ do: 'store' });
    expect(cached.collection.rows('stored_groups')).toBe(1);
  });

  test('is stored of 16 aggregates at most, and goes when nobody has read it for two weeks', async () => {
    await stored(PIPELINES[0]);
    const { groups, dirtyRanges } = cached.collection.tables;
    const day = 86_400_000;
    for (let n = 0; n < 16; n += 1)
      groups.put(`other ${n}`, [{ segment: 0, text: '[]', at: 9 }], dirtyRanges, Date.now() + day);
    expect(cached.collection.rows('stored_aggregates')).toBe(16);
    expect(await visitedAgain(PIPELINES[0])).toBe(40);
    cached.collection.tables.groups.tidy(Date.now() + 14 * day);
    expect(cached.collection.rows('stored_aggregates')).toBe(16);
    cached.collection.tables.groups.tidy(Date.now() + 15 * day);
    expect([cached.collection.rows('stored_aggregates'), cached.collection.rows('stored_groups')]).toEqual([
      0, 0,
    ]);
  });

  test('is kept for each definition, and for each value of a parameter', async () => {
    const pipeline = [
      { filter: { value: { $gte: '$$parameters.from' } } },
      { group: { id: null, n: { $sum: 1 } } },
    ];
    const counts: (readonly string[] | string)[] = [];
    const some = { parameters: '{"from":0}' };
    await visitedAfter([1, 2, 3], pipeline, some);
    for (const from of ['10', '39', '10', '39', '10', '39'] as const) {
      cached.collection.update(cached.ids[0] ?? '', { value: 0 });
      const page = await cached.read(pipeline, undefined, { ...some, overrides: { from } });
      counts.push(typeof page === 'string' ? page : page.documents.bodies);
    }
    expect(counts.slice(0, 2)).toEqual([['{"n":30}'], ['{"n":1}']]);
    expect(counts.slice(2)).toEqual([...counts.slice(0, 2), ...counts.slice(0, 2)]);
  });

  test('is not held where it would take more than may be kept: one run over all documents is', async () => {
    const text = 'x'.repeat(500_000);
    for (let n = 0; n < 40; n += 1) cached.write({ do: 'make', fields: { kind: n, text } });
    const pipeline = [{ group: { id: '$kind', text: { $first: '$text' } } }, { project: { id: 1, none: 1 } }];
    for (let times = 0; times < 4; times += 1) {
      cached.collection.update(cached.ids[0] ?? '', { value: times });
      const page = await cached.read(pipeline);
      if (typeof page === 'string') throw new Error(page);
      expect(page.plan.way).toBe('everything');
      expect(page.documents.ids).toHaveLength(40);
    }
  });

  test('looks at all documents while some that have ended are there', async () => {
    expect(await visitedAfter([5, 5, 5, 5], PIPELINES[0], {}, false)).toBe(40);
  });
});
