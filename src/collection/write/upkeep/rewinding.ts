/**
 * A collection goes back to a moment, in three calls: it finds the bookmark; it refuses writes from then on, and lets the
 * platform restore its storage when the object begins again; and when it has, it makes good what lies outside of the
 * storage. Before the last of them, copies of its documents for look-ups send every reader to the collection.
 */
import { ok } from '../../../domain/problems.ts';
import type { CollectionName } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { history } from '../../storage/history.ts';
import type { Replication } from '../notify/replication.ts';
import type { Transactor } from '../transactor.ts';
import type { Writes } from '../writes.ts';

export class Rewinding {
  readonly #storage: DurableObjectStorage;
  readonly #tables: Transactor;
  readonly #writes: Writes;
  readonly #replication: Replication;

  constructor(storage: DurableObjectStorage, tables: Transactor, writes: Writes, replication: Replication) {
    this.#storage = storage;
    this.#tables = tables;
    this.#writes = writes;
    this.#replication = replication;
  }

  bookmark(time: number): Promise<string | null> {
    return history.at(this.#storage, time);
  }

  async prepare(bookmark: string): Promise<void> {
    this.#writes.hold();
    await history.restore(this.#storage, bookmark);
  }

  /**
   * Gives every document a version that none has had, as the counter goes back with the rest: no entity tag and no token of
   * the time that is gone holds for what is there now. Nor does a mark of its feed: documents made since are gone without
   * a trace.
   */
  async finish(name: CollectionName, ids: readonly DocumentId[]): Promise<void> {
    if (this.#writes.hasTables) {
      const { edits, feed, records, versions } = this.#tables;
      this.#writes.alone(() => {
        if (feed.active) feed.end();
        versions.end();
        records.jump();
        records.restamp();
        edits.restamp();
        versions.follow();
        return ok(null);
      });
      // What was pending then is pending again.
      await this.#storage.setAlarm(Date.now());
    }
    await this.#replication.settleLookups(name, ids);
  }
}
