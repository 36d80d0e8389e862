/**
 * Time zones: names of the IANA database and offsets such as `+05:30`. Everything about local time goes through
 * here; dates themselves are instants.
 */
import { LARGEST_DATE } from '../../domain/values/dates.ts';
import { Lru } from '../../domain/caching/lru.ts';
import { utc } from '../../domain/values/civil.ts';
import { recall } from '../../domain/caching/recall.ts';

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
  return recall(zones, name, makeZone);
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
  return {
    offsetAt: exactOffsets((instant) => localTime(format, instant) - instant),
    isUtc: name === 'Etc/UTC',
  };
}

/**
 * Offsets to the second, as zones have changed them at any. An hour whose ends agree has one offset: no zone has
 * changed twice within one. Dates of one pipeline are often near one another, so hours are kept.
 */
function exactOffsets(read: (instant: number) => number): (instant: number) => number {
  const hours = new Lru<number, Hour>(512);
  const offsetOfHour = (hour: number): number => read(inRange(hour * HOUR));
  const readHour = (hour: number): Hour => {
    const before = hours.get(hour - 1)?.after ?? offsetOfHour(hour);
    const after = hours.get(hour + 1)?.before ?? offsetOfHour(hour + 1);
    if (before === after) return { before, after, change: Infinity };
    let [low, high] = [hour * 3600, (hour + 1) * 3600];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (read(inRange(middle * 1000)) === before) low = middle;
      else high = middle;
    }
    return { before, after, change: high * 1000 };
  };
  return (instant) => {
    const hour = recall(hours, Math.floor(instant / HOUR), readHour);
    return instant < hour.change ? hour.before : hour.after;
  };
}

/** The offsets at which an hour begins and ends, and the instant from which the second holds. */
interface Hour {
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

/** The runtime knows no local times of instants beyond those of dates: there the offsets of the ends hold. */
function inRange(instant: number): number {
  return Math.min(Math.max(instant, -LARGEST_DATE), LARGEST_DATE);
}

/** What clocks show, as if they showed UTC. */
function localTime(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  return utc(year, part('month'), part('day'), part('hour'), part('minute'), part('second'));
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
