/**
 * The collections whose rules look at documents here. Each relies for as long as a lease lasts on being told of every change,
 * and a write tells them before it answers (watching.ts is their side). So nothing is written any more by what has changed.
 */
import { storedType, type TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { Transactor } from '../transactor.ts';
import type { Writes } from '../writes.ts';
import { keptUnder } from '../../storage/alarm.ts';
import { Lender, toldOrEnded } from '../notify/lease-ends.ts';
import type { Ground } from '../ground.ts';

/** The beginning of the storage keys of those who watch: an object that begins anew must know them. */
const WATCHER = 'watcher ';

interface Parts extends Pick<Ground, 'environment' | 'own'> {
  readonly storage: Pick<DurableObjectStorage, 'kv'>;
  readonly tables: Pick<Transactor, 'records'>;
  readonly writes: Pick<Writes, 'hasTables' | 'sealed'>;
}

/** The holders of leases are types. */
export class Watchers extends Lender<TypeName, Parts> {
  /** Those who have watched, as far as they want to be told. */
  readonly #known = new Set(Array.from(keptUnder(this.parts.storage.kv, WATCHER).keys(), storedType));
  /** The counter that they were told; null until a write asks. */
  #told: number | null = null;

  /** The counter as it is now. From now on the watcher is told of changes, until its lease ends. */
  watch(watcher: TypeName): number {
    const { storage, tables, writes } = this.parts;
    if (!writes.hasTables) return 0;
    if (!this.#known.has(watcher) && !writes.sealed) storage.kv.put(WATCHER + watcher, true);
    this.#known.add(watcher);
    this.give(watcher);
    return tables.records.counter();
  }

  /** Resolves when no collection relies on what committed writes have changed. */
  async told(): Promise<void> {
    if (this.#known.size === 0) return;
    const counter = this.parts.tables.records.counter();
    const isNews = counter !== this.#told;
    this.#told = counter;
    await this.allTold(isNews ? () => this.#tell(counter) : null);
  }

  async #tell(counter: number): Promise<void> {
    const { environment, own } = this.parts;
    if (own === null) return;
    const asker = { environment, application: own.application };
    const now = Date.now();
    await Promise.all(
      Array.from(this.#known, async (watcher) => {
        const end = this.endOf(watcher);
        const tell = () => collectionOf(asker, watcher).calls.linkedChanged(own.type, counter);
        if (end > now) await toldOrEnded(end, tell);
        else this.#tellStreams(watcher, end, tell);
      }),
    );
  }

  /** Who relies on nothing any more may have streams that want to know; else nothing is told until it watches again. */
  #tellStreams(watcher: TypeName, end: number, tell: () => Promise<boolean>): void {
    tell().then(
      (wants) => {
        if (wants || this.endOf(watcher) !== end) return;
        this.#known.delete(watcher);
        this.parts.storage.kv.delete(WATCHER + watcher);
      },
      () => undefined,
    );
  }
}
