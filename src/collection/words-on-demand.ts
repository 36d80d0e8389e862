/**
 * The index of words for searches: built when the first search needs it. If it cannot be built (on a full disk),
 * searches run without it, and none fails.
 */
import type { Condition } from '../operators/filter/conditions.ts';
import { needsWords, withoutWords } from '../query/plan/words.ts';
import { yieldToOthers } from './storage/steps.ts';
import type { Transactor } from './write/transactor.ts';

export class WordsOnDemand {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #tables: Pick<Transactor, 'words' | 'records'>;
  readonly #hasRoom: () => Promise<boolean>;

  /** `hasRoom` says whether there is room for writes: indexes must not fill a disk. */
  constructor(
    storage: Pick<DurableObjectStorage, 'transactionSync'>,
    tables: Pick<Transactor, 'words' | 'records'>,
    hasRoom: () => Promise<boolean>,
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#hasRoom = hasRoom;
  }

  /**
   * Waits until the index of words is complete, if the condition needs it, and gives the condition; without the index
   * if there is no room for it.
   */
  async prepare(type: string, condition: Condition): Promise<Condition> {
    const { words, records } = this.#tables;
    if (words.complete || !needsWords(condition)) return condition;
    const transaction = (step: () => void) => {
      this.#storage.transactionSync(step);
    };
    const pauseWithRoom = async () => {
      await yieldToOthers();
      if (!(await this.#hasRoom())) throw new Error('There is too little room left.');
    };
    try {
      if (!(await this.#hasRoom())) return withoutWords(condition);
      await words.ensure(type, records, transaction, pauseWithRoom);
      return condition;
    } catch (error) {
      console.warn(`The index of words was not built: ${String(error)}`);
      return withoutWords(condition);
    }
  }
}
