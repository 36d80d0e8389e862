/**
 * The collections whose rules look at documents here. Each relies, for the time of a lease, on being told of every
 * change, and a write tells them before it answers (watching.ts is their side). So nothing is written by old rules.
 */
import { storedType, type TypeName } from '../../../domain/types.ts';
import type { Remote } from '../../rpc/contract.ts';
import type { Transactor } from '../transactor.ts';
import type { Writes } from '../writes.ts';
import { storedUnder } from '../../storage/alarm.ts';
import { TypeLender } from '../notify/lease-ends.ts';
import type { Ground } from '../ground.ts';

/** The beginning of the storage keys of those who watch: an object that begins anew must know them. */
const WATCHER = 'watcher ';

interface Parts extends Pick<Ground, 'environment' | 'own'> {
  readonly storage: Pick<DurableObjectStorage, 'kv'>;
  readonly tables: Pick<Transactor, 'records'>;
  readonly writes: Pick<Writes, 'hasTables' | 'sealed'>;
}

/** The holders of leases are types. */
export class Watchers extends TypeLender<Parts> {
  /** Those who have watched, as far as they want to be told. */
  readonly #known = new Set(Array.from(storedUnder(this.parts.storage.kv, WATCHER).keys(), storedType));

  /** From now on the watcher is told of changes, until its lease ends. */
  watch(watcher: TypeName): void {
    const { storage, writes } = this.parts;
    // Of a type that nobody uses, nothing is stored.
    const isStored = !writes.hasTables || storage.kv.get(WATCHER + watcher) === true;
    if (!isStored && !writes.sealed) storage.kv.put(WATCHER + watcher, true);
    this.#known.add(watcher);
    this.give(watcher);
  }

  /** Whether one of them relies on what is here. */
  get rely(): boolean {
    return this.anyHolds(this.#known);
  }

  /** Resolves when no collection relies on what committed writes have changed. */
  async notified(): Promise<void> {
    if (this.#known.size === 0 || !this.parts.writes.hasTables) return;
    const counter = this.parts.tables.records.counter();
    const tell = (calls: Remote, own: TypeName) => calls.linkedChanged(own, counter);
    await this.changed(counter, this.#known, tell, (watcher, wants) => {
      // Its streams do not want to know: nothing is told until it watches again.
      if (wants) return;
      this.#known.delete(watcher);
      this.parts.storage.kv.delete(WATCHER + watcher);
    });
  }
}
