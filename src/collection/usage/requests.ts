/**
 * The requests of an application by API key, in the registry of its types: isolates of the Worker hand on what they have
 * counted. The sums are written rarely (saver.ts).
 */
import { countedAs, type Requests, type CountedRequests } from '../rpc/upkeep/usage.ts';
import { Saver, type Place } from './saver.ts';

/** Where counts stand in the object's storage, each under the id of its key. */
const PREFIX = 'requests/';

export class RequestCounts {
  readonly #place: Place;
  readonly #saver: Saver;
  #counts: Map<string, Requests> | null = null;
  readonly #changed = new Set<string>();

  constructor(place: Place) {
    this.#place = place;
    this.#saver = new Saver(() => {
      this.#save();
    }, place.hasRoom);
  }

  add(counted: CountedRequests): void {
    // An application without a registry was deleted.
    if (!this.#place.writes.hasTables) return;
    const counts = this.#load();
    for (const [key, { requests, errors }] of Object.entries(counted)) {
      const name = countedAs(key, counts);
      const before = counts.get(name);
      counts.set(name, {
        requests: (before?.requests ?? 0) + requests,
        errors: (before?.errors ?? 0) + errors,
      });
      this.#changed.add(name);
    }
    this.#saver.counted();
  }

  get all(): CountedRequests {
    return Object.fromEntries(this.#load());
  }

  #save(): void {
    const { hasTables, sealed } = this.#place.writes;
    if (!hasTables || sealed) return;
    const counts = this.#load();
    for (const key of this.#changed) this.#place.storage.kv.put(`${PREFIX}${key}`, counts.get(key));
    this.#changed.clear();
  }

  #load(): Map<string, Requests> {
    this.#counts ??= new Map(
      Array.from(this.#place.storage.kv.list<Requests>({ prefix: PREFIX }), ([key, counts]) => [
        key.slice(PREFIX.length),
        counts,
      ]),
    );
    return this.#counts;
  }
}
