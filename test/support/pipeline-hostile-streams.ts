/** Stages that would make documents without end, or hold them all. */
import { doubling, hostile, upTo, type HostilePipeline } from './pipeline-hostile-case.ts';

export const STREAMS: readonly HostilePipeline[] = [
  hostile('a range unwound', [{ project: { v: upTo(400000) } }, { unwind: '$v' }, { group: { id: '$v' } }]),
  hostile('unwinds of unwinds', [
    { project: { v: upTo(1000) } },
    { unwind: '$v' },
    { project: { v: upTo(1000) } },
    { unwind: '$v' },
    { project: { v: upTo(1000) } },
    { unwind: '$v' },
    { group: { n: { $sum: 1 } } },
  ]),
  hostile('more outputs than may be', [
    { project: { v: upTo(1000) } },
    { unwind: '$v' },
    { project: { w: upTo(1000) } },
    { unwind: '$w' },
  ]),
  hostile('a wide document unwound', [
    { project: { v: upTo(100000), w: upTo(100000) } },
    { unwind: '$v' },
    { unwind: '$w' },
    { group: { n: { $sum: 1 } } },
  ]),
  hostile('pushing everything', [
    { project: { v: upTo(100000) } },
    { unwind: '$v' },
    { group: { all: { $push: { a: '$v', b: '$s', c: '$$ROOT' } } } },
  ]),
  hostile('sorting long values', [
    { project: { v: upTo(100), w: upTo(5000) } },
    { unwind: '$v' },
    { sort: 'w' },
  ]),
  hostile('a sort of everything behind an unwind', [
    { project: { v: upTo(300000), id: 1 } },
    { unwind: '$v' },
    { sort: '-v' },
  ]),
  hostile('a large sample', [{ project: { v: upTo(400000) } }, { unwind: '$v' }, { sample: 2000000000 }]),
  hostile('a group for each of many long ids', [
    { project: { v: upTo(100000), l: doubling(upTo(8)) } },
    { unwind: '$v' },
    { group: { id: { $concat: ['$l', { $toString: '$v' }] } } },
  ]),
  hostile(
    'the first of very many',
    [{ unwind: '$l' }, { group: { f: { $firstN: { input: '$l', n: 2000000000 } } } }],
    'answered',
  ),
  hostile('the top of very many', [
    { project: { v: upTo(400000), w: '$s' } },
    { unwind: '$v' },
    { group: { t: { $topN: { n: 1000000000, sortBy: 'v', output: '$$ROOT' } } } },
  ]),
  hostile('the median of all items of long arrays', [
    { project: { v: upTo(400000) } },
    { unwind: '$v' },
    { group: { m: { $median: { input: '$v', method: 'approximate' } } } },
  ]),
  hostile(
    'a hundred thousand percentiles of many groups',
    [
      { project: { v: upTo(50) } },
      { unwind: '$v' },
      {
        group: {
          id: '$v',
          p: {
            $percentile: { input: '$v', p: Array.from({ length: 90_000 }, () => 0.5), method: 'approximate' },
          },
        },
      },
    ],
    'fails',
  ),
  hostile('very many buckets of all items', [
    { project: { v: upTo(400000) } },
    { unwind: '$v' },
    { bucketAuto: { groupBy: '$v', buckets: 2000000000 } },
  ]),
  hostile(
    'a granularity of the least and the greatest decimals',
    [
      { project: { v: [{ $toDecimal: '1E-6176' }, { $toDecimal: '9E+6100' }] } },
      { unwind: '$v' },
      { bucketAuto: { groupBy: '$v', buckets: 2, granularity: 'E192' } },
    ],
    'either',
  ),
  hostile(
    'a granularity of infinity',
    [
      {
        bucketAuto: {
          groupBy: { $toDouble: { $concat: ['inf', '$none', ''] } },
          buckets: 2,
          granularity: 'R5',
        },
      },
    ],
    'fails',
  ),
  hostile('a list of all before it in each of many documents', [
    { project: { v: upTo(20000), id: 1 } },
    { unwind: '$v' },
    {
      setWindowFields: {
        sortBy: 'v',
        output: { all: { $push: '$v', window: { documents: ['unbounded', 'current'] } } },
      },
    },
  ]),
  hostile('all of the partition in each of many documents', [
    { project: { v: upTo(20000), id: 1 } },
    { unwind: '$v' },
    { setWindowFields: { output: { all: { $push: '$$ROOT' } } } },
  ]),
  hostile(
    'a thousand wide windows',
    [
      { project: { v: upTo(2000) } },
      { unwind: '$v' },
      {
        setWindowFields: {
          sortBy: 'v',
          output: Object.fromEntries(
            Array.from({ length: 1_000 }, (_, field) => [
              `f${field}`,
              { $addToSet: '$v', window: { documents: [-1_000, 1_000 + field] } },
            ]),
          ),
        },
      },
    ],
    'fails',
  ),
  hostile(
    'a window beyond all numbers',
    [
      {
        setWindowFields: {
          sortBy: 'n',
          output: {
            a: { $sum: '$n', window: { documents: [-9007199254740991, 9007199254740991] } },
            b: { $sum: '$n', window: { range: [{ $toDecimal: '-9E+6144' }, { $toDecimal: '9E+6144' }] } },
            c: { $shift: { output: '$n', by: 9007199254740991 } },
          },
        },
      },
    ],
    'answered',
  ),
  hostile(
    'a window beyond all dates',
    [
      {
        setWindowFields: {
          sortBy: 'day',
          output: {
            a: { $sum: '$n', window: { range: [-9007199254740991, 9007199254740991], unit: 'year' } },
          },
        },
      },
    ],
    'answered',
  ),
  hostile('an early limit', [{ project: { v: upTo(100000) } }, { unwind: '$v' }, { limit: 1 }], 'either'),
];
