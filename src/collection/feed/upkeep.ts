/** How the feed of a collection is kept: built when it is first asked for, and forgotten past its time or its room. */
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { SingleFlight } from '../../domain/work/single-flight.ts';
import { randomHex } from '../storage/ids.ts';
import { ringBy } from '../storage/alarm.ts';
import { Part, type Ground } from '../write/ground.ts';

/** Milliseconds between two looks at what is to be forgotten, at least. */
const PAUSE = 60_000;

export class FeedUpkeep extends Part<Ground> {
  readonly #building = new SingleFlight<Outcome<null>>();
  #forgetting = false;

  /** Resolves when the feed is kept, and the order of changes complete. */
  async ready(): Promise<Outcome<null>> {
    const { tables, writes } = this.parts;
    const now = Date.now();
    if (!tables.feed.complete) return this.#building.join(() => this.#build());
    if (tables.feed.isToBeNoted(now)) {
      writes.alone(() => {
        tables.feed.note(now);
        return ok(null);
      });
    }
    return ok(null);
  }

  /** Forgets states past their time, in steps. */
  async alarm(): Promise<void> {
    const pause = this.parts.rest();
    while (this.#forget()) await pause();
    await this.remind();
  }

  /** To be called after a commit: states must not take more room than they may, however many are written. */
  committed(): void {
    const { feed } = this.parts.tables;
    // Forgetting commits, too.
    if (this.#forgetting || !feed.isFull) return;
    this.#forgetting = true;
    try {
      let more = true;
      while (more) more = this.#forget() && feed.isFull;
    } finally {
      this.#forgetting = false;
    }
  }

  #forget(): boolean {
    const { tables, writes } = this.parts;
    const forgotten = writes.alone(() => ok(tables.feed.forget(Date.now())));
    return forgotten.ok && forgotten.value;
  }

  async #build(): Promise<Outcome<null>> {
    const { hasRoom, tables, writes } = this.parts;
    const { feed, records } = tables;
    const pause = this.parts.rest();
    while (!feed.complete) {
      if (!(await hasRoom())) return fail('storage-full', 'There is no room for the feed of this type.');
      const step = writes.alone(() => {
        if (feed.active) feed.build();
        else feed.begin(randomHex(), records.counter(), Date.now());
        return ok(null);
      });
      if (!step.ok) return step;
      await pause();
    }
    await this.remind();
    return ok(null);
  }

  /** Sets the alarm for when something is to be forgotten, or for another time. */
  async remind(at: number | null = null): Promise<void> {
    const now = Date.now();
    const next = at ?? this.parts.tables.feed.next(now);
    if (next !== null) await ringBy(this.parts.storage, at ?? Math.max(next, now + PAUSE));
  }
}
