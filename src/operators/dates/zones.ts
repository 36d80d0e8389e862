/** Time zones: names of the IANA database and offsets such as `+05:30`. All local time is here; dates are instants. */
import { utc } from './calendar.ts';
import { LARGEST_DATE } from '../../domain/values/dates.ts';
import { Lru } from '../../domain/caching/lru.ts';
import { recall } from '../../domain/caching/recall.ts';
import type { Meter } from '../core/meter.ts';

/** Milliseconds east of UTC at an instant. */
export interface Zone {
  readonly offsetAt: (instant: number) => number;
  /** Its abbreviation never changes when it is an offset. */
  readonly isUtc: boolean;
}

const OFFSET = /^([+-])([0-9]{2})(?::?([0-9]{2}))?$/;
const HOUR = 3_600_000;

/** Units of work (domain/work/work.ts): the runtime takes some 5 µs for a local time, some 60 to read a zone. */
const READING = 500;
const ZONE = 6_000;

type Work = Pick<Meter, 'spendUnits'>;

export const UTC: Zone = fixedZone(0);

const zones = new Lru<string, Zone | NamedZone>(64);

/** The zone of a name, or undefined when there is none. `work` counts what its local times take to read. */
export function zoneOf(name: string, work: Work): Zone | undefined {
  const zone = recall(zones, name, () => makeZone(name, work));
  return zone instanceof NamedZone ? zone.countedBy(work) : zone;
}

function makeZone(name: string, work: Work): Zone | NamedZone | undefined {
  if (/^(?:UTC|GMT|Z)$/.test(name)) return UTC;
  // Some runtimes take an offset of their own form for a zone; a name begins with a letter.
  return /^[A-Za-z][A-Za-z0-9_+/-]{0,60}$/.test(name) ? namedZone(name, work) : offsetZone(name);
}

export function fixedZone(offset: number): Zone {
  return { offsetAt: () => offset, isUtc: offset === 0 };
}

/** The zone of an offset such as `+05:30`, or undefined for another text. */
export function offsetZone(text: string): Zone | undefined {
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const [, sign, hours = '', minutes = '00'] = match;
  return fixedZone((sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60_000));
}

function namedZone(name: string, work: Work): NamedZone | undefined {
  work.spendUnits(ZONE);
  try {
    return new NamedZone(
      new Intl.DateTimeFormat('en-US', {
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
      }),
      name === 'Etc/UTC',
    );
  } catch {
    return undefined;
  }
}

/** No zone has changed twice within a step: the shortest time between changes was four days, in Freetown in 1939. */
const STEP = 72 * HOUR;
const SEGMENT = 10 * STEP;

/** A segment of time: its first offset, and the instants in it with another offset, in order. */
interface Segment {
  readonly before: number;
  readonly changes: readonly { readonly from: number; readonly offset: number }[];
}

/**
 * A zone of the IANA database. Offsets are exact to the second, as zones have changed them at any. A step of time whose
 * ends agree has one offset. The runtime is slow to read; segments of ten steps are kept, enough for dates of 80 years.
 */
class NamedZone {
  readonly #format: Intl.DateTimeFormat;
  readonly #isUtc: boolean;
  readonly #segments = new Lru<number, Segment>(1024);

  constructor(format: Intl.DateTimeFormat, isUtc: boolean) {
    this.#format = format;
    this.#isUtc = isUtc;
  }

  /** The zone for those who count their work: reading dates far from one another takes much. */
  countedBy(work: Work): Zone {
    return { offsetAt: (instant) => this.#offsetAt(instant, work), isUtc: this.#isUtc };
  }

  #offsetAt(instant: number, work: Work): number {
    const { before, changes } = recall(this.#segments, Math.floor(instant / SEGMENT), (index) =>
      this.#readSegment(index * SEGMENT, work),
    );
    let offset = before;
    for (const change of changes) if (change.from <= instant) offset = change.offset;
    return offset;
  }

  #readSegment(start: number, work: Work): Segment {
    const before = this.#read(start, work);
    const changes = [];
    let offset = before;
    for (let from = start; from < start + SEGMENT; from += STEP) {
      const after = this.#read(from + STEP, work);
      if (after === offset) continue;
      changes.push({ from: this.#changeWithin(from, offset, work), offset: after });
      offset = after;
    }
    return { before, changes };
  }

  /** The instant within a step, to the second, from which the offset is no longer the one at its beginning. */
  #changeWithin(step: number, before: number, work: Work): number {
    let [low, high] = [step / 1000, (step + STEP) / 1000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#read(middle * 1000, work) === before) low = middle;
      else high = middle;
    }
    return high * 1000;
  }

  #read(instant: number, work: Work): number {
    work.spendUnits(READING);
    const known = inRange(instant);
    return localTime(this.#format, known) - known;
  }
}

/** The runtime knows no local times of instants beyond those of dates: there the offsets of the ends hold. */
function inRange(instant: number): number {
  return Math.min(Math.max(instant, -LARGEST_DATE), LARGEST_DATE);
}

/** Local time, as if it were UTC. */
function localTime(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  return utc(year, part('month'), part('day'), part('hour'), part('minute'), part('second'));
}

/** Local time of an instant in the zone, as if it were UTC. */
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
