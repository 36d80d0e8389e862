/** Which operand decides where one is null and another is wrong, and what is not worked out, as MongoDB has it. */
import { date, expressions, fails, long, refused, type PipelineCase, type Sent } from './pipeline-case.ts';

const D = {
  at: date('2023-05-11T08:34:25.002Z'),
  empty: [],
  i: 5,
  large: 200,
  list: [1],
  n: null,
  s: 'text',
  zero: 0,
};

const FAULT = { $divide: [1, '$zero'] };

const inTurn = ['$add', '$multiply', '$concat', '$concatArrays', '$setUnion', '$setIntersection', '$atan2'];

/** An operator, the constant operand that is wrong, and all operands. */
const WRONG: readonly (readonly [name: string, place: string, operands: Sent])[] = [
  ['$trim', 'chars', { input: '$s', chars: 5 }],
  ['$replaceOne', 'find', { input: '$s', find: 5, replacement: '' }],
  ['$replaceAll', 'replacement', { input: '$s', find: '$n', replacement: 5 }],
  ['$getField', 'field', { field: 5, input: '$n' }],
  ['$setField', 'field', { field: '', input: '$n', value: 1 }],
  ['$unsetField', 'field', { field: 5, input: '$n' }],
  ['$lastN', 'n', { input: '$list', n: 1.5 }],
  ['$dateSubtract', 'amount', { startDate: '$at', unit: 'day', amount: 's' }],
  ['$dateToParts', 'iso8601', { date: '$n', iso8601: 's' }],
  ['$dateFromParts', 'second', { year: '$i', second: 1.5 }],
  ['$dateFromParts', 'isoWeek', { isoWeekYear: '$i', isoWeek: 's' }],
];

export const ORDER_CASES: readonly PipelineCase[] = [
  ...expressions('null and faults', D, [
    ...inTurn.flatMap(
      (name) =>
        [
          [`${name}: null hides what is behind it`, { [name]: ['$n', { a: FAULT }] }, null],
          [`${name}: what is wrong in front of null is a fault`, { [name]: [true, '$n'] }, fails()],
        ] as const,
    ),
    ['a second date in front of null is a fault', { $add: ['$at', '$at', '$n'] }, fails()],
    ['each number behind a date is rounded', { $add: ['$at', 0.5, 0.5] }, '2023-05-11T08:34:25.004Z'],
    ['numbers before a date are rounded together', { $add: [0.5, 0.5, '$at'] }, '2023-05-11T08:34:25.003Z'],
    ['$setEquals is decided by the first that differs', { $setEquals: ['$list', [2], '$s'] }, false],
    ['$setEquals needs an array behind an equal one', { $setEquals: ['$list', [1], '$s'] }, fails()],
    ['$round: the number comes first', { $round: ['$s', '$n'] }, fails()],
    ['$round: null comes first', { $round: ['$n', '$s'] }, null],
    ['$trim: the input comes first', { $trim: { input: '$i', chars: '$n' } }, fails()],
    ['$trim: a null input comes first', { $trim: { input: '$n', chars: '$i' } }, null],
    ['$slice: the array comes before the count', { $slice: ['$s', 1, '$n'] }, fails()],
    ['$slice: the position comes before the count', { $slice: ['$list', '$n', '$s'] }, null],
    ['$zip: the first array decides', { $zip: { inputs: ['$i', '$n'] } }, fails()],
    ['$zip: the first null decides', { $zip: { inputs: ['$n', '$i'] } }, null],
    ['$filter: of no items no limit is asked', { $filter: { input: '$empty', cond: 1, limit: '$s' } }, []],
    [
      '$filter: what is no array comes before the limit',
      { $filter: { input: '$n', cond: 1, limit: 0 } },
      null,
    ],
    [
      '$filter: a limit has 32 bits',
      { $filter: { input: '$list', cond: 1, limit: long('2147483648') } },
      fails(),
    ],
    ['$regexMatch: the input is a string', { $regexMatch: { input: '$i', regex: '$n' } }, fails()],
    [
      '$regexMatch: so are the options',
      { $regexMatch: { input: '$s', regex: '$n', options: '$i' } },
      fails(),
    ],
    ['$year: the date comes before the zone', { $year: { date: '$s', timezone: '$n' } }, fails()],
    [
      '$dateDiff: the unit comes before the zone',
      { $dateDiff: { startDate: '$at', endDate: '$at', unit: '$s', timezone: '$n' } },
      fails(),
    ],
    [
      '$dateDiff: null comes before the kinds of dates',
      { $dateDiff: { startDate: '$s', endDate: '$n', unit: '$s' } },
      null,
    ],
    [
      '$dateAdd: the unit comes before the amount',
      { $dateAdd: { startDate: '$at', unit: '$s', amount: '$n' } },
      fails(),
    ],
    [
      '$dateAdd: null comes before the kind of the start',
      { $dateAdd: { startDate: '$s', unit: 'day', amount: '$n' } },
      null,
    ],
    [
      '$dateTrunc: the size of bins comes before the unit',
      { $dateTrunc: { date: '$at', unit: '$n', binSize: '$zero' } },
      fails(),
    ],
    ['$dateFromParts: the hour comes before the year', { $dateFromParts: { year: '$s', hour: '$n' } }, null],
    [
      '$dateFromParts: a wrong hour comes before the year',
      { $dateFromParts: { year: '$n', hour: '$s' } },
      fails(),
    ],
    [
      '$dateFromParts: the range of the year comes last',
      { $dateFromParts: { year: 12_000, month: '$n' } },
      null,
    ],
  ]),
  ...expressions('what stands in', D, [
    [
      '$convert: neither is worked out where it is not needed',
      { $convert: { input: '$i', to: 'string', onError: FAULT, onNull: FAULT } },
      '5',
    ],
    [
      '$convert: one that is needed may fail',
      { $convert: { input: '$n', to: 'int', onNull: FAULT } },
      fails(),
    ],
    [
      '$dateToString: onNull is not worked out of a date',
      { $dateToString: { date: '$at', format: '%Y', onNull: FAULT } },
      '2023',
    ],
    [
      '$dateFromString: neither is worked out of a date',
      { $dateFromString: { dateString: '2023-05-11', onError: FAULT, onNull: FAULT } },
      '2023-05-11T00:00:00.000Z',
    ],
    ...[0, 3, 5, 17, -1, 127, 'object'].map(
      (to) =>
        [
          `$convert: onError stands in for the kind ${to}, to which nothing is converted`,
          { $convert: { input: '$i', to, onError: 'bad' } },
          'bad',
        ] as const,
    ),
    ['the same of a computed number', { $convert: { input: '$i', to: '$i', onError: 'bad' } }, 'bad'],
    [
      'a computed number that is no kind',
      { $convert: { input: '$i', to: '$large', onError: 'bad' } },
      fails(),
    ],
    ...[20, -2, 1.5, true].map(
      (to) =>
        [
          `$convert: onError hides no ${to}, which is no kind`,
          { $convert: { input: '$i', to, onError: 'bad' } },
          refused('/$convert/to'),
        ] as const,
    ),
  ]),
  ...expressions(
    'a constant that no document could make right is refused when it is written',
    D,
    WRONG.map(
      ([name, place, argument]) =>
        [`${name}: ${place}`, { [name]: argument }, refused(`/${name}/${place}`)] as const,
    ),
  ),
];
