/**
 * Runs mingo's iterators in steps. An empty iterator may be asked again, so a run offers one document at a time and
 * drains the results; a stage without a result says here why. Stages that gathered or unwound documents give them a
 * turn at a time, so that the end of a run is many steps as well.
 */
import { Lazy } from 'mingo/lazy';
import type { Fields } from '../../domain/values/values.ts';

/** mingo's iterator over documents. */
export type Documents = ReturnType<typeof Lazy>;

export class Flow {
  /** Why the last empty iterator had nothing: it waits for input, or for a turn, or nothing more will come. */
  reason: 'input' | 'turn' | 'nothing' = 'nothing';
  /** True once there is no further input: what waited for all of it begins to give. */
  ending = false;
  /** True once no further input can change the outputs. */
  enough = false;
  /** Documents that may be given of those that were kept or taken apart. */
  turns = 0;
  /** The place of the stage that is at work, for what it stops at. */
  stage = 0;

  /** For a stage that runs alone. */
  static free(): Flow {
    const flow = new Flow();
    flow.ending = true;
    flow.turns = Infinity;
    return flow;
  }

  takeTurn(): boolean {
    if (this.turns > 0) {
      this.turns -= 1;
      return true;
    }
    this.reason = 'turn';
    return false;
  }

  /** To be called by a source that will never have anything again. */
  end(): void {
    this.reason = 'nothing';
  }

  /** True when what had nothing just now has nothing more, and no further input comes. */
  get over(): boolean {
    return this.ending && this.reason === 'nothing';
  }
}

/** An iterator of mingo's: `next` gives a document, or undefined where it has none now. */
export function documents(next: () => Fields | undefined): Documents {
  return Lazy(() => {
    const value = next();
    return value === undefined ? DONE : { done: false, value };
  });
}

const DONE = { done: true };

/** The next document of an iterator, or undefined where it has none now. */
export function nextOf(input: Documents): Fields | undefined {
  const { done, value } = input.next();
  // Stages are given documents and give documents.
  return done ? undefined : (value as Fields);
}
