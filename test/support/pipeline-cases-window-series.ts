/** Functions over series: averages, gaps filled, slopes. The stocks and trucks are examples of MongoDB's manual. */
import { cases, date, decimal, list, raw, type PipelineCase } from './pipeline-case.ts';
import { inOrder, numbered, of, running, windowed } from './pipeline-window-case.ts';

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
    windowed(
      'backward',
      [null, '-n'],
      { $linearFill: '$x' },
      list([3, 4], [2, raw('2.5')], [1, 1], [0, null]),
    ),
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
      list([3, raw('3.0')], [2, raw('3.0')], [1, raw('3.0')], [0, raw('3.0')]),
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

export const WINDOW_SERIES_CASES: readonly PipelineCase[] = [...series, ...slopes];
