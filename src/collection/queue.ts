/** A queue that gives the least of its elements first: a binary heap. */
export class Queue<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #heap: T[] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  add(element: T): void {
    let at = this.#heap.length;
    this.#heap.push(element);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = this.#heap[up];
      if (parent === undefined || this.#compare(parent, element) <= 0) break;
      this.#heap[at] = parent;
      at = up;
    }
    this.#heap[at] = element;
  }

  /** The least, which stays; undefined when there is none. */
  peek(): T | undefined {
    return this.#heap[0];
  }

  /** Takes the least out; undefined when there is none. */
  take(): T | undefined {
    const [least] = this.#heap;
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return least;
    let at = 0;
    for (;;) {
      const [child, element] = this.#lesserChild(at);
      if (element === undefined || this.#compare(last, element) <= 0) break;
      this.#heap[at] = element;
      at = child;
    }
    this.#heap[at] = last;
    return least;
  }

  #lesserChild(at: number): readonly [number, T | undefined] {
    const [left, right] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]];
    if (left === undefined) return [at, undefined];
    return right !== undefined && this.#compare(right, left) < 0 ? [2 * at + 2, right] : [2 * at + 1, left];
  }
}
