/**
 * Writes down what an object counts in memory: soon after it was last counted, as an idle object leaves memory, and from
 * time to time while it is busy. What was not written is lost when the process dies: counts may lack their last seconds.
 */

/** Milliseconds after the last count, and after the first that is not written. */
const IDLE = 2_000;
const BUSY = 10_000;

/** Where an object writes its counts, if it may. */
export interface Place {
  readonly storage: Pick<DurableObjectStorage, 'kv'>;
  readonly writes: { readonly hasTables: boolean; readonly sealed: boolean };
  readonly hasRoom: () => Promise<boolean>;
}

export class Saver {
  readonly #save: () => void;
  readonly #hasRoom: () => Promise<boolean>;
  #isWaiting = false;
  #last = 0;

  /** `save` writes; `hasRoom`: nobody catches a commit that fails at the end, so room is looked for before. */
  constructor(save: () => void, hasRoom: () => Promise<boolean>) {
    this.#save = save;
    this.#hasRoom = hasRoom;
  }

  /** To be called after each count. */
  counted(): void {
    this.#last = Date.now();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#wait(this.#last + BUSY);
  }

  async #wait(end: number): Promise<void> {
    try {
      do await scheduler.wait(IDLE);
      while (Date.now() < Math.min(end, this.#last + IDLE));
      if (await this.#hasRoom()) this.#save();
    } catch (error) {
      console.warn(`Counts were not kept: ${String(error)}`);
    } finally {
      this.#isWaiting = false;
    }
  }
}
