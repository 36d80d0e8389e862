/**
 * How many entries an index has in each segment of its order, and from which position on, as far as known: a range of
 * many entries is counted by its segments. This lives in memory alone.
 */

/** A place in the order of an index: in front of the entry of a key (in hexadecimal) and a position. */
export interface EntryPlace {
  readonly key: string;
  readonly seq: number;
}

/** From its place to that of the next one, or to the end of the index. */
export interface Segment {
  readonly from: EntryPlace;
  /** Null where it is not known. */
  entries: number | null;
  /** None of the entries has a lesser position; null where that is not known. */
  least: number | null;
}

/** A segment with the place where it ends; null for the end of the index. */
export interface Bounded {
  readonly segment: Segment;
  readonly to: EntryPlace | null;
}

/** What a segment takes beside its key, in the units of caches. */
const WEIGHT = 64;

export class Segments {
  #segments: Segment[] = [{ from: { key: '', seq: 0 }, entries: null, least: null }];

  /** In units of caches. */
  get weight(): number {
    return this.#segments.reduce((sum, { from }) => sum + WEIGHT + from.key.length, 0);
  }

  get count(): number {
    return this.#segments.length;
  }

  /** The segment of an entry. */
  of(place: EntryPlace): Segment {
    return this.#at(this.#indexOf(place));
  }

  /** The segment that holds a place, and where it ends. */
  from(place: EntryPlace): Bounded {
    const index = this.#indexOf(place);
    return { segment: this.#at(index), to: this.#segments[index + 1]?.from ?? null };
  }

  /** Takes in how many entries there are between two places of one segment of which nothing is known. */
  learn(from: EntryPlace, to: EntryPlace, entries: number): void {
    const index = this.#indexOf(from);
    const { from: start, least } = this.#at(index);
    const end = this.#segments[index + 1]?.from;
    const parts: Segment[] = [{ from, entries, least }];
    if (isBefore(start, from)) parts.unshift({ from: start, entries: null, least });
    if (end === undefined || isBefore(to, end)) parts.push({ from: to, entries: null, least });
    this.#segments.splice(index, 1, ...parts);
  }

  /** Joins neighbours that have at most this many entries together, and those of which nothing is known. */
  join(most: number): void {
    const joined: Segment[] = [];
    for (const segment of this.#segments) {
      const last = joined.at(-1);
      const sum = last === undefined ? undefined : sumOf(last.entries, segment.entries);
      if (last === undefined || sum === undefined || (sum !== null && sum > most)) joined.push(segment);
      else {
        last.entries = sum;
        last.least = lesserOf(last.least, segment.least);
      }
    }
    this.#segments = joined;
  }

  /** The last segment that does not begin behind a place: the first one begins before all places. */
  #indexOf(place: EntryPlace): number {
    let [low, high] = [0, this.#segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (isBefore(place, this.#at(middle).from)) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  #at(index: number): Segment {
    const segment = this.#segments[index];
    if (segment === undefined) throw new RangeError(`No segment ${index}`);
    return segment;
  }
}

/** Keys are compared as their bytes are: by the digits of each byte from the left. */
export function isBefore(one: EntryPlace, other: EntryPlace): boolean {
  return one.key < other.key || (one.key === other.key && one.seq < other.seq);
}

/** Undefined for neighbours that are not alike. */
function sumOf(one: number | null, other: number | null): number | null | undefined {
  if (one === null && other === null) return null;
  return one === null || other === null ? undefined : one + other;
}

function lesserOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.min(one, other);
}
