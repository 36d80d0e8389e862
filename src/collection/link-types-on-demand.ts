/** The types that relationships link to, for conditions on linked documents: gathered when the first one asks. */
import type { LinkedTypes } from './rpc/related.ts';
import { yieldToOthers } from './storage/steps.ts';
import type { Transactor } from './write/transactor.ts';

export class LinkTypesOnDemand {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #tables: Pick<Transactor, 'linkTypes' | 'records' | 'load'>;
  readonly #hasRoom: () => Promise<boolean>;

  /** `hasRoom` says whether there is room for writes: without it, what was gathered is kept in memory only. */
  constructor(
    storage: Pick<DurableObjectStorage, 'transactionSync'>,
    tables: Pick<Transactor, 'linkTypes' | 'records' | 'load'>,
    hasRoom: () => Promise<boolean>,
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#hasRoom = hasRoom;
  }

  /** Those of the names that are relationships of some document, with the types that their links lead to. */
  async of(names: readonly string[]): Promise<readonly LinkedTypes[]> {
    const { linkTypes, records } = this.#tables;
    const known = linkTypes.of(names);
    if (known !== undefined) return known;
    await linkTypes.gather(records, yieldToOthers, (write) => this.#store(write));
    return linkTypes.of(names) ?? [];
  }

  async #store(write: () => void): Promise<void> {
    if (!(await this.#hasRoom())) return;
    try {
      this.#storage.transactionSync(write);
    } catch (error) {
      console.warn(`The types of links were not kept: ${String(error)}`);
      this.#tables.load();
    }
  }
}
