/**
 * The first so many of a stream in an order, without keeping the whole stream. Equal elements keep their order, which a
 * heap (tinyqueue) would not see to; and the meter gets back what is dropped.
 */
import type { Meter } from './meter.ts';

interface Entry<T> {
  readonly element: T;
  readonly size: number;
  /** When it came. */
  readonly turn: number;
}

export class TopN<T> {
  readonly #size: number;
  readonly #compare: (a: T, b: T) => number;
  readonly #sizeOf: (element: T) => number;
  readonly #meter: Meter;
  #kept: Entry<T>[] = [];
  #turn = 0;

  /** `size` elements are kept, perhaps infinitely many; the meter holds so many bytes as `sizeOf` says for each. */
  constructor(size: number, compare: (a: T, b: T) => number, sizeOf: (element: T) => number, meter: Meter) {
    this.#size = size;
    this.#compare = compare;
    this.#sizeOf = sizeOf;
    this.#meter = meter;
  }

  add(element: T): void {
    const size = 64 + this.#sizeOf(element);
    this.#meter.hold(size);
    this.#kept.push({ element, size, turn: this.#turn });
    this.#turn += 1;
    // Cutting only now and then makes the cost per element that of sorting, whatever the size.
    if (this.#kept.length >= this.#size * 2 + 100) this.#cut();
  }

  /** What is kept, in order. */
  sorted(): readonly T[] {
    this.#cut();
    return this.#kept.map(({ element }) => element);
  }

  /** Gives everything back to the meter. */
  clear(): void {
    for (const { size } of this.#kept) this.#meter.release(size);
    this.#kept = [];
  }

  #cut(): void {
    // Comparing costs by the size of what is compared, about its logarithm times.
    const rounds = Math.log2(this.#kept.length + 1);
    for (const { size } of this.#kept) this.#meter.spend((rounds * size) / 256 + rounds);
    this.#kept.sort((a, b) => this.#compare(a.element, b.element) || a.turn - b.turn);
    for (const { size } of this.#kept.slice(this.#size)) this.#meter.release(size);
    this.#kept.length = Math.min(this.#kept.length, this.#size);
  }
}
