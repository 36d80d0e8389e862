/** One page of a stream of matches, without keeping the whole stream. */
import { MEMORY } from '../../domain/limits.ts';

/** Takes matches, and gives the page. */
export interface Bounded<T> {
  readonly add: (element: T) => void;
  /** The page, in order. */
  readonly page: () => readonly T[];
  /** True when no later match can change the page. */
  readonly isFull: () => boolean;
  /** True when the page would take more memory than allowed: then there is no page. */
  readonly tooHeavy: boolean;
}

/** The page of a stream that is in order: a number of elements after the skipped ones. */
export class Slice<T> implements Bounded<T> {
  readonly tooHeavy = false;
  readonly #size: number;
  readonly #items: T[] = [];
  #toPass: number;

  constructor(offset: number, size: number) {
    this.#toPass = offset;
    this.#size = size;
  }

  isFull(): boolean {
    return this.#items.length === this.#size;
  }

  add(element: T): void {
    if (this.#toPass > 0) this.#toPass -= 1;
    else if (!this.isFull()) this.#items.push(element);
  }

  page(): readonly T[] {
    return this.#items;
  }
}

/**
 * The page of a stream in any order. A heap (tinyqueue) does not fit: it keeps every element. Here an element goes as
 * soon as it cannot be on the page, and all of them go when they are too heavy.
 */
export class TopN<T> implements Bounded<T> {
  readonly #offset: number;
  readonly #size: number;
  readonly #compare: (a: T, b: T) => number;
  readonly #weigh: (element: T) => number;
  #items: T[] = [];
  /** The last element kept at the last cut: elements after it are not on the page. */
  #bound: T | undefined;
  readonly #hold: (bytes: number) => boolean;
  #weight = 0;
  tooHeavy = false;

  /**
   * `compare` is a total order; `weigh` gives about an element's bytes. `hold` is asked whether so many may be kept.
   */
  constructor(
    offset: number,
    size: number,
    compare: (a: T, b: T) => number,
    weigh: (element: T) => number,
    hold: (bytes: number) => boolean = () => true,
  ) {
    this.#offset = offset;
    this.#size = size;
    this.#compare = compare;
    this.#weigh = weigh;
    this.#hold = hold;
  }

  isFull(): boolean {
    return false;
  }

  add(element: T): void {
    if (this.tooHeavy) return;
    if (this.#bound !== undefined && this.#compare(element, this.#bound) >= 0) return;
    this.#items.push(element);
    this.#weight += this.#weigh(element);
    // Cutting only now and then makes the cost per element that of sorting, whatever the size.
    const many = this.#items.length >= (this.#offset + this.#size) * 2 + 100;
    if (many || this.#weight > 2 * MEMORY.sortedPage) this.#cut();
    if (!this.#hold(this.#weight)) this.#drop();
  }

  page(): readonly T[] {
    this.#cut();
    return this.#items.slice(this.#offset);
  }

  #cut(): void {
    const most = this.#offset + this.#size;
    this.#items.sort(this.#compare);
    for (const element of this.#items.slice(most)) this.#weight -= this.#weigh(element);
    this.#items = this.#items.slice(0, most);
    if (this.#items.length === most) this.#bound = this.#items.at(-1);
    if (this.#weight > MEMORY.sortedPage) this.#drop();
  }

  #drop(): void {
    this.tooHeavy = true;
    this.#items = [];
  }
}
