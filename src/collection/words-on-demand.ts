/**
 * The index of words for searches: built when the first search needs it. If it cannot be built (on a full disk),
 * searches run without it, and none fails.
 */
import type { Condition } from '../operators/filter/conditions.ts';
import { needsWords, withoutWords } from '../query/plan/words.ts';
import type { Transactor } from './write/transactor.ts';

interface Surroundings {
  /** Whether there is room for writes: indexes must not fill a disk. */
  readonly hasRoom: () => Promise<boolean>;
  /** Pauses for the steps of a build (storage/steps.ts). */
  readonly rest: () => () => Promise<void>;
}

export class WordsOnDemand {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #tables: Pick<Transactor, 'words' | 'records'>;
  readonly #around: Surroundings;

  constructor(
    storage: Pick<DurableObjectStorage, 'transactionSync'>,
    tables: Pick<Transactor, 'words' | 'records'>,
    around: Surroundings,
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#around = around;
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
    const { hasRoom } = this.#around;
    const rest = this.#around.rest();
    const pauseWithRoom = async () => {
      await rest();
      if (!(await hasRoom())) throw new Error('There is too little room left.');
    };
    try {
      if (!(await hasRoom())) return withoutWords(condition);
      await words.ensure(type, records, transaction, pauseWithRoom);
      return condition;
    } catch (error) {
      console.warn(`The index of words was not built: ${String(error)}`);
      return withoutWords(condition);
    }
  }
}
