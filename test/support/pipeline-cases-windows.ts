/** Cases of `setWindowFields` and its functions. The sales, the stocks and the trucks are examples of MongoDB's manual. */
import { cases, date, decimal, long, raw, type PipelineCase, type Row, type Sent } from './pipeline-case.ts';

const SALES = [
  { n: 0, date: date('2020-05-18T14:10:30Z'), state: 'CA', price: 13, quantity: 120 },
  { n: 1, date: date('2021-03-20T11:30:05Z'), state: 'WA', price: 14, quantity: 140 },
  { n: 2, date: date('2021-01-11T06:31:15Z'), state: 'CA', price: 12, quantity: 145 },
  { n: 3, date: date('2020-02-08T13:13:23Z'), state: 'WA', price: 13, quantity: 104 },
  { n: 4, date: date('2019-05-18T16:09:01Z'), state: 'CA', price: 41, quantity: 162 },
  { n: 5, date: date('2019-01-08T06:12:03Z'), state: 'WA', price: 43, quantity: 134 },
];

/** A stage with one field `v`, and what comes out: the documents by `n`, each with its `v`. */
function windowed(
  behaviour: string,
  [partitionBy, sortBy]: readonly [Sent, Sent],
  v: Sent,
  expected: readonly (readonly [n: number, v: Sent])[],
  parameters?: Sent,
): Row {
  const given = {
    ...(partitionBy === null ? {} : { partitionBy }),
    ...(sortBy === null ? {} : { sortBy }),
    output: { v },
  };
  const rows = expected.map(([n, value]) => ({ n, v: value }));
  const pipeline = [{ setWindowFields: given }, { output: { attributes: ['n', 'v'] } }];
  return parameters === undefined ? [behaviour, pipeline, rows] : [behaviour, pipeline, rows, parameters];
}

const byDate: readonly [Sent, Sent] = ['$state', { date: 1 }];
const running = { documents: ['unbounded', 'current'] };

