/**
 * Places of messages on their way, shared by the queues of a collection: who has fewest out comes next. An addressee
 * that hangs keeps few of them: one until it has answered, no queue ever all, and the slow ones together half.
 */
import { AT_ONCE } from '../../../domain/limits.ts';
import type { Queue } from '../../storage/outbox/outbox.ts';

/** Milliseconds in which an addressee answers that is not slow. */
const PROMPT = 1_000;

/** Failures in a row after which an addressee is asked with one message at a time. */
export const TIRED = 5;

/** Left free by those that are not known to be prompt. */
const RESERVED = 1;

interface Standing {
  out: number;
  pace: 'unknown' | 'prompt' | 'slow';
}

export class Places {
  readonly #standings = new Map<string, Standing>();

  /** How many messages are out. */
  get taken(): number {
    return this.#count(() => true);
  }

  /** The queue that may send next, or undefined; past the end of a ring that others still use, only a prompt one. */
  choose(queues: readonly Queue[], isLate: boolean): Queue | undefined {
    const free = queues.filter((queue) => this.#mayBegin(queue, isLate));
    return free.toSorted((one, other) => this.#of(one).out - this.#of(other).out)[0];
  }

  begin(queue: Queue): void {
    this.#of(queue).out += 1;
  }

  /** A message of the queue has come to its end, after so many milliseconds. */
  end(queue: Queue, took: number): void {
    const standing = this.#of(queue);
    standing.out -= 1;
    standing.pace = took < PROMPT ? 'prompt' : 'slow';
  }

  #mayBegin(queue: Queue, isLate: boolean): boolean {
    const { out, pace } = this.#of(queue);
    const { deliveries, slowDeliveries } = AT_ONCE;
    if (this.taken >= deliveries || (queue.failures >= TIRED && out > 0)) return false;
    if (pace === 'prompt') return out < deliveries - RESERVED;
    if (isLate || this.#count((each) => each !== 'prompt') >= deliveries - RESERVED) return false;
    return pace === 'slow' ? this.#count((each) => each === 'slow') < slowDeliveries : out === 0;
  }

  #count(holds: (pace: Standing['pace']) => boolean): number {
    return Array.from(this.#standings.values()).reduce(
      (sum, { out, pace }) => (holds(pace) ? sum + out : sum),
      0,
    );
  }

  #of({ kind, addressee, failures }: Queue): Standing {
    const key = `${kind} ${addressee}`;
    const standing = this.#standings.get(key) ?? { out: 0, pace: failures > 0 ? 'slow' : 'unknown' };
    this.#standings.set(key, standing);
    return standing;
  }
}
