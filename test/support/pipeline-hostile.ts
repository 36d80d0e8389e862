/**
 * Pipelines that mean harm, or that no one meant: each must be refused, fail or be answered soon and in little memory,
 * and never throw. Plain data, as the pipeline cases are.
 */

export interface HostilePipeline {
  readonly name: string;
  /** JSON text. */
  readonly pipeline: string;
  /** `refused` when written, `fails` when read; of some it does not matter. */
  readonly outcome: 'refused' | 'fails' | 'answered' | 'either';
}

type Sent = unknown;

function hostile(
  name: string,
  pipeline: Sent,
  outcome: HostilePipeline['outcome'] = 'fails',
): HostilePipeline {
  return { name, pipeline: JSON.stringify(pipeline), outcome };
}

/** One expression over the documents. */
function evaluated(
  name: string,
  expression: Sent,
  outcome: HostilePipeline['outcome'] = 'fails',
): HostilePipeline {
  return hostile(name, [{ project: { v: expression } }], outcome);
}

function times<T>(count: number, start: T, step: (inner: T, index: number) => T): T {
  let made = start;
  for (let index = 0; index < count; index += 1) made = step(made, index);
  return made;
}

const upTo = (length: number): Sent => ({ $range: ['$zero', length] });
const doubling = (input: Sent): Sent => ({
  $reduce: { input, initialValue: '$s', in: { $concat: ['$$value', '$$value'] } },
});

const spans: readonly HostilePipeline[] = [
  evaluated('a constant range of two thousand million', { $range: [0, 2000000000] }),
  evaluated('a range of two thousand million', upTo(2000000000)),
  evaluated('a range beyond 32 bits', { $range: [0, { $add: ['$zero', 9000000000000] }] }),
  evaluated('a downward range', { $range: ['$zero', -2000000000, -1] }),
  evaluated('ranges in ranges', {
    $map: { input: upTo(100000), in: { $size: { $map: { input: upTo(100000), in: 1 } } } },
  }),
  evaluated(
    'loops in loops, seven deep',
    times<Sent>(7, 1, (inner) => ({ $size: { $map: { input: upTo(1000), in: inner } } })),
  ),
  evaluated('a filter in a filter', {
    $filter: { input: upTo(200000), cond: { $in: ['$$this', upTo(200000)] } },
  }),
  evaluated('a sum of sums', {
    $sum: { $map: { input: upTo(100000), in: { $sum: upTo(100000) } } },
  }),
  evaluated('$zip of long arrays', {
    $zip: { inputs: times<Sent[]>(500, [], (list) => [...list, upTo(20000)]), useLongestLength: true },
  }),
  evaluated('$concatArrays of itself', {
    $reduce: { input: upTo(60), initialValue: [1], in: { $concatArrays: ['$$value', '$$value'] } },
  }),
  evaluated('$setUnion of long arrays', {
    $setUnion: times<Sent[]>(200, [], (list, index) => [...list, { $range: [index * 10000, 400000] }]),
  }),
  evaluated('an array sorted again and again', {
    $map: { input: upTo(10000), in: { $sortArray: { input: upTo(10000), sortBy: -1 } } },
  }),
  evaluated('comparing long arrays again and again', {
    $map: { input: upTo(100000), in: { $eq: [upTo(50000), upTo(50000)] } },
  }),
  evaluated('comparing one long array again and again', {
    $let: {
      vars: { x: upTo(100000), y: upTo(100000) },
      in: { $size: { $filter: { input: '$$x', cond: { $ne: ['$$x', '$$y'] } } } },
    },
  }),
];

