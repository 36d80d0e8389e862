/**
 * What comes before a collection answers: whether it has tables or never had any, that its type is registered, what has
 * ended by now, and who has rights through links. Here the calls of a collection are counted.
 */
import type { CollectionName } from '../domain/documents.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { ServedCounters } from './usage/served.ts';
import type { Expiry } from './write/upkeep/expiry.ts';
import type { Registration } from './write/registration.ts';
import type { Inheritance } from './write/notify/inheritance.ts';
import type { Inheritors } from './write/notify/inheritors.ts';
import type { Watchers } from './write/rules/watchers.ts';
import type { Leases } from './write/notify/leases.ts';
import type { PreparedShare } from './write/transactions/prepared.ts';
import type { Writes } from './write/writes.ts';

interface Parts {
  readonly writes: Writes;
  readonly registration: Registration;
  readonly expiry: Expiry;
  readonly leases: Leases;
  readonly inheritance: Inheritance;
  readonly inheritors: Inheritors;
  readonly watchers: Pick<Watchers, 'told'>;
  readonly served: ServedCounters;
  readonly prepared: Pick<PreparedShare, 'isHeld' | 'seen'>;
}

export class Initialization {
  readonly #writes: Writes;
  readonly #registration: Registration;
  readonly #expiry: Expiry;
  readonly #leases: Leases;
  readonly #inheritance: Inheritance;
  readonly #inheritors: Inheritors;
  readonly #watchers: Pick<Watchers, 'told'>;
  readonly #served: ServedCounters;
  readonly #prepared: Pick<PreparedShare, 'isHeld' | 'seen'>;

  constructor({
    writes,
    registration,
    expiry,
    leases,
    inheritance,
    inheritors,
    watchers,
    served,
    prepared,
  }: Parts) {
    this.#writes = writes;
    this.#registration = registration;
    this.#expiry = expiry;
    this.#leases = leases;
    this.#inheritance = inheritance;
    this.#inheritors = inheritors;
    this.#watchers = watchers;
    this.#served = served;
    this.#prepared = prepared;
  }

  /** The answer from the tables, or the answer for an unused type if there are no tables. */
  told<T>(present: () => T | Promise<T>, absent: () => T | Promise<T>): T | Promise<T> {
    this.#expiry.notice();
    if (!this.#writes.hasTables || !this.#inheritance.isCurrent || this.#prepared.isHeld)
      return this.sure().then(() => (this.#writes.hasTables ? present() : absent()));
    this.#served.call();
    const answer = present();
    // Its application may have been deleted meanwhile.
    const gone = (error: unknown) => {
      if (this.#writes.hasTables) throw error;
      return absent();
    };
    const done = () => {
      this.#served.done();
    };
    if (answer instanceof Promise) return answer.catch(gone).finally(done);
    done();
    return answer;
  }

  /** Resolves when it is known what there is; throws when the data were lost. */
  async sure(): Promise<void> {
    if (this.#prepared.isHeld) await this.#prepared.seen();
    if (!this.#writes.hasTables) await this.#registration.neverStored();
    this.#served.call();
    this.#expiry.notice();
    if (!this.#inheritance.isCurrent) await this.#inheritance.refresh();
  }

  /** Resolves when documents may be created. */
  async ready(name: CollectionName): Promise<Outcome<unknown>> {
    return this.#writes.registered ? ok(null) : this.#registration.ready(name);
  }

  /** What was written, when the alarm is set for what it lets expire, and all know what has changed who rely on it. */
  async reminded<T>(written: T | Promise<T>): Promise<T> {
    const result = await written;
    await Promise.all([
      this.#expiry.remind(),
      this.#leases.told(),
      this.#inheritors.told(),
      this.#watchers.told(),
    ]);
    return result;
  }
}
