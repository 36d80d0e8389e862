/**
 * Whatever way a search takes, its answer is that of the matcher alone over everything: on random collections, with
 * indexes that exist, are half built, or are absent, for random filters, orders, pages and viewers, counts included,
 * also by what the service knows of documents (`$creator`, `$created`, `$updated`). The measures by which ways are
 * chosen are small here, so that small collections see all of them.
 */
import fc from '../support/fast-check.ts';
import { afterAll, expect, test } from 'vitest';
import type { ListPage } from '../../src/collection/rpc/results.ts';
import type { Tuning } from '../../src/collection/search/tuning.ts';
import { LARGE } from '../../src/collection/storage/documents/documents.ts';
import { storedId } from '../../src/domain/ids.ts';
import { CORE } from '../../src/domain/types.ts';
import { ObjectId, type Fields, type Value } from '../../src/domain/values/values.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { bySortFields } from '../../src/query/order/ordering.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import { anyFilter, anyValue, isValid, textOf } from '../support/filter-arbitraries.ts';
import { LocalCollection, type Found } from '../support/local-collection.ts';
import { scaled } from '../support/long.ts';

const READERS = ['core.user/u', 'core.user/v', '*', 'core.user-group/1', 'core.user-group/2'] as const;
/** No body holds those behind the first seven: what would be learned of some must not be believed. */
const PATHS = [
  ...['a', 'b', 'a.b', 'n', 'm', 'b.0', 'author.id'],
  ...['id', 'type', 'id.x', 'type.y', '$creator.id', '$created', '$updated'],
];
const IDS = ['0', '1', '2'].map((digit) => storedId(digit.repeat(24)));

const small = fc.constantFrom(1, 3, 10, 1000);
const tuning: fc.Arbitrary<Tuning> = fc.record({
  small,
  few: small,
  mostListed: small,
  worthwhileShare: fc.constantFrom(0, 0.3, 1),
  walkedKeys: fc.constantFrom(1, 3, 1000),
  documentsInStep: fc.constantFrom(1, 7, 1000),
  bytesInStep: fc.constant(1_000_000_000),
  segmentsInStep: fc.constant(1),
  decodedInStep: fc.constantFrom(1, 5, 1000),
});

/** Fields that nest and mix kinds, and two that are plain, as most are. */
const document = fc
  .record(
    {
      a: anyValue(3),
      b: anyValue(2),
      n: fc.integer({ min: 0, max: 4 }),
      m: fc.constantFrom('x', 'y', 'xy'),
      // Few documents are large: those are read by themselves.
      pad: fc.nat(12).map((one) => (one === 0 ? 'x'.repeat(LARGE) : '')),
      author: fc.constantFrom(...IDS).map((id): Fields => ({ type: 'people', id: new ObjectId(id) })),
    },
    { requiredKeys: ['n'] },
  )
  .map((fields): Fields => ({ ...fields }));
const user = fc.record({ type: fc.constantFrom(CORE.user, CORE.externalUser), id: fc.constantFrom(...IDS) });
const stored = fc.record({
  fields: document,
  readers: fc.subarray([...READERS]),
  creator: fc.option(user, { freq: 3 }),
  created: fc.integer({ min: 1, max: 4 }),
  fate: fc.constantFrom('stays', 'stays', 'changes', 'is of a former release'),
});
type Stored = typeof stored extends fc.Arbitrary<infer T> ? T : never;

const bound = fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq', '$ne');
const plain = fc.oneof(
  fc.record({ n: fc.integer({ min: 0, max: 4 }) }),
  fc
    .tuple(bound, bound, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
    .map(([one, other, from, to]) => ({ n: { [one]: from, [other]: to } })),
  fc.record({ m: fc.constantFrom<unknown>('x', { $regex: '^x' }, { $in: ['y', 'z'] }, { $gte: 'xy' }) }),
  fc.record({ 'author.id': fc.constantFrom<unknown>({ $oid: IDS[1] }, null, { $ne: null }) }),
);
/** `#3` stands for the id of the third document. */
const someId = fc.nat(12).map((at) => ({ $oid: `#${at}` }));
const own = fc.oneof(
  fc.record({
    id: fc.oneof(someId, fc.constantFrom<unknown>('x', null, 5, { $exists: true }, { $type: 'objectId' })),
  }),
  fc.record({ id: fc.dictionary(bound, someId, { minKeys: 1, maxKeys: 2, noNullPrototype: true }) }),
  fc.array(fc.oneof(someId, fc.constant('x')), { maxLength: 4 }).map(($in) => ({ id: { $in } })),
  fc.record({
    type: fc.oneof(
      fc.constantFrom('place', 'x', null),
      fc.constantFrom<object>({ $gte: 'place' }, { $regex: '^pl' }, { $ne: 'place' }, { $lt: 5 }),
    ),
  }),
  fc.constantFrom({ 'id.x': null }, { 'type.y': { $exists: true } }, { 'id.0': 1 }),
);
const operand: fc.Arbitrary<Value> = fc.oneof(
  fc.integer({ min: 0, max: 5 }).map((at) => new Date(at)),
  fc.constantFrom(...IDS).map((id) => new ObjectId(id)),
  fc.constantFrom(null, new Date(Date.now() - 86_400_000), 2, CORE.user, IDS[1] ?? ''),
);
const audited = fc
  .tuple(
    fc.constantFrom('$created', '$updated', '$creator.id', '$creator.type', '$creator', '$created.x'),
    fc.oneof(
      fc.tuple(bound, operand),
      fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(operand, { minLength: 1, maxLength: 3 })),
      fc.tuple(fc.constant('$exists'), fc.boolean()),
      fc.tuple(fc.constant('$type'), fc.constantFrom('date', 'null', 'objectId', 'string', 'object')),
    ),
  )
  .map(([path, [operator, value]]) => ({ [path]: { [operator]: value } }));
