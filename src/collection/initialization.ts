/**
 * What comes before a collection answers: whether it has tables or never had any, that its type is registered, what has
 * ended by now, and who has rights through links. Here the calls of a collection are counted.
 */
import type { ServedCounters } from './usage/served.ts';
import type { Expiry } from './write/upkeep/expiry.ts';
import type { Registration } from './write/registration.ts';
import type { Inheritance } from './write/notify/inheritance.ts';
import type { Inheritors } from './write/notify/inheritors.ts';
import type { Watchers } from './write/rules/watchers.ts';
import type { Leases } from './write/notify/leases.ts';
import type { PreparedShare } from './write/transactions/prepared.ts';
import type { Writes } from './write/writes.ts';
import { Part } from './write/ground.ts';

interface Parts {
  readonly writes: Writes;
  readonly registration: Registration;
  readonly expiry: Expiry;
  readonly leases: Leases;
  readonly inheritance: Inheritance;
  readonly inheritors: Inheritors;
  readonly watchers: Pick<Watchers, 'notified'>;
  readonly served: ServedCounters;
  readonly prepared: Pick<PreparedShare, 'isHeld' | 'seen'>;
}

export class Initialization extends Part<Parts> {
  /** The answer from the tables, or the answer for an unused type if there are no tables. */
  whenReady<T>(present: () => T | Promise<T>, absent: () => T | Promise<T>): T | Promise<T> {
    const { expiry, inheritance, prepared, served, writes } = this.parts;
    expiry.notice();
    if (!writes.hasTables || !inheritance.isCurrent || prepared.isHeld)
      return this.sure().then(() => (writes.hasTables ? present() : absent()));
    served.call();
    const answer = present();
    // Its application may have been deleted meanwhile.
    const gone = (error: unknown) => {
      if (writes.hasTables) throw error;
      return absent();
    };
    const done = () => {
      served.done();
    };
    if (answer instanceof Promise) return answer.catch(gone).finally(done);
    done();
    return answer;
  }

  /** Resolves when it is known what there is; throws when the data were lost. */
  async sure(): Promise<void> {
    const { expiry, inheritance, prepared, registration, served, writes } = this.parts;
    if (prepared.isHeld) await prepared.seen();
    if (!writes.hasTables) await registration.neverStored();
    served.call();
    expiry.notice();
    if (!inheritance.isCurrent) await inheritance.refresh();
  }

  /** What was written, when the alarm is set for what it lets expire, and all know what has changed who rely on it. */
  async reminded<T>(written: T | Promise<T>): Promise<T> {
    const result = await written;
    const { expiry, inheritors, leases, watchers } = this.parts;
    await Promise.all([expiry.remind(), leases.notified(), inheritors.notified(), watchers.notified()]);
    return result;
  }
}
