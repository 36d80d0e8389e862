/** Does the same again and again: at once when asked, or when page or network come back; later after failures. */

import { ForedgeError } from '../index.ts';

/** What a page has, and a server has not. */
interface Surroundings {
  readonly document?: EventTarget & { readonly hidden: boolean };
  readonly addEventListener?: (type: string, listener: () => void) => void;
  readonly removeEventListener?: (type: string, listener: () => void) => void;
}

/** Its type says what there may be, here and elsewhere: it differs from runtime to runtime. */
const anything: unknown = globalThis;
const around = anything as Surroundings;

const EVERY = 3_000;
const LONGEST = 60_000;

export interface Beats {
  /** Milliseconds until the work is done again without a reason; 3,000 without it. */
  readonly every?: number | undefined;
  /** Whether somebody else says when there is work. */
  readonly isPushed: () => boolean;
  /** Told that the page or the network has come back, before the work is done. */
  readonly onWake: () => void;
  /** Told each failure, and null when the work was done after one. */
  readonly onState: (error: unknown) => void;
}

export class Pulse {
  readonly #work: () => Promise<void>;
  readonly #beats: Beats;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #stopped = false;

  constructor(work: () => Promise<void>, beats: Beats) {
    this.#work = work;
    this.#beats = beats;
    around.addEventListener?.('online', this.#wake);
    around.document?.addEventListener('visibilitychange', this.#wake);
    this.#wake();
  }

  get stopped(): boolean {
    return this.#stopped;
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

  readonly #start = (): void => {
    this.now().catch(() => undefined);
  };

  readonly #wake = (): void => {
    // Nobody sees a hidden page: it looks again when it is seen.
    if (this.#stopped || around.document?.hidden === true) return;
    this.#beats.onWake();
    this.#start();
  };

  readonly #beat = (): void => {
    if (around.document?.hidden !== true) this.#start();
  };

  /** Does the work again in its time, if nobody says that there is work. */
  wait(): void {
    const { every = EVERY, isPushed } = this.#beats;
    clearTimeout(this.#timer);
    if (this.#stopped || (this.#failures === 0 && isPushed())) return;
    this.#timer = setTimeout(this.#beat, pauseAfter(this.#failures, every, LONGEST));
  }

  async #run(): Promise<void> {
    const { onState } = this.#beats;
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    try {
      await this.#work();
      if (this.#failures > 0) onState(null);
      this.#failures = 0;
    } catch (error) {
      if (this.stopped) return;
      this.#failures += 1;
      if (isRefused(error)) this.stop();
      onState(error);
      throw error;
    } finally {
      this.wait();
    }
  }
}

/** Milliseconds after so many failures: twice as many after each, up to the longest, and not the same for everybody. */
export function pauseAfter(failures: number, first: number, longest: number): number {
  const pause = Math.min(first * 2 ** failures, Math.max(longest, first));
  return failures === 0 ? pause : pause * (0.5 + Math.random() / 2);
}

/** Whether the service has answered, and would refuse the same again. */
export function isRefused(error: unknown): error is ForedgeError {
  return (
    error instanceof ForedgeError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![408, 429].includes(error.status) &&
    !['unexpected-answer', 'request-in-progress'].includes(error.code)
  );
}
