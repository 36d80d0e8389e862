/**
 * A collection goes back to a moment, in three calls: it finds the bookmark; it refuses writes from then on, and lets the
 * platform restore its storage when the object begins again; and when it has, it makes good what lies outside of the
 * storage. Before the last of them, copies of its documents for look-ups send every reader to the collection.
 */
import { ok } from '../../domain/problems.ts';
import type { CollectionName } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { history } from '../storage/history.ts';
import { CHANGES_PER_MILLISECOND } from './lists/imports.ts';
import type { Propagation } from './telling/propagation.ts';
import type { Transactor } from './transactor.ts';
import type { Writes } from './writes.ts';

export class Rewinding {
  readonly #storage: DurableObjectStorage;
  readonly #tables: Transactor;
  readonly #writes: Writes;
  readonly #propagation: Propagation;

  constructor(storage: DurableObjectStorage, tables: Transactor, writes: Writes, propagation: Propagation) {
    this.#storage = storage;
    this.#tables = tables;
    this.#writes = writes;
    this.#propagation = propagation;
  }

  bookmark(time: number): Promise<string | null> {
    return history.at(this.#storage, time);
  }

  /** Returns the ids of documents with copies for look-ups: some are unknown afterwards. */
  async prepare(name: CollectionName, bookmark: string): Promise<readonly DocumentId[]> {
    this.#writes.hold();
    const ids = await this.#propagation.doubtLookups(name);
    await history.restore(this.#storage, bookmark);
    return ids;
  }

  /**
   * Gives every document a version that none has had, as the counter goes back with the rest: no entity tag and no token of
   * the time that is gone holds for what is there now. Nor does a mark of its feed: documents made since are gone without
   * a trace.
   */
  async finish(name: CollectionName, ids: readonly DocumentId[]): Promise<void> {
    if (this.#writes.hasTables) {
      const { feed, records } = this.#tables;
      this.#writes.alone(() => {
        if (feed.active) feed.end();
        records.passOver(Date.now() * CHANGES_PER_MILLISECOND);
        records.restamp();
        return ok(null);
      });
      // What was pending then is pending again.
      await this.#storage.setAlarm(Date.now());
    }
    await this.#propagation.settleLookups(name, ids);
  }
}