const filter = fc.oneof(
  fc.constant({}),
  plain,
  anyFilter(1).filter(isValid),
  fc.tuple(plain, anyFilter(0).filter(isValid)).map((both) => ({ $and: both })),
  fc.tuple(plain, plain).map((either) => ({ $or: either })),
  { weight: 2, arbitrary: own },
  { weight: 2, arbitrary: audited },
  fc
    .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.oneof(own, plain, audited), fc.oneof(own, audited))
    .map(([name, one, other]) => ({ [name]: [one, other] })),
);
const sort = fc.oneof(
  fc.constant<readonly SortField[]>([]),
  fc.uniqueArray(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 2 }).chain((paths) =>
    fc.tuple(
      ...paths.map((path) =>
        fc.record<SortField>({
          path: fc.constant(path.split('.')),
          direction: fc.constantFrom('ascending', 'descending'),
        }),
      ),
    ),
  ),
);
const viewer = fc.constantFrom(
  null,
  ['*'],
  ['*', 'core.user/u'],
  ['core.user/u', 'core.user/v', '*'],
  ['nobody'],
  // Somebody in so many groups that rights are asked in another way.
  [...Array.from({ length: 40 }, (_, index) => `core.user-group/${index}`), 'core.user/u'],
);
const indexes = fc.subarray([...PATHS]).chain((names) =>
  fc.record({
    names: fc.constant(names),
    steps: fc.constantFrom(0, 1, 2, Infinity, Infinity, Infinity),
    after: fc.nat(20),
  }),
);

interface Known {
  readonly id: string;
  /** As a filter sees it. */
  readonly document: Fields;
  readonly readers: readonly string[];
}

function create(collection: LocalCollection, { fields, readers, creator: by, created }: Stored): Known {
  const id = collection.create(fields, readers, by, created);
  return { id, document: collection.flat(id), readers };
}

/** What the matcher alone says, over everything. */
function expected(
  known: readonly Known[],
  condition: Condition,
  order: readonly SortField[],
  who: readonly string[] | null,
): readonly string[] {
  const matches = compileMatcher(condition);
  const ordering = bySortFields(order);
  return known
    .filter(({ readers }) => who === null || readers.some((reader) => who.includes(reader)))
    .filter(({ document: each }) => matches(each))
    .map(({ id, document: each }) => ({ id, key: ordering.keyOf(each) }))
    .sort((one, other) => ordering.compare(one.key, other.key) || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id);
}

const idsOf = ({ documents }: Found): readonly string[] => documents.map(({ id }) => id);

const collections: LocalCollection[] = [];
afterAll(() => {
  for (const each of collections) each.close();
});

const ways = { indexed: 0, scanned: 0, decoded: 0 };

