/** The first n elements of a stream in an order, without keeping the whole stream. Equal elements keep their order. */
import { stepsOf, type Meter, type Operand } from './meter.ts';

interface Entry<T> {
  readonly element: T;
  readonly size: number;
  /** Those of a comparison with another. */
  readonly steps: number;
  /** When it came. */
  readonly turn: number;
}

/**
 * A heap, so that no step takes longer than one element does: with a bound, its top is the last of those that are
 * kept, which yields to a better one; without, it is the first. tinyqueue, which compares twice a level where this does
 * once, takes 1.4 times as long to sort.
 */
export class TopN<T> {
  readonly #most: number;
  readonly #compare: (a: T, b: T) => number;
  readonly #sizeOf: (element: T) => number;
  readonly #comparedBy: (element: T) => readonly Operand[];
  readonly #meter: Meter;
  readonly #heap: Entry<T>[] = [];
  /** 1 for the first on top, -1 for the last. */
  readonly #sign: 1 | -1;
  #turn = 0;

  /**
   * It keeps `most` elements, perhaps infinitely many; the meter counts the bytes that `sizeOf` gives for each, and the
   * work of comparing what `comparedBy` gives.
   */
  constructor(
    most: number,
    compare: (a: T, b: T) => number,
    {
      sizeOf,
      comparedBy,
    }: {
      readonly sizeOf: (element: T) => number;
      readonly comparedBy: (element: T) => readonly Operand[];
    },
    meter: Meter,
  ) {
    this.#most = most;
    this.#compare = compare;
    this.#sizeOf = sizeOf;
    this.#comparedBy = comparedBy;
    this.#meter = meter;
    this.#sign = most === Infinity ? 1 : -1;
  }

  add(element: T): void {
    const size = 64 + this.#sizeOf(element);
    const entry = { element, size, steps: stepsOf(this.#comparedBy(element)), turn: this.#turn };
    this.#turn += 1;
    if (this.#heap.length < this.#most) {
      this.#meter.hold(size);
      this.#spend(entry, 2);
      this.#rise(this.#heap.length, entry);
      return;
    }
    const [top] = this.#heap;
    this.#spend(entry, 1);
    if (top === undefined || !this.#before(top, entry)) return;
    this.#meter.hold(size - top.size);
    this.#spend(entry, Math.log2(this.#heap.length));
    this.#sink(entry, this.#heap.length);
  }

  /** The elements, in order, given back to the meter; undefined in between, for work without a result. */
  *drain(): Generator<T | undefined, undefined> {
    if (this.#sign === 1) {
      for (let next = this.#pop(); next !== undefined; next = this.#pop()) yield this.#give(next);
      return;
    }
    const last: Entry<T>[] = [];
    for (let next = this.#pop(); next !== undefined; next = this.#pop()) {
      last.push(next);
      yield undefined;
    }
    for (let next = last.pop(); next !== undefined; next = last.pop()) yield this.#give(next);
  }

  #give({ element, size }: Entry<T>): T {
    this.#meter.release(size);
    return element;
  }

  sorted(): readonly T[] {
    return [...this.drain()].filter((each) => each !== undefined);
  }

  #pop(): Entry<T> | undefined {
    const [top] = this.#heap;
    const last = this.#heap.pop();
    if (top === undefined || last === undefined) return undefined;
    this.#spend(last, Math.log2(this.#heap.length + 1));
    if (this.#heap.length > 0) this.#sink(last, this.#heap.length);
    return top;
  }

  #spend({ steps }: Entry<T>, comparisons: number): void {
    this.#meter.spend(comparisons * (1 + steps));
  }

  /** True when an entry belongs nearer to the top than another. */
  #before(a: Entry<T>, b: Entry<T>): boolean {
    return (this.#compare(a.element, b.element) || a.turn - b.turn) * this.#sign < 0;
  }

  /** Puts an entry where there is a gap, or above it. */
  #rise(gap: number, entry: Entry<T>): void {
    const heap = this.#heap;
    let at = gap;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !this.#before(entry, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }

  /** Replaces the top: the gap goes all the way down, for one comparison a level, and the entry up from there. */
  #sink(entry: Entry<T>, length: number): void {
    const heap = this.#heap;
    let at = 0;
    for (let below = 1; below < length; below = 2 * at + 1) {
      const [left, right] = [heap[below], heap[below + 1]];
      const child = right !== undefined && left !== undefined && this.#before(right, left) ? right : left;
      if (child === undefined) break;
      heap[at] = child;
      at = child === left ? below : below + 1;
    }
    this.#rise(at, entry);
  }
}
