/**
 * The copies in KV that let credentials be looked up without waking an object. Only a collection writes the copies of
 * its own documents, one after the other, so that an older copy can never overwrite a newer one.
 *
 * Before a change the copy is marked as changing, which sends every reader to the collection; the alarm writes the new
 * copy. If the object dies in between, that stays: nobody uses a stale copy.
 *
 * KV takes one write a second for each key and answers 429 to more. So `changing` is not written twice, the copy comes
 * when KV takes it, and a change waits until KV takes `changing`.
 */
import pLimit from 'p-limit';
import { Lru } from '../../../domain/caching/lru.ts';
import { isId, type DocumentId } from '../../../domain/ids.ts';
import type { Lookup } from '../../rpc/maintenance/lookup.ts';
import { ringBy, storedUnder } from '../../storage/alarm.ts';
import { Part, type Ground } from '../ground.ts';

/** Milliseconds between two writes of a key: KV's second, and what clocks may differ by. */
const SPACING = 1_100;

/** Copies that one ring of the alarm writes: an invocation may call KV a thousand times. */
const AT_ONCE = 400;

/** How often a write is tried that KV does not take in time. */
const TRIES = 4;
const TOO_SOON = / 429\b/;

/** How storage keys begin that hold when a copy is to be written, in milliseconds since 1970. */
const DUE = 'copy:';

const CHANGING: Lookup = { state: 'changing' };

type Parts = Pick<Ground, 'environment' | 'storage'>;

/** The last write of a key by this object. */
interface Written {
  readonly at: number;
  readonly isChanging: boolean;
}

export class LookupWriter extends Part<Parts> {
  readonly #current: (id: DocumentId) => Lookup;
  readonly #written = new Lru<string, Written>(10_000);
  readonly #turns = pLimit(1);

  /** `current` gives what the copy of a document is to say when it is written. */
  constructor(parts: Parts, current: (id: DocumentId) => Lookup) {
    super(parts);
    this.#current = current;
  }

  /** Performs a change while the copy is `changing`. `change` is one synchronous step, in which `later` is noted. */
  async around<T>(key: string, change: () => T): Promise<T> {
    // Another change of the document may end while this one waits, and its copy replace that.
    while (this.#written.get(key)?.isChanging !== true) await this.invalidate(key);
    const result = change();
    this.later(key);
    await this.remind();
    return result;
  }

  /** Sends every reader to the collection, until a copy is written. */
  async invalidate(key: string): Promise<void> {
    await this.#insist(key, CHANGING);
  }

  /** Writes the copy now. */
  async settle(key: string): Promise<void> {
    await this.#insist(key, this.#current(idOf(key)));
  }

  /** Notes that the copy is to be written. To be called where the change is stored: both are kept, or none. */
  later(key: string): void {
    if (!this.#isDue(key)) this.#note(key);
  }

  /** The same for a reader who met no copy, unless one has been written since. */
  missed(key: string): boolean {
    const written = this.#written.get(key);
    if (written?.isChanging === false || this.#isDue(key)) return false;
    this.#note(key);
    return true;
  }

  /** Sets the alarm for the next copy. */
  async remind(): Promise<void> {
    const times = [...storedUnder<number>(this.parts.storage.kv, DUE).values()];
    if (times.length > 0) await ringBy(this.parts.storage, Math.min(...times));
  }

  /** Writes the copies that are due. */
  async alarm(): Promise<void> {
    const due = [...storedUnder<number>(this.parts.storage.kv, DUE)].filter(([, at]) => at <= Date.now());
    for (const [key] of due.slice(0, AT_ONCE)) await this.#copy(key);
    await this.remind();
  }

  async #copy(key: string): Promise<void> {
    await this.#turns(async () => {
      // The copy may have been invalidated meanwhile.
      if (Date.now() < this.#free(key)) {
        this.#note(key);
        return;
      }
      try {
        await this.#put(key, this.#current(idOf(key)));
        this.parts.storage.kv.delete(DUE + key);
      } catch {
        this.#note(key);
      }
    });
  }

  /** Writes when KV takes it. */
  async #insist(key: string, lookup: Lookup): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const wait = this.#free(key) - Date.now();
      if (wait > 0) await scheduler.wait(wait);
      try {
        // Once is enough for all who wait to invalidate it.
        await this.#turns(async () => {
          if (lookup !== CHANGING || this.#written.get(key)?.isChanging !== true)
            await this.#put(key, lookup);
        });
        return;
      } catch (error) {
        if (tries === TRIES || !(error instanceof Error && TOO_SOON.test(error.message))) throw error;
      }
    }
  }

  async #put(key: string, lookup: Lookup): Promise<void> {
    // Until KV has answered, nobody knows what stands there.
    this.#written.set(key, { at: Date.now(), isChanging: false });
    await this.parts.environment.LOOKUPS.put(key, JSON.stringify(lookup));
    this.#written.set(key, { at: Date.now(), isChanging: lookup.state === 'changing' });
  }

  /** When KV takes the key again, as far as this object knows. */
  #free(key: string): number {
    const written = this.#written.get(key);
    return written === undefined ? 0 : written.at + SPACING;
  }

  #isDue(key: string): boolean {
    return this.parts.storage.kv.get(DUE + key) !== undefined;
  }

  /** The copy may have been invalidated only now. */
  #note(key: string): void {
    this.parts.storage.kv.put(DUE + key, Date.now() + SPACING);
  }
}

function idOf(key: string): DocumentId {
  const id = key.slice(key.lastIndexOf('/') + 1);
  if (!isId(id)) throw new Error(`The key of a look-up ends with an id, not as ${key}.`);
  return id;
}
