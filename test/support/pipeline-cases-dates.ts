/** Cases of dates: parts, texts, calendars, zones and their summer times. */
import { date, expressions, fails, operator, refused, type PipelineCase } from './pipeline-case.ts';
import { FORMS } from './pipeline-cases-date-forms.ts';
import { D, NY } from './pipeline-dates.ts';

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
    ['refuse unknown zones', { $year: { date: '$day', timezone: 'Nope' } }, refused('/$year/timezone')],
    ['refuse unknown zones that data give', { $year: { date: '$day', timezone: '$s' } }, fails()],
    ['refuse unknown arguments', { $year: { date: '$day', zone: 'UTC' } }, refused('/$year/zone')],
  ]),
  ...operator('$dateToParts', D, [
    [
      'of the calendar',
      { date: '$day' },
      { year: 2017, month: 1, day: 1, hour: 1, minute: 29, second: 9, millisecond: 123 },
    ],
    [
      'of weeks',
      { date: '$day', iso8601: true },
      { isoWeekYear: 2016, isoWeek: 52, isoDayOfWeek: 7, hour: 1, minute: 29, second: 9, millisecond: 123 },
    ],
    [
      'in a zone',
      { date: '$day', timezone: NY },
      { year: 2016, month: 12, day: 31, hour: 20, minute: 29, second: 9, millisecond: 123 },
    ],
    ['of null is null', { date: '$n' }, null],
    ['refuses a zone that is none of no date', { date: '$n', timezone: '$s' }, fails()],
    ['refuses a switch that is no boolean of no date', { date: '$n', iso8601: '$i' }, fails()],
    ['refuses a constant switch that is no boolean', { date: '$day', iso8601: 1 }, refused('/iso8601')],
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
    [
      'refuses unknown units',
      { $dateAdd: { startDate: '$day', unit: 'decade', amount: 1 } },
      refused('/$dateAdd/unit'),
    ],
    [
      'refuses fractions',
      { $dateAdd: { startDate: '$day', unit: 'day', amount: 1.5 } },
      refused('/$dateAdd/amount'),
    ],
    [
      'beyond the range of dates fails',
      { $dateAdd: { startDate: '$day', unit: 'year', amount: 1000000 } },
      fails(),
    ],
  ]),
  ...operator('$dateSubtract', D, [
    ['hours', { startDate: '$day', unit: 'hour', amount: 2 }, '2016-12-31T23:29:09.123Z'],
    ['months', { startDate: date('2020-03-31'), unit: 'month', amount: 1 }, '2020-02-29T00:00:00.000Z'],
    ['of strings fails', { startDate: '$s', unit: 'day', amount: 1 }, fails()],
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
      refused('/$dateDiff/startOfWeek'),
    ],
    [
      'takes unknown days for other units than weeks',
      { $dateDiff: { startDate: '$end', endDate: '$day', unit: 'day', startOfWeek: 'someday' } },
      1,
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
    [
      'refuses bins of zero',
      { $dateTrunc: { date: '$day', unit: 'day', binSize: 0 } },
      refused('/$dateTrunc/binSize'),
    ],
  ]),
];

export const DATE_CASES: readonly PipelineCase[] = [...parts, ...FORMS, ...stepping];
