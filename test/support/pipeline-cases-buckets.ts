/** Cases of `bucket` and `bucketAuto`. The artists, and the numbers to 99, are the examples of MongoDB's manual. */
import {
  cases,
  date,
  decimal,
  fails,
  list,
  raw,
  refused,
  type PipelineCase,
  type Sent,
} from './pipeline-case.ts';

const ARTISTS = [
  ['Bernard', 1868],
  ['Rippl-Ronai', 1861],
  ['Ostroumova', 1871],
  ['Van Gogh', 1853],
  ['Maurer', 1868],
  ['Munch', 1863],
  ['Redon', 1840],
  ['Diriks', 1855],
].map(([name, born]) => ({ name, born }));

const decades = [1840, 1850, 1860, 1870, 1880];
const show = { project: { from: '$id', count: 1, names: 1 } };
const buckets = (argument: Sent): Sent[] => [{ bucket: argument }, show];

const fixed = [
  ...cases('bucket', ARTISTS, [
    [
      'counts what lies between its boundaries, the lower one included',
      buckets({ groupBy: '$born', boundaries: decades, default: 'Other' }),
      [
        { count: 1, from: 1840 },
        { count: 2, from: 1850 },
        { count: 4, from: 1860 },
        { count: 1, from: 1870 },
      ],
    ],
    [
      'accumulates',
      buckets({ groupBy: '$born', boundaries: decades, output: { names: { $push: '$name' } } }),
      [
        { names: ['Redon'], from: 1840 },
        { names: ['Van Gogh', 'Diriks'], from: 1850 },
        { names: ['Bernard', 'Rippl-Ronai', 'Maurer', 'Munch'], from: 1860 },
        { names: ['Ostroumova'], from: 1870 },
      ],
    ],
    [
      'leaves out what is empty, and puts the rest under the default, in its order',
      buckets({ groupBy: '$born', boundaries: [1830, 1840, 1860], default: 0 }),
      list({ count: 5, from: 0 }, { count: 3, from: 1840 }),
    ],
    [
      'a default of another kind comes where it sorts',
      buckets({ groupBy: '$born', boundaries: [1830, 1860], default: 'Other' }),
      list({ count: 3, from: 1830 }, { count: 5, from: 'Other' }),
    ],
    [
      'null may be the default',
      buckets({ groupBy: '$born', boundaries: [1830, 1860], default: null }),
      list({ count: 5, from: null }, { count: 3, from: 1830 }),
    ],
    [
      'what is outside fails without a default',
      buckets({ groupBy: '$born', boundaries: [1830, 1860] }),
      fails(),
    ],
    [
      'by parameters',
      buckets({ groupBy: { $add: ['$born', 0] }, boundaries: '$$parameters.limits', default: -1 }),
      list({ count: 7, from: -1 }, { count: 1, from: 1870 }),
      { limits: [1870, 1880] },
    ],
    [
      'boundaries may be computed',
      buckets({ groupBy: '$born', boundaries: [{ $add: [1800, 60] }, 1900], default: 'before' }),
      list({ count: 5, from: 1860 }, { count: 3, from: 'before' }),
    ],
  ]),
  ...cases(
    'bucket',
    [
      { v: 1.5 },
      { v: decimal('2') },
      { v: raw('2.0') },
      { v: date('2020-05-05') },
      { v: date('2021-05-05') },
      { v: 'text' },
      { v: null },
      { v: [1, 2] },
      {},
    ],
    [
      [
        'numbers of all kinds are beside each other, and all else is outside',
        buckets({ groupBy: '$v', boundaries: [1, 2, 3], default: 'rest' }),
        list({ count: 1, from: 1 }, { count: 2, from: 2 }, { count: 6, from: 'rest' }),
      ],
      [
        'dates',
        buckets({ groupBy: '$v', boundaries: [date('2020-01-01'), date('2021-01-01')], default: 'rest' }),
        list({ count: 8, from: 'rest' }, { count: 1, from: '2020-01-01T00:00:00.000Z' }),
      ],
    ],
  ),
  ...cases('bucket', ARTISTS, [
    ['takes an object', [{ bucket: '$born' }], refused('/pipeline/0/bucket')],
    ['needs groupBy', [{ bucket: { boundaries: decades } }], refused('/pipeline/0/bucket')],
    ['needs boundaries', [{ bucket: { groupBy: '$born' } }], refused('/pipeline/0/bucket')],
    [
      'groupBy is no constant',
      [{ bucket: { groupBy: 'born', boundaries: decades } }],
      refused('/pipeline/0/bucket/groupBy'),
    ],
    [
      'knows nothing else',
      [{ bucket: { groupBy: '$born', boundaries: decades, rest: 1 } }],
      refused('/pipeline/0/bucket/rest'),
    ],
    [
      'two boundaries at least',
      [{ bucket: { groupBy: '$born', boundaries: [1840] } }],
      refused('/pipeline/0/bucket/boundaries'),
    ],
    [
      'boundaries ascend',
      [{ bucket: { groupBy: '$born', boundaries: [1840, 1850, 1850] } }],
      refused('/pipeline/0/bucket/boundaries/2'),
    ],
    [
      'boundaries are of one kind',
      [{ bucket: { groupBy: '$born', boundaries: [1840, '1850'] } }],
      refused('/pipeline/0/bucket/boundaries/1'),
    ],
    [
      'boundaries depend on no document',
      [{ bucket: { groupBy: '$born', boundaries: [0, '$born'] } }],
      refused('/pipeline/0/bucket/boundaries'),
    ],
    [
      'the default lies outside',
      [{ bucket: { groupBy: '$born', boundaries: decades, default: 1850 } }],
      refused('/pipeline/0/bucket/default'),
    ],
    [
      'output holds accumulators',
      [{ bucket: { groupBy: '$born', boundaries: decades, output: { n: '$name' } } }],
      refused('/pipeline/0/bucket/output/n'),
    ],
    [
      'output holds accumulators that there are',
      [{ bucket: { groupBy: '$born', boundaries: decades, output: { n: { $summ: 1 } } } }],
      refused('/pipeline/0/bucket/output/n/$summ'),
    ],
    [
      'output makes no id',
      [{ bucket: { groupBy: '$born', boundaries: decades, output: { id: { $sum: 1 } } } }],
      refused('/pipeline/0/bucket/output/id'),
    ],
    ["is not under MongoDB's name", [{ $bucket: {} }], refused('/pipeline/0/$bucket')],
  ]),
];

