/**
 * The collections whose rules look at documents here. Each relies for as long as a lease lasts on being told of every change,
 * and a write tells them before it answers (watching.ts is their side). So nothing is written any more by what has changed.
 */
import { settingsOf } from '../../../domain/environment/settings.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { Transactor } from '../transactor.ts';
import type { Writes } from '../writes.ts';
import { LEASE_MARGIN, toldOrEnded } from '../notify/lease-ends.ts';
import type { Ground } from '../ground.ts';

/** The beginning of the storage keys of those who watch: an object that begins anew must know them. */
const WATCHER = 'watcher ';

interface Parts extends Pick<Ground, 'environment' | 'own'> {
  readonly storage: Pick<DurableObjectStorage, 'kv'>;
  readonly tables: Pick<Transactor, 'records'>;
  readonly writes: Pick<Writes, 'hasTables' | 'sealed'>;
}

export class Watchers {
  readonly #parts: Parts;
  readonly #lasts: number;
  /** When the lease of each ends, in milliseconds since 1970. */
  readonly #ends = new Map<TypeName, number>();
  /** The counter that they were told; null until a write asks. */
  #told: number | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lasts = settingsOf(parts.environment).sessionLease + LEASE_MARGIN;
    const end = Date.now() + this.#lasts;
    for (const [key] of parts.storage.kv.list({ prefix: WATCHER }))
      this.#ends.set(storedType(key.slice(WATCHER.length)), end);
  }

  /** The counter as it is now. From now on the watcher is told of changes, until its lease ends. */
  watch(watcher: TypeName): number {
    const { storage, tables, writes } = this.#parts;
    if (!writes.hasTables) return 0;
    if (!this.#ends.has(watcher) && !writes.sealed) storage.kv.put(WATCHER + watcher, true);
    this.#ends.set(watcher, Date.now() + this.#lasts);
    return tables.records.counter();
  }

  /** Resolves when no collection relies on what committed writes have changed. */
  async told(): Promise<void> {
    if (this.#ends.size === 0) return;
    const counter = this.#parts.tables.records.counter();
    if (counter !== this.#told) {
      this.#told = counter;
      this.#last = Promise.all([this.#last, this.#tell(counter)]);
    }
    // Another write may have told of ours with its own.
    await this.#last;
  }

  async #tell(counter: number): Promise<void> {
    const { environment, own } = this.#parts;
    if (own === null) return;
    const asker = { environment, application: own.application };
    const now = Date.now();
    await Promise.all(
      Array.from(this.#ends, async ([watcher, end]) => {
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
        if (wants || this.#ends.get(watcher) !== end) return;
        this.#ends.delete(watcher);
        this.#parts.storage.kv.delete(WATCHER + watcher);
      },
      () => undefined,
    );
  }
}
