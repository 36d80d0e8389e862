/**
 * The share of its object's time that telling streams takes: while others write, a third. So writes take at most half
 * as long again, however many streams there are; and those that follow one another are told together.
 */

/** Milliseconds of work at a time; how long others have the object then, as a multiple, and in milliseconds at most. */
const WORK = 4;
const RESTS = 2;
const MOST_REST = 250;

/** Milliseconds after a write in which another one is expected. */
const FOLLOWS = 100;

/** Pieces of work at a time, where the clock stands still while there is work. */
const PIECES = 50;

export class Pace {
  /** The last write, in milliseconds since 1970. */
  #written = 0;
  #began = Date.now();
  #pieces = 0;

  /** To be called with each write. */
  written(): void {
    this.#written = Date.now();
  }

  /** To be called before the first piece of work. */
  begin(): void {
    this.#began = Date.now();
    this.#pieces = 0;
  }

  /** To be called after some pieces: null while there may be more at once, else resolves when it may go on. */
  rest(pieces: number): Promise<void> | null {
    this.#pieces += pieces;
    const worked = Date.now() - this.#began;
    return worked < WORK && this.#pieces < PIECES ? null : this.end();
  }

  /** To be called after the last piece: resolves when more may begin. */
  async end(): Promise<void> {
    const now = Date.now();
    const worked = now - this.#began;
    const others = now - this.#written < FOLLOWS;
    await scheduler.wait(others ? Math.max(1, Math.min(MOST_REST, RESTS * worked)) : 0);
    this.begin();
  }
}
