/** Cases of dates as texts: what is read as one, and how one is written. */
import { date, expressions, fails, refused, type PipelineCase } from './pipeline-case.ts';
import { D, NY } from './pipeline-dates.ts';

export const FORMS: readonly PipelineCase[] = [
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
    ['refuses a zone that is none for null', { $dateFromParts: { year: '$n', timezone: '$s' } }, fails()],
    [
      'refuses unknown zones',
      { $dateFromParts: { year: '$i', timezone: 'Nope' } },
      refused('/$dateFromParts/timezone'),
    ],
    [
      'refuses constant fractions',
      { $dateFromParts: { year: 2017.5, month: '$n' } },
      refused('/$dateFromParts/year'),
    ],
    [
      'refuses both forms together',
      { $dateFromParts: { year: 2017, isoWeek: 1 } },
      refused('/$dateFromParts'),
    ],
    ['takes parts of 16 bits', { $dateFromParts: { year: 9999, day: -32768 } }, '9909-04-14T00:00:00.000Z'],
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
    ['refuses a format that is none of null', { $dateToString: { date: '$n', format: '$i' } }, fails()],
    [
      'refuses unknown specifiers of null',
      { $dateToString: { date: null, format: '%q', onNull: 'never' } },
      refused('/$dateToString'),
    ],
    [
      'refuses unknown zones',
      { $dateToString: { date: '$n', timezone: 'Nope' } },
      refused('/$dateToString/timezone'),
    ],
    [
      'refuses formats of unknown specifiers',
      { $dateToString: { date: '$n', format: '%q' } },
      refused('/$dateToString/format'),
    ],
    ['refuses a zone that is none of null', { $dateToString: { date: '$n', timezone: '$s' } }, fails()],
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
