/**
 * When segments of a collection's documents were last changed, for what memory keeps of them. Until anything is kept,
 * nothing is noted, and a write pays nothing. A write that was undone may have left a note, which does no harm.
 */

/** How many positions in a row a part has, and a segment, which is several parts. */
export interface Extents {
  readonly part: number;
  readonly segment: number;
}

export type Level = keyof Extents;

const EXTENTS: Extents = { part: 512, segment: 16_384 };

export class DirtyRanges {
  readonly extents: Extents;
  #active = false;
  #now = 0;
  readonly #changed: Readonly<Record<Level, Map<number, number>>> = { part: new Map(), segment: new Map() };

  constructor({ part = EXTENTS.part, segment = EXTENTS.segment }: Partial<Extents> = {}) {
    this.extents = { part, segment };
  }

  /** From now on, changes are noted. */
  begin(): void {
    this.#active = true;
  }

  /** The time, in changes. */
  get now(): number {
    return this.#now;
  }

  /** Notes that the document at a position has changed, has come or has gone. */
  note(seq: number): void {
    if (!this.#active) return;
    this.#now += 1;
    this.#changed.part.set(this.indexOf('part', seq), this.#now);
    this.#changed.segment.set(this.indexOf('segment', seq), this.#now);
  }

  /** The number of the part or segment that a position is in. Positions begin at 1. */
  indexOf(level: Level, seq: number): number {
    return Math.floor((seq - 1) / this.extents[level]);
  }

  /** The parts or segments that were changed after a time. */
  changedSince(level: Level, time: number): readonly number[] {
    return Array.from(this.#changed[level]).flatMap(([index, at]) => (at > time ? index : []));
  }

  /** When a part or segment was last changed; 0 if it was not since changes are noted. */
  changed(level: Level, index: number): number {
    return this.#changed[level].get(index) ?? 0;
  }
}
