/** How much a collection does at a time before it lets other requests in. */

/** Documents of one step of a scan or of building an index. */
export const STEP_DOCUMENTS = 500;

/** Their bodies together, in UTF-16 units. */
export const STEP_UNITS = 1024 * 1024;

/** How much of a scan is one step. */
export interface StepBounds {
  readonly documents: number;
  /** Sizes of the documents together, in the measure of the scan. */
  readonly size: number;
}

/** A scan that decodes whole documents. */
export const WHOLE: StepBounds = { documents: 1_000, size: STEP_UNITS };

/** A scan that takes a few fields from each, at about a microsecond; bytes read are about a nanosecond each. */
export const EXTRACTED: StepBounds = { documents: 2_500, size: 8 * 1024 * 1024 };

/** Units of a pipeline's work, of 20 to 60 ns. */
const STEP_WORK = 200_000;

/** One step of a scan that feeds a pipeline: some 5 to 20 ms. */
export class Step {
  readonly #bounds: StepBounds;
  readonly #mostWork: number;
  #documents = 0;
  #size = 0;

  /** `spent`: the work of the pipeline up to now. */
  constructor(bounds: StepBounds, spent: number) {
    this.#bounds = bounds;
    this.#mostWork = spent + STEP_WORK;
  }

  /** Counts one document; true when it was the last one of the step. */
  isOver(size: number, spent: number): boolean {
    this.#documents += 1;
    this.#size += size;
    return (
      this.#documents >= this.#bounds.documents || this.#size > this.#bounds.size || spent > this.#mostWork
    );
  }
}

/** Lets what is waiting for the object come to its turn. */
export function pause(): Promise<void> {
  return scheduler.wait(0);
}