const growth: readonly HostilePipeline[] = [
  evaluated('a string that doubles sixty times', doubling(upTo(60))),
  evaluated(
    'a string joined with itself by let',
    times<Sent>(13, '$s', (inner) => ({ $concat: [inner, inner] })),
    'either',
  ),
  evaluated('replacing each character by a long string', {
    $replaceAll: {
      input: doubling(upTo(16)),
      find: 'x',
      replacement: doubling(upTo(16)),
    },
  }),
  evaluated('replacing nothing by a long string', {
    $replaceAll: { input: doubling(upTo(14)), find: '', replacement: doubling(upTo(14)) },
  }),
  evaluated('splitting a long string into characters', { $split: [doubling(upTo(23)), 'x'] }),
  evaluated('a thousand long strings in an array', {
    $map: { input: upTo(1000), in: { $concat: [doubling(upTo(20)), { $toString: '$$this' }] } },
  }),
  evaluated(
    'a thousand long strings side by side',
    times<Sent[]>(200, [], (list) => [...list, doubling(upTo(20))]),
  ),
  evaluated('an object that doubles by sharing', {
    $reduce: { input: upTo(60), initialValue: 1, in: { a: '$$value', b: '$$value' } },
  }),
  evaluated('an array that doubles by sharing', {
    $reduce: { input: upTo(200), initialValue: [], in: ['$$value', '$$value'] },
  }),
  evaluated('an object as deep as a loop is long', {
    $reduce: { input: upTo(100000), initialValue: 1, in: { a: '$$value' } },
  }),
  evaluated('an array as deep as a loop is long', {
    $reduce: { input: upTo(100000), initialValue: 1, in: ['$$value'] },
  }),
  evaluated('all of the document in each item', { $map: { input: upTo(400000), in: '$$ROOT' } }),
  evaluated('many fields by $arrayToObject', {
    $arrayToObject: { $map: { input: upTo(400000), in: { k: { $toString: '$$this' }, v: 1 } } },
  }),
  evaluated('fields set one by one', {
    $reduce: {
      input: upTo(20000),
      initialValue: {},
      in: { $setField: { field: { $toString: '$$this' }, input: '$$value', value: 1 } },
    },
  }),
  hostile(
    'a document in itself through sixty stages',
    times<Sent[]>(60, [], (stages) => [...stages, { project: { a: '$$ROOT', b: '$$ROOT' } }]),
  ),
  hostile(
    'a group in itself through thirty stages',
    times<Sent[]>(30, [], (stages) => [
      ...stages,
      { group: { all: { $push: '$$ROOT' } } },
      { project: { x: ['$all', '$all'] } },
    ]),
  ),
];

