/**
 * An exact sum of doubles: a few doubles that do not overlap (Shewchuk, "Adaptive Precision Floating-Point Arithmetic",
 * 1997). It is the same for every order of the doubles.
 */
export class Expansion {
  /** From the least to the greatest, none of them 0. */
  readonly #parts: number[] = [];

  /** Adds a finite double. What overflows shows in the rounded sum. */
  add(value: number): void {
    const parts = this.#parts;
    let carried = value;
    let kept = 0;
    for (const part of parts) {
      // Knuth's exact sum of two doubles: `error` is what the rounded sum lacks.
      const sum = carried + part;
      const added = sum - carried;
      const error = carried - (sum - added) + (part - added);
      if (error !== 0) {
        parts[kept] = error;
        kept += 1;
      }
      carried = sum;
    }
    parts.length = kept;
    if (carried !== 0) parts.push(carried);
  }

  addAll(other: Expansion): void {
    for (const part of other.#parts) this.add(part);
  }

  /** Doubles that have exactly this sum. */
  get parts(): readonly number[] {
    return this.#parts;
  }

  /** The double nearest to the sum, of two the even one. */
  get nearest(): number {
    const parts = this.#parts;
    let at = parts.length - 1;
    let high = parts[at] ?? 0;
    let low = 0;
    while (at > 0 && low === 0) {
      at -= 1;
      const part = parts[at] ?? 0;
      const sum = high + part;
      low = part - (sum - high);
      high = sum;
    }
    // Half a unit is rounded to even as if nothing came behind it: what does decides.
    const behind = at > 0 ? (parts[at - 1] ?? 0) : 0;
    if (low !== 0 && low < 0 === behind < 0 && behind !== 0) {
      const twice = 2 * low;
      const rounded = high + twice;
      if (rounded - high === twice) high = rounded;
    }
    return high;
  }

  /** The difference from the nearest double, as the double nearest to it. */
  get rest(): number {
    const rest = new Expansion();
    rest.addAll(this);
    rest.add(-this.nearest);
    return rest.nearest;
  }
}
