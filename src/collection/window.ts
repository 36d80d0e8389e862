/** The first so many of a stream in an order, without keeping the whole stream. */
export class Window<T> {
  readonly #size: number;
  readonly #compare: (a: T, b: T) => number;
  #kept: T[] = [];

  /** `size` elements are kept; `compare` is a total order. */
  constructor(size: number, compare: (a: T, b: T) => number) {
    this.#size = size;
    this.#compare = compare;
  }

  add(element: T): void {
    this.#kept.push(element);
    // Cutting only now and then makes the cost per element that of sorting, whatever the size.
    if (this.#kept.length >= this.#size * 2 + 100) this.#cut();
  }

  /** What is kept, in order. */
  sorted(): readonly T[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort(this.#compare);
    this.#kept = this.#kept.slice(0, this.#size);
  }
}
