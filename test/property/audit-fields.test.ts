/** Filters and sorts on `$creator`, `$created`, `$updated` against a naive evaluation: any indexes, paged or whole. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Link } from '../../src/domain/documents.ts';
import { storedId } from '../../src/domain/ids.ts';
import { CORE } from '../../src/domain/types.ts';
import { ObjectId, type Fields, type Value } from '../../src/domain/values/values.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import { conditionOf } from '../support/conditions.ts';
import { matches, type Filter } from '../support/filter-oracle.ts';
import { textOf } from '../support/filter-arbitraries.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { compareDocuments } from '../support/sorting.ts';
import { scaled } from '../support/long.ts';

const IDS = ['0', '1', '2'].map((digit) => digit.repeat(24));
const INDEXED = ['$creator.id', '$created', '$updated', 'n'];

const creator: fc.Arbitrary<Link | null> = fc.option(
  fc.record({
    type: fc.constantFrom(CORE.user, CORE.externalUser),
    id: fc.constantFrom(...IDS).map(storedId),
  }),
  { freq: 3 },
);

const anyStored = fc.record({
  creator,
  created: fc.integer({ min: 1, max: 4 }),
  n: fc.integer({ min: 0, max: 2 }),
  /** What becomes of it before and after the indexes are built. */
  fate: fc.constantFrom('stays', 'changes before', 'changes after', 'is old', 'goes', 'comes later'),
});

const operand: fc.Arbitrary<Value> = fc.oneof(
  fc.integer({ min: 0, max: 5 }).map((at) => new Date(at)),
  fc.constantFrom(...IDS).map((id) => new ObjectId(storedId(id))),
  fc.constantFrom(null, new Date(Date.now() - 86_400_000), 2, CORE.user, IDS[1] ?? ''),
);

const leaf: fc.Arbitrary<Filter> = fc
  .tuple(
    fc.constantFrom('$created', '$updated', '$creator.id', '$creator.type', '$creator', '$created.x', 'n'),
    fc.oneof(
      fc.tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), operand),
      fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(operand, { minLength: 1, maxLength: 3 })),
      fc.tuple(fc.constant('$exists'), fc.boolean()),
      fc.tuple(fc.constant('$type'), fc.constantFrom('date', 'null', 'objectId', 'string', 'object')),
    ),
  )
  .map(([path, [operator, value]]) => ({ [path]: { [operator]: value } }));

const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
      .map(([operator, list]) => ({ [operator]: list })),
  ),
})).filter;

const sort: fc.Arbitrary<readonly SortField[]> = fc
  .uniqueArray(fc.constantFrom('$created', '$updated', '$creator.id', '$creator.type', 'n'), { maxLength: 2 })
  .chain((paths) =>
    fc.tuple(
      ...paths.map((path) =>
        fc.record({
          path: fc.constant(path.split('.')),
          direction: fc.constantFrom('ascending' as const, 'descending' as const),
        }),
      ),
    ),
  );

type Stored = typeof anyStored extends fc.Arbitrary<infer T> ? T : never;

/** A collection with the documents in their states, and what filters see of each. */
function store(
  kept: readonly Stored[],
  indexed: readonly string[],
): [LocalCollection, ReadonlyMap<string, Fields>] {
  const collection = new LocalCollection();
  const create = ({ creator: by, created, n }: Stored) => collection.create({ n }, [], by, created);
  const ids = kept.map((each) => (each.fate === 'comes later' ? null : create(each)));
  const each = (fate: Stored['fate'], act: (id: string) => void) => {
    for (const [at, id] of ids.entries()) if (id !== null && kept[at]?.fate === fate) act(id);
  };
  each('is old', (id) => {
    collection.forgetAuditFields(id);
  });
  each('changes before', (id) => {
    collection.update(id, { changed: true });
  });
  for (const path of indexed) collection.learn(path);
  collection.build();
  each('changes after', (id) => {
    collection.update(id, { changed: true });
  });
  each('goes', (id) => {
    collection.remove(id);
  });
  const late = kept.filter(({ fate }) => fate === 'comes later').map(create);
  const there = ids.filter((id, at) => id !== null && kept[at]?.fate !== 'goes').concat(late);
  return [collection, new Map(there.flatMap((id) => (id === null ? [] : [[id, collection.flat(id)]])))];
}

describe('a search by what the service knows', () => {
  test('finds what a naive evaluation finds, in its order, whole and by cursor', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStored, { minLength: 1, maxLength: 12 }),
        fc.subarray(INDEXED),
        fc.array(fc.tuple(filter, sort), { minLength: 1, maxLength: 4 }),
        async (kept, indexed, searches) => {
          const [collection, documents] = store(kept, indexed);
          for (const [asked, order] of searches) {
            const expected = [...documents]
              .filter(([, document]) => matches(document, asked))
              .sort(([one, a], [other, b]) => compareDocuments(order)(a, b) || (one < other ? -1 : 1))
              .map(([id]) => id);
            const condition = conditionOf(textOf(asked));
            const whole = await collection.list(condition, { offset: 0, limit: 100 }, { sort: order });
            expect(whole.documents.map(({ id }) => id)).toEqual(expected);
            expect(whole.total).toBe(expected.length);
            const paged: string[] = [];
            let after: string | null = null;
            for (let more = true; more;) {
              const page = await collection.list(condition, { after, limit: 2 }, { sort: order });
              paged.push(...page.documents.map(({ id }) => id));
              ({ more, next: after } = page);
            }
            expect(paged).toEqual(expected);
          }
          collection.close();
        },
      ),
      { numRuns: scaled(120) },
    );
  });

  test('has an index learned for each of the paths that documents have', () => {
    const collection = new LocalCollection();
    const by = { type: CORE.user, id: storedId(IDS[1] ?? '') };
    for (let at = 0; at < 3; at += 1) collection.create({ n: at }, [], by, at);
    for (const path of INDEXED) collection.learn(path);
    collection.build();
    expect(collection.indexes(INDEXED)).toEqual(INDEXED);
    collection.close();
  });
});
