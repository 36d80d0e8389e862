/**
 * The law of cursors: whatever is written between two pages, each document that stays as it is, and may be read all
 * the time, is met exactly once; and no page fails because the document before it has gone.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import type { Fields } from '../../src/domain/values/values.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { scaled } from '../support/long.ts';

const READER = 'core.user/u';
const fields: fc.Arbitrary<Fields> = fc.record({
  n: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null), fc.constantFrom('a', 'b')),
  tags: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
});

/** A write between two pages; `at` picks a document. */
const write = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), fields }),
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(), fields }),
  // The last document shown is the one that a cursor stands at.
  fc.record({
    kind: fc.constantFrom('remove' as const, 'hide' as const),
    at: fc.oneof(fc.nat(), fc.constant(-1)),
  }),
);
const path = fc.constantFrom('n', 'tags', 'id');
const sort = fc
  .uniqueArray(path, { maxLength: 2 })
  .chain((paths) =>
    fc.tuple(
      ...paths.map((each) =>
        fc
          .constantFrom('ascending' as const, 'descending' as const)
          .map((direction): SortField => ({ path: [each], direction })),
      ),
    ),
  );

test('each document that stays as it is comes once', async () => {
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields, { minLength: 1, maxLength: 30 }),
      fc.array(fc.array(write, { maxLength: 3 }), { maxLength: 12 }),
      sort,
      fc.constantFrom('{}', '{"n":{"$ne":1}}', '{"tags":{"$in":[0,1]}}'),
      fc.constantFrom(null, [READER]),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (documents, writes, order, filter, viewer, limit, indexed) => {
        const collection = new LocalCollection();
        if (indexed) for (const name of ['n', 'tags']) collection.learn(name);
        const ids = documents.map((each) => collection.create(each, [READER]));
        collection.build();
        const condition = conditionOf(filter);
        const list = async (after: string | null, size: number) =>
          collection.list(condition, { after, limit: size }, { sort: order, viewer });
        const before = (await list(null, 1000)).documents.map(({ id }) => id);
        const touched = new Set<string>();
        const gone = new Set<string>();
        const visited: string[] = [];
        const turns = writes[Symbol.iterator]();
        let next: string | null = null;
        for (let more = true; more;) {
          const page = await list(next, limit);
          visited.push(...page.documents.map(({ id }) => id));
          ({ more, next } = page);
          for (const each of turns.next().value ?? []) {
            if (each.kind === 'create') {
              touched.add(collection.create(each.fields, [READER]));
              continue;
            }
            const id = each.at < 0 ? (visited.at(-1) ?? '') : (ids[each.at % ids.length] ?? '');
            if (id === '' || gone.has(id)) continue;
            touched.add(id);
            moved += 1;
            if (each.kind === 'change') collection.update(id, each.fields);
            else if (each.kind === 'hide') collection.share(id, []);
            else {
              gone.add(id);
              collection.remove(id);
            }
          }
        }
        const stayed = (some: readonly string[]) => some.filter((id) => !touched.has(id));
        expect(stayed(visited)).toEqual(stayed(before));
        collection.close();
      },
    ),
    { numRuns: scaled(300) },
  );
  // The property says nothing of cursors if nothing was written behind them.
  expect(moved).toBeGreaterThan(scaled(100));
});
