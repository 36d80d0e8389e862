/**
 * Large pages leave an object a few at a time. Otherwise all calls that arrive together would be answered before the
 * first answer is received, and the waiting answers would take many times the memory of one. The size of a page is
 * known when its documents are known: a large page waits then, before they are read, and small pages do not wait.
 */
import { AT_ONCE } from '../../domain/limits.ts';
import pLimit from 'p-limit';
import { fail, type Outcome } from '../../domain/problems.ts';
import { isLarge, type PackedList } from '../rpc/packing/packing.ts';

/** Milliseconds after which a page counts as received although nobody has reported it: its client may be gone. */
const LOST = 5_000;

export class PageSemaphore {
  readonly #queue = pLimit(1);
  /** For each large page on its way, the time at which it counts as lost, in milliseconds since 1970. */
  readonly #taken: number[] = [];
  #waiting = 0;
  #wake: () => void = () => undefined;

  /** True when even a large page would not have to wait: then its size need not be known. */
  get isFree(): boolean {
    return this.#waiting === 0 && this.#taken.length < AT_ONCE.largePages;
  }

  /**
   * Waits until earlier pages were received, then counts a large page as on its way. False when too many wait already.
   */
  async acquire(): Promise<boolean> {
    if (!this.isFree) {
      if (this.#waiting >= AT_ONCE.largePagesWaiting) return false;
      this.#waiting += 1;
      await this.#queue(async () => {
        await this.#place();
        this.#waiting -= 1;
        this.take();
      });
    } else this.take();
    return true;
  }

  /** Takes a place without waiting: a large page leaves. */
  take(): void {
    this.#taken.push(Date.now() + LOST);
  }

  /** Gives a place back: a page was received. */
  release(): void {
    this.#taken.shift();
    this.#wake();
  }

  async #place(): Promise<void> {
    for (;;) {
      while ((this.#taken[0] ?? Infinity) <= Date.now()) this.#taken.shift();
      if (this.#taken.length < AT_ONCE.largePages) return;
      const released = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([released, scheduler.wait(LOST)]);
    }
  }
}

/** The place of one page among those on their way. */
export class PagePermit {
  readonly #pages: PageSemaphore;
  /** Whether it holds a place: its page is large and on its way. */
  #held = false;

  constructor(semaphore: PageSemaphore) {
    this.#pages = semaphore;
  }

  get isFree(): boolean {
    return this.#held || this.#pages.isFree;
  }

  /** To be called before a large page is read. False when too many pages wait. */
  async acquire(): Promise<boolean> {
    this.#held ||= await this.#pages.acquire();
    return this.#held;
  }

  /** To be called when the size of the page is known: 0 if there is no page in the end. */
  holds(units: number): void {
    const large = isLarge(units);
    if (large && !this.#held) this.#pages.take();
    if (!large && this.#held) this.#pages.release();
    this.#held = large;
  }
}

/** Makes a page, and counts it as on its way if its documents are large together. */
export async function withPermit(
  semaphore: PageSemaphore,
  make: (permit: PagePermit) => Promise<PackedList>,
): Promise<PackedList> {
  const permit = new PagePermit(semaphore);
  let units = 0;
  try {
    const page = await make(permit);
    if ('documents' in page) units = page.documents.length;
    return page;
  } finally {
    permit.holds(units);
  }
}

export function busy(): Extract<Outcome<never>, { readonly ok: false }> {
  const detail = 'Too many large pages of this type are asked for at a time.';
  return fail('unavailable', detail, undefined, { 'retry-after': 1 });
}
