/**
 * Writes that are done once, however often they are asked for (rpc/once.ts): what is being done, what was done, and when
 * that is forgotten.
 */
import { fail, type Outcome } from '../../domain/problems.ts';
import type { Once } from '../rpc/once.ts';
import { ringBy, type AlarmStorage } from '../storage/alarm.ts';
import type { Outcomes } from '../storage/beside/outcomes.ts';

/** Rows of outcomes that one alarm deletes. */
const FORGOTTEN_BY_ALARM = 500;

export class Repeats {
  readonly #storage: AlarmStorage;
  readonly #outcomes: Outcomes;
  /** The keys of the writes that are being done. */
  readonly #running = new Set<string>();

  constructor(storage: AlarmStorage, outcomes: Outcomes) {
    this.#storage = storage;
    this.#outcomes = outcomes;
  }

  /** The JSON text of what the same write came to before; null if it was not done. */
  find(once: Once): Outcome<string | null> {
    return this.#running.has(once.key) ? inProgress() : this.#outcomes.find(once, Date.now());
  }

  /** The outcome of the same write before, or that of `work`. To be called inside the transaction. */
  once<T>(once: Once | undefined, work: () => Outcome<T>): Outcome<T> {
    return this.#outcomes.once(once, Date.now(), work);
  }

  /** Does a write, and meanwhile refuses the same one. */
  async guard<T>(once: Once | undefined, write: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (once === undefined) return write();
    if (this.#running.has(once.key)) return inProgress();
    this.#running.add(once.key);
    try {
      const written = await write();
      if (written.ok) await this.#setAlarm();
      return written;
    } finally {
      this.#running.delete(once.key);
    }
  }

  /** Deletes expired outcomes. */
  async alarm(): Promise<void> {
    this.#outcomes.forget(Date.now(), FORGOTTEN_BY_ALARM);
    await this.#setAlarm();
  }

  async #setAlarm(): Promise<void> {
    const next = this.#outcomes.next();
    if (next !== null) await ringBy(this.#storage, next);
  }
}

function inProgress() {
  const detail = 'A request with this Idempotency-Key is being done: send it again later.';
  return fail('request-in-progress', detail, { header: 'Idempotency-Key' });
}
