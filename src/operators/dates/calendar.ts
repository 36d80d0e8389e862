/**
 * The Gregorian calendar by arithmetic alone: the parts of local times, given as if they were UTC, and steps in its
 * units. JavaScript's dates end at ±8.64e15 ms, while the local time of a date near an end, or the midnight that begins
 * its year, lies beyond: here nothing ends and nothing is ever NaN.
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
function civilOf(days: number): {
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

export interface Parts {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

export function partsOf(local: number): Parts {
  const days = Math.floor(local / DAY);
  const time = local - days * DAY;
  const { year, month, day } = civilOf(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(time / 3_600_000),
    minute: Math.floor(time / 60_000) % 60,
    second: Math.floor(time / 1000) % 60,
    millisecond: time % 1000,
  };
}

/** 0 is Sunday. The first of 1970 was a Thursday. */
export function weekday(local: number): number {
  return mod(Math.floor(local / DAY) + 4, 7);
}

/** From 1. */
export function dayOfYear(local: number): number {
  return Math.floor((local - utc(partsOf(local).year, 1, 1)) / DAY) + 1;
}

/** 1 is Monday, 7 Sunday. */
export function isoWeekday(local: number): number {
  return weekday(local) || 7;
}

/** Weeks from 0: those that begin on Sundays, the days before the first one in week 0. */
export function weekOfYear(local: number): number {
  return Math.floor((dayOfYear(local) + 6 - weekday(local)) / 7);
}

/** ISO 8601: a week belongs to the year of its Thursday. */
export function isoWeek(local: number) {
  const thursday = local + (4 - isoWeekday(local)) * DAY;
  return { year: partsOf(thursday).year, week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 };
}

/** The Monday of a week of an ISO year, whichever number it is given. */
export function isoWeekStart(year: number, week: number): number {
  const fourth = utc(year, 1, 4);
  return fourth + (1 - isoWeekday(fourth) + 7 * (week - 1)) * DAY;
}

export const UNITS = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
] as const;
export type Unit = (typeof UNITS)[number];

/** Milliseconds of the units that always have as many. */
export const LENGTH: Readonly<Partial<Record<Unit, number>>> = {
  week: 7 * DAY,
  day: DAY,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};

/** Months of the units that are made of them. */
export const MONTHS: Readonly<Partial<Record<Unit, number>>> = { year: 12, quarter: 3, month: 1 };

/** So many months on; a day that the month does not have is its last one. */
export function addMonths(local: number, months: number): number {
  const parts = partsOf(local);
  const first = utc(parts.year, parts.month + months, 1);
  const { year, month } = partsOf(first);
  const last = partsOf(utc(year, month + 1, 0)).day;
  return first + (Math.min(parts.day, last) - 1) * DAY + mod(local, DAY);
}
