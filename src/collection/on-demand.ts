/**
 * What the first search that needs it makes: the index of words, and the types that relationships link to. The alarm
 * builds the index: at that search, which waits, or before, where the settings of the type say so. If it cannot be
 * built (on a full disk), searches run without it, and none fails.
 */
import { SingleFlight } from '../domain/work/single-flight.ts';
import type { Condition } from '../operators/filter/conditions.ts';
import { mapParts } from '../operators/filter/map.ts';
import { needsWords } from '../plan/prepare.ts';
import type { Background } from './background.ts';
import { ringBy } from './storage/alarm.ts';
import { Part, type Ground } from './write/ground.ts';
import type { LinkedTypes } from './rpc/related.ts';
import { yieldToOthers } from './storage/steps.ts';

interface Parts extends Ground {
  readonly background: Pick<Background, 'run'>;
}

export class WordsOnDemand extends Part<Parts> {
  readonly #building = new SingleFlight<boolean>();

  /**
   * Waits until the index of words is complete, if the condition needs it, and gives the condition; without the index
   * if there is no room for it.
   */
  async prepare(type: string, condition: Condition): Promise<Condition> {
    if (this.parts.tables.words.complete || !needsWords(condition)) return condition;
    const isBuilt = await this.parts.background.run(() => this.#build(type)).catch(() => false);
    return isBuilt
      ? condition
      : mapParts(condition, (part) => (part.op === 'text' ? { ...part, unindexed: true } : part));
  }

  /** Has the alarm build the index, if the settings want it. To be called when these have changed. */
  async remind(): Promise<void> {
    if (this.#isWanted) await ringBy(this.parts.storage, Date.now());
  }

  async alarm(type: string | undefined): Promise<void> {
    if (type !== undefined && this.#isWanted) await this.#build(type);
  }

  get #isWanted(): boolean {
    const { settings, words } = this.parts.tables;
    return settings.current?.text === true && !words.complete;
  }

  /** Whether it could be built. */
  #build(type: string): Promise<boolean> {
    const { hasRoom, rest, storage, tables } = this.parts;
    const { records, words } = tables;
    return this.#building.join(async () => {
      const pause = rest();
      try {
        for (let more = !words.complete; more;) {
          if (!(await hasRoom())) return false;
          more = storage.transactionSync(() => words.step(type, records));
          if (more) await pause();
        }
        return true;
      } catch (error) {
        console.warn(`The index of words was not built: ${String(error)}`);
        // The state in memory may include the step that was undone.
        words.load();
        return false;
      }
    });
  }
}

/** For conditions on linked documents. */
export class LinkTypesOnDemand extends Part<Ground> {
  /** Those of the names that are relationships of some document, with the types that their links lead to. */
  async of(names: readonly string[]): Promise<readonly LinkedTypes[]> {
    const { linkTypes, records } = this.parts.tables;
    const known = linkTypes.of(names);
    if (known !== undefined) return known;
    await linkTypes.gather(records, yieldToOthers, (write) => this.#store(write));
    return linkTypes.of(names) ?? [];
  }

  async #store(write: () => void): Promise<void> {
    // Without room for writes, what was gathered is kept in memory only.
    if (!(await this.parts.hasRoom())) return;
    try {
      this.parts.storage.transactionSync(write);
    } catch (error) {
      console.warn(`The types of links were not kept: ${String(error)}`);
      this.parts.tables.load();
    }
  }
}
