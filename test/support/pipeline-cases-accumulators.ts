/** Cases of the accumulators, over all documents as one group. */
import {
  accumulator,
  accumulators,
  cases,
  date,
  decimal,
  fails,
  list,
  long,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';

const ROWS = [
  { k: 'a', v: 3, o: { x: 1 } },
  { k: 'b', v: long('4'), o: { y: 2 } },
  { k: 'c', v: raw('1.5'), o: null },
  { k: 'd', v: 'text', o: { x: 3 } },
  { k: 'a', v: null },
  { k: 'e' },
];
const DECIMALS = [{ v: decimal('0.10') }, { v: decimal('0.20') }, { v: 3 }];
const LONGS = [{ v: long('9223372036854775807') }, { v: -1 }];
const OVERFLOW = [{ v: long('9223372036854775807') }, { v: 1 }];
const TENTHS = Array.from({ length: 10 }, () => ({ v: 0.1 }));

const sums = [
  ...accumulator('$sum', ROWS, [
    ['passes over what is no number', '$v', 8.5],
    ['counts', 1, 6],
    ['of missing is zero', '$none', 0],
    ['takes expressions', { $cond: [{ $eq: ['$k', 'a'] }, 1, 0] }, 2],
    ['refuses an array of expressions', ['$v', 1], refused('')],
  ]),
  ...accumulators('$sum', DECIMALS, [['of decimals is exact', { $sum: '$v' }, raw('3.30')]]),
  ...accumulators('$sum', LONGS, [['of longs is exact', { $sum: '$v' }, raw('9223372036854775806')]]),
  ...accumulators('$sum', OVERFLOW, [
    ['beyond longs is a double', { $sum: '$v' }, raw('9223372036854776000.0')],
  ]),
  ...accumulators('$sum', TENTHS, [['does not gather the errors of doubles', { $sum: '$v' }, raw('1.0')]]),
  ...accumulators(
    '$sum',
    [{ v: 2147483647 }, { v: 1 }],
    [['beyond ints is a long', { $sum: '$v' }, raw('2147483648')]],
  ),
  ...accumulator('$avg', ROWS, [
    ['passes over what is no number', '$v', raw('2.8333333333333335')],
    ['of nothing is null', '$k', null],
  ]),
  ...accumulators('$avg', DECIMALS, [['of decimals is a decimal', { $avg: '$v' }, raw('1.10')]]),
  ...accumulators(
    '$count',
    ROWS,
    list(['counts', { $count: {} }, 6], ['takes nothing', { $count: 1 }, refused('/$count')]),
  ),
  ...accumulator(
    '$stdDevPop',
    [{ v: 1 }, { v: 3 }, { v: 'x' }],
    [
      ['of a population', '$v', raw('1.0')],
      ['of nothing is null', '$none', null],
    ],
  ),
  ...accumulator(
    '$stdDevSamp',
    [{ v: 1 }, { v: 3 }],
    [
      ['of a sample', '$v', 1.4142135623730951],
      ['of nothing is null', '$none', null],
    ],
  ),
];

const singles = [
  ...accumulator('$min', ROWS, [
    ['by value, null passed over', '$v', 1.5],
    ['of missing is null', '$none', null],
    ['of strings', '$k', 'a'],
  ]),
  ...accumulators(
    '$max',
    ROWS,
    list(['across kinds', { $max: '$v' }, 'text'], ['of objects', { $max: '$o' }, { y: 2 }]),
  ),
  ...accumulators(
    '$max',
    [{ d: date('2020-01-01') }, { d: date('2021-01-01') }],
    [['of dates', { $max: '$d' }, '2021-01-01T00:00:00.000Z']],
  ),
  ...accumulator('$first', ROWS, [
    ['the first', '$k', 'a'],
    ['missing there is null', '$none', null],
  ]),
  ...accumulator('$last', ROWS, [
    ['the last', '$k', 'e'],
    ['missing there is null', '$v', null],
  ]),
  ...accumulator('$push', ROWS, [
    ['all in order, missing ones left out', '$v', [3, 4, 1.5, 'text', null]],
    ['objects', { k: '$k' }, [{ k: 'a' }, { k: 'b' }, { k: 'c' }, { k: 'd' }, { k: 'a' }, { k: 'e' }]],
    ['arrays as items', ['$k'], [['a'], ['b'], ['c'], ['d'], ['a'], ['e']]],
  ]),
  ...accumulators('$addToSet', ROWS, [
    ['without repetition', { $addToSet: '$k' }, ['a', 'b', 'c', 'd', 'e']],
  ]),
  ...accumulators(
    '$addToSet',
    [{ v: 1 }, { v: raw('1.0') }, { v: decimal('1') }, { v: [1] }, { v: [raw('1.0')] }],
    [['takes numbers by value, in arrays too', { $addToSet: '$v' }, [1, [1]]]],
  ),
  ...accumulator('$mergeObjects', ROWS, [
    ['later fields win, null passed over', '$o', { x: 3, y: 2 }],
    ['of numbers fails', 1, fails()],
  ]),
];

const GAMES = [
  { player: 'A', score: 31 },
  { player: 'B', score: 33 },
  { player: 'C', score: 99 },
  { player: 'D', score: 1 },
  { player: 'E', score: 33 },
];
const ranked = [
  ...accumulator('$firstN', GAMES, [
    ['the first', { input: '$player', n: 2 }, ['A', 'B']],
    ['missing ones are null', { input: '$none', n: 1 }, [null]],
    ['refuses zero', { input: '$player', n: 0 }, refused('/n')],
    ['needs n', { input: '$player' }, refused('')],
    ['n may not be of a document', { input: '$player', n: '$player' }, fails()],
  ]),
  ...accumulator('$lastN', GAMES, [
    ['the last', { input: '$player', n: 2 }, ['D', 'E']],
    ['more than there are', { input: '$score', n: 9 }, [31, 33, 99, 1, 33]],
  ]),
  ...accumulators('$minN', GAMES, [['the least', { $minN: { input: '$score', n: 2 } }, [1, 31]]]),
  ...accumulators('$maxN', GAMES, [['the greatest', { $maxN: { input: '$score', n: 2 } }, [99, 33]]]),
  ...accumulator('$top', GAMES, [
    ['the first of an order', { output: ['$player', '$score'], sortBy: { score: -1 } }, ['C', 99]],
    ['by a string', { output: '$player', sortBy: 'score' }, 'D'],
    ['refuses n', { output: '$player', sortBy: 'score', n: 1 }, refused('/n')],
    ['needs an order', { output: '$player' }, refused('')],
    [
      'refuses directions other than 1 and -1',
      { output: '$player', sortBy: { score: 'up' } },
      refused('/sortBy/score'),
    ],
  ]),
  ...accumulator('$topN', GAMES, [
    [
      'the first of an order, equal ones as they came',
      { output: '$player', sortBy: { score: -1 }, n: 3 },
      ['C', 'B', 'E'],
    ],
    ['by several fields', { output: '$player', sortBy: { score: -1, player: -1 }, n: 3 }, ['C', 'E', 'B']],
  ]),
  ...accumulators('$bottom', GAMES, [
    ['the last of an order', { $bottom: { output: '$player', sortBy: { score: -1 } } }, 'D'],
  ]),
  ...accumulators('$bottomN', GAMES, [
    ['the last of an order', { $bottomN: { output: '$player', sortBy: { score: 1 }, n: 2 } }, ['E', 'C']],
    [
      'as many as the largest long',
      { $bottomN: { output: '$player', sortBy: { score: 1 }, n: decimal('9223372036854775807') } },
      ['D', 'A', 'B', 'E', 'C'],
    ],
    [
      'not more',
      { $bottomN: { output: '$player', sortBy: { score: 1 }, n: decimal('9223372036854775808') } },
      refused('/$bottomN/n'),
    ],
  ]),
];

const several = cases('$sum', list({ g: 'x', n: 2, v: 1 }, { g: 'x', n: 2, v: 2 }, { g: 'y', n: 1, v: 3 }), [
  [
    'of each group alone',
    [{ group: { id: '$g', s: { $sum: '$v' } } }],
    list({ id: 'x', s: 3 }, { id: 'y', s: 3 }),
  ],
  [
    'beside n that depends on the group',
    [{ group: { id: '$g', f: { $firstN: { input: '$v', n: '$n' } } } }],
    list({ id: 'x', f: [1, 2] }, { id: 'y', f: [3] }),
  ],
]);

export const ACCUMULATOR_CASES: readonly PipelineCase[] = [...sums, ...singles, ...ranked, ...several];