const sales = cases('setWindowFields', SALES, [
  windowed('sums so far, in each partition', byDate, { $sum: '$quantity', window: running }, [
    [4, 162],
    [0, 282],
    [2, 427],
    [5, 134],
    [3, 238],
    [1, 378],
  ]),
  windowed(
    'an average of two',
    [{ $year: '$date' }, 'date'],
    { $avg: '$quantity', window: { documents: [-1, 0] } },
    [
      [5, raw('134.0')],
      [4, raw('148.0')],
      [3, raw('104.0')],
      [0, raw('112.0')],
      [2, raw('145.0')],
      [1, 142.5],
    ],
  ),
  windowed(
    'all of the partition, without a window',
    [{ $year: '$date' }, { date: 1 }],
    { $max: '$quantity' },
    [
      [5, 162],
      [4, 162],
      [3, 120],
      [0, 120],
      [2, 145],
      [1, 145],
    ],
  ),
  windowed('a range of numbers', ['$state', 'price'], { $sum: '$quantity', window: { range: [-10, 10] } }, [
    [2, 265],
    [0, 265],
    [4, 162],
    [3, 244],
    [1, 244],
    [5, 134],
  ]),
  windowed(
    'a range of time that ends later',
    byDate,
    { $push: { $year: '$date' }, window: { range: ['unbounded', 10], unit: 'month' } },
    [
      [4, [2019]],
      [0, [2019, 2020, 2021]],
      [2, [2019, 2020, 2021]],
      [5, [2019]],
      [3, [2019, 2020]],
      [1, [2019, 2020, 2021]],
    ],
  ),
  windowed(
    'a range of time that ended before',
    byDate,
    { $push: { $year: '$date' }, window: { range: ['unbounded', -10], unit: 'month' } },
    [
      [4, []],
      [0, [2019]],
      [2, [2019]],
      [5, []],
      [3, [2019]],
      [1, [2019, 2020]],
    ],
  ),
  windowed('ranks', ['$state', '-quantity'], { $rank: {} }, [
    [4, 1],
    [2, 2],
    [0, 3],
    [1, 1],
    [5, 2],
    [3, 3],
  ]),
  windowed(
    'shifts forward',
    ['$state', { quantity: -1 }],
    { $shift: { output: '$quantity', by: 1, default: 'Not available' } },
    [
      [4, 145],
      [2, 120],
      [0, 'Not available'],
      [1, 134],
      [5, 104],
      [3, 'Not available'],
    ],
  ),
  windowed('shifts back', ['$state', { quantity: -1 }], { $shift: { output: '$quantity', by: -1 } }, [
    [4, null],
    [2, 162],
    [0, 145],
    [1, null],
    [5, 140],
    [3, 134],
  ]),
  windowed('covariances', byDate, { $covariancePop: [{ $year: '$date' }, '$quantity'], window: running }, [
    [4, raw('0.0')],
    [0, raw('-10.5')],
    [2, -5.666666666666671],
    [5, raw('0.0')],
    [3, raw('-7.5')],
    [1, raw('2.0')],
  ]),
  windowed(
    'covariances of samples',
    byDate,
    { $covarianceSamp: [{ $year: '$date' }, '$quantity'], window: running },
    [
      [4, null],
      [0, raw('-21.0')],
      [2, -8.500000000000007],
      [5, null],
      [3, raw('-15.0')],
      [1, raw('3.0')],
    ],
  ),
  windowed('deviations', byDate, { $stdDevPop: '$quantity', window: running }, [
    [4, raw('0.0')],
    [0, raw('21.0')],
    [2, 17.249798710580816],
    [5, raw('0.0')],
    [3, raw('15.0')],
    [1, 15.748015748023622],
  ]),
  windowed(
    'percentiles',
    byDate,
    {
      $percentile: { input: '$quantity', p: [0.5, 1], method: 'approximate' },
      window: { documents: [-1, 'current'] },
    },
    [
      [4, [raw('162.0'), raw('162.0')]],
      [0, [raw('120.0'), raw('162.0')]],
      [2, [raw('120.0'), raw('145.0')]],
      [5, [raw('134.0'), raw('134.0')]],
      [3, [raw('104.0'), raw('134.0')]],
      [1, [raw('104.0'), raw('140.0')]],
    ],
  ),
  windowed(
    'a median of what comes',
    byDate,
    {
      $median: { input: '$quantity', method: 'approximate' },
      window: { documents: ['current', 'unbounded'] },
    },
    [
      [4, raw('145.0')],
      [0, raw('120.0')],
      [2, raw('145.0')],
      [5, raw('134.0')],
      [3, raw('104.0')],
      [1, raw('140.0')],
    ],
  ),
  windowed(
    'the first and the last by other accumulators',
    byDate,
    { $topN: { n: 2, sortBy: '-quantity', output: '$n' }, window: running },
    [
      [4, [4]],
      [0, [4, 0]],
      [2, [4, 2]],
      [5, [5]],
      [3, [5, 3]],
      [1, [1, 5]],
    ],
  ),
  windowed(
    'by parameters, and without the sign',
    ['$$parameters.by', '$$parameters.order'],
    { sum: '$quantity', window: { documents: ['$$parameters.from', { $add: [0, 0] }] } },
    [
      [5, 134],
      [4, 296],
      [3, 266],
      [0, 224],
      [2, 265],
      [1, 285],
    ],
    { by: 'one', order: 'date', from: -1 },
  ),
  [
    'keeps what documents have, and sets fields inside of them',
    [
      { filter: { n: { $lt: 2 } } },
      {
        setWindowFields: {
          sortBy: 'n',
          output: { price: { $max: '$price' }, 'sums.all': { $sum: '$quantity' }, 'sums.n': { $count: {} } },
        },
      },
      { output: { attributes: ['n', 'price', 'quantity', 'sums'] } },
    ],
    [
      { n: 0, price: 14, quantity: 120, sums: { all: 260, n: 2 } },
      { n: 1, price: 14, quantity: 140, sums: { all: 260, n: 2 } },
    ],
  ],
  [
    'follows and is followed by other stages',
    [
      { setWindowFields: { partitionBy: '$state', sortBy: '-quantity', output: { rank: { $rank: {} } } } },
      { filter: { rank: 1 } },
      { project: { id: '$state', n: 1 } },
    ],
    [
      { id: 'CA', n: 4 },
      { id: 'WA', n: 1 },
    ],
  ],
]);

/** Documents `{n, x?}` in the order of `n`. */
const of = (...xs: readonly Sent[]) => xs.map((x, n) => (x === undefined ? { n } : { n, x }));
const inOrder: readonly [Sent, Sent] = [null, 'n'];
const numbered = (...values: readonly Sent[]) => values.map((value, n) => [n, value] as const);

const ties = cases('ranks', of(7, 9, 9, 10, null, undefined, [10, 12]), [
  windowed(
    'of equal ones are the same, and leave a gap; null and missing are equal',
    [null, '-x'],
    { $rank: {} },
    [
      [6, 1],
      [3, 2],
      [1, 3],
      [2, 3],
      [0, 5],
      [4, 6],
      [5, 6],
    ],
  ),
  windowed('of $denseRank leave no gap', [null, 'x'], { $denseRank: {} }, [
    [4, 1],
    [5, 1],
    [0, 2],
    [1, 3],
    [2, 3],
    [3, 4],
    [6, 4],
  ]),
  windowed('of $documentNumber are all different', [null, { x: 1, n: -1 }], { $documentNumber: {} }, [
    [5, 1],
    [4, 2],
    [0, 3],
    [2, 4],
    [1, 5],
    [6, 6],
    [3, 7],
  ]),
]);