const streams: readonly HostilePipeline[] = [
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

const patterns: readonly HostilePipeline[] = [
  evaluated('nested quantifiers', { $regexMatch: { input: doubling(upTo(14)), regex: '(x+)+$' } }, 'either'),
  evaluated(
    'many alternatives',
    { $regexFindAll: { input: doubling(upTo(18)), regex: '(x|xx|xxx)*y' } },
    'either',
  ),
  evaluated('all empty matches of a long string', {
    $regexFindAll: { input: doubling(upTo(18)), regex: 'y*' },
  }),
  evaluated('a search for each item', {
    $map: { input: upTo(100000), in: { $regexFind: { input: '$s', regex: '(a|b|c|x)*(d|x){1,50}' } } },
  }),
  evaluated('a pattern that is made', { $regexMatch: { input: '$s', regex: doubling(upTo(12)) } }),
  hostile('a filter behind others', [{ limit: 9 }, { filter: { s: { $regex: '(x+x+)+y' } } }], 'answered'),
  evaluated('patterns that are all different', {
    $map: {
      input: upTo(200000),
      in: { $regexMatch: { input: '$s', regex: { $concat: ['(a|b){1,100}', { $toString: '$$this' }] } } },
    },
  }),
];

const numbers: readonly HostilePipeline[] = [
  evaluated('a huge power', { $pow: ['$two', 2000000000] }, 'answered'),
  evaluated(
    'a huge power of a decimal',
    { $pow: [{ $toDecimal: '1.000000000000000000000000000000001' }, 999999999] },
    'answered',
  ),
  evaluated(
    'decimals far apart',
    { $add: [{ $toDecimal: '1E+6000' }, { $toDecimal: '1E-6000' }] },
    'answered',
  ),
  evaluated(
    'the remainder of decimals far apart',
    { $mod: [{ $toDecimal: '1E+6000' }, { $toDecimal: '7E-6000' }] },
    'answered',
  ),
  evaluated('a huge decimal rounded', { $round: [{ $toDecimal: '1.5E+6000' }, 20] }, 'answered'),
  evaluated('a tiny decimal rounded', { $round: [{ $toDecimal: '1.5E-6000' }, 100] }, 'answered'),
  evaluated(
    'exponentials in a loop',
    {
      $map: { input: upTo(400000), in: { $exp: { $toDecimal: '123.456' } } },
    },
    'either',
  ),
  evaluated('an exponential of a variable in a loop', {
    $map: { input: upTo(400000), in: { $ln: { $toDecimal: { $add: ['$$this', 1] } } } },
  }),
];

const dates: readonly HostilePipeline[] = [
  // A definition may have a format of its own size; no computed one is longer.
  evaluated('a format longer than a definition', {
    $dateToString: { date: '$day', format: doubling(upTo(21)) },
  }),
  evaluated(
    'a format of a thousand characters',
    { $dateToString: { date: '$day', format: doubling(upTo(10)) } },
    'answered',
  ),
  evaluated('the whole format many times', {
    $map: {
      input: upTo(400000),
      in: {
        $dateToString: {
          date: { $add: ['$day', { $multiply: ['$$this', 86400000] }] },
          timezone: 'Europe/Paris',
          format: '%Y'.repeat(400),
        },
      },
    },
  }),
  evaluated('a long text as a date', { $dateFromString: { dateString: doubling(upTo(20)) } }),
  evaluated('all zones at once', {
    $map: {
      input: upTo(100000),
      in: { $hour: { date: '$day', timezone: { $concat: ['Zone/', { $toString: '$$this' }] } } },
    },
  }),
  evaluated('dates without end', {
    $reduce: {
      input: upTo(400000),
      initialValue: '$day',
      in: { $dateAdd: { startDate: '$$value', unit: 'year', amount: 1 } },
    },
  }),
];

const definitions: readonly HostilePipeline[] = [
  hostile('a pipeline that is an object', { limit: 1 }, 'refused'),
  hostile('null', null, 'refused'),
  hostile(
    'a thousand stages',
    Array.from({ length: 1000 }, () => ({ limit: 1 })),
    'refused',
  ),
  evaluated(
    'ninety levels of operators',
    times<Sent>(90, '$s', (inner) => ({ $not: inner })),
    'refused',
  ),
  evaluated(
    'ninety levels of arrays',
    times<Sent>(90, '$s', (inner) => [inner]),
    'refused',
  ),
  hostile(
    'ninety levels of $and',
    [{ filter: times<Sent>(45, { a: 1 }, (inner) => ({ $and: [inner] })) }],
    'refused',
  ),
  evaluated('ten thousand operands', { $add: Array.from({ length: 10_000 }, () => '$zero') }, 'answered'),
  evaluated(
    'ten thousand faults',
    Array.from({ length: 10_000 }, () => ({ $nothing: 1 })),
    'refused',
  ),
  evaluated(
    'constants that take long',
    Array.from({ length: 2_000 }, () => ({ $size: { $range: [0, 90_000] } })),
    'either',
  ),
  hostile(
    'code',
    [{ project: { v: { $function: { body: 'while(true);', args: [], lang: 'js' } } } }],
    'refused',
  ),
  hostile('another type', [{ lookup: { from: 'core.api-key', as: 'keys' } }], 'refused'),
  hostile(
    'the prototype',
    [{ project: { __proto__: null, constructor: '$__proto__.polluted' } }],
    'answered',
  ),
  hostile('a stage named as a method', [{ toString: 1 }], 'refused'),
  evaluated('an operator named as a method', { constructor: { $toString: '$zero' } }, 'answered'),
  hostile('an accumulator named as a method', [{ group: { v: { valueOf: 1 } } }], 'refused'),
];

export const HOSTILE_PIPELINES: readonly HostilePipeline[] = [
  ...spans,
  ...growth,
  ...streams,
  ...patterns,
  ...numbers,
  ...dates,
  ...definitions,
];
