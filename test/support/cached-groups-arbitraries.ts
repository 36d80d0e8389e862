/** Pipelines of which groups are kept, or are not, and what is done to the documents that they are made of. */
import { Decimal, Double, Long, type Fields, type Value } from '../../src/domain/values/values.ts';
import { nameOfColumns } from '../../src/query/index/columns.ts';
import fc from './fast-check.ts';

export const EXTENTS = { part: 4, segment: 16 };

/** Every accumulator of which groups are kept. */
export const ALL = {
  n: { $sum: 1 },
  count: { $count: {} },
  sum: { $sum: '$value' },
  mean: { $avg: '$value' },
  least: { $min: '$value' },
  most: { $max: '$value' },
  first: { $first: '$value' },
  last: { $last: '$value' },
  all: { $push: '$value' },
  some: { $addToSet: '$value' },
};

export const PIPELINES: readonly unknown[] = [
  [{ group: { id: '$kind', ...ALL } }],
  [{ group: { id: null, ...ALL } }],
  [{ filter: { value: { $gt: 0 } } }, { group: { id: '$kind', ...ALL } }, { sort: '-sum' }, { limit: 2 }],
  [
    { project: { kind: { $ifNull: ['$kind', 'none'] }, value: '$tags' } },
    { unwind: '$value' },
    { filter: { value: { $ne: 'x' } } },
    { group: { id: { $concat: ['$kind', '!'] }, ...ALL } },
  ],
  [{ unwind: '$tags' }, { group: { id: '$tags', ...ALL } }, { project: { sum: 1, n: { $add: ['$n', 1] } } }],
  [
    { group: { id: '$kind', ...ALL } },
    { group: { id: null, kinds: { $push: '$id' }, total: { $sum: '$sum' } } },
  ],
  // These are made by a run over all documents each time.
  [{ sort: '-value' }, { group: { id: '$kind', ...ALL } }],
  [{ limit: 5 }, { group: { id: '$kind', ...ALL } }],
  [{ group: { id: '$kind', deviation: { $stdDevPop: '$value' } } }],
  // This one fails on some documents.
  [{ group: { id: '$kind', all: { $push: { $divide: [1, '$value'] } } } }],
];

/** Indexes of what some of these read. */
export const COLUMNS = [['kind', 'value'], ['value'], ['tags', 'value']].map(
  (names) => nameOfColumns(names) ?? '',
);

const kind = fc.constantFrom<Value>('a', 'b', 1, new Double(1), new Decimal('1.0'), null, 'null');
const PLAIN: readonly Value[] = [0.1, 0.2, -0.3, 'x', null, new Date(5), new Double(1e16), new Double(-1e16)];
const value = fc.oneof(
  { weight: 20, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }) },
  { weight: 20, arbitrary: fc.integer({ min: -3, max: 9 }) },
  { weight: 20, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 10, arbitrary: fc.constantFrom<Value>(new Long(9007199254740993n), new Decimal('0.10')) },
  // Sums with these depend on their order.
  {
    weight: 1,
    arbitrary: fc.constantFrom<Value>(
      new Double(1e300),
      new Decimal('1E+300'),
      new Decimal('-1E+300'),
      new Decimal('1E-300'),
    ),
  },
);
export const fields = fc
  .record(
    { kind, value, tags: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }) },
    { requiredKeys: [] },
  )
  .map((each): Fields => each);
export const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('make' as const), fields }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), at: fc.nat(), fields }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restart' as const), stored: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('build' as const), steps: fc.nat(6) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'store' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undone' as const), at: fc.nat(), fields }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('share' as const), at: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('read' as const), other: fc.nat(PIPELINES.length - 1) }),
  },
  { weight: 12, arbitrary: fc.constant({ do: 'read' as const, other: null }) },
);
export type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
