/**
 * Applications that are to be deleted, in the collection of their documents. When each ends is noted in the transaction
 * of the change that says so; the alarm deletes all that they have stored, and goes on after a crash.
 */
import { applicationId, storedId, type DocumentId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/problems.ts';
import { SingleFlight } from '../../../domain/work/single-flight.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { standingOf } from '../../../domain/applications/standing.ts';
import { CORE } from '../../../domain/types.ts';
import { eraseApplication } from '../../rpc/maintenance/applications.ts';
import { unpackContent } from '../../../domain/values/stored.ts';
import { ringBy, storedUnder } from '../../storage/alarm.ts';
import { Part, type Ground } from '../ground.ts';

/** How storage keys begin that hold when an application ends, in milliseconds since 1970. */
const ENDING = 'ending:';

/** Milliseconds after which what has failed is tried again. */
const AGAIN = 10_000;

export class TenantDeletion extends Part<Ground> {
  readonly #erasing = new SingleFlight<void>();

  /** Notes when an application ends, or that it does not, inside the transaction of a change of its document. */
  note(id: DocumentId): void {
    const { kv } = this.parts.storage;
    const document = this.parts.tables.records.find(id);
    const ends = document === undefined ? null : standingOf(unpackContent(document).attributes).ends;
    if (ends === null) kv.delete(ENDING + id);
    else kv.put(ENDING + id, ends);
  }

  /** Sets the alarm for the next one, but for no time before `from`. */
  async remind(from = 0): Promise<void> {
    const times = [...this.#all().values()];
    if (times.length > 0) await ringBy(this.parts.storage, Math.max(from, Math.min(...times)));
  }

  async alarm(): Promise<void> {
    await this.#erasing.join(() => this.#eraseDue());
    await this.remind(Date.now() + AGAIN);
  }

  /** Each document goes first: from then on nobody can have back what is half deleted. */
  async #eraseDue(): Promise<void> {
    const { kv } = this.parts.storage;
    for (const id of Array.from(this.#all().keys(), storedId)) {
      // It may have been kept while another was deleted.
      const at = kv.get(ENDING + id);
      if (typeof at !== 'number' || at > Date.now()) continue;
      const removed = this.parts.writes.alone(() => {
        if (this.parts.tables.records.find(id) === undefined) return ok(null);
        const gone = this.parts.tables.remove(CORE.application, id, { ...TRUSTED, ifMatch: null });
        return gone.ok ? ok(null) : gone;
      });
      if (!removed.ok) continue;
      const caller = { environment: this.parts.environment, application: applicationId(id) };
      // What fails is tried again with the next alarm.
      const erased = await eraseApplication(caller).catch(() => null);
      if (erased !== null) kv.delete(ENDING + id);
    }
  }

  /** When each application ends, by its id. */
  #all(): ReadonlyMap<string, number> {
    return this.parts.writes.hasTables
      ? storedUnder(this.parts.storage.kv, ENDING)
      : new Map<string, number>();
  }
}
