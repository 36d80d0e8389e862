/** Cases of dates: parts, texts, calendars, zones and their summer times. */
import { date, expressions, fails, refused, type PipelineCase } from './pipeline-case.ts';

const D = {
  day: date('2017-01-01T01:29:09.123Z'),
  end: date('2016-12-31T23:59:59.999Z'),
  summer: date('2017-07-06T14:35:42.000Z'),
  oid: { $oid: '58c7cba47bbadf523cf2c313' },
  n: null,
  s: '2017-02-08T12:10:40.787',
  i: 5,
};
const NY = 'America/New_York';

const parts = [
  ...expressions('parts of dates', D, [
    ['the calendar', [{ $year: '$day' }, { $month: '$day' }, { $dayOfMonth: '$day' }], [2017, 1, 1]],
    [
      'the clock',
      [{ $hour: '$day' }, { $minute: '$day' }, { $second: '$day' }, { $millisecond: '$day' }],
      [1, 29, 9, 123],
    ],
    [
      'days of year and week',
      [{ $dayOfYear: '$summer' }, { $dayOfWeek: '$day' }, { $isoDayOfWeek: '$day' }],
      [187, 1, 7],
    ],
    ['weeks', [{ $week: '$day' }, { $isoWeek: '$day' }, { $isoWeekYear: '$day' }], [1, 52, 2016]],
    ['week 0 is before the first Sunday', { $week: date('2018-01-01') }, 0],
    [
      'an ISO week may belong to the year before',
      [{ $isoWeek: date('2010-01-02') }, { $isoWeekYear: date('2010-01-02') }],
      [53, 2009],
    ],
    ['in a zone', { $hour: { date: '$day', timezone: NY } }, 20],
    ['in a zone with summer time', { $hour: { date: '$summer', timezone: NY } }, 10],
    ['at an offset', { $minute: { date: '$day', timezone: '+05:45' } }, 14],
    ['at an offset without colon', { $hour: { date: '$day', timezone: '-0500' } }, 20],
    ['at an offset of hours', { $hour: { date: '$day', timezone: '+03' } }, 4],
    ['of ids', { $year: '$oid' }, 2017],
    ['of null is null', { $year: '$n' }, null],
    ['in zone null is null', { $year: { date: '$day', timezone: null } }, null],
    ['may stand in a list', { $year: ['$day'] }, 2017],
    [
      'an unknown zone is refused',
      { $year: { date: date('2017-01-01'), timezone: 'Europe/Atlantis' } },
      refused('/$year'),
    ],
    ['of strings fails', { $year: '$s' }, fails()],
    ['refuse unknown arguments', { $year: { date: '$day', zone: 'UTC' } }, refused('/$year/zone')],
  ]),
  ...expressions('$dateToParts', D, [
    [
      'of the calendar',
      { $dateToParts: { date: '$day' } },
      { year: 2017, month: 1, day: 1, hour: 1, minute: 29, second: 9, millisecond: 123 },
    ],
    [
      'of weeks',
      { $dateToParts: { date: '$day', iso8601: true } },
      { isoWeekYear: 2016, isoWeek: 52, isoDayOfWeek: 7, hour: 1, minute: 29, second: 9, millisecond: 123 },
    ],
    [
      'in a zone',
      { $dateToParts: { date: '$day', timezone: NY } },
      { year: 2016, month: 12, day: 31, hour: 20, minute: 29, second: 9, millisecond: 123 },
    ],
    ['of null is null', { $dateToParts: { date: '$n' } }, null],
    ['refuses a switch that is no boolean', { $dateToParts: { date: '$day', iso8601: 1 } }, fails()],
  ]),
];

