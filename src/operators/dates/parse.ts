/** Parses dates: without a format ISO 8601 and a few similar forms, else by the format. */
import { dateOf } from '../../domain/values/dates.ts';
import { dayOfYear, isoWeekStart, DAY, partsOf, utc } from './calendar.ts';
import { MONTHS } from './format.ts';
import { fixedZone, fromLocal, offsetZone, UTC, type Zone } from './zones.ts';

/** Why a text is no date, as the end of a sentence. */
export interface Unread {
  readonly reason: string;
}

const TIME = '(?:[T ]+([0-9]{1,2}):([0-9]{2})(?:[:.]([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)?';
const ZONE = '\\s*((?:GMT)?[+-][0-9]{2}(?::?[0-9]{2})?|[A-Z]{1,4})?';
const NUMERIC = new RegExp(`^([0-9]{4})[-/]?([0-9]{2})[-/]?([0-9]{2})${TIME}${ZONE}$`, 'i');
const WORDS_FIRST = new RegExp(
  `^([a-z]{3,9})\\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})${TIME}${ZONE}$`,
  'i',
);
const DAY_FIRST = new RegExp(
  `^(?:[a-z]{3},? )?([0-9]{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\\.?,? ([0-9]{4})${TIME}${ZONE}$`,
  'i',
);
const AMERICAN = new RegExp(`^([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})${TIME}${ZONE}$`, 'i');

/** A text without a format. `zone` is its time zone unless the text names one. */
export function parseDateText(text: string, zone: Zone | undefined): Date | Unread {
  if (text.length > 100) return { reason: 'the text is no date' };
  const fields =
    numeric(text) ?? american(text) ?? worded(WORDS_FIRST, text, 1, 2) ?? worded(DAY_FIRST, text, 2, 1);
  return fields === undefined ? { reason: 'the text is no date' } : assemble(fields, zone);
}

interface Read {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  millisecond?: number;
  dayOfYear?: number;
  isoYear?: number;
  isoWeek?: number;
  isoDay?: number;
  zone?: string | number;
}

function clock(match: RegExpExecArray): Read {
  const [hour = '0', minute = '0', second = '0', fraction = '', zone] = match.slice(4, 9);
  return {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
    ...(zone === undefined ? {} : { zone: zone.toUpperCase() }),
  };
}

function numeric(text: string): Read | undefined {
  const match = NUMERIC.exec(text);
  return match === null
    ? undefined
    : { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]), ...clock(match) };
}

function american(text: string): Read | undefined {
  const match = AMERICAN.exec(text);
  if (match === null) return undefined;
  const year = Number(match[3]);
  // Two digits are those of the years from 1970 to 2069.
  const full = match[3]?.length === 2 ? year + (year < 70 ? 2000 : 1900) : year;
  return { year: full, month: Number(match[1]), day: Number(match[2]), ...clock(match) };
}

function worded(shape: RegExp, text: string, month: number, day: number): Read | undefined {
  const match = shape.exec(text);
  const number = match === null ? 0 : monthOf(match[month] ?? '');
  if (match === null || number === 0) return undefined;
  return { year: Number(match[3]), month: number, day: Number(match[day]), ...clock(match) };
}

/** From 1, by the name or its first three letters; 0 for no month. */
function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return (
    MONTHS.findIndex((month) => [month, month.slice(0, 3)].some((each) => each.toLowerCase() === lower)) + 1
  );
}

/** Hours east of UTC, by the abbreviations that have one meaning here and the letters of military zones. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, AKST: -9, AKDT: -8, HST: -10 },
  ...{ WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, JST: 9, UTC: 0, GMT: 0, Z: 0 },
  ...Object.fromEntries(Array.from('ABCDEFGHIKLM', (letter, index) => [letter, index + 1])),
  ...Object.fromEntries(Array.from('NOPQRSTUVWXY', (letter, index) => [letter, -index - 1])),
};

/** For each specifier a pattern, and the place of its text. */
export const READ_SPECIFIERS: Readonly<
  Record<string, readonly [pattern: string, take: (text: string, into: Read) => void]>
