/**
 * Delivers what the outbox holds (storage/outbox.ts), by the alarm: a write lets it ring at once, and a crash does not
 * keep it from ringing. A delivery that fails is repeated after a pause that grows; an addressee that fails again and again
 * rests, and is then asked with one letter at a time, so that nobody who is down for days is called a thousand times an hour.
 */
import pLimit from 'p-limit';
import { AT_ONCE } from '../../../domain/limits.ts';
import { ok } from '../../../domain/problems.ts';
import type { Settings } from '../../../domain/settings.ts';
import { ringBy, type AlarmStorage } from '../../storage/alarm.ts';
import { KEPT, type LetterKind, type Waiting } from '../../storage/outbox/letter.ts';
import type { Lane, Outbox } from '../../storage/outbox/outbox.ts';
import type { Writes } from '../writes.ts';

/** What a delivery came to. */
export type Carried =
  | { readonly state: 'delivered' }
  /** To be tried again: after so many milliseconds at the earliest, if the addressee says so. */
  | { readonly state: 'failed'; readonly failure: string; readonly after?: number }
  /** The addressee takes nothing now: nothing was tried. */
  | { readonly state: 'resting' }
  /** There is no such addressee any more: all its letters go. */
  | { readonly state: 'gone' };

/** Brings one letter to its addressee. It must come to an end by itself, and throws only where there is a bug. */
export type Carrier = (letter: Waiting) => Promise<Carried>;

/** Milliseconds that one ring delivers; then the alarm rings again, so that others who use it have their turn. */
const LONGEST = 20_000;

/** Each pause is so many times as long as the one before it, up to the longest: half a day. */
const GROWTH = 4;
const LONGEST_PAUSE = 43_200_000;

/** Failures in a row after which an addressee rests. */
const RESTS_AFTER = 5;

/** Milliseconds after which an addressee is asked again that takes nothing. It is woken when that changes. */
const ASK_AGAIN = 86_400_000;

interface Parts {
  readonly storage: AlarmStorage;
  readonly writes: Pick<Writes, 'alone' | 'hasTables' | 'sealed'>;
  readonly outbox: Outbox;
  readonly carriers: Readonly<Record<LetterKind, Carrier>>;
  readonly settings: () => Pick<Settings, 'deliveryPause' | 'deliveryTries'>;
}

export class Deliveries {
  readonly #parts: Parts;
  readonly #limit = pLimit(AT_ONCE.deliveries);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async alarm(): Promise<void> {
    const { outbox, storage } = this.#parts;
    if (this.#isOver || outbox.isEmpty) return;
    const until = Date.now() + LONGEST;
    await Promise.all(outbox.dueLanes(Date.now()).map((lane) => this.#serve(lane, until)));
    const tidied = this.#write(() => outbox.tidy(Date.now()));
    if (tidied === null) return;
    const next = tidied ? Date.now() : outbox.next();
    if (next !== null) await ringBy(storage, Math.max(next, Date.now()));
  }

  /** The application was deleted, or nothing was ever stored. */
  get #isOver(): boolean {
    const { writes } = this.#parts;
    return writes.sealed || !writes.hasTables;
  }

  /** Changes the outbox; null where everything was deleted. */
  #write<T>(work: () => T): T | null {
    const written = this.#parts.writes.alone(() => ok(work()));
    return written.ok ? written.value : null;
  }

  /** Delivers what is due in a lane, until it rests or has nothing more. */
  async #serve(lane: Lane, until: number): Promise<void> {
    const { outbox } = this.#parts;
    while (Date.now() < until && !this.#isOver) {
      const now = outbox.lane(lane);
      if (now === undefined || !outbox.isAwake(lane, Date.now())) return;
      const letters = outbox.due(now, Date.now(), now.failures >= RESTS_AFTER ? 1 : AT_ONCE.deliveries);
      if (letters.length === 0) return;
      await Promise.all(letters.map((letter) => this.#limit(() => this.#deliver(letter))));
    }
  }

  async #deliver(letter: Waiting): Promise<void> {
    const { carriers, outbox } = this.#parts;
    const carried = await carriers[letter.kind](letter);
    this.#write(() => {
      // It may have been given up meanwhile, or dropped.
      if (outbox.has(letter)) this.#note(letter, carried, Date.now());
    });
  }

  #note(letter: Waiting, carried: Carried, now: number): void {
    const { outbox } = this.#parts;
    switch (carried.state) {
      case 'delivered':
        outbox.delivered(letter, now);
        return;
      case 'gone':
        outbox.drop(letter);
        return;
      case 'resting':
        outbox.rest(letter, now + ASK_AGAIN);
        return;
      case 'failed': {
        const { deliveryPause, deliveryTries } = this.#parts.settings();
        const { failure, after = 0 } = carried;
        const failures = (outbox.lane(letter)?.failures ?? 0) + 1;
        const isTired = failures >= RESTS_AFTER;
        const rest = isTired ? pauseAfter(failures - RESTS_AFTER + 1, deliveryPause) : 0;
        const rests = now + Math.max(rest, after);
        if (letter.tries + 1 >= deliveryTries && !KEPT.has(letter.kind))
          outbox.giveUp(letter, failure, now, rests);
        else {
          const pause = Math.max(pauseAfter(letter.tries + 1, deliveryPause), after);
          outbox.failed(letter, failure, now + pause, rests);
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
