/**
 * Delivers what the outbox holds (storage/outbox), by the alarm: a write lets it ring at once, and a crash does not
 * keep it from ringing. A delivery that fails is repeated after a pause that grows. An addressee that fails again and
 * again rests, and then gets one message at a time: one that is down for days is not called a thousand times an hour.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { ok } from '../../../domain/problems.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import { ringBy } from '../../storage/alarm.ts';
import { NEVER_DROPPED, type MessageKind, type Waiting } from '../../storage/outbox/message.ts';
import type { Queue } from '../../storage/outbox/outbox.ts';
import type { CallContext } from '../../rpc/call-context.ts';
import type { CollectionName } from '../../../domain/documents.ts';
import { Part, type Ground } from '../ground.ts';
import { AT_ONCE } from '../../../domain/limits.ts';

/** What a delivery came to. */
export type Carried =
  | { readonly state: 'delivered' }
  /** To be tried again: after so many milliseconds at the earliest, if the addressee says so; or given up, if final. */
  | {
      readonly state: 'failed';
      readonly failure: string;
      readonly after?: number;
      readonly isFinal?: true;
    }
  /** The addressee takes nothing now: nothing was tried. */
  | { readonly state: 'resting' }
  /** There is no such addressee any more: all its messages go. */
  | { readonly state: 'gone' };

/** Brings one message to its addressee. It must come to an end by itself, and throws only where there is a bug. */
export type Carrier = (message: Waiting) => Promise<Carried>;

/**
 * Brings messages to other collections of the application; they are lost where the platform does not name the object.
 * What fails is tried again.
 */