const MIXED = of(long('9007199254740993'), decimal('0.10'), 1.5, 'text', null, undefined, 2);

const kinds = [
  ...cases('windows over all kinds', MIXED, [
    windowed(
      'sums have the widest kind in the window, and what has left leaves nothing',
      inOrder,
      { $sum: '$x', window: { documents: [-1, 0] } },
      numbered(raw('9007199254740993'), raw('9007199254740993.10'), raw('1.60'), 1.5, 0, 0, 2),
    ),
    windowed(
      'averages pass over what is no number',
      inOrder,
      { $avg: '$x', window: { documents: [-1, 1] } },
      numbered(
        raw('4503599627370496.55'),
        raw('3002399751580331.533333333333333333'),
        raw('0.80'),
        1.5,
        null,
        raw('2.0'),
        raw('2.0'),
      ),
    ),
    windowed(
      'the least, by the order of kinds, null passed over',
      inOrder,
      { $min: '$x', window: { documents: [-2, 0] } },
      numbered(raw('9007199254740993'), raw('0.10'), raw('0.10'), raw('0.10'), 1.5, 'text', 2),
    ),
    windowed(
      'the greatest',
      inOrder,
      { $max: '$x', window: { documents: ['current', 2] } },
      numbered(raw('9007199254740993'), 'text', 'text', 'text', 2, 2, 2),
    ),
    windowed(
      'the first of a window; missing is null',
      inOrder,
      { $first: '$x', window: { documents: [1, 2] } },
      numbered(raw('0.10'), 1.5, 'text', null, null, 2, null),
    ),
    windowed(
      'the last of a window',
      inOrder,
      { $last: '$x', window: { documents: [-3, -1] } },
      numbered(null, raw('9007199254740993'), raw('0.10'), 1.5, 'text', null, null),
    ),
    windowed(
      'lists leave out what is missing',
      inOrder,
      { $push: '$x', window: { documents: [-1, 0] } },
      numbered(
        [raw('9007199254740993')],
        [raw('9007199254740993'), raw('0.10')],
        [raw('0.10'), 1.5],
        [1.5, 'text'],
        ['text', null],
        [null],
        [2],
      ),
    ),
    windowed(
      'counts what lies beyond the ends as nothing',
      inOrder,
      { $count: {}, window: { documents: [2, 4] } },
      numbered(3, 3, 3, 2, 1, 0, 0),
    ),
    windowed(
      'empty windows have what nothing has',
      inOrder,
      { $stdDevSamp: '$x', window: { documents: [9, 9] } },
      numbered(null, null, null, null, null, null, null),
    ),
    windowed(
      'the last value is carried on',
      [null, null],
      { $locf: '$x' },
      numbered(raw('9007199254740993'), raw('0.10'), 1.5, 'text', 'text', 'text', 2),
    ),
    windowed(
      'a window that is empty is all of the partition',
      inOrder,
      { $addToSet: { $type: '$x' }, window: {} },
      numbered(...MIXED.map(() => ['long', 'decimal', 'double', 'string', 'null', 'missing', 'int'])),
    ),
  ]),
  ...cases('windows over doubles', of(1e300, 0.5, 0.25), [
    windowed(
      'what has left is forgotten, however large it was',
      inOrder,
      { $sum: '$x', window: { documents: [-1, 0] } },
      numbered(raw('1e+300'), raw('1e+300'), 0.75),
    ),
  ]),
  ...cases('windows over doubles', of(raw('1e16'), ...Array.from({ length: 46 }, () => 0.5), raw('-1e16')), [
    [
      'do not gather their errors',
      [
        { setWindowFields: { output: { v: { $sum: '$x' } } } },
        { limit: 1 },
        { output: { attributes: ['v'] } },
      ],
      [{ v: raw('23.0') }],
    ],
  ]),
  ...cases('windows by range', of(0.1, 0.2, raw('0.3'), decimal('0.4'), 1, 1, 2), [
    windowed(
      'take doubles as they are written, and the document itself',
      [null, 'x'],
      { $push: '$n', window: { range: [-0.1, 0] } },
      numbered([0], [0, 1], [1, 2], [2, 3], [4, 5], [4, 5], [6]),
    ),
    windowed(
      'begin or end at the document where it is current',
      [null, 'x'],
      { $count: {}, window: { range: ['current', 1] } },
      numbered(6, 5, 4, 3, 3, 2, 1),
    ),
  ]),
  ...cases(
    'windows by range',
    of(date('2021-01-30'), date('2021-01-31'), date('2021-02-28'), date('2021-03-30')),
    [
      windowed(
        'go by the calendar',
        [null, 'x'],
        { $push: '$n', window: { range: [0, 1], unit: 'month' } },
        numbered([0, 1, 2], [1, 2], [2], [3]),
      ),
    ],
  ),
];