const forms = [
  ...expressions('$dateFromParts', D, [
    [
      'of the calendar',
      { $dateFromParts: { year: 2017, month: 2, day: 8, hour: 12 } },
      '2017-02-08T12:00:00.000Z',
    ],
    ['of a year alone', { $dateFromParts: { year: 2017 } }, '2017-01-01T00:00:00.000Z'],
    [
      'carries over',
      { $dateFromParts: { year: 2017, month: 14, day: 1, hour: 12 } },
      '2018-02-01T12:00:00.000Z',
    ],
    [
      'carries back',
      { $dateFromParts: { year: 2017, month: 0, day: 1, hour: 12 } },
      '2016-12-01T12:00:00.000Z',
    ],
    [
      'in a zone',
      { $dateFromParts: { year: 2016, month: 12, day: 31, hour: 23, minute: 46, second: 12, timezone: NY } },
      '2017-01-01T04:46:12.000Z',
    ],
    [
      'of weeks',
      { $dateFromParts: { isoWeekYear: 2017, isoWeek: 6, isoDayOfWeek: 3, hour: 12 } },
      '2017-02-08T12:00:00.000Z',
    ],
    ['null anywhere makes null', { $dateFromParts: { year: 2017, month: '$n' } }, null],
    [
      'refuses both forms together',
      { $dateFromParts: { year: 2017, isoWeek: 1 } },
      refused('/$dateFromParts'),
    ],
    ['refuses year zero', { $dateFromParts: { year: 0 } }, refused('/$dateFromParts')],
    ['refuses fractions', { $dateFromParts: { year: 2017.5 } }, refused('/$dateFromParts')],
    [
      'refuses parts beyond 16 bits',
      { $dateFromParts: { year: 2017, day: 40000 } },
      refused('/$dateFromParts'),
    ],
    ['needs a year', { $dateFromParts: { month: 1 } }, refused('/$dateFromParts')],
  ]),
  ...expressions('$dateToString', D, [
    ['without a format is ISO 8601', { $dateToString: { date: '$day' } }, '2017-01-01T01:29:09.123Z'],
    [
      'without a format in a zone has no Z',
      { $dateToString: { date: '$day', timezone: NY } },
      '2016-12-31T20:29:09.123',
    ],
    [
      'by a format',
      { $dateToString: { date: '$day', format: '%Y/%m/%d %H.%M.%S.%L' } },
      '2017/01/01 01.29.09.123',
    ],
    [
      'days and weeks',
      { $dateToString: { date: '$day', format: '%j %u %w %U %V %G' } },
      '001 7 1 01 52 2016',
    ],
    ['names of months', { $dateToString: { date: '$summer', format: '%b %B %d' } }, 'Jul July 06'],
    [
      'the offset',
      { $dateToString: { date: '$summer', format: '%z (%Z minutes)', timezone: NY } },
      '-0400 (-240 minutes)',
    ],
    [
      'the offset of UTC',
      { $dateToString: { date: '$summer', format: '%z (%Z minutes)' } },
      '+0000 (0 minutes)',
    ],
    ['a percent sign', { $dateToString: { date: '$day', format: '100%%' } }, '100%'],
    ['of null is null', { $dateToString: { date: '$n', format: '%Y' } }, null],
    ['onNull stands in', { $dateToString: { date: '$none', onNull: 'never' } }, 'never'],
    ['format null makes null', { $dateToString: { date: '$day', format: '$n' } }, null],
    [
      'refuses unknown specifiers',
      { $dateToString: { date: date('2017-01-01'), format: '%q' } },
      refused('/$dateToString'),
    ],
    ['of strings fails', { $dateToString: { date: '$s' } }, fails()],
  ]),
  ...expressions('$dateFromString', D, [
    ['ISO 8601 without a zone is UTC', { $dateFromString: { dateString: '$s' } }, '2017-02-08T12:10:40.787Z'],
    ['a day alone', { $dateFromString: { dateString: '2017-02-08' } }, '2017-02-08T00:00:00.000Z'],
    [
      'with an offset',
      { $dateFromString: { dateString: '2017-02-08T12:10:40+0300' } },
      '2017-02-08T09:10:40.000Z',
    ],
    ['in a zone', { $dateFromString: { dateString: '$s', timezone: NY } }, '2017-02-08T17:10:40.787Z'],
    [
      'by a format',
      { $dateFromString: { dateString: '06-15-2018', format: '%m-%d-%Y' } },
      '2018-06-15T00:00:00.000Z',
    ],
    [
      'by a format of weeks',
      { $dateFromString: { dateString: '2018 Week 7, day 2', format: '%G Week %V, day %u' } },
      '2018-02-13T00:00:00.000Z',
    ],
    [
      'by a format with names of months',
      { $dateFromString: { dateString: '8 Feb 2017', format: '%d %b %Y' } },
      '2017-02-08T00:00:00.000Z',
    ],
    [
      'by the words of months',
      { $dateFromString: { dateString: 'February 8, 2017' } },
      '2017-02-08T00:00:00.000Z',
    ],
    [
      'with an abbreviated zone',
      { $dateFromString: { dateString: '2017-07-14T12:02:44.771 CEST' } },
      '2017-07-14T10:02:44.771Z',
    ],
    [
      'with an offset from GMT',
      { $dateFromString: { dateString: '2017-07-04 12:48:07 GMT+0545' } },
      '2017-07-04T07:03:07.000Z',
    ],
    ['months first with slashes', { $dateFromString: { dateString: '7/4/17' } }, '2017-07-04T00:00:00.000Z'],
    [
      'refuses zones that are none',
      { $dateFromString: { dateString: '2017-07-04 12:48:07 XYZ' } },
      refused('/$dateFromString'),
    ],
    [
      'refuses weeks of natural years',
      { $dateFromString: { dateString: 'Week 1, 2018', format: 'Week %V, %Y' } },
      refused('/$dateFromString'),
    ],
    ['of null is null', { $dateFromString: { dateString: '$n' } }, null],
    ['onNull stands in', { $dateFromString: { dateString: '$n', onNull: 'none' } }, 'none'],
    ['onError stands in', { $dateFromString: { dateString: 'soon', onError: 'bad' } }, 'bad'],
    [
      'refuses a zone twice',
      { $dateFromString: { dateString: '2017-02-08T12:10:40Z', timezone: NY } },
      refused('/$dateFromString'),
    ],
    [
      'refuses days that are not there',
      { $dateFromString: { dateString: '2017-02-30' } },
      refused('/$dateFromString'),
    ],
    [
      'refuses what does not follow the format',
      { $dateFromString: { dateString: '2017', format: '%d' } },
      refused('/$dateFromString'),
    ],
    ['of numbers fails', { $dateFromString: { dateString: '$i' } }, fails()],
  ]),
];

