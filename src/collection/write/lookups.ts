/**
 * The copies in KV that let credentials be looked up without waking an object. A collection alone writes the
 * copies of its own documents, one after the other, so that an older copy can never overwrite a newer one.
 *
 * A change first marks the copy as changing, then commits, then writes the new copy. Should the process die in
 * between, the mark stays, and the mark sends every reader to the collection: a stale copy is never believed.
 */
import type { Lookup } from '../rpc/lookup.ts';

export class LookupWriter {
  readonly #kv: KVNamespace;
  #last: Promise<unknown> = Promise.resolve();

  constructor(kv: KVNamespace) {
    this.#kv = kv;
  }

  /** Does a change between the mark and the new copy. */
  async around<T>(key: string, change: () => T, current: () => Lookup): Promise<T> {
    await this.#put(key, () => ({ state: 'changing' }));
    const result = change();
    // What was changed is changed, whether or not KV takes the copy: without it the mark stays.
    await this.write(key, current).catch(() => undefined);
    return result;
  }

  /** Writes the copy as `current` tells it when its turn comes. */
  async write(key: string, current: () => Lookup): Promise<Lookup> {
    return this.#put(key, current);
  }

  #put(key: string, lookup: () => Lookup): Promise<Lookup> {
    const turn = this.#last.then(async () => {
      const value = lookup();
      await this.#kv.put(key, JSON.stringify(value));
      return value;
    });
    // The next in line must come to its turn whatever became of this one.
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
