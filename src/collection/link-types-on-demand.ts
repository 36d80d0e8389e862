/** The types that relationships link to, for conditions on linked documents: gathered when the first one asks. */
import type { LinkedTypes } from './rpc/related.ts';
import { yieldToOthers } from './storage/steps.ts';
import type { Ground } from './write/ground.ts';
import { Part } from './part.ts';

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
