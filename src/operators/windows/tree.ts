/**
 * Values of segments of a partition, merged from parts that are computed once: a moving window never subtracts
 * anything. So a value that has left leaves no trace in sums of doubles, and no window takes more than a few dozen
 * steps, however wide it is.
 */
import { Decimal } from '../../domain/values/values.ts';
import type { Keep } from './window.ts';

export interface Part<T, P> {
  readonly add: (value: T) => void;
  /** Adds what the values that follow come to. */
  readonly merge: (next: P) => void;
}

/** Values of the least parts. */
const BLOCK = 16;
const PART_BYTES = 300;
/** Units of merging a value or a part into another, where it is not decimal, and where it is. */
const UNITS = 2;
const DECIMAL_UNITS = 30;

/** Values of the spans of a partition, asked for in order: a span with the start of the one before extends it. */
export class Segment<T, P extends Part<T, P>> {
  readonly #make: () => P;
  readonly #keep: Keep;
  readonly #values: T[] = [];
  /** The parts of 1, 2, 4 … blocks each. */
  readonly #levels: P[][] = [];
  #open: P | undefined;
  #units = UNITS;
  /** The last span, and what it comes to. */
  #part: P | undefined;
  #from = 0;
  #to = 0;

  constructor(make: () => P, keep: Keep) {
    this.#make = make;
    this.#keep = keep;
  }

  add(value: T, bytes: number): void {
    if (value instanceof Decimal) this.#units = DECIMAL_UNITS;
    this.#keep.hold(bytes);
    this.#values.push(value);
    this.#open ??= this.#make();
    this.#open.add(value);
    this.#keep.meter.spend(this.#units);
    if (this.#values.length % BLOCK > 0) return;
    this.#close(this.#open, 0);
    this.#open = undefined;
  }

  #close(part: P, level: number): void {
    this.#keep.hold(PART_BYTES);
    const parts = (this.#levels[level] ??= []);
    const left = parts.at(-1);
    parts.push(part);
    if (left === undefined || parts.length % 2 > 0) return;
    const both = this.#make();
    both.merge(left);
    both.merge(part);
    this.#close(both, level + 1);
  }

  over(from: number, to: number): P {
    const goesOn = this.#part !== undefined && from === this.#from && to >= this.#to;
    const part = goesOn && this.#part !== undefined ? this.#part : this.#make();
    this.#into(part, goesOn ? this.#to : from, to);
    this.#part = part;
    this.#from = from;
    this.#to = to;
    return part;
  }

  /** Takes the values from one index to before another into a part. */
  #into(part: P, from: number, to: number): void {
    for (let at = from; at < to;) {
      this.#keep.meter.spend(this.#units);
      const level = this.#levelAt(at, to);
      const whole = this.#levels[level]?.[at / (BLOCK << level)];
      const value = this.#values[at];
      if (whole !== undefined) {
        part.merge(whole);
        at += BLOCK << level;
      } else {
        if (value !== undefined) part.add(value);
        at += 1;
      }
    }
  }

  /** The level of the largest part that begins at an index and does not reach beyond another; -1 for none. */
  #levelAt(at: number, to: number): number {
    let level = -1;
    for (let size = BLOCK; at % size === 0 && at + size <= to; size *= 2) level += 1;
    return level;
  }
}