const STOCKS = of(raw('13.0'), 15.4, 12, 11.7, 'closed', null);

const series = [
  ...cases('$expMovingAvg', STOCKS, [
    windowed(
      'by a number of documents; what is no number changes nothing',
      inOrder,
      { $expMovingAvg: { input: '$x', N: 2 } },
      numbered(
        raw('13.0'),
        14.6,
        12.866666666666667,
        12.088888888888889,
        12.088888888888889,
        12.088888888888889,
      ),
    ),
    windowed(
      'by a weight',
      inOrder,
      { $expMovingAvg: { input: '$x', alpha: 0.75 } },
      numbered(raw('13.0'), 14.8, 12.7, 11.95, 11.95, 11.95),
    ),
  ]),
  ...cases('$expMovingAvg', of(null, 1, decimal('2.0'), 3), [
    windowed(
      'of decimals is a decimal from there on, and null before the first number',
      inOrder,
      { $expMovingAvg: { input: '$x', N: 3 } },
      numbered(null, raw('1.0'), raw('1.50'), raw('2.250')),
    ),
  ]),
  ...cases(
    '$linearFill',
    ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00'].map((time, n) => ({
      n,
      time: date(`2021-03-08T${time}:00Z`),
      x: [500, null, 515, null, null, 485, null][n],
    })),
    [
      windowed(
        'puts what is missing on the line between its neighbours in time',
        [null, { time: 1 }],
        { $linearFill: '$x' },
        numbered(500, 507.5, 515, raw('505.0'), raw('495.0'), 485, null),
      ),
      windowed(
        'and the last value is carried on instead',
        [null, { time: 1 }],
        { $locf: '$x' },
        numbered(500, 500, 515, 515, 515, 485, 485),
      ),
    ],
  ),
  ...cases('$linearFill', of(null, 1, null, decimal('4')), [
    windowed('over numbers', inOrder, { $linearFill: '$x' }, numbered(null, 1, raw('2.5'), 4)),
    windowed('backward', [null, '-n'], { $linearFill: '$x' }, [
      [3, 4],
      [2, raw('2.5')],
      [1, 1],
      [0, null],
    ]),
  ]),
];

const TRUCK = [1295.1, 1295.63, 1296.25, 1296.76].map((x, n) => ({
  n,
  x,
  k: n * 30,
  time: date(Date.parse('2020-05-18T14:10:30Z') + 30_000 * n),
}));

const slopes = [
  ...cases('$derivative', TRUCK, [
    windowed(
      'by time: miles an hour',
      [null, { time: 1 }],
      { $derivative: { input: '$x', unit: 'hour' }, window: { range: [-30, 0], unit: 'second' } },
      numbered(null, 63.60000000002401, 74.3999999999869, 61.199999999998916),
    ),
    windowed(
      'by numbers',
      [null, '-k'],
      { $derivative: { input: { $multiply: ['$k', 3] } }, window: { documents: [-1, 1] } },
      [
        [3, raw('3.0')],
        [2, raw('3.0')],
        [1, raw('3.0')],
        [0, raw('3.0')],
      ],
    ),
  ]),
  ...cases('$integral', TRUCK, [
    windowed(
      'over numbers',
      [null, 'k'],
      { $integral: { input: '$n' }, window: running },
      numbered(0, raw('15.0'), raw('60.0'), raw('135.0')),
    ),
    windowed(
      'over time: what a meter of so many kilowatts adds up to in hours',
      [null, 'time'],
      { $integral: { input: { $multiply: ['$n', 240] }, unit: 'hour' }, window: { documents: [-1, 0] } },
      numbered(raw('0.0'), raw('1.0'), raw('3.0'), raw('5.0')),
    ),
    windowed(
      'of decimals is exact',
      [null, 'k'],
      { $integral: { input: { $toDecimal: '0.1' } } },
      numbered(9, 9, 9, 9),
    ),
    windowed(
      'of an empty window is null',
      [null, 'k'],
      { $integral: { input: '$n' }, window: { documents: [-9, -9] } },
      numbered(null, null, null, null),
    ),
  ]),
];

export const WINDOW_CASES: readonly PipelineCase[] = [...sales, ...ties, ...kinds, ...series, ...slopes];
