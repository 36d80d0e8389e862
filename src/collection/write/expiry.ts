/**
 * The end of documents whose type has the setting `expires` (docs/types.md). They are deleted when their time has come,
 * by the alarm; whatever asks the collection before that waits until they are, in steps. So nothing ever sees one that is
 * past its time, and tags, counts and kept results notice as they notice any deletion.
 */
import { ok } from '../../domain/problems.ts';
import { readResourceType } from '../../domain/types.ts';
import type { Transactor } from './transactor.ts';
import type { Writes } from './writes.ts';

/** Documents that one step deletes. */
const EXPIRED_AT_ONCE = 200;

/** Milliseconds after which the alarm looks again at the latest: platforms know no alarms in the far future. */
const FAR = 365 * 86_400_000;

/** The storage key of the name of the type: an alarm is not told which type it is for. */
const TYPE = 'type';

export class Expiry {
  readonly #storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'kv'>;
  readonly #tables: Transactor;
  readonly #writes: Writes;
  readonly #pause: () => Promise<void>;
  #running: Promise<void> | null = null;

  constructor(
    storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'kv'>,
    tables: Transactor,
    writes: Writes,
    pause: () => Promise<void>,
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#writes = writes;
    this.#pause = pause;
  }

  /** To be called before the type gets settings. */
  know(type: string): void {
    if (!this.#writes.sealed) this.#storage.kv.put(TYPE, type);
  }

  /** Whether documents are past their time and are still there. */
  get isDue(): boolean {
    const name = this.#name;
    return name !== null && this.#tables.expiries.isDue(name, Date.now());
  }

  /** Resolves when no document is there that is past its time. Calls that come meanwhile share the work. */
  settled(): Promise<void> {
    this.#running ??= this.#deleteDue().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Sets the alarm for the next document. Others that use the alarm may have set it before: the earliest time holds. */
  async remind(): Promise<void> {
    const name = this.#name;
    const next = name === null ? null : this.#tables.expiries.next(name);
    if (next === null) return;
    const now = Date.now();
    const at = Math.min(Math.max(next, now), now + FAR);
    const alarm = await this.#storage.getAlarm();
    if (alarm === null || alarm > at) await this.#storage.setAlarm(at);
  }

  async alarm(): Promise<void> {
    if (this.isDue) await this.settled();
    await this.remind();
  }

  get #name(): string | null {
    return this.#writes.hasTables ? (this.#tables.settings.current?.expires ?? null) : null;
  }

  async #deleteDue(): Promise<void> {
    const known = this.#storage.kv.get(TYPE);
    const type = typeof known === 'string' ? readResourceType(known) : undefined;
    if (type === undefined) return;
    for (let name = this.#name; name !== null && this.isDue; name = this.#name) {
      const field = name;
      const step = this.#writes.alone(() => {
        this.#tables.expire(type, this.#tables.expiries.takeDue(field, Date.now(), EXPIRED_AT_ONCE));
        return ok(null);
      });
      // The application was deleted.
      if (!step.ok) return;
      await this.#pause();
    }
  }
}
