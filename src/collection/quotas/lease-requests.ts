/**
 * How a collection comes by what it may hold: it asks the registry of types before the first write of a type, and
 * whenever a write finds that it lacks room; then that write is tried again. Without quotas nothing is asked.
 */
import pLimit from 'p-limit';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { StorageQuotas } from '../../domain/applications/quotas.ts';
import { CORE } from '../../domain/types.ts';
import { collectionOf } from '../rpc/client.ts';
import { NOTHING, type Amount, type WriteTarget } from '../rpc/writes/target.ts';
import { exceeded } from './quota-lease.ts';
import { Part, type Ground } from '../write/ground.ts';

/** Bytes of the tables of a collection without documents, about. */
const EMPTY_TABLES = 96 * 1024;

/** How often a write is tried again. One whose size is not known before asks for this many times more every time. */
const ATTEMPTS = 8;
const MORE = 8;

/** Milliseconds for which a refusal holds: a flood of writes must not become one of questions. */
const REFUSED = 1_000;

export class LeaseRequests extends Part<Ground> {
  /** One question after the other: each tells what the collection holds then. */
  readonly #turns = pLimit(1);
  #refused = { quotas: '', until: 0 };
  /** What the writes that run want, together. */
  readonly #running = { documents: 0, bytes: 0 };

  /**
   * To be asked before tables are made: a type without room for the `least` wanted leaves none behind. Where there
   * are tables, the write itself says first what else is wrong with it.
   */
  async ensure(target: WriteTarget, wanted: Amount, least: Amount = wanted): Promise<Outcome<null>> {
    const { quotas } = target;
    if (quotas === undefined || this.parts.writes.hasTables) return ok(null);
    const withTables = ({ documents, bytes }: Amount) => ({ documents, bytes: bytes + EMPTY_TABLES });
    await this.#request(target, quotas, withTables(wanted));
    const lacking = this.#lacking(quotas, withTables(least));
    return lacking === null ? ok(null) : exceeded(quotas, lacking);
  }

  /** Asks for more, after a write was refused for a quota; tells whether to try it again. `times`: it was before. */
  async more(target: WriteTarget, wanted: Amount, times: number): Promise<boolean> {
    const { quotas } = target;
    if (quotas === undefined || times === ATTEMPTS) return false;
    const factor = MORE ** times;
    const amount = { documents: wanted.documents * factor, bytes: wanted.bytes * factor };
    // What others were granted meanwhile may do for this one.
    return (await this.#request(target, quotas, amount)) || this.#lacking(quotas, wanted) === null;
  }

  /** Counts what a write wants that begins to run; with -1, one that has ended. */
  count({ quotas }: WriteTarget, { documents, bytes }: Amount, sign: 1 | -1): void {
    if (quotas === undefined) return;
    this.#running.documents += sign * documents;
    this.#running.bytes += sign * bytes;
  }

  #lacking(quotas: StorageQuotas, wanted: Amount): keyof StorageQuotas | null {
    return this.parts.tables.quotaLease.lacking(quotas, this.#held, wanted);
  }

  /** What the collection holds; nothing where it has no tables. */
  get #held(): Amount {
    return this.parts.writes.hasTables ? this.parts.tables.held : NOTHING;
  }

  /** Asks for more, and tells whether the collection may now hold more than before. */
  #request(target: WriteTarget, quotas: StorageQuotas, wanted: Amount): Promise<boolean> {
    const before = this.parts.tables.quotaLease.lease;
    return this.#turns(async () => {
      // Meanwhile another write may have asked.
      const { lease } = this.parts.tables.quotaLease;
      if (lease !== before && this.#lacking(quotas, wanted) === null) return true;
      return this.#lease(target, quotas, wanted);
    });
  }

  async #lease({ application, type }: WriteTarget, quotas: StorageQuotas, wanted: Amount): Promise<boolean> {
    const { quotaLease } = this.parts.tables;
    const text = JSON.stringify(quotas);
    if (this.#refused.quotas === text && Date.now() < this.#refused.until) return false;
    const present = this.#held;
    const { lacked } = quotaLease;
    quotaLease.lacked = NOTHING;
    // One question is for all that run. What a change takes is known once it was tried.
    const most = (what: keyof Amount) =>
      Math.max(present[what] + Math.max(wanted[what], this.#running[what]), lacked[what]);
    const needed = { documents: most('documents'), bytes: most('bytes') };
    const registry = collectionOf({ environment: this.parts.environment, application }, CORE.typeRegistry);
    const before = quotaLease.lease;
    const granted = await registry.calls.leaseQuota({ type, quotas, present, needed });
    quotaLease.take(granted);
    const isMore =
      granted.documents > before.documents ||
      granted.bytes > before.bytes ||
      (granted.admitted && !before.admitted);
    if (!isMore) this.#refused = { quotas: text, until: Date.now() + REFUSED };
    return isMore;
  }
}
