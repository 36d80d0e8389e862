/** Expressions that would make values without end, or calculate for ever. */
import {
  doubling,
  evaluated,
  hostile,
  times,
  upTo,
  type HostilePipeline,
  type Sent,
} from './pipeline-hostile-case.ts';

export const SPANS: readonly HostilePipeline[] = [
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

export const GROWTH: readonly HostilePipeline[] = [
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

/** A value for each number up to 400,000, of which the last is kept. */
const reducing = (sent: Sent): Sent => ({ $reduce: { input: upTo(400000), initialValue: null, in: sent } });

export const NUMBERS: readonly HostilePipeline[] = [
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
  ...[
    { $sqrt: { $toDecimal: '$$this' } },
    { $pow: [{ $toDecimal: '1.0123456789' }, { $add: ['$$this', 1000] }] },
    { $log: [{ $toDecimal: { $add: ['$$this', 1] } }, 3] },
    {
      $divide: [
        { $toDecimal: { $add: ['$$this', 1] } },
        { $toDecimal: '7.123456789012345678901234567890123' },
      ],
    },
    { $mod: [{ $toDecimal: '9.123456789012345678901234567890123E+30' }, { $add: ['$$this', 1] }] },
    { $sum: [{ $toDecimal: '1E+6000' }, '$$this'] },
    { $avg: [{ $toDecimal: '9.123456789012345678901234567890123' }, '$$this', { $toDecimal: '1E-190' }] },
    { $multiply: [{ $toDecimal: '9.123456789012345678901234567890123' }, 5e-324, '$$this'] },
    { $gt: [{ $toDecimal: { $add: ['$$this', 0.1] } }, 5e-324] },
  ].map((sent) => evaluated(`${Object.keys(sent).join()} of decimals in a loop`, reducing(sent))),
];

/** Of documents with a large array and a large object: `numbers`, `names` and `decimals`. */
export const LARGE: readonly HostilePipeline[] = [
  evaluated('a large object put into an object again and again', reducing({ x: '$names' }), 'answered'),
  evaluated('a large object put into an array again and again', reducing(['$names']), 'answered'),
  evaluated('a document put into an object again and again', reducing({ x: '$$ROOT' }), 'answered'),
  evaluated('what is known of it, and the document', reducing({ at: '$$created', x: '$$ROOT' }), 'answered'),
  evaluated('decimals sorted again and again', reducing({ $sortArray: { input: '$decimals', sortBy: 1 } })),
  evaluated('decimals put first again and again', reducing({ $maxN: { input: '$decimals', n: 3 } })),
  evaluated('decimals as a set again and again', reducing({ $setEquals: ['$decimals', '$decimals'] })),
  evaluated('decimals summed again and again', reducing({ $sum: '$decimals' })),
  evaluated(
    'arrays that begin alike sorted again and again',
    reducing({ $sortArray: { input: '$alike', sortBy: 1 } }),
  ),
  evaluated(
    'what cannot be converted',
    reducing({ $convert: { input: '$$ROOT', to: 'int', onError: 0 } }),
    'either',
  ),
];

/** A document for each of two thousand numbers, each with all that the large one holds. */
const unwound = (...stages: readonly Sent[]): Sent => [
  {
    project: { names: true, decimals: true, alike: true, x: { $range: ['$zero', 2000] } },
  },
  { unwind: '$x' },
  ...stages,
  { group: { n: { $sum: 1 } } },
];

export const UNWOUND: readonly HostilePipeline[] = [
  hostile(
    'objects that begin alike, put first',
    unwound({ group: { id: null, v: { $maxN: { n: 3, input: { a: '$alike', x: '$x' } } } } }),
  ),
  hostile('documents, put first', unwound({ group: { id: null, v: { $maxN: { n: 3, input: '$$ROOT' } } } })),
  hostile(
    'an order by large arrays',
    unwound({ group: { id: null, v: { $topN: { n: 3, sortBy: { decimals: 1 }, output: '$x' } } } }),
  ),
  hostile(
    'a window by large objects',
    unwound({ setWindowFields: { partitionBy: '$names', output: {} } }),
    'either',
  ),
  hostile(
    'tests of each item of a large array',
    unwound({ filter: { decimals: { $in: ['q', 'r', 5.5] } } }, { filter: { decimals: { $in: [7] } } }),
  ),
  hostile('words of large objects', unwound({ filter: { $text: { $search: 'nothing' } } })),
  hostile('groups by large objects', unwound({ group: { id: '$names' } })),
];

export const DATES: readonly HostilePipeline[] = [
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
  ...[
    { $year: { date: '$$day', timezone: 'America/New_York' } },
    { $dateAdd: { startDate: '$$day', unit: 'month', amount: 5, timezone: 'America/New_York' } },
    { $dateTrunc: { date: '$$day', unit: 'week', timezone: 'America/New_York' } },
    { $dateDiff: { startDate: '$day', endDate: '$$day', unit: 'day', timezone: 'America/New_York' } },
    { $dateToString: { date: '$$day', timezone: 'America/New_York' } },
    {
      $dateFromString: {
        dateString: { $substr: [{ $toString: '$$day' }, 0, 19] },
        timezone: 'America/New_York',
      },
    },
  ].map((sent) =>
    evaluated(
      `${Object.keys(sent).join()} of dates far from one another, by the clock of a zone`,
      reducing({
        $let: {
          vars: { day: { $dateAdd: { startDate: '$day', unit: 'week', amount: '$$this' } } },
          in: sent,
        },
      }),
    ),
  ),
  evaluated(
    '$dateFromParts of years far from one another, by the clock of a zone',
    reducing({
      $dateFromParts: { year: { $add: [1, { $mod: ['$$this', 9000] }] }, timezone: 'America/New_York' },
    }),
  ),
  evaluated('hundreds of zones in turn', {
    $map: {
      input: upTo(100000),
      in: {
        $hour: {
          date: '$day',
          timezone: { $arrayElemAt: [Intl.supportedValuesOf('timeZone'), { $mod: ['$$this', 400] }] },
        },
      },
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