export function within(
  { environment, own }: Pick<Ground, 'environment' | 'own'>,
  carry: (caller: CallContext, message: Waiting, own: CollectionName) => Promise<Carried>,
): Carrier {
  return async (message) => {
    if (own === null) return { state: 'gone' };
    try {
      return await carry({ environment, application: own.application }, message, own);
    } catch (error) {
      return { state: 'failed', failure: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Milliseconds that one ring delivers; then the alarm rings again, so that others who use it have their turn. */
const LONGEST = 20_000;

/** Milliseconds between two looks for messages that are due, while others are out. */
const LOOK_AGAIN = 1_000;

/** Each pause is so many times as long as the one before it, up to the longest: half a day. */
const GROWTH = 4;
const LONGEST_PAUSE = 43_200_000;

/** Milliseconds after which an addressee is asked again that takes nothing. It is woken when that changes. */
const ASK_AGAIN = 86_400_000;

interface Parts extends Ground {
  readonly carriers: Readonly<Record<MessageKind, Carrier>>;
}

/** What one ring of the alarm has under way. */
class Ring {
  readonly until = Date.now() + LONGEST;
  readonly places = new Places();
  readonly messages = new Set<number>();
  /** What nobody expects to fail has failed: nothing more sets out. */
  fault: { readonly error: unknown } | null = null;
  #wake: () => void = () => undefined;

  /** Resolves when something has changed, or messages may be due that were not. */
  async changed(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_AGAIN);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  change(): void {
    this.#wake();
  }
}

export class Deliveries extends Part<Parts> {
  /** Messages to the audit trail that are on their way. */
  readonly #audits = new Set<Promise<void>>();

  /** Resolves when those have come to an end that are on their way to the audit trail. */
  async audited(): Promise<void> {
    await Promise.allSettled(this.#audits);
  }

  async alarm(): Promise<void> {
    const { storage, tables } = this.parts;
    const { outbox } = tables;
    if (this.#isOver || outbox.isEmpty) return;
    const ring = new Ring();
    // What is put meanwhile does not wait for those that hang.
    outbox.onPut = () => {
      ring.change();
    };
    this.#fill(ring);
    while (ring.messages.size > 0) {
      await ring.changed();
      this.#fill(ring);
    }
    if (ring.fault !== null) throw ring.fault.error;
    const tidied = this.#write(() => outbox.tidy(Date.now()));
    if (tidied === null) return;
    const next = tidied ? Date.now() : outbox.next();
    if (next !== null) await ringBy(storage, Math.max(next, Date.now()));
  }

  /** The application was deleted, or nothing was ever stored. */
  get #isOver(): boolean {
    const { writes } = this.parts;
    return writes.sealed || !writes.hasTables;
  }

  /** Changes the outbox; null where everything was deleted. */
  #write<T>(work: () => T): T | null {
    const written = this.parts.writes.alone(() => ok(work()));
    return written.ok ? written.value : null;
  }

  /** Lets messages set out while there are places. */
  #fill(ring: Ring): void {
    const { outbox } = this.parts.tables;
    const now = Date.now();
    const isLate = now >= ring.until;
    if (this.#isOver || ring.fault !== null || (isLate && ring.messages.size === 0)) return;
    let queues = outbox.dueQueues(now);
    for (;;) {
      const queue = ring.places.choose(queues, isLate);
      if (queue === undefined) return;
      const [message] = outbox.due(queue, now, 1, [...ring.messages]);
      if (message === undefined) queues = queues.filter((each) => each !== queue);
      else void this.#send(ring, queue, message);
    }
  }

  async #send(ring: Ring, queue: Queue, message: Waiting): Promise<void> {
    const begun = Date.now();
    ring.places.begin(queue);
    ring.messages.add(message.seq);
    const delivered = this.#deliver(message);
    if (message.kind === 'audit') this.#audits.add(delivered);
    try {
      await delivered;
    } catch (error) {
      ring.fault = { error };
    } finally {
      this.#audits.delete(delivered);
      ring.messages.delete(message.seq);
      ring.places.end(queue, Date.now() - begun);
      ring.change();
    }
  }

  async #deliver(message: Waiting): Promise<void> {
    const { carriers, tables } = this.parts;
    const { outbox } = tables;
    const carried = await carriers[message.kind](message);
    this.#write(() => {
      // It may have been given up meanwhile, or dropped.
      if (outbox.has(message)) this.#note(message, carried, Date.now());
    });
  }

  #note(message: Waiting, carried: Carried, now: number): void {
    const { outbox } = this.parts.tables;
    switch (carried.state) {
      case 'delivered':
        outbox.delivered(message, now);
        return;
      case 'gone':
        outbox.drop(message);
        return;
      case 'resting':
        outbox.rest(message, now + ASK_AGAIN);
        return;
      case 'failed': {
        const { deliveryPause, deliveryTries } = settingsOf(this.parts.environment);
        const { failure, after = 0, isFinal } = carried;
        if (isFinal === true) {
          // It says nothing of the others of the queue: they do not wait.
          outbox.giveUp(message, failure, now);
          return;
        }
        const failures = (outbox.queue(message)?.failures ?? 0) + 1;
        const isTired = failures >= TIRED;
        const rest = isTired ? pauseAfter(failures - TIRED + 1, deliveryPause) : 0;
        const rests = now + Math.max(rest, after);
        if (message.tries + 1 >= deliveryTries && !NEVER_DROPPED.has(message.kind))
          outbox.giveUp(message, failure, now, rests);
        else {
          const pause = Math.max(pauseAfter(message.tries + 1, deliveryPause), after);
          outbox.failed(message, failure, now + pause, rests);
        }
      }
    }
  }
}

/** Milliseconds until the next try after so many: about, lest many who failed together come again together. */
function pauseAfter(tries: number, first: number): number {
  const pause = Math.min(first * GROWTH ** (tries - 1), LONGEST_PAUSE);
  return Math.round(pause * (0.8 + Math.random() * 0.4));
}

/** Milliseconds in which an addressee answers that is not slow. */
const PROMPT = 1_000;

/** Failures in a row after which an addressee is asked with one message at a time. */
const TIRED = 5;

/** Left free by those that are not known to be prompt. */
const RESERVED = 1;

interface Standing {
  out: number;
  pace: 'unknown' | 'prompt' | 'slow';
}

/**
 * Places of messages on their way, shared by the queues of a collection: who has fewest out comes next. An addressee
 * that hangs keeps few of them: one until it has answered, no queue ever all, and the slow ones together half.
 */
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
    const begun = (): Standing => ({ out: 0, pace: failures > 0 ? 'slow' : 'unknown' });
    return recall(this.#standings, `${kind} ${addressee}`, begun);
  }
}
