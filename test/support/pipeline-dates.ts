/** What the cases of dates are about. */
import { date } from './pipeline-case.ts';

export const D = {
  day: date('2017-01-01T01:29:09.123Z'),
  end: date('2016-12-31T23:59:59.999Z'),
  summer: date('2017-07-06T14:35:42.000Z'),
  oid: { $oid: '58c7cba47bbadf523cf2c313' },
  n: null,
  s: '2017-02-08T12:10:40.787',
  i: 5,
};
export const NY = 'America/New_York';
