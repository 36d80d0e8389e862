/** What the writes of one list, or of one change of many documents, take together. */
import { LIMITS } from '../../../domain/limits.ts';
import { fail } from '../../../domain/problems.ts';

export class Effort {
  readonly #most: number;
  #spent = 0;

  /** `most`: UTF-16 units. */
  constructor(most: number = LIMITS.operationsWork) {
    this.#most = most;
  }

  /**
   * Counts what was done: a list must not delay others for long, however often it rewrites a large document, and
   * however many rows its documents have in other tables. Returns the failure when the sum is too large, else null. The
   * first is never too much: it could be done alone.
   */
  spend(units: number): ReturnType<typeof fail> | null {
    const before = this.#spent;
    this.#spent += units;
    if (before === 0 || this.#spent <= this.#most) return null;
    const detail =
      'The documents that one request finds and leaves, and their rows of unique values, rights and indexes, ' +
      `count as at most ${LIMITS.operationsWork} characters.`;
    return fail('list-too-large', detail);
  }
}
