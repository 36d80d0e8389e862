/** Does the same again and again: at once when asked, when the page comes back or the network does; later after failures. */

/** What a page has, and a server has not. */
interface Surroundings {
  readonly document?: EventTarget & { readonly hidden: boolean };
  readonly addEventListener?: (type: string, listener: () => void) => void;
  readonly removeEventListener?: (type: string, listener: () => void) => void;
}

const around: Surroundings = globalThis as unknown as Surroundings;

const EVERY = 3_000;
const LONGEST = 60_000;

export class Pulse {
  readonly #work: () => Promise<void>;
  readonly #every: number;
  readonly #onError: ((error: unknown) => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #stopped = false;

  constructor(work: () => Promise<void>, every = EVERY, onError?: (error: unknown) => void) {
    this.#work = work;
    this.#every = every;
    this.#onError = onError;
    around.addEventListener?.('online', this.#wake);
    around.document?.addEventListener('visibilitychange', this.#wake);
    this.#wake();
  }

  /** Resolves when the work was done that begins now: what is under way may have looked already. */
  now(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        this.#running = this.#run();
        return this.#running;
      });
    return this.#next;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    around.removeEventListener?.('online', this.#wake);
    around.document?.removeEventListener('visibilitychange', this.#wake);
  }

  readonly #wake = (): void => {
    // Nobody sees a hidden page: it looks again when it is seen.
    if (!this.#stopped && around.document?.hidden !== true) this.now().catch(() => undefined);
  };

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#work();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#onError?.(error);
      if (isRefused(error)) this.stop();
      throw error;
    } finally {
      const pause = Math.min(this.#every * 2 ** this.#failures, Math.max(LONGEST, this.#every));
      if (!this.#stopped) this.#timer = setTimeout(this.#wake, pause);
    }
  }
}

/** Whether a request would be refused again. */
function isRefused(error: unknown): boolean {
  const status: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'status') : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429;
}
