/**
 * What a collection learns from its searches, apart from their answers. A search only notes in memory what an index
 * would have saved. The collection stores these notes after the answer has been sent, and the object's alarm does the
 * rest. If that fails (on a full disk), nothing is learned, and no search fails.
 */
import { ringBy, type AlarmStorage } from './storage/alarm.ts';
import type { IndexFeedback } from './search/index-feedback.ts';
import type { SegmentToStore } from './storage/secondary/stored-groups.ts';
import { yieldToOthers } from './storage/steps.ts';
import { Part } from './write/ground.ts';
import type { Transactor } from './write/transactor.ts';

/** Steps in the background before the alarm ends and sets itself again. */
const STEPS_PER_ALARM = 5_000;

/** Milliseconds after which unused indexes are looked for. */
const LOOK_AGAIN = 86_400_000;

/** An alarm within this number of milliseconds counts as soon. */
const SOON = 1_000;

/** Milliseconds until the alarm looks again whether searches have ended. */
const WHILE_SEARCHED = 100;

interface Parts {
  readonly storage: AlarmStorage & Pick<DurableObjectStorage, 'transactionSync'>;
  readonly tables: Pick<Transactor, 'indexes' | 'records' | 'groups' | 'dirtyRanges'>;
  /** Whether searches are running: the indexes that they use must not be dropped meanwhile. */
  readonly isSearched: () => boolean;
  /** Whether there are tables still, and room on the disk for writes. */
  readonly hasRoom: () => Promise<boolean>;
  /** Lets others in. */
  readonly pause: () => Promise<void>;
}

export class Learning extends Part<Parts> {
  #storing = false;

  /** Notes what a search over `documents` documents has shown. */
  after({ used, saved, wanted, looked }: IndexFeedback, documents: number): void {
    const { indexes } = this.parts.tables;
    const now = Date.now();
    indexes.used(used, saved, now);
    indexes.learn(wanted, looked, documents, now);
    if ((indexes.pending || indexes.hasNews(now)) && !this.#storing) void this.store();
  }

  /** Stores groups of an aggregate, after waiting requests have been answered. Never fails. */
  async keep(key: string, segments: readonly SegmentToStore[]): Promise<void> {
    const { groups, dirtyRanges } = this.parts.tables;
    try {
      await yieldToOthers();
      if (!(await this.parts.hasRoom())) return;
      this.parts.storage.transactionSync(() => {
        groups.put(key, segments, dirtyRanges, Date.now());
      });
      await ringBy(this.parts.storage, Date.now() + LOOK_AGAIN);
    } catch (error) {
      this.#forget(error);
    }
  }

  /** Stores what was learned, after waiting requests have been answered. Never fails. */
  async store(): Promise<void> {
    this.#storing = true;
    try {
      await this.parts.pause();
      // Nobody catches a commit that fails at the end, so this checks for room before.
      if (!(await this.parts.hasRoom())) return;
      const { indexes } = this.parts.tables;
      if (indexes.hasNews(Date.now())) {
        this.parts.storage.transactionSync(() => {
          indexes.note(Date.now());
        });
      }
      // If the clock was set back, an alarm in the far future would never come.
      const alarm = indexes.pending ? await this.parts.storage.getAlarm() : 0;
      if (alarm === null || alarm > Date.now() + SOON) await this.parts.storage.setAlarm(Date.now());
    } catch (error) {
      this.#forget(error);
    } finally {
      this.#storing = false;
    }
  }

  /**
   * Chooses paths, builds and drops indexes, in steps. Never fails: the next search that needs an index tries again.
   */
  async alarm(): Promise<void> {
    const { indexes, records, groups } = this.parts.tables;
    const { isSearched, hasRoom, pause } = this.parts;
    try {
      for (let steps = 0; steps < STEPS_PER_ALARM; steps += 1) {
        if (!(await hasRoom())) return;
        if (!this.parts.storage.transactionSync(() => indexes.step(records, Date.now()))) break;
        await pause();
      }
      if (!isSearched()) {
        this.parts.storage.transactionSync(() => {
          indexes.tidy(Date.now());
          groups.tidy(Date.now());
        });
      }
      if (indexes.pending) await ringBy(this.parts.storage, Date.now() + (isSearched() ? WHILE_SEARCHED : 0));
      else if (indexes.any || groups.any) await ringBy(this.parts.storage, Date.now() + LOOK_AGAIN);
    } catch (error) {
      this.#forget(error);
    }
  }

  /** The state in memory may be newer than the tables, where a change was undone. */
  #forget(error: unknown): void {
    console.warn(`What was learned was not kept: ${String(error)}`);
    this.parts.tables.indexes.load();
    this.parts.tables.groups.load();
  }
}
