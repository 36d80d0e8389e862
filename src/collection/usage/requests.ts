/**
 * The requests of an application by API key, in the registry of its types: isolates of the Worker hand on what they have
 * counted. The sums are written rarely (saver.ts).
 */
import { countedAs, type Requests, type CountedRequests } from '../rpc/maintenance/usage.ts';
import { keptUnder } from '../storage/alarm.ts';
import type { Ground } from '../write/ground.ts';
import { Saver } from './saver.ts';

/** Where counts stand in the object's storage, each under the id of its key. */
const PREFIX = 'requests/';

export class RequestCounts {
  readonly #ground: Ground;
  readonly #saver: Saver;
  #counts: Map<string, Requests> | null = null;
  readonly #changed = new Set<string>();
  #sum = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#saver = new Saver(ground, () => this.#take());
  }

  add(counted: CountedRequests): void {
    // An application without a registry was deleted.
    if (!this.#ground.writes.hasTables) return;
    const counts = this.#load();
    for (const [key, { requests, errors }] of Object.entries(counted)) {
      this.#sum += requests;
      const name = countedAs(key, counts);
      const before = counts.get(name);
      counts.set(name, {
        requests: (before?.requests ?? 0) + requests,
        errors: (before?.errors ?? 0) + errors,
      });
      this.#changed.add(name);
    }
    this.#saver.counted(this.#sum);
  }

  get all(): CountedRequests {
    return Object.fromEntries(this.#load());
  }

  /** What has changed since it was last taken. */
  #take(): readonly (readonly [string, Requests])[] {
    const changed = [...this.#load()].filter(([key]) => this.#changed.has(key));
    this.#changed.clear();
    return changed.map(([key, counts]) => [`${PREFIX}${key}`, counts]);
  }

  #load(): Map<string, Requests> {
    return (this.#counts ??= keptUnder(this.#ground.storage.kv, PREFIX));
  }
}
