/**
 * What searches teach a collection, kept apart from their answers: a search only notes in memory what it would have
 * saved; what must be stored is stored once its answer has gone, and the rest is done by the object's alarm. When that
 * fails (a full disk), nothing is learned, and no search fails for it.
 */
import type { Search } from './search/search.ts';
import type { Transactor } from './write/transactor.ts';

/** Steps in the background before the alarm hands over to its next ring. */
const STEPS_PER_ALARM = 500;

/** Milliseconds after which unused indexes are looked for. */
const LOOK_AGAIN = 86_400_000;

/** An alarm so many milliseconds ahead comes soon. */
const SOON = 1_000;

/** Milliseconds until the alarm looks again whether searches have ended. */
const WHILE_SEARCHED = 100;

interface Surroundings {
  /** Whether searches are under way: what they use must not go meanwhile. */
  readonly isSearched: () => boolean;
  /** Whether what is written finds room. */
  readonly hasRoom: () => Promise<boolean>;
  /** Lets others in. */
  readonly pause: () => Promise<void>;
}

export class Learning {
  readonly #storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'transactionSync'>;
  readonly #tables: Pick<Transactor, 'indexes' | 'records'>;
  readonly #around: Surroundings;
  #storing = false;

  constructor(
    storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'transactionSync'>,
    tables: Pick<Transactor, 'indexes' | 'records'>,
    around: Surroundings,
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#around = around;
  }

  /** Notes what a search over so many documents has shown. */
  after(search: Pick<Search, 'used' | 'saved' | 'wanted' | 'looked'>, documents: number): void {
    const { indexes } = this.#tables;
    const now = Date.now();
    indexes.used(search.used, search.saved, now);
    indexes.learn(search.wanted, search.looked, documents, now);
    if ((indexes.pending || indexes.hasNews(now)) && !this.#storing) void this.store();
  }

  /** Stores what was learned, once what waits has been answered. Never fails. */
  async store(): Promise<void> {
    this.#storing = true;
    try {
      await this.#around.pause();
      // A commit that fails when all is said and done is caught by nobody, so room is asked for before.
      if (!(await this.#around.hasRoom())) return;
      const { indexes } = this.#tables;
      if (indexes.hasNews(Date.now())) {
        this.#storage.transactionSync(() => {
          indexes.note(Date.now());
        });
      }
      // An alarm that a clock set back since has put off would never come.
      const alarm = indexes.pending ? await this.#storage.getAlarm() : 0;
      if (alarm === null || alarm > Date.now() + SOON) await this.#storage.setAlarm(Date.now());
    } catch (error) {
      this.#forget(error);
    } finally {
      this.#storing = false;
    }
  }

  /** Looks for paths, builds and drops, in steps. Never fails: the next search that wants it has it tried again. */
  async alarm(): Promise<void> {
    const { indexes, records } = this.#tables;
    const { isSearched, hasRoom, pause } = this.#around;
    try {
      for (let steps = 0; steps < STEPS_PER_ALARM; steps += 1) {
        if (!(await hasRoom())) return;
        if (!this.#storage.transactionSync(() => indexes.step(records, Date.now()))) break;
        await pause();
      }
      if (!isSearched()) {
        this.#storage.transactionSync(() => {
          indexes.tidy(Date.now());
        });
      }
      if (indexes.pending) await this.#storage.setAlarm(Date.now() + (isSearched() ? WHILE_SEARCHED : 0));
      else if (indexes.any) await this.#storage.setAlarm(Date.now() + LOOK_AGAIN);
    } catch (error) {
      this.#forget(error);
    }
  }

  /** What is in memory may be ahead of tables in which a change was undone. */
  #forget(error: unknown): void {
    console.warn(`Learned indexes were not kept: ${String(error)}`);
    this.#tables.indexes.load();
  }
}
