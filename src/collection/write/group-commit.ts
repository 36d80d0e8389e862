/**
 * Writes that arrive together are committed together: a commit waits for the disk, and waits no longer for twenty
 * writes than for one. Each write still sees those before it, and succeeds or fails by itself.
 */

/** Writes of one transaction at most: what comes meanwhile must not wait for all the world. */
const MOST_WRITES = 64;

/** Units of their content together, of which the last may be over. */
const MOST_UNITS = 256 * 1024;

interface Waiting {
  readonly units: number;
  /** Does the write. It may be called again after it was undone. */
  readonly work: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

export class GroupCommit {
  readonly #transaction: (writes: () => void) => void;
  readonly #pause: () => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #running = false;

  /**
   * `transaction` does all of its writes or, when one throws, none of them, and throws what that threw. `pause` resolves
   * when what has arrived by now has been let in.
   */
  constructor(transaction: (writes: () => void) => void, pause: () => Promise<void>) {
    this.#transaction = transaction;
    this.#pause = pause;
  }

  /**
   * The result of a write whose content has so many units, once it is done. A write that throws is undone alone. It may
   * be done a second time where another one throws, so it must change nothing but tables.
   */
  write<T>(units: number, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      const settle = () => {
        resolve(result);
      };
      const once = () => {
        result = work();
      };
      this.#waiting.push({ units, work: once, settle, fail: reject });
      if (!this.#running) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#running = true;
    try {
      while (this.#waiting.length > 0) {
        await this.#pause();
        this.#writeGroup(this.#waiting.splice(0, this.#fitting()));
      }
    } catch (error) {
      for (const { fail } of this.#waiting.splice(0)) fail(error);
    } finally {
      this.#running = false;
    }
  }

  /** How many of those that wait come into one transaction. */
  #fitting(): number {
    let units = 0;
    const last = this.#waiting.findIndex((each) => (units += each.units) >= MOST_UNITS);
    return last === -1 ? MOST_WRITES : Math.min(last + 1, MOST_WRITES);
  }

  #writeGroup(group: readonly Waiting[]): void {
    try {
      this.#transaction(() => {
        for (const { work } of group) work();
      });
    } catch (error) {
      if (group.length === 1) group[0]?.fail(error);
      else for (const each of group) this.#writeGroup([each]);
      return;
    }
    for (const { settle } of group) settle();
  }
}
