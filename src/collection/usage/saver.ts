/**
 * Writes down what an object counts in memory, after calls: the first one, and then where ten seconds have passed or much
 * was counted. There is no timer: it would keep the object awake, which is billed. No answer waits for the disk. An object that
 * leaves memory, or dies, loses what it has counted since.
 */
import type { Ground } from '../write/ground.ts';

/** Milliseconds between two saves of little. */
const PAUSE = 10_000;

/** Calls and rows that are saved sooner: writing one row costs what reading so many does. */
const MUCH = 1_000;

export class Saver {
  readonly #ground: Ground;
  readonly #take: () => Iterable<readonly [key: string, value: object]>;
  #savedAt: number | null = null;
  #saved = 0;

  /** `take` gives what is to be stored, by its key. */
  constructor(ground: Ground, take: () => Iterable<readonly [key: string, value: object]>) {
    this.#ground = ground;
    this.#take = take;
  }

  /** To be called after each call of the object, with all that it has counted since it is in memory. */
  counted(sum: number): void {
    const now = Date.now();
    const isRecent = this.#savedAt !== null && Math.abs(now - this.#savedAt) < PAUSE;
    if (isRecent && sum - this.#saved < MUCH) return;
    this.#savedAt = now;
    this.#saved = sum;
    void this.#save();
  }

  async #save(): Promise<void> {
    const { storage, writes, hasRoom } = this.#ground;
    try {
      // Nobody catches a commit that fails at the end, so room is looked for before.
      if (!(await hasRoom()) || !writes.hasTables || writes.sealed) return;
      const puts = Array.from(this.#take(), ([key, value]) =>
        storage.put(key, value, { allowUnconfirmed: true }),
      );
      await Promise.all(puts);
    } catch (error) {
      console.warn(`Counts were not kept: ${String(error)}`);
    }
  }
}