const HUNDRED = Array.from({ length: 100 }, (_, n) => ({ n: (n * 37) % 100 }));

/** Rows of lower boundary, upper boundary, count. */
const ranges = (...rows: readonly (readonly [Sent, Sent, number])[]) =>
  rows.map(([min, max, count]) => ({ count, range: { min, max } }));
const auto = (argument: Readonly<Record<string, Sent>>): Sent[] => [
  { bucketAuto: { groupBy: '$n', ...argument } },
  { project: { count: 1, all: 1, range: '$id' } },
];
const real = (integer: number) => raw(`${integer}.0`);

const automatic = [
  ...cases('bucketAuto', HUNDRED, [
    [
      'makes buckets of as many documents each; the last one has its greatest value',
      auto({ buckets: 5 }),
      ranges([0, 20, 20], [20, 40, 20], [40, 60, 20], [60, 80, 20], [80, 99, 20]),
    ],
    [
      'by a series of Renard',
      auto({ buckets: 5, granularity: 'R20' }),
      ranges(
        [0, real(20), 20],
        [real(20), real(40), 20],
        [real(40), real(63), 23],
        [real(63), real(90), 27],
        [real(90), real(100), 10],
      ),
    ],
    [
      'by the series 1-2-5',
      auto({ buckets: 5, granularity: '1-2-5' }),
      ranges([0, real(20), 20], [real(20), real(50), 30], [real(50), real(100), 50]),
    ],
    [
      'by powers of two',
      auto({ buckets: 5, granularity: 'POWERSOF2' }),
      ranges([0, 32, 32], [32, 64, 32], [64, 128, 36]),
    ],
    [
      'by parameters',
      auto({ buckets: '$$parameters.n', granularity: '$$parameters.by' }),
      ranges([0, 64, 64], [64, 128, 36]),
      { n: 2, by: 'POWERSOF2' },
    ],
  ]),
  ...cases(
    'bucketAuto',
    [{ n: 2 }, { n: 1 }, { n: 2 }, { n: null }, {}, { n: 'x' }, { n: 2 }],
    [
      [
        'never parts equal values; what is missing stands with null',
        auto({ buckets: 5, output: { all: { $push: '$n' } } }),
        [
          { all: [null], range: { min: null, max: 1 } },
          { all: [1], range: { min: 1, max: 2 } },
          { all: [2, 2, 2], range: { min: 2, max: 'x' } },
          { all: ['x'], range: { min: 'x', max: 'x' } },
        ],
      ],
      ['one bucket', auto({ buckets: 1 }), ranges([null, 'x', 7])],
      ['a granularity is for numbers', auto({ buckets: 2, granularity: 'R5' }), fails()],
    ],
  ),
  ...cases('bucketAuto', [], [['of nothing makes none', auto({ buckets: 3 }), []]]),
  ...cases(
    'bucketAuto',
    [{ n: -1 }],
    [['a granularity is for no negative ones', auto({ buckets: 2, granularity: 'R5' }), fails()]],
  ),
  ...cases(
    'bucketAuto',
    [{ n: 0 }, { n: 0 }, { n: 5 }, { n: 9 }],
    [
      [
        'zeros end where the next bucket begins',
        auto({ buckets: 2, granularity: 'POWERSOF2' }),
        ranges([0, 4, 2], [4, 16, 2]),
      ],
      ['by a series, too', auto({ buckets: 2, granularity: 'E6' }), ranges([0, 4.7, 2], [4.7, real(10), 2])],
    ],
  ),
  ...cases(
    'bucketAuto',
    [{ n: decimal('0.8') }, { n: decimal('24.0') }, { n: decimal('2.5') }],
    [
      [
        'boundaries between decimals are decimals',
        auto({ buckets: 3, granularity: 'E12' }),
        ranges([0.68, 0.82, 1], [0.82, 2.7, 1], [2.7, 27, 1]),
      ],
    ],
  ),
  ...cases('bucketAuto', HUNDRED, [
    ['needs buckets', auto({}), refused('/pipeline/0/bucketAuto')],
    ['needs groupBy', [{ bucketAuto: { buckets: 2 } }], refused('/pipeline/0/bucketAuto')],
    ['buckets are above zero', auto({ buckets: 0 }), refused('/pipeline/0/bucketAuto/buckets')],
    ['buckets are whole', auto({ buckets: 1.5 }), refused('/pipeline/0/bucketAuto/buckets')],
    [
      'knows its granularities',
      auto({ buckets: 2, granularity: 'E7' }),
      refused('/pipeline/0/bucketAuto/granularity'),
    ],
    [
      'knows nothing else',
      auto({ buckets: 2, boundaries: [1] }),
      refused('/pipeline/0/bucketAuto/boundaries'),
    ],
    ['output is an object', auto({ buckets: 2, output: [] }), refused('/pipeline/0/bucketAuto/output')],
  ]),
];

export const BUCKET_CASES: readonly PipelineCase[] = [...fixed, ...automatic];
