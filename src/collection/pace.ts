/**
 * Large pages leave an object a few at a time. Of calls that arrive together all would else be answered before the first
 * answer is taken, and what waits in between is many times what any of them holds.
 */
import pLimit from 'p-limit';
import { LIMITS } from '../domain/limits.ts';
import { fail, type Outcome } from '../domain/problems.ts';
import { pause } from './steps.ts';

/** Large pages on their way at a time. */
const MOST_LEAVING = 2;

/** Calls that wait for these; one more is refused. */
const MOST_WAITING = 64;

/** Milliseconds after which a page whose taker was not heard of counts as taken: it may have gone with its client. */
const LOST = 5_000;

/** Whether a page of so many UTF-16 units is large: whoever takes it says so, with `taken`. */
export function isLarge(units: number): boolean {
  return units > LIMITS.sentAtOnce;
}

export class Pace {
  readonly #inTurn = pLimit(1);
  /** Of each large page on its way, when it counts as lost, in milliseconds since 1970. */
  readonly #leaving: number[] = [];
  #waiting = 0;
  #wake: () => void = () => undefined;

  /** Does the work at once, or when the large pages before it were taken. */
  async do<T>(work: () => Promise<T>): Promise<T | ReturnType<typeof busy>> {
    if (this.#waiting === 0 && this.#leaving.length < MOST_LEAVING) return work();
    if (this.#waiting >= MOST_WAITING) return busy();
    this.#waiting += 1;
    const { begun } = await this.#inTurn(async () => {
      await this.#room();
      this.#waiting -= 1;
      const begun = work();
      // Work that pauses holds up nobody behind it.
      await Promise.race([begun, pause()]).catch(() => undefined);
      return { begun };
    });
    return begun;
  }

  /** Notes that a large page leaves. */
  leave(): void {
    this.#leaving.push(Date.now() + LOST);
  }

  /** Notes that one was taken. */
  taken(): void {
    this.#leaving.shift();
    this.#wake();
  }

  async #room(): Promise<void> {
    for (;;) {
      while ((this.#leaving[0] ?? Infinity) <= Date.now()) this.#leaving.shift();
      if (this.#leaving.length < MOST_LEAVING) return;
      const taken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([taken, scheduler.wait(LOST)]);
    }
  }
}

function busy(): Extract<Outcome<never>, { readonly ok: false }> {
  const detail = 'Too many large pages of this type are asked for at a time.';
  return fail('unavailable', detail, undefined, { 'retry-after': 1 });
}
