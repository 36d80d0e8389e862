/**
 * Sorted doubles for percentiles: any can be read by its rank, and removed. They lie in short sorted runs, so that no
 * step moves more than one run.
 */

/** A run that grows beyond this is halved. */
const LONGEST = 512;

export class OrderedDoubles {
  /** None of them is empty; the last of each is not above the first of the next. */
  readonly #runs: number[][] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** About what adding one, removing one or reading a rank takes, in the meter's units. */
  get units(): number {
    return 4 + this.#runs.length / 64;
  }

  /** Any double but NaN, which has no rank. */
  add(value: number): void {
    this.#length += 1;
    const at = this.#runOf(value);
    const run = this.#runs[at];
    if (run === undefined) {
      this.#runs.push([value]);
      return;
    }
    run.splice(placeIn(run, value), 0, value);
    if (run.length > LONGEST) this.#runs.splice(at + 1, 0, run.splice(LONGEST / 2));
  }

  /** Takes out one that was added. */
  remove(value: number): void {
    const at = this.#runOf(value);
    const run = this.#runs[at];
    const place = run === undefined ? 0 : placeIn(run, value);
    if (run?.[place] !== value) return;
    run.splice(place, 1);
    if (run.length === 0) this.#runs.splice(at, 1);
    this.#length -= 1;
  }

  at(rank: number): number | undefined {
    let left = rank;
    for (const run of this.#runs) {
      if (left < run.length) return run[left];
      left -= run.length;
    }
    return undefined;
  }

  /** The first run whose last is not below the value, or the last run of all. */
  #runOf(value: number): number {
    const found = firstFrom(this.#runs.length, (index) => (this.#runs[index]?.at(-1) ?? 0) >= value);
    return Math.min(found, Math.max(0, this.#runs.length - 1));
  }
}

/** The place of the first that is not below the value. */
function placeIn(run: readonly number[], value: number): number {
  return firstFrom(run.length, (index) => (run[index] ?? 0) >= value);
}

/** The first index for which a test holds that holds for all behind it; `length` where it holds for none. */
export function firstFrom(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
