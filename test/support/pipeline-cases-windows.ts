/**
 * Cases of `setWindowFields`: partitions, windows and ranks. The sales are an example of MongoDB’s manual. What each
 * function makes of a window: property/pipeline-windows.
 */
import { cases, date, list, type PipelineCase } from './pipeline-case.ts';
import { byDate, of, running, windowed } from './pipeline-window-case.ts';

const SALES = [
  { n: 0, date: date('2020-05-18T14:10:30Z'), state: 'CA', price: 13, quantity: 120 },
  { n: 1, date: date('2021-03-20T11:30:05Z'), state: 'WA', price: 14, quantity: 140 },
  { n: 2, date: date('2021-01-11T06:31:15Z'), state: 'CA', price: 12, quantity: 145 },
  { n: 3, date: date('2020-02-08T13:13:23Z'), state: 'WA', price: 13, quantity: 104 },
  { n: 4, date: date('2019-05-18T16:09:01Z'), state: 'CA', price: 41, quantity: 162 },
  { n: 5, date: date('2019-01-08T06:12:03Z'), state: 'WA', price: 43, quantity: 134 },
];

const sales = cases('setWindowFields', SALES, [
  windowed(
    'sums so far, in each partition',
    byDate,
    { $sum: '$quantity', window: running },
    list([4, 162], [0, 282], [2, 427], [5, 134], [3, 238], [1, 378]),
  ),
  windowed(
    'a range of numbers',
    ['$state', 'price'],
    { $sum: '$quantity', window: { range: [-10, 10] } },
    list([2, 265], [0, 265], [4, 162], [3, 244], [1, 244], [5, 134]),
  ),
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
    'ranks',
    ['$state', '-quantity'],
    { $rank: {} },
    list([4, 1], [2, 2], [0, 3], [1, 1], [5, 2], [3, 3]),
  ),
  windowed(
    'shifts forward',
    ['$state', { quantity: -1 }],
    { $shift: { output: '$quantity', by: 1, default: 'Not available' } },
    list([4, 145], [2, 120], [0, 'Not available'], [1, 134], [5, 104], [3, 'Not available']),
  ),
  windowed(
    'shifts back',
    ['$state', { quantity: -1 }],
    { $shift: { output: '$quantity', by: -1 } },
    list([4, null], [2, 162], [0, 145], [1, null], [5, 140], [3, 134]),
  ),
  windowed(
    'by parameters, and without the sign',
    ['$$parameters.by', '$$parameters.order'],
    { sum: '$quantity', window: { documents: ['$$parameters.from', { $add: [0, 0] }] } },
    list([5, 134], [4, 296], [3, 266], [0, 224], [2, 265], [1, 285]),
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
    list({ id: 'CA', n: 4 }, { id: 'WA', n: 1 }),
  ],
]);

const ties = cases('ranks', of(7, 9, 9, 10, null, undefined, [10, 12]), [
  windowed(
    'of equal ones are the same, and leave a gap; null and missing are equal',
    [null, '-x'],
    { $rank: {} },
    list([6, 1], [3, 2], [1, 3], [2, 3], [0, 5], [4, 6], [5, 6]),
  ),
  windowed(
    'of $denseRank leave no gap',
    [null, 'x'],
    { $denseRank: {} },
    list([4, 1], [5, 1], [0, 2], [1, 3], [2, 3], [3, 4], [6, 4]),
  ),
  windowed(
    'of $documentNumber are all different',
    [null, { x: 1, n: -1 }],
    { $documentNumber: {} },
    list([5, 1], [4, 2], [0, 3], [2, 4], [1, 5], [6, 6], [3, 7]),
  ),
]);

export const WINDOW_CASES: readonly PipelineCase[] = [...sales, ...ties];
