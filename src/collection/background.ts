/**
 * Long work that a request waits for. The alarm does it, in an invocation with processor time of its own: on the edge,
 * the invocation of the request has what is left of its share, and all that arrive with it share that.
 */
import { ringBy, type AlarmStorage } from './storage/alarm.ts';
import { Part } from './write/ground.ts';

export class Background extends Part<{ readonly storage: AlarmStorage }> {
  readonly #waiting: (() => Promise<void>)[] = [];
  #isRinging = false;

  /** Resolves with the work, once it is done. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    // No alarm rings while one is under way, and that may wait for others.
    if (this.#isRinging) return work();
    const done = new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => work().then(resolve, reject));
    });
    await ringBy(this.parts.storage, Date.now());
    return done;
  }

  /** Runs what an alarm does, after the work that waits for it. */
  async ring(alarm: () => Promise<void>): Promise<void> {
    this.#isRinging = true;
    try {
      const works = this.#waiting.splice(0).map((work) => work());
      await Promise.all([...works, alarm()]);
    } finally {
      this.#isRinging = false;
    }
  }
}
