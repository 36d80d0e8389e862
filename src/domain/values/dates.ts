/** ISO 8601 dates, read and written the same way everywhere: what lacks an offset is UTC (decisions, section 2). */
import { civilOf, DAY } from './civil.ts';

const SHAPE =
  /^(\d{4}|[+-]\d{6})(?:-(\d\d)(?:-(\d\d))?)?(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
/** Dates lie between this and its negative, in milliseconds since 1970. */
export const LARGEST_DATE = 8.64e15;

/** The instant an ISO 8601 text names, to the millisecond (further digits are cut), or undefined. */
export function parseDate(text: string): Date | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    zone = 'Z',
  ] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  // A field out of its range would have rolled over into the next one.
  const kept =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute) &&
    date.getUTCSeconds() === Number(second);
  const offset = parseOffset(zone);
  return kept && offset !== undefined ? dateOf(date.getTime() - offset) : undefined;
}

/** The instant a number of milliseconds after 1970, or undefined beyond the range of dates. */
export function dateOf(milliseconds: number): Date | undefined {
  return Number.isInteger(milliseconds) && Math.abs(milliseconds) <= LARGEST_DATE
    ? new Date(milliseconds)
    : undefined;
}

/** The codes of the characters of dates: the digit 0, and what stands between numbers. */
const [ZERO, HYPHEN, T, COLON, DOT, Z] = [0x30, 0x2d, 0x54, 0x3a, 0x2e, 0x5a];

/**
 * The instant some milliseconds after 1970 as answers show it: what `Date.prototype.toISOString` gives, in a third
 * of its time. Throws a RangeError beyond the range of dates.
 */
export function textOfDate(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  const { year, month, day } = civilOf(days);
  // Other years have more digits, and a sign; what is no date is refused there.
  if (!(year >= 0 && year <= 9999)) return new Date(milliseconds).toISOString();
  const ofDay = milliseconds - days * DAY;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const hour = Math.floor(minutes / 60);
  const minute = minutes - hour * 60;
  const second = seconds - minutes * 60;
  const rest = ofDay - seconds * 1000;
  // All at once: a text that grows piece by piece is made again with each piece.
  return String.fromCharCode(
    digitOf(year, 1000),
    digitOf(year, 100),
    digitOf(year, 10),
    digitOf(year, 1),
    HYPHEN,
    digitOf(month, 10),
    digitOf(month, 1),
    HYPHEN,
    digitOf(day, 10),
    digitOf(day, 1),
    T,
    digitOf(hour, 10),
    digitOf(hour, 1),
    COLON,
    digitOf(minute, 10),
    digitOf(minute, 1),
    COLON,
    digitOf(second, 10),
    digitOf(second, 1),
    DOT,
    digitOf(rest, 100),
    digitOf(rest, 10),
    digitOf(rest, 1),
    Z,
  );
}

/** The code of the digit of a number at a power of ten. */
function digitOf(number: number, power: number): number {
  return ZERO + (Math.floor(number / power) % 10);
}

/** An offset such as `+05:30` in milliseconds. */
function parseOffset(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
