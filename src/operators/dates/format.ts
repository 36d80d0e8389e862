/** Dates as texts by a format of `%` specifiers, as `$dateToString` has them. */
import { stop } from '../core/meter.ts';
import { dayOfYear, isoWeek, isoWeekday, partsOf, weekday, weekOfYear } from './calendar.ts';

interface Moment {
  readonly local: number;
  /** Milliseconds east of UTC. */
  readonly offset: number;
}

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const SPECIFIERS: Readonly<Record<string, (moment: Moment) => string>> = {
  Y: ({ local }) => yearText(partsOf(local).year),
  m: ({ local }) => pad(partsOf(local).month, 2),
  b: ({ local }) => (MONTHS[partsOf(local).month - 1] ?? '').slice(0, 3),
  B: ({ local }) => MONTHS[partsOf(local).month - 1] ?? '',
  d: ({ local }) => pad(partsOf(local).day, 2),
  j: ({ local }) => pad(dayOfYear(local), 3),
  H: ({ local }) => pad(partsOf(local).hour, 2),
  M: ({ local }) => pad(partsOf(local).minute, 2),
  S: ({ local }) => pad(partsOf(local).second, 2),
  L: ({ local }) => pad(partsOf(local).millisecond, 3),
  w: ({ local }) => String(weekday(local) + 1),
  u: ({ local }) => String(isoWeekday(local)),
  U: ({ local }) => pad(weekOfYear(local), 2),
  V: ({ local }) => pad(isoWeek(local).week, 2),
  G: ({ local }) => yearText(isoWeek(local).year),
  // Seconds of old offsets are cut off, here and in %Z.
  z: ({ offset }) => {
    const minutes = Math.floor(Math.abs(offset) / 60_000);
    return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}${pad(minutes % 60, 2)}`;
  },
  Z: ({ offset }) => String(Math.trunc(offset / 60_000) + 0),
  '%': () => '%',
};

export const ISO_UTC = '%Y-%m-%dT%H:%M:%S.%LZ';
export const ISO_LOCAL = '%Y-%m-%dT%H:%M:%S.%L';

/** The text of a moment by a format of these specifiers alone. */
export function formatDate(moment: Moment, format: string): string {
  return format.replace(/%(.)/gs, (_match, specifier: string) => SPECIFIERS[specifier]?.(moment) ?? '');
}

function yearText(year: number): string {
  return year >= 0 && year <= 9999 ? pad(year, 4) : stop(`The year ${year} has no text: 0 to 9999 have one.`);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
