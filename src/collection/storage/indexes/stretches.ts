/**
 * How many entries an index has in each stretch of its order, and from which position on, as far as that is known: a range
 * of many entries is counted by the stretches in it. This lives in memory alone.
 */

/** A place in the order of an index: in front of the entry of a key (in hexadecimal) and a position. */
export interface Place {
  readonly key: string;
  readonly seq: number;
}

/** From its place to that of the next one, or to the end of the index. */
export interface Stretch {
  readonly from: Place;
  /** Null where it is not known. */
  entries: number | null;
  /** None of the entries has a lesser position; null where that is not known. */
  least: number | null;
}

/** A stretch with the place where it ends; null for the end of the index. */
export interface Bounded {
  readonly stretch: Stretch;
  readonly to: Place | null;
}

/** What a stretch takes beside its key, in the units of caches. */
const WEIGHT = 64;

export class Stretches {
  #stretches: Stretch[] = [{ from: { key: '', seq: 0 }, entries: null, least: null }];

  /** In units of caches. */
  get weight(): number {
    return this.#stretches.reduce((sum, { from }) => sum + WEIGHT + from.key.length, 0);
  }

  get count(): number {
    return this.#stretches.length;
  }

  /** The stretch of an entry. */
  of(place: Place): Stretch {
    return this.#at(this.#indexOf(place));
  }

  /** The stretches from the one that holds a place. They may be learned of on the way. */
  *from(place: Place): Generator<Bounded> {
    for (let index = this.#indexOf(place); index < this.#stretches.length; index += 1) {
      yield { stretch: this.#at(index), to: this.#stretches[index + 1]?.from ?? null };
    }
  }

  /** Takes in how many entries there are between two places of one stretch of which nothing is known. */
  learn(from: Place, to: Place, entries: number): void {
    const index = this.#indexOf(from);
    const { from: start, least } = this.#at(index);
    const end = this.#stretches[index + 1]?.from;
    const parts: Stretch[] = [{ from, entries, least }];
    if (isBefore(start, from)) parts.unshift({ from: start, entries: null, least });
    if (end === undefined || isBefore(to, end)) parts.push({ from: to, entries: null, least });
    this.#stretches.splice(index, 1, ...parts);
  }

  /** Joins neighbours that have at most this many entries together, and those of which nothing is known. */
  join(most: number): void {
    const joined: Stretch[] = [];
    for (const stretch of this.#stretches) {
      const last = joined.at(-1);
      const sum = last === undefined ? undefined : sumOf(last.entries, stretch.entries);
      if (last === undefined || sum === undefined || (sum !== null && sum > most)) joined.push(stretch);
      else {
        last.entries = sum;
        last.least = lesserOf(last.least, stretch.least);
      }
    }
    this.#stretches = joined;
  }

  /** The last stretch that does not begin behind a place: the first one begins before all places. */
  #indexOf(place: Place): number {
    let [low, high] = [0, this.#stretches.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (isBefore(place, this.#at(middle).from)) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  #at(index: number): Stretch {
    const stretch = this.#stretches[index];
    if (stretch === undefined) throw new RangeError(`No stretch ${index}`);
    return stretch;
  }
}

/** Keys are compared as their bytes are: by the digits of each byte from the left. */
export function isBefore(one: Place, other: Place): boolean {
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
