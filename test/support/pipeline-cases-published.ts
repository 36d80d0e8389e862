/** Facts that MongoDB's published tests state, one a row, where this service once answered otherwise. */
import {
  accumulators,
  date,
  decimal,
  expressions,
  fails,
  long,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';

const NOON = '2023-05-11T08:34:25.002Z';
const noonLess = (milliseconds: number) => `2023-05-11T08:34:25.00${2 - milliseconds}Z`;
const DATES = {
  at: date(NOON),
  text: '2018-02-06T11:56:02Z',
  nothing: null,
  number: 5,
  half: 0.5,
  list: [1, 2, 3],
  word: 'Ærø æblé',
};

const dates = [
  ...expressions('dates less numbers', DATES, [
    ['half of a double rounds away from zero', { $subtract: ['$at', '$half'] }, noonLess(1)],
    ['a double below half rounds down', { $subtract: ['$at', 1.4] }, noonLess(1)],
    ['one and a half is two', { $subtract: ['$at', 1.5] }, noonLess(2)],
    ['a double above half rounds up', { $subtract: ['$at', 1.7] }, noonLess(2)],
    ['a negative half rounds away from zero', { $add: ['$at', -0.5] }, noonLess(1)],
    ['half of a decimal rounds to even, up', { $subtract: ['$at', decimal('1.5')] }, noonLess(2)],
    ['half of a decimal rounds to even, down', { $subtract: ['$at', decimal('2.5')] }, noonLess(2)],
    ['a decimal below half rounds down', { $add: ['$at', decimal('-1.4')] }, noonLess(1)],
    ['no number is no date', { $subtract: ['$at', decimal('1E+6000')] }, fails()],
  ]),
  ...expressions('$dateFromString, published', DATES, [
    [
      'a fraction of a second by a format',
      { $dateFromString: { dateString: '2017-02-08T12:10:40.8', format: '%Y-%m-%dT%H:%M:%S.%L' } },
      '2017-02-08T12:10:40.800Z',
    ],
    [
      'onError stands in for what is no string, though the format is null',
      { $dateFromString: { dateString: '$number', format: '$nothing', onError: 'bad' } },
      'bad',
    ],
    [
      'onError stands in for what is no string, though the zone is missing',
      { $dateFromString: { dateString: '$number', timezone: '$none', onError: 'bad' } },
      'bad',
    ],
    [
      'null for a format is null, whatever the text is',
      { $dateFromString: { dateString: 'soon', format: '$nothing', onError: 'bad' } },
      null,
    ],
    [
      'onError does not hide a format that is none',
      { $dateFromString: { dateString: '$text', format: '%n', onError: 'bad' } },
      refused('/$dateFromString/format'),
    ],
    [
      'a zone that is none is refused though there is no text',
      { $dateFromString: { dateString: '$nothing', timezone: 'Europe/Atlantis' } },
      refused('/$dateFromString/timezone'),
    ],
    [
      'a long format',
      {
        $dateFromString: {
          dateString: `${'-'.repeat(1500)}2018-01-01`,
          format: `${'-'.repeat(1500)}%Y-%m-%d`,
        },
      },
      '2018-01-01T00:00:00.000Z',
    ],
    [
      'a text that lacks the day is no date',
      { $dateFromString: { dateString: '2018-01', format: '%Y-%m', onError: 'bad' } },
      'bad',
    ],
    [
      'a text that lacks the month is no date',
      { $dateFromString: { dateString: '2018--03', format: '%Y--%d', onError: 'bad' } },
      'bad',
    ],
    [
      'a time lacks what it does not need',
      { $dateFromString: { dateString: '2007-12-03T10', format: '%Y-%m-%dT%H' } },
      '2007-12-03T10:00:00.000Z',
    ],
  ]),
  ...expressions('$unsetField, published', DATES, [
    ['takes a string, also of null', { $unsetField: { field: '$number', input: null } }, fails()],
  ]),
  ...expressions('$dateToString, published', DATES, [
    [
      'a long format',
      { $dateToString: { date: '$at', format: `${'.'.repeat(2000)}%d` } },
      `${'.'.repeat(2000)}11`,
    ],
  ]),
];

const ZONES = {
  before: date('2006-10-29T02:30:59.999Z'),
  change: date('2006-10-29T02:31:00.000Z'),
  old: date('1850-01-01T00:00:00Z'),
  older: date('1705-01-01T00:00:00Z'),
};

const zones = expressions('zones to the minute', ZONES, [
  [
    "St John's changed at one minute past midnight",
    ['$before', '$change'].map((at) => ({
      $dateToString: { date: at, timezone: 'America/St_Johns', format: '%H:%M:%S %z' },
    })),
    ['00:00:59 -0230', '23:01:00 -0330'],
  ],
  [
    'seconds of an old offset are cut off',
    { $dateToString: { date: '$old', timezone: 'America/St_Johns', format: '%H:%M:%S %z %Z' } },
    '20:29:08 -0330 -210',
  ],
  [
    'seconds of an old offset to the east are cut off',
    { $dateToString: { date: '$old', timezone: 'Europe/Paris', format: '%H:%M:%S %z %Z' } },
    '00:09:21 +0009 9',
  ],
  [
    "seconds of an offset to the west are cut off from hours and minutes alike, as MongoDB's durations are",
    { $dateToString: { date: '$older', timezone: 'America/Caracas', format: '%H:%M:%S %z %Z' } },
    '19:32:16 -0427 -267',
  ],
]);

const LAST = date(8.64e15);
const FIRST = date(-8.64e15);
const ENDS = { last: LAST, first: FIRST, nothing: null };

const ends = expressions('dates at the ends of the range', ENDS, [
  ['the last has no text', { $dateToString: { date: '$last', timezone: '+01:00' } }, fails()],
  ['nor has its ISO year', { $dateToString: { date: '$last', format: '%G' } }, fails()],
  ['nor is it a string', { $toString: '$last' }, fails()],
  ['nor is it a lower case one', { $toLower: '$first' }, fails()],
  [
    'west of the first, without its year',
    { $dateToString: { date: '$first', timezone: 'America/New_York', format: '%m %d %H:%M' } },
    '04 19 19:03',
  ],
  ['the year of the last', { $year: { date: '$last', timezone: 'Asia/Tokyo' } }, 275_760],
  [
    'parts in a zone',
    { $dateToParts: { date: '$first', timezone: '-10:00', iso8601: true } },
    {
      isoWeekYear: -271_821,
      isoWeek: 16,
      isoDayOfWeek: 1,
      hour: 14,
      minute: 0,
      second: 0,
      millisecond: 0,
    },
  ],
  ['the year of the first begins before it', { $dateTrunc: { date: '$first', unit: 'year' } }, fails()],
  ['as a constant, that is a fault', { $dateTrunc: { date: FIRST, unit: 'year' } }, refused('/$dateTrunc')],
  [
    'as a constant in a zone too',
    { $dateTrunc: { date: FIRST, unit: 'day', timezone: 'America/New_York' } },
    refused('/$dateTrunc'),
  ],
  ['the day of the last', { $dateTrunc: { date: LAST, unit: 'day' } }, '+275760-09-13T00:00:00.000Z'],
  [
    'from end to end in days',
    { $dateDiff: { startDate: FIRST, endDate: LAST, unit: 'day', timezone: 'Europe/Paris' } },
    200_000_000,
  ],
  [
    'from end to end in weeks, east',
    { $dateDiff: { startDate: FIRST, endDate: LAST, unit: 'year', timezone: 'Asia/Tokyo' } },
    547_581,
  ],
  [
    'from end to end in hours, west',
    { $dateDiff: { startDate: FIRST, endDate: LAST, unit: 'hour', timezone: 'America/New_York' } },
    4_800_000_000,
  ],
  [
    'a day beyond the last, east',
    { $dateAdd: { startDate: LAST, unit: 'day', amount: 1, timezone: 'Asia/Tokyo' } },
    refused('/$dateAdd'),
  ],
  [
    'far beyond the first',
    {
      $dateSubtract: { startDate: '$first', unit: 'year', amount: 1_000_000_000_000, timezone: 'Asia/Tokyo' },
    },
    fails(),
  ],
  [
    'a month back from the last, in a zone',
    { $dateSubtract: { startDate: LAST, unit: 'month', amount: 1, timezone: 'Asia/Tokyo' } },
    '+275760-08-13T00:00:00.000Z',
  ],
  ['weeks of the last', [{ $week: '$last' }, { $isoWeek: '$last' }, { $dayOfYear: '$last' }], [36, 37, 257]],
]);

const texts = expressions('strings, published', DATES, [
  [
    'only letters of ASCII have cases',
    [{ $toUpper: '$word' }, { $toLower: 'ÆRØ ÆBLÉ' }, { $strcasecmp: ['é', 'É'] }],
    ['ÆRø æBLé', 'ÆrØ ÆblÉ', 1],
  ],
  ['$toUpper does not write ß as SS', { $toUpper: 'straße' }, 'STRAßE'],
  ['$substrCP refuses a start with a fraction', { $substrCP: ['abc', 0.5, 1] }, refused('/$substrCP')],
  ['$substrCP refuses a length with a fraction', { $substrCP: ['abc', 0, 1.5] }, refused('/$substrCP')],
  [
    '$substrCP refuses what has more than 32 bits',
    { $substrCP: ['abc', 0, 4_294_967_296] },
    refused('/$substrCP'),
  ],
  ['$substrCP takes doubles and decimals', { $substrCP: ['abc', raw('1.0'), decimal('1')] }, 'b'],
]);

const arrays = expressions('arrays, published', DATES, [
  ['$arrayElemAt refuses longs', { $arrayElemAt: ['$list', long('2147483648')] }, fails()],
  ['$arrayElemAt refuses doubles beyond', { $arrayElemAt: ['$list', raw('-2147483649.0')] }, fails()],
  ['$arrayElemAt takes the least', { $arrayElemAt: ['$list', decimal('-3')] }, 1],
  ['$slice refuses a count beyond', { $slice: ['$list', 2_147_483_648] }, fails()],
  ['$slice refuses a position beyond', { $slice: ['$list', -2_147_483_649, 1] }, fails()],
  ['$slice takes the largest', { $slice: ['$list', 1, 2_147_483_647] }, [2, 3]],
  [
    '$zip refuses a switch that is no boolean, though an array is null',
    { $zip: { inputs: ['$nothing'], useLongestLength: 1 } },
    refused('/$zip/useLongestLength'),
  ],
  [
    '$zip refuses defaults that are no array',
    { $zip: { inputs: ['$list'], useLongestLength: true, defaults: null } },
    refused('/$zip/defaults'),
  ],
  [
    '$zip refuses too few defaults, though an array is null',
    { $zip: { inputs: ['$list', '$nothing'], useLongestLength: true, defaults: [1] } },
    refused('/$zip/defaults'),
  ],
  ['$zip takes no defaults at all', { $zip: { inputs: [['a']], defaults: [] } }, [['a']]],
]);

const numbers = [
  ...expressions('$toDecimal of doubles', { tie: 123_456_789_012_344.5 }, [
    ['rounds half to even at 15 digits', { $toDecimal: '$tie' }, raw('123456789012344')],
    ['up to an even digit too', { $toDecimal: 123_456_789_012_345.5 }, raw('123456789012346')],
    ['has 15 digits', { $toString: { $toDecimal: 0.1 } }, '0.100000000000000'],
  ]),
  ...accumulators(
    'sums of longs and doubles',
    [
      { v: long('9007199254740993') },
      { v: raw('-9007199254740992.0') },
      { v: long('4611686018427387905') },
      { v: raw('-4611686018427387904.0') },
    ],
    [
      ['$sum loses nothing beyond 2^53', { $sum: '$v' }, raw('2.0')],
      ['$avg loses nothing beyond 2^53', { $avg: '$v' }, 0.5],
    ],
  ),
];

export const PUBLISHED: readonly PipelineCase[] = [
  ...dates,
  ...zones,
  ...ends,
  ...texts,
  ...arrays,
  ...numbers,
];
