/**
 * The memory of an isolate that large bodies and answers may take together, an answer from the page that its object
 * sends to the last part that a client takes. What does not fit waits briefly. A request may end with its client and
 * never say so: what it holds counts until a deadline.
 */
import { LIMITS } from '../limits.ts';
import { fail } from '../problems.ts';

/** Milliseconds of a wait for memory, between two looks, and for which a request holds what it never gives back. */
const PATIENCE = 2_000;
const LOOK_AGAIN = 20;
const LONGEST = 60_000;

/** What somebody holds, and until when (milliseconds since 1970). */
export interface Holding {
  readonly bytes: number;
  readonly deadline: number;
}

const holdings = new Set<Holding>();
let held = 0;

/** The bytes of a text: characters beyond Latin-1 make each of it take two. */
export function bytesInMemory(text: string): number {
  // eslint-disable-next-line no-control-regex
  return /[^\u0000-\u00ff]/.test(text) ? 2 * text.length : text.length;
}

/** Holds memory, or null where there is none left. */
export function takeMemory(bytes: number, milliseconds: number): Holding | null {
  const now = Date.now();
  for (const each of holdings) if (each.deadline < now) giveBack(each);
  if (held + bytes > LIMITS.answersLeaving) return null;
  const holding = { bytes, deadline: now + milliseconds };
  holdings.add(holding);
  held += bytes;
  return holding;
}

export function giveBack(holding: Holding): void {
  if (holdings.delete(holding)) held -= holding.bytes;
}

const NONE: readonly Holding[] = [];

/** What one request holds while its answer is made. */
export class RequestMemory {
  #holdings = NONE;

  /** Holds more, until the answer is made; false where there is none left for a while. */
  async hold(bytes: number, milliseconds = LONGEST, patience = PATIENCE): Promise<boolean> {
    const until = Date.now() + patience;
    for (;;) {
      const holding = takeMemory(bytes, milliseconds);
      if (holding !== null) {
        this.#holdings = [...this.#holdings, holding];
        return true;
      }
      if (Date.now() >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
    }
  }

  release(): void {
    for (const holding of this.#holdings) giveBack(holding);
    this.#holdings = NONE;
  }
}

/** Bytes of sort keys that a search may have without asking, and for which it asks at a time. */
const PIECE = 4 * 1024 * 1024;

/** What one search holds for the keys that it sorts by: it cannot wait while it looks at documents. */
export class SortMemory {
  readonly #holdings: Holding[] = [];
  /** Whether it was refused. */
  isDenied = false;

  /** Whether the keys may take so many bytes. */
  readonly hold = (bytes: number): boolean => {
    while (!this.isDenied && bytes > (this.#holdings.length + 1) * PIECE) {
      const holding = takeMemory(PIECE, LONGEST);
      if (holding === null) this.isDenied = true;
      else this.#holdings.push(holding);
    }
    return !this.isDenied;
  };

  release(): void {
    for (const holding of this.#holdings.splice(0)) giveBack(holding);
  }
}

export function noMemory() {
  const detail = 'Too many large bodies, answers and sorts are under way at a time.';
  return fail('unavailable', detail, undefined, { 'retry-after': 1 });
}
