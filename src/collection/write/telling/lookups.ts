/**
 * The copies in KV that let credentials be looked up without waking an object. Only a collection writes the copies of
 * its own documents, one after the other, so that an older copy can never overwrite a newer one.
 *
 * A change first marks the copy as changing, then commits, then writes the new copy. If the process dies in between,
 * the mark stays and sends every reader to the collection: nobody uses a stale copy.
 */
import type { Lookup } from '../../rpc/lookup.ts';

export class LookupWriter {
  readonly #kv: KVNamespace;
  #last: Promise<unknown> = Promise.resolve();

  constructor(kv: KVNamespace) {
    this.#kv = kv;
  }

  /** Performs a change between the mark and the new copy. */
  async around<T>(key: string, change: () => T, current: () => Lookup): Promise<T> {
    await this.#put(key, () => ({ state: 'changing' }));
    const result = change();
    // The change is done, whether or not KV takes the copy: without the copy the mark stays.
    await this.write(key, current).catch(() => undefined);
    return result;
  }

  /** Sends every reader to the collection, until a copy is written. */
  async doubt(key: string): Promise<void> {
    await this.#put(key, () => ({ state: 'changing' }));
  }

  /** Writes the copy that `current` gives when it runs. */
  async write(key: string, current: () => Lookup): Promise<Lookup> {
    return this.#put(key, current);
  }

  #put(key: string, lookup: () => Lookup): Promise<Lookup> {
    const turn = this.#last.then(async () => {
      const value = lookup();
      await this.#kv.put(key, JSON.stringify(value));
      return value;
    });
    // The next write must run even if this one has failed.
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
