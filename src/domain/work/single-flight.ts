/** Work that many ask for, and that is done once at a time. */
export class SingleFlight<T> {
  #running: Promise<T> | null = null;
  #next: Promise<T> | null = null;

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** What is under way; else it begins. */
  join(work: () => Promise<T>): Promise<T> {
    return (this.#running ??= work().finally(() => {
      this.#running = null;
    }));
  }

  /** The next that begins: what runs may be older than what the caller has seen. Calls that come meanwhile share it. */
  next(work: () => Promise<T>): Promise<T> {
    if (this.#running === null) return this.join(work);
    const begin = () => {
      this.#next = null;
      return this.next(work);
    };
    return (this.#next ??= this.#running.then(begin, begin));
  }
}
