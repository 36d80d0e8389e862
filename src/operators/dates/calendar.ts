/** The parts of local times, and steps in units of the calendar. Local times are given as if they were UTC. */
import { civilOf, DAY, mod, utc } from '../../domain/values/civil.ts';

export { DAY, mod } from '../../domain/values/civil.ts';

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
