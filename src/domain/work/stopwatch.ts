/** How long a request waits for others: pieces of work that overlap count once. */
export class Stopwatch {
  #underWay = 0;
  #since = 0;
  #milliseconds = 0;

  /** In whole milliseconds; work that is under way is not counted yet. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  async during<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#since = Date.now();
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#milliseconds += Date.now() - this.#since;
    }
  }
}
