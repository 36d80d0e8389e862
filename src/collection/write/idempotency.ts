/**
 * Writes that are done once, however often they are asked for (rpc/writes/operations.ts): what is being done, what was
 * done, and when that is forgotten.
 */
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Once } from '../rpc/writes/operations.ts';
import { ringBy } from '../storage/alarm.ts';
import { Part, type Ground } from './ground.ts';

/** Rows of outcomes that one alarm deletes. */
const FORGOTTEN_BY_ALARM = 500;

export class Idempotency extends Part<Ground> {
  /** The keys of the writes that are being done. */
  readonly #running = new Set<string>();

  /** The JSON text of what the same write came to before; null if it was not done. */
  find(once: Once): Outcome<string | null> {
    return this.#running.has(once.key) ? inProgress() : this.parts.tables.outcomes.find(once, Date.now());
  }

  /** Begins writes, until their `end`; refuses all where one of them runs. */
  begin(onces: readonly Once[]): Outcome<null> {
    if (onces.some(({ key }) => this.#running.has(key))) return inProgress();
    for (const { key } of onces) this.#running.add(key);
    return ok(null);
  }

  end(onces: readonly Once[]): void {
    for (const { key } of onces) this.#running.delete(key);
  }

  /** Sets the alarm for the next outcome that expires. */
  async remind(): Promise<void> {
    await ringBy(this.parts.storage, this.parts.tables.outcomes.next());
  }

  /** Deletes expired outcomes. */
  async alarm(): Promise<void> {
    this.parts.tables.outcomes.forget(Date.now(), FORGOTTEN_BY_ALARM);
    await this.remind();
  }
}

export function inProgress() {
  const detail = 'A request with this Idempotency-Key is being done: send it again later.';
  return fail('request-in-progress', detail, { header: 'Idempotency-Key' });
}
