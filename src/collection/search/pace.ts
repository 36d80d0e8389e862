/**
 * Large pages leave an object a few at a time. Otherwise all calls that arrive together would be answered before the
 * first answer is received, and the waiting answers would take many times the memory of one. The size of a page is
 * known when its documents are known: a large page waits then, before they are read, and small pages do not wait.
 */
import pLimit from 'p-limit';
import { fail, type Outcome } from '../../domain/problems.ts';
import { isLarge } from '../rpc/packing.ts';

/** Large pages on their way at a time. */
const MOST_LEAVING = 2;

/** Large pages that may wait; one more is refused. */
const MOST_WAITING = 64;

/** Milliseconds after which a page counts as received although nobody has reported it: its client may be gone. */
const LOST = 5_000;

export class Pace {
  readonly #inTurn = pLimit(1);
  /** For each large page on its way, the time at which it counts as lost, in milliseconds since 1970. */
  readonly #leaving: number[] = [];
  #waiting = 0;
  #wake: () => void = () => undefined;

  /** True when even a large page would not have to wait: then its size need not be known. */
  get isFree(): boolean {
    return this.#waiting === 0 && this.#leaving.length < MOST_LEAVING;
  }

  /**
   * Waits until earlier pages were received, then counts a large page as on its way. False when too many wait already.
   */
  async enter(): Promise<boolean> {
    if (!this.isFree) {
      if (this.#waiting >= MOST_WAITING) return false;
      this.#waiting += 1;
      await this.#inTurn(async () => {
        await this.#room();
        this.#waiting -= 1;
        this.leave();
      });
    } else this.leave();
    return true;
  }

  /** Notes that a large page leaves. */
  leave(): void {
    this.#leaving.push(Date.now() + LOST);
  }

  /** Notes that one was received. */
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

/** The way of one page. */
export class Passage {
  readonly #pace: Pace;
  /** Whether it counts as on its way. */
  #counts = false;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  get isFree(): boolean {
    return this.#counts || this.#pace.isFree;
  }

  /** To be called before a large page is read. False when too many pages wait. */
  async enter(): Promise<boolean> {
    this.#counts ||= await this.#pace.enter();
    return this.#counts;
  }

  /** To be called when the size of the page is known: 0 if there is no page in the end. */
  holds(units: number): void {
    const large = isLarge(units);
    if (large && !this.#counts) this.#pace.leave();
    if (!large && this.#counts) this.#pace.taken();
    this.#counts = large;
  }
}

/** Makes a page, which is a text unless it is refused, and counts it as on its way if it is large. */
export async function onItsWay<T>(pace: Pace, make: (passage: Passage) => Promise<T>): Promise<T> {
  const passage = new Passage(pace);
  let units = 0;
  try {
    const page = await make(passage);
    if (typeof page === 'string') units = page.length;
    return page;
  } finally {
    passage.holds(units);
  }
}

export function busy(): Extract<Outcome<never>, { readonly ok: false }> {
  const detail = 'Too many large pages of this type are asked for at a time.';
  return fail('unavailable', detail, undefined, { 'retry-after': 1 });
}
