/**
 * Aggregates that keep themselves: whatever is written, whenever, what is made of kept groups is what one run over all
 * documents makes, to the last digit and in the same order; and it reads no more than what was written around.
 */
import fc from '../support/fast-check.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Aggregates } from '../../src/collection/aggregate/aggregation.ts';
import type { AggregateRequest, OutputPage } from '../../src/collection/rpc/aggregates.ts';
import type { StretchToStore } from '../../src/collection/storage/beside/stored-groups.ts';
import { Marks } from '../../src/collection/storage/marks.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { COLUMNS, EXTENTS, fields, PIPELINES, step, type Step } from '../support/kept-groups-arbitraries.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { typeOf } from '../support/names.ts';

let collection: LocalCollection;
let ids: string[];
let aggregates: Aggregates;
/** What reads have handed over to be stored, and is not yet. */
let toStore: (() => void)[];
/** How often groups were taken from the tables. */
let restored = 0;
beforeEach(() => {
  begin();
});
afterEach(() => {
  collection.close();
});

function begin(): void {
  collection = new LocalCollection(EXTENTS);
  ids = [];
  aggregates = awake();
  toStore = [];
}

/** What reads of an object that has just woken up know: nothing, but for what the tables have. */
function awake(): Aggregates {
  const { marks, groups } = collection.tables;
  const find = (key: string, stretch: number) => {
    const text = groups.find(key, stretch);
    if (text !== null) restored += 1;
    return text;
  };
  return new Aggregates({ marks, groups: { has: (key) => groups.has(key), find } });
}

async function read(
  over: Aggregates,
  pipeline: unknown,
  pause: () => void = () => undefined,
  some: Partial<AggregateRequest> = {},
  settled = true,
): Promise<OutputPage | string> {
  const type = typeOf('place');
  const records = collection.reader();
  const request: AggregateRequest = {
    outputType: typeOf('agt.kept'),
    pipeline: JSON.stringify(pipeline),
    parameters: null,
    overrides: {},
    viewer: null,
    rule: null,
    select: {
      condition: encodeText({ op: 'and', conditions: [] }),
      sort: [],
      page: { offset: 0, limit: 1000 },
    },
    ...some,
  };
  const input = {
    records,
    state: collection.tables.records.state(),
    type,
    find: (name: string) => (over === aggregates ? collection.tables.indexes.find(name) : undefined),
    pause: () => {
      pause();
      return Promise.resolve();
    },
    prepare: <T>(condition: T) => Promise.resolve(condition),
    learn: () => undefined,
    store: (key: string, stretches: readonly StretchToStore[]) => {
      const { groups, marks } = collection.tables;
      toStore.push(() => {
        groups.put(key, stretches, marks, Date.now());
      });
    },
    settled,
  };
  const result = await over.run(request, input, type);
  return result.ok ? result.value : JSON.stringify(result.problems);
}

/** What is shown, and nothing of how it was found. */
function shown(page: OutputPage | string): unknown {
  return typeof page === 'string' ? page : page.documents;
}

const computed = async (pipeline: unknown) => {
  const groups = { has: () => false, find: () => null };
  return shown(await read(new Aggregates({ marks: new Marks(EXTENTS), groups }), pipeline));
};

function write(each: Step): void {
  if (each.do === 'make') ids.push(collection.create(each.fields));
  if (each.do === 'store' || (each.do === 'restart' && each.stored)) {
    for (const store of toStore.splice(0)) store();
  }
  if (each.do === 'restart') {
    collection.restart();
    aggregates = awake();
    toStore = [];
  }
  if (each.do === 'build') {
    for (const name of COLUMNS) collection.learn(name);
    collection.build(each.steps);
  }
  const chosen = 'at' in each ? ids[each.at % Math.max(1, ids.length)] : undefined;
  if (each.do === 'share' && chosen !== undefined) collection.share(chosen, ['core.user 1']);
  if (each.do === 'undone') {
    collection.undone(() => {
      collection.create(each.fields);
      if (chosen !== undefined) collection.remove(chosen);
    });
  }
  if (each.do !== 'change' && each.do !== 'delete') return;
  const [id] = ids.splice(each.at % Math.max(1, ids.length), 1);
  if (id === undefined) return;
  if (each.do === 'delete') collection.remove(id);
  else {
    collection.update(id, each.fields);
    ids.push(id);
  }
}