> = {
  Y: ['[0-9]{1,4}', (text, into) => (into.year = Number(text))],
  m: ['[0-9]{1,2}', (text, into) => (into.month = Number(text))],
  b: ['[A-Za-z]{3}', (text, into) => (into.month = monthOf(text))],
  B: ['[A-Za-z]{3,9}', (text, into) => (into.month = monthOf(text))],
  d: ['[0-9]{1,2}', (text, into) => (into.day = Number(text))],
  j: ['[0-9]{1,3}', (text, into) => (into.dayOfYear = Number(text))],
  G: ['[0-9]{1,4}', (text, into) => (into.isoYear = Number(text))],
  V: ['[0-9]{1,2}', (text, into) => (into.isoWeek = Number(text))],
  u: ['[1-7]', (text, into) => (into.isoDay = Number(text))],
  H: ['[0-9]{1,2}', (text, into) => (into.hour = Number(text))],
  M: ['[0-9]{1,2}', (text, into) => (into.minute = Number(text))],
  S: ['[0-9]{1,2}', (text, into) => (into.second = Number(text))],
  // A fraction of a second: `.8` is 800 ms.
  L: ['[0-9]{1,3}', (text, into) => (into.millisecond = Number(text.padEnd(3, '0')))],
  z: ['\\s*(?:(?:GMT)?[+-][0-9]{2}(?::?[0-9]{2})?|[A-Z]{1,4})', (text, into) => (into.zone = text.trim())],
  Z: ['[+-]?[0-9]{1,4}', (text, into) => (into.zone = Number(text))],
  '%': ['%', () => undefined],
};

const READERS = new Map(
  Object.entries(READ_SPECIFIERS).map(([name, [pattern, take]]) => [
    name,
    { pattern: new RegExp(`(?:${pattern})`, 'y'), take },
  ]),
);

/** A text by a format of these specifiers alone. */
export function parseByFormat(text: string, format: string, zone: Zone | undefined): Date | Unread {
  const into: Read = {};
  let at = 0;
  for (const [token, specifier] of format.matchAll(/%(.)|[^%]/gsu)) {
    if (specifier === undefined) {
      if (!text.startsWith(token, at)) return { reason: 'the text does not follow the format' };
      at += token.length;
      continue;
    }
    const reader = READERS.get(specifier);
    if (reader === undefined) return { reason: 'the format is none' };
    reader.pattern.lastIndex = at;
    const match = reader.pattern.exec(text);
    if (match === null) return { reason: 'the text does not follow the format' };
    reader.take(match[0], into);
    at += match[0].length;
  }
  return at === text.length ? assemble(into, zone) : { reason: 'the text goes on behind the format' };
}

function assemble(read: Read, given: Zone | undefined): Date | Unread {
  const day = dayOf(read);
  const { hour = 0, minute = 0, second = 0, millisecond = 0 } = read;
  if (
    day === undefined ||
    hour > 24 ||
    minute > 59 ||
    second > 59 ||
    (hour === 24 && minute + second + millisecond > 0)
  ) {
    return { reason: 'there is no such day or time' };
  }
  if (read.zone !== undefined && given !== undefined) {
    return { reason: 'the text names a zone, and timezone names another' };
  }
  const zone = zoneIn(read.zone) ?? (read.zone === undefined ? (given ?? UTC) : undefined);
  if (zone === undefined) return { reason: 'there is no such zone' };
  const local = day + hour * 3_600_000 + minute * 60_000 + second * 1000 + millisecond;
  return dateOf(fromLocal(local, zone)) ?? { reason: 'the date is out of range' };
}

function zoneIn(zone: string | number | undefined): Zone | undefined {
  if (typeof zone === 'number') return fixedZone(zone * 60_000);
  if (zone === undefined) return undefined;
  const hours = Object.hasOwn(ABBREVIATIONS, zone) ? ABBREVIATIONS[zone] : undefined;
  return hours === undefined ? offsetZone(zone.replace('GMT', '')) : fixedZone(hours * 3_600_000);
}

/** The local midnight that the parts name, in one of three ways; undefined when they name none. */
function dayOf(read: Read): number | undefined {
  const { year, month, day, isoYear, isoWeek, isoDay } = read;
  if (isoYear !== undefined) {
    if (month !== undefined || day !== undefined || (isoWeek ?? 1) < 1 || (isoWeek ?? 1) > 53)
      return undefined;
    return isoWeekStart(isoYear, isoWeek ?? 1) + ((isoDay ?? 1) - 1) * DAY;
  }
  if (year === undefined || isoWeek !== undefined || isoDay !== undefined) return undefined;
  if (read.dayOfYear !== undefined) {
    const local = utc(year, 1, read.dayOfYear);
    return dayOfYear(local) === read.dayOfYear ? local : undefined;
  }
  if (month === undefined || day === undefined) return undefined;
  const local = utc(year, month, day);
  const parts = partsOf(local);
  return parts.month === month && parts.day === day ? local : undefined;
}
