/**
 * Time zones: names of the IANA database and offsets such as `+05:30`. Everything about local time goes through
 * here; dates themselves are instants.
 */
import { Lru } from '../../domain/lru.ts';

/** Milliseconds east of UTC at an instant. */
export interface Zone {
  readonly offsetAt: (instant: number) => number;
  /** Its abbreviation never changes when it is an offset. */
  readonly isUtc: boolean;
}

const OFFSET = /^([+-])([0-9]{2})(?::?([0-9]{2}))?$/;
const HOUR = 3_600_000;

export const UTC: Zone = { offsetAt: () => 0, isUtc: true };

const zones = new Lru<string, Zone>(64);

/** The zone of a name, or undefined when there is none. */
export function zoneOf(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = makeZone(name);
  if (zone !== undefined) zones.set(name, zone);
  return zone;
}

function makeZone(name: string): Zone | undefined {
  if (/^(?:UTC|GMT|Z)$/.test(name)) return UTC;
  const match = OFFSET.exec(name);
  if (match !== null) {
    const [, sign, hours = '', minutes = '00'] = match;
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60_000);
    return { offsetAt: () => offset, isUtc: offset === 0 };
  }
  // Some runtimes take an offset of their own form for a zone; a name begins with a letter.
  return /^[A-Za-z][A-Za-z0-9_+/-]{0,60}$/.test(name) ? namedZone(name) : undefined;
}

function namedZone(name: string): Zone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  // Offsets change on full quarters of an hour at most, and dates of one pipeline are often near one another.
  const cache = new Lru<number, number>(512);
  const offsetAt = (instant: number): number => {
    const slot = Math.floor(instant / (HOUR / 4));
    const known = cache.get(slot);
    if (known !== undefined) return known;
    const offset = localTime(format, slot * (HOUR / 4)) - slot * (HOUR / 4);
    cache.set(slot, offset);
    return offset;
  };
  return { offsetAt, isUtc: name === 'Etc/UTC' };
}

/** What clocks show, as if they showed UTC. */
function localTime(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  return utc(year, part('month'), part('day'), part('hour'), part('minute'), part('second'));
}

/** Milliseconds since 1970 of a date in UTC, out-of-range parts carried over. Months begin at 1. */
export function utc(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
  millisecond = 0,
): number {
  const date = new Date(0);
  // Date.UTC would take years below 100 for those of the last century.
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() + hour * HOUR + minute * 60_000 + second * 1000 + millisecond;
}

/** What clocks in the zone show at an instant, as if they showed UTC. */
export function toLocal(instant: number, zone: Zone): number {
  return instant + zone.offsetAt(instant);
}

/**
 * The instant at which clocks in the zone show a time. One that they show twice is the first; one that they leave
 * out is as much later as they were put forward.
 */
export function fromLocal(local: number, zone: Zone): number {
  const before = zone.offsetAt(local - 24 * HOUR);
  const after = zone.offsetAt(local + 24 * HOUR);
  if (before === after || zone.offsetAt(local - before) === before) return local - before;
  return zone.offsetAt(local - after) === after ? local - after : local - before;
}