test('a planned answer is that of the matcher alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stored, { minLength: 1, maxLength: 40 }),
      indexes,
      fc.array(
        fc.record({
          filter,
          sort,
          viewer,
          tuning,
          offset: fc.nat(12),
          limit: fc.integer({ min: 1, max: 8 }),
        }),
        { minLength: 4, maxLength: 8 },
      ),
      async (all, { names, steps, after }, searches) => {
        const collection = new LocalCollection({ entries: 2 });
        collections.push(collection);
        // Some documents come before the indexes are learned, some while they are built.
        const made = all.slice(0, after).map((each) => create(collection, each));
        for (const [at, { id }] of made.entries())
          if (all[at]?.fate === 'is of a former release') collection.forgetAuditFields(id);
        for (const name of names) collection.learn(name);
        collection.build(steps);
        made.push(...all.slice(after).map((each) => create(collection, each)));
        const known = made.map(({ id, readers }, at): Known => {
          if (all[at]?.fate === 'changes') collection.update(id, { changed: true });
          return { id, document: collection.flat(id), readers };
        });
        for (const search of searches) {
          const text = textOf(search.filter).replace(
            /#(\d+)/g,
            (_, at) => known[Number(at) % known.length]?.id ?? '',
          );
          const parsed = parseFilter([{ field: null, text }]);
          if (!parsed.ok) continue;
          const ids = expected(known, parsed.value, search.sort, search.viewer);
          const list = async (page: ListPage): Promise<Found> => {
            const result = await collection.list(parsed.value, page, search);
            expect(result.total).toBe(page.counted === false ? null : ids.length);
            ways.indexed += Number(result.plan.used.length > 0);
            ways.scanned += Number(result.plan.scan);
            ways.decoded += result.plan.decoded;
            return result;
          };
          const { offset, limit } = search;
          const uncounted = await list({ offset, limit, counted: false });
          expect(idsOf(uncounted)).toEqual(ids.slice(offset, offset + limit));
          expect(uncounted.more).toBe(ids.length > offset + limit);
          const visit = async (counted: boolean): Promise<readonly string[]> => {
            const visited: string[] = [];
            for (let next: string | null = null, more = true; more;) {
              const page = await list({ after: next, limit, counted });
              visited.push(...idsOf(page));
              ({ next, more } = page);
            }
            return visited;
          };
          expect(await visit(false)).toEqual(ids);
          expect(idsOf(await list({ offset, limit }))).toEqual(ids.slice(offset, offset + limit));
          // Again, when the count is known.
          expect(idsOf(await list({ offset, limit }))).toEqual(ids.slice(offset, offset + limit));
          expect(await visit(true)).toEqual(ids);
        }
        collection.close();
        collections.pop();
      },
    ),
    { numRuns: scaled(250) },
  );
  // The property says nothing unless searches took all ways.
  expect(Math.min(ways.indexed, ways.scanned, ways.decoded)).toBeGreaterThan(scaled(100));
});

const some = fc.oneof(fc.nat(), fc.constant(0));
/** What others do while a search pauses, and between pages; `at` picks a document. */
const write = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), stored }),
  fc.record({ kind: fc.constant('change' as const), at: some, fields: document }),
  fc.record({ kind: fc.constant('share' as const), at: some, readers: fc.subarray([...READERS]) }),
  fc.record({ kind: fc.constant('remove' as const), at: some }),
);

test('while others write, what stays is met once, and what is answered matches', async () => {
  let writes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(stored, { minLength: 5, maxLength: 40 }),
      indexes,
      fc.record({ filter, sort, viewer, tuning, limit: fc.integer({ min: 1, max: 8 }) }),
      fc.array(write, { maxLength: 30 }),
      async (all, { names, steps }, search, planned) => {
        const parsed = parseFilter([{ field: null, text: textOf(search.filter) }]);
        if (!parsed.ok) return;
        const collection = new LocalCollection({ entries: 2 });
        const known = new Map<string, Known>();
        const touched = new Set<string>();
        const visited: string[] = [];
        const add = (each: Stored): string => {
          const made = create(collection, each);
          known.set(made.id, made);
          return made.id;
        };
        all.forEach(add);
        for (const name of names) collection.learn(name);
        collection.build(steps);
        const right = () => expected([...known.values()], parsed.value, search.sort, search.viewer);
        const before = right();
        const queue = [...planned];
        const pause = () => {
          const next = queue.shift();
          if (next === undefined) return;
          writes += 1;
          if (next.kind === 'create') {
            touched.add(add(next.stored));
            return;
          }
          // A cursor stands at the last document shown.
          const last = known.get(visited.at(-1) ?? '');
          const target = next.at === 0 ? last : [...known.values()][next.at % Math.max(1, known.size)];
          if (target === undefined) return;
          const { id } = target;
          touched.add(id);
          if (next.kind === 'change') {
            collection.update(id, next.fields);
            known.set(id, { ...target, document: collection.flat(id) });
          } else if (next.kind === 'share') {
            collection.share(id, next.readers);
            known.set(id, { ...target, readers: next.readers });
          } else {
            collection.remove(id);
            known.delete(id);
          }
        };
        for (let next: string | null = null, more = true; more;) {
          const page = await collection.list(
            parsed.value,
            { after: next, limit: search.limit },
            { ...search, pause },
          );
          const ids = idsOf(page);
          const now = new Set(right());
          expect(ids.filter((id) => !now.has(id))).toEqual([]);
          visited.push(...ids);
          ({ next, more } = page);
          pause();
        }
        const stayed = (ids: readonly string[]) => ids.filter((id) => !touched.has(id));
        expect(stayed(visited)).toEqual(stayed(before));
        // Nothing that was counted on the way is taken for the count of now.
        const { total } = await collection.list(parsed.value, { offset: 0, limit: 1 }, search);
        expect(total).toBe(right().length);
        collection.close();
      },
    ),
    { numRuns: scaled(600) },
  );
  expect(writes).toBeGreaterThan(scaled(500));
});
