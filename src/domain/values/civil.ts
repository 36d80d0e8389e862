/**
 * The Gregorian calendar by arithmetic alone. JavaScript's dates end at ±8.64e15 ms, while the local time of a date
 * near an end, or the midnight that begins its year, lies beyond: here nothing ends and nothing is ever NaN.
 */
export const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Days of 400 years, after which the calendar repeats, and the days from 0000-03-01 to 1970-01-01. */
const CYCLE = 146_097;
const EPOCH = 719_468;

/** Milliseconds since 1970 of a date in UTC, out-of-range parts carried over. Months begin at 1. */
export function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  return daysOf(year, month, day) * DAY + hour * HOUR + minute * 60_000 + second * 1000;
}

/** Days since 1970. Years are counted from March here, so that the leap day is a year's last. */
function daysOf(year: number, month: number, day: number): number {
  const fromMarch = mod(month - 3, 12);
  const shifted = year + Math.floor((month - 3) / 12);
  const cycle = Math.floor(shifted / 400);
  const ofCycle = shifted - cycle * 400;
  const leapDays = Math.floor(ofCycle / 4) - Math.floor(ofCycle / 100);
  const dayOfYear = Math.floor((153 * fromMarch + 2) / 5);
  return cycle * CYCLE + ofCycle * 365 + leapDays + dayOfYear + day - 1 - EPOCH;
}

/** The date that a number of days since 1970 is. */
export function civilOf(days: number): {
  readonly year: number;
  readonly month: number;
  readonly day: number;
} {
  const shifted = days + EPOCH;
  const cycle = Math.floor(shifted / CYCLE);
  const ofCycle = shifted - cycle * CYCLE;
  const years = Math.floor(
    (ofCycle - Math.floor(ofCycle / 1460) + Math.floor(ofCycle / 36_524) - Math.floor(ofCycle / 146_096)) /
      365,
  );
  const dayOfYear = ofCycle - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  return {
    year: years + cycle * 400 + (fromMarch < 10 ? 0 : 1),
    month: fromMarch < 10 ? fromMarch + 3 : fromMarch - 9,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** The remainder that is never negative. */
export function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
