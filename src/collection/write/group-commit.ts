/**
 * Writes that arrive together are committed together, because a commit waits for the disk, and waits no longer for
 * twenty writes than for one. Each write still sees the earlier ones, and succeeds or fails by itself.
 */

/** The most writes of one transaction: requests that arrive meanwhile must not wait too long. */
const MOST_WRITES = 64;

/** Units of their content together; the last write may exceed them. */
const MOST_UNITS = 256 * 1024;

/**
 * After this many writes in a row that no other joined, only one write in this many waits for company: so a
 * client that writes one thing after the other does not pay for the wait, and a crowd is soon noticed.
 */
const ALONE = 8;

interface Waiting {
  readonly units: number;
  /** Performs the write. It may be called again after it was undone. */
  readonly work: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

export class GroupCommit {
  readonly #transaction: (writes: () => void) => void;
  readonly #pause: () => Promise<void>;
  readonly #touched: () => boolean;
  readonly #waiting: Waiting[] = [];
  #running = false;
  /** Transactions in a row of one write. */
  #single = 0;

  /**
   * `transaction` performs all of its writes or, when one throws, none of them, and throws that error. `pause` resolves
   * when all requests that have arrived by now have run. `touched`: whether the writes of the transaction so far have
   * touched so much that the next is for another one.
   */
  constructor(
    transaction: (writes: () => void) => void,
    pause: () => Promise<void>,
    touched: () => boolean = () => false,
  ) {
    this.#transaction = transaction;
    this.#pause = pause;
    this.#touched = touched;
  }

  /**
   * The result of a write, whose content has this number of units, when it is done. Only a write that throws is undone.
   * It may run a second time when another one throws, so it must change nothing but tables.
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
        if (this.#expectsCompany) await this.#pause();
        const group = this.#waiting.splice(0, this.#fitting());
        this.#single = group.length === 1 ? this.#single + 1 : 0;
        this.#writeGroup(group);
      }
    } catch (error) {
      for (const { fail } of this.#waiting.splice(0)) fail(error);
    } finally {
      this.#running = false;
    }
  }

  get #expectsCompany(): boolean {
    return this.#single < ALONE || this.#single % ALONE === 0;
  }

  /** How many waiting writes one transaction takes. */
  #fitting(): number {
    let units = 0;
    const last = this.#waiting.findIndex((each) => (units += each.units) >= MOST_UNITS);
    return last === -1 ? MOST_WRITES : Math.min(last + 1, MOST_WRITES);
  }

  #writeGroup(group: readonly Waiting[]): void {
    let done = 0;
    try {
      this.#transaction(() => {
        for (const { work } of group) {
          if (done > 0 && this.#touched()) break;
          work();
          done += 1;
        }
      });
    } catch (error) {
      if (group.length === 1) group[0]?.fail(error);
      else for (const each of group) this.#writeGroup([each]);
      return;
    }
    for (const { settle } of group.slice(0, done)) settle();
    this.#waiting.unshift(...group.slice(done));
  }
}