const stepping = [
  ...expressions('$dateAdd', D, [
    ['days', { $dateAdd: { startDate: '$day', unit: 'day', amount: 3 } }, '2017-01-04T01:29:09.123Z'],
    [
      'months, to the last day where there are fewer',
      { $dateAdd: { startDate: date('2020-01-31'), unit: 'month', amount: 1 } },
      '2020-02-29T00:00:00.000Z',
    ],
    [
      'quarters and years',
      [
        { $dateAdd: { startDate: '$day', unit: 'quarter', amount: 2 } },
        { $dateAdd: { startDate: date('2020-02-29'), unit: 'year', amount: 1 } },
      ],
      ['2017-07-01T01:29:09.123Z', '2021-02-28T00:00:00.000Z'],
    ],
    [
      'negative amounts',
      { $dateAdd: { startDate: '$day', unit: 'week', amount: -1 } },
      '2016-12-25T01:29:09.123Z',
    ],
    [
      'a day keeps the clock over summer time',
      { $dateAdd: { startDate: date('2020-10-31T12:00:00Z'), unit: 'day', amount: 1, timezone: NY } },
      '2020-11-01T13:00:00.000Z',
    ],
    [
      '24 hours do not',
      { $dateAdd: { startDate: date('2020-10-31T12:00:00Z'), unit: 'hour', amount: 24, timezone: NY } },
      '2020-11-01T12:00:00.000Z',
    ],
    ['null makes null', { $dateAdd: { startDate: '$n', unit: 'day', amount: 1 } }, null],
    ['refuses unknown units', { $dateAdd: { startDate: '$day', unit: 'decade', amount: 1 } }, fails()],
    ['refuses fractions', { $dateAdd: { startDate: '$day', unit: 'day', amount: 1.5 } }, fails()],
    [
      'beyond the range of dates fails',
      { $dateAdd: { startDate: '$day', unit: 'year', amount: 1000000 } },
      fails(),
    ],
  ]),
  ...expressions('$dateSubtract', D, [
    ['hours', { $dateSubtract: { startDate: '$day', unit: 'hour', amount: 2 } }, '2016-12-31T23:29:09.123Z'],
    [
      'months',
      { $dateSubtract: { startDate: date('2020-03-31'), unit: 'month', amount: 1 } },
      '2020-02-29T00:00:00.000Z',
    ],
    ['of strings fails', { $dateSubtract: { startDate: '$s', unit: 'day', amount: 1 } }, fails()],
  ]),
  ...expressions('$dateDiff', D, [
    ['counts beginnings of years', { $dateDiff: { startDate: '$end', endDate: '$day', unit: 'year' } }, 1],
    ['counts days', { $dateDiff: { startDate: '$day', endDate: '$summer', unit: 'day' } }, 186],
    [
      'counts hours and less',
      [
        { $dateDiff: { startDate: '$end', endDate: '$day', unit: 'hour' } },
        { $dateDiff: { startDate: '$end', endDate: '$day', unit: 'second' } },
      ],
      [2, 5350],
    ],
    [
      'counts months and quarters',
      [
        { $dateDiff: { startDate: '$day', endDate: '$summer', unit: 'month' } },
        { $dateDiff: { startDate: '$day', endDate: '$summer', unit: 'quarter' } },
      ],
      [6, 2],
    ],
    ['backwards is negative', { $dateDiff: { startDate: '$day', endDate: '$end', unit: 'day' } }, -1],
    [
      'weeks begin on Sundays',
      { $dateDiff: { startDate: date('2021-01-24'), endDate: date('2021-01-25'), unit: 'week' } },
      0,
    ],
    [
      'weeks may begin on Mondays',
      {
        $dateDiff: {
          startDate: date('2021-01-24'),
          endDate: date('2021-01-25'),
          unit: 'week',
          startOfWeek: 'monday',
        },
      },
      1,
    ],
    ['days of a zone', { $dateDiff: { startDate: '$end', endDate: '$day', unit: 'day', timezone: NY } }, 0],
    ['null makes null', { $dateDiff: { startDate: '$n', endDate: '$day', unit: 'day' } }, null],
    [
      'refuses unknown days',
      { $dateDiff: { startDate: '$end', endDate: '$day', unit: 'week', startOfWeek: 'someday' } },
      fails(),
    ],
  ]),
  ...expressions('$dateTrunc', D, [
    ['to hours', { $dateTrunc: { date: '$summer', unit: 'hour' } }, '2017-07-06T14:00:00.000Z'],
    ['to months', { $dateTrunc: { date: '$summer', unit: 'month' } }, '2017-07-01T00:00:00.000Z'],
    [
      'to quarters and years',
      [{ $dateTrunc: { date: '$end', unit: 'quarter' } }, { $dateTrunc: { date: '$end', unit: 'year' } }],
      ['2016-10-01T00:00:00.000Z', '2016-01-01T00:00:00.000Z'],
    ],
    [
      'to weeks from Sunday',
      { $dateTrunc: { date: date('2021-03-20T11:30:05Z'), unit: 'week' } },
      '2021-03-14T00:00:00.000Z',
    ],
    [
      'to weeks from Monday',
      { $dateTrunc: { date: date('2021-03-20T11:30:05Z'), unit: 'week', startOfWeek: 'Mon' } },
      '2021-03-15T00:00:00.000Z',
    ],
    [
      'to bins',
      { $dateTrunc: { date: date('2021-03-20T11:30:05Z'), unit: 'month', binSize: 2 } },
      '2021-03-01T00:00:00.000Z',
    ],
    [
      'to bins of weeks in a zone',
      {
        $dateTrunc: {
          date: date('2021-03-20T11:30:05Z'),
          unit: 'week',
          binSize: 2,
          timezone: 'America/Los_Angeles',
          startOfWeek: 'Monday',
        },
      },
      '2021-03-15T07:00:00.000Z',
    ],
    [
      'to days of a zone',
      { $dateTrunc: { date: '$day', unit: 'day', timezone: NY } },
      '2016-12-31T05:00:00.000Z',
    ],
    [
      'before the point from which bins are counted',
      { $dateTrunc: { date: date('1999-12-31T23:59:00Z'), unit: 'hour', binSize: 5 } },
      '1999-12-31T19:00:00.000Z',
    ],
    ['null makes null', { $dateTrunc: { date: '$n', unit: 'day' } }, null],
    ['refuses bins of zero', { $dateTrunc: { date: '$day', unit: 'day', binSize: 0 } }, fails()],
  ]),
];

export const DATE_CASES: readonly PipelineCase[] = [...parts, ...forms, ...stepping];