describe('what is made of kept groups', () => {
  test('is what is made of all documents, after any writes, between any pauses, after restarts', async () => {
    let [kept, failed, indexed] = [0, 0, 0];
    restored = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { minLength: 8, maxLength: 60, size: 'max' }),
        fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }),
        fc.array(step),
        // One that is read again and again.
        fc.nat(PIPELINES.length - 1),
        async (made, steps, between, usual) => {
          collection.close();
          begin();
          for (const each of made) write({ do: 'make', fields: each });
          const others = between.values();
          const pause = () => {
            const { value: each } = others.next();
            if (each !== undefined && each.do !== 'restart') write(each);
          };
          for (const each of steps) {
            if (each.do !== 'read') write(each);
            else {
              const pipeline = PIPELINES[each.other ?? usual];
              // Writes during a run show in part; behind it, nothing of them is missing.
              await read(aggregates, pipeline, pause);
              write({ do: 'change', at: each.other ?? usual, fields: { kind: 'a' } });
              const found = await read(aggregates, pipeline);
              expect(shown(found)).toEqual(await computed(pipeline));
              if (typeof found === 'string') failed += 1;
              else if (found.plan.way === 'kept-groups') kept += 1;
              if (collection.indexes(COLUMNS).length > 0) indexed += 1;
            }
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(kept).toBeGreaterThan(200);
    expect(failed).toBeGreaterThan(20);
    expect(indexed).toBeGreaterThan(100);
    expect(restored).toBeGreaterThan(10);
  }, 120_000);

  /** Reads after changes of the document at a place among 40; gives how many documents the last one looked at. */
  async function visitedAfter(
    places: readonly number[],
    pipeline: unknown,
    some: Partial<AggregateRequest> = {},
    settled = true,
  ): Promise<number> {
    for (let n = 0; n < 40; n += 1) write({ do: 'make', fields: { kind: 'a', value: n } });
    const all = [...ids];
    let visited = 0;
    for (const place of places) {
      collection.update(all[place] ?? '', { value: place + 0.5 });
      const page = await read(aggregates, pipeline, undefined, some, settled);
      visited = typeof page === 'string' ? -1 : page.plan.visited;
    }
    return visited;
  }

  test.each<readonly [string, readonly number[], unknown, number, Partial<AggregateRequest>]>([
    ['the first time of all', [5], PIPELINES[0], 40, {}],
    ['from the second time on of the part around what was written', [5, 5, 5, 5], PIPELINES[0], 4, {}],
    ['of the last part, which is short', [39, 39, 39, 39], PIPELINES[0], 4, {}],
    ['of the stretch, where none of its parts was made before', [5, 5, 5, 20], PIPELINES[0], 16, {}],
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

  /** Has 40 documents, and the groups of the stretches before the last one stored. */
  async function stored(pipeline: unknown): Promise<void> {
    await visitedAfter([39, 39, 39, 39], pipeline);
    write({ do: 'store' });
    expect(collection.rows('stored_groups')).toBe(2);
  }

  /** How many documents the first read after a restart looks at, which finds what is made of all. */
  async function visitedAgain(pipeline: unknown): Promise<number> {
    write({ do: 'restart', stored: false });
    const page = await read(aggregates, pipeline);
    expect(shown(page)).toEqual(await computed(pipeline));
    return typeof page === 'string' ? -1 : page.plan.visited;
  }

  type Write = (all: readonly string[]) => void;
  const change =
    (...places: readonly number[]): Write =>
    (all) => {
      for (const place of places) collection.update(all[place] ?? '', { value: place });
    };
  const undone =
    (write: Write): Write =>
    (all) => {
      collection.undone(() => {
        write(all);
      });
    };
  const remove: Write = (all) => {
    collection.remove(all[20] ?? '');
  };
  const make: Write = () => {
    write({ do: 'make', fields: { tags: ['x'] } });
  };
  const both =
    (first: Write, second: Write): Write =>
    (all) => {
      first(all);
      second(all);
    };

  test.each<readonly [string, unknown, Write, number]>([
    ['nothing is written', PIPELINES[0], () => undefined, 8],
    ['the last stretch is written', PIPELINES[1], change(35), 8],
    ['documents come', PIPELINES[4], make, 9],
    ['a stretch is written', PIPELINES[2], change(5), 24],
    ['two are written, one after the other', PIPELINES[0], change(5, 20), 40],
    ['a document goes', PIPELINES[0], remove, 24],
    ['a write is undone', PIPELINES[0], undone(change(5)), 8],
    ['a deletion is undone', PIPELINES[0], undone(remove), 8],
    ['it is written after a write was undone', PIPELINES[0], both(undone(change(5)), change(20, 5)), 40],
  ])(
    'outlives a sleep, and is read but for the stretches that are written: %s',
    async (_, pipeline, write, visited) => {
      await stored(pipeline);
      write([...ids]);
      expect(await visitedAgain(pipeline)).toBe(visited);
    },
  );

  test('is not stored where it was written between the read and the storing', async () => {
    await visitedAfter([39, 39, 39, 39], PIPELINES[0]);
    collection.update(ids[5] ?? '', { value: 100 });
    write({ do: 'store' });
    expect(collection.rows('stored_groups')).toBe(1);
    expect(await visitedAgain(PIPELINES[0])).toBe(24);
  });

  test('is stored again once it is as it was between two reads', async () => {
    await stored(PIPELINES[0]);
    for (const place of [5, 39, 39]) {
      collection.update(ids[place] ?? '', { value: place });
      await read(aggregates, PIPELINES[0]);
      write({ do: 'store' });
    }
    expect(collection.rows('stored_groups')).toBe(2);
    expect(await visitedAgain(PIPELINES[0])).toBe(8);
  });

  test('is not stored of the last stretch, where documents come', async () => {
    await visitedAfter([5, 5, 5, 5], PIPELINES[0]);
    write({ do: 'store' });
    expect(collection.rows('stored_groups')).toBe(1);
  });

  test('is stored of 16 aggregates at most, and goes when nobody has read it for two weeks', async () => {
    await stored(PIPELINES[0]);
    const { groups, marks } = collection.tables;
    const day = 86_400_000;
    for (let n = 0; n < 16; n += 1)
      groups.put(`other ${n}`, [{ stretch: 0, text: '[]', at: 9 }], marks, Date.now() + day);
    expect(collection.rows('stored_aggregates')).toBe(16);
    expect(await visitedAgain(PIPELINES[0])).toBe(40);
    collection.tables.groups.tidy(Date.now() + 14 * day);
    expect(collection.rows('stored_aggregates')).toBe(16);
    collection.tables.groups.tidy(Date.now() + 15 * day);
    expect([collection.rows('stored_aggregates'), collection.rows('stored_groups')]).toEqual([0, 0]);
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
      collection.update(ids[0] ?? '', { value: 0 });
      const page = await read(aggregates, pipeline, undefined, { ...some, overrides: { from } });
      counts.push(typeof page === 'string' ? page : page.documents.bodies);
    }
    expect(counts.slice(0, 2)).toEqual([['{"n":30}'], ['{"n":1}']]);
    expect(counts.slice(2)).toEqual([...counts.slice(0, 2), ...counts.slice(0, 2)]);
  });

  test('is not held where it would take more than may be kept: one run over all documents is', async () => {
    const text = 'x'.repeat(500_000);
    for (let n = 0; n < 40; n += 1) write({ do: 'make', fields: { kind: n, text } });
    const pipeline = [{ group: { id: '$kind', text: { $first: '$text' } } }, { project: { id: 1, none: 1 } }];
    for (let times = 0; times < 4; times += 1) {
      collection.update(ids[0] ?? '', { value: times });
      const page = await read(aggregates, pipeline);
      if (typeof page === 'string') throw new Error(page);
      expect(page.plan.way).toBe('everything');
      expect(page.documents.ids).toHaveLength(40);
    }
  });

  test('looks at all documents while some that have ended are there', async () => {
    expect(await visitedAfter([5, 5, 5, 5], PIPELINES[0], {}, false)).toBe(40);
  });
});
