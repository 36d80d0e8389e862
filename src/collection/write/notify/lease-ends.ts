/** Telling those who rely on what a collection has told them, for as long as a lease says. */
import type { CollectionName } from '../../../domain/documents.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import type { TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { Remote } from '../../rpc/contract.ts';
import { ended } from '../../storage/steps.ts';
import { Part, type Ground } from '../ground.ts';

/** Milliseconds that a lease lasts longer for who gave it: clocks do not run alike to the millisecond. */
export const LEASE_MARGIN = 1_000;

/** Milliseconds after which one who could not be told is tried again. */
const AGAIN = 200;

/** Resolves when somebody was told, or the lease has ended. `tell` throws where nobody could be reached. */
export async function notifiedOrEnded(end: number, notify: () => Promise<unknown>): Promise<void> {
  const notified = new AbortController();
  const trying = async () => {
    while (Date.now() < end) {
      const isNotified = await notify().then(
        () => true,
        () => false,
      );
      if (isNotified) return;
      await scheduler.wait(AGAIN);
    }
  };
  await Promise.race([trying(), ended(end, notified.signal).catch(() => undefined)]);
  // A timer that nobody waits for would keep the object awake.
  notified.abort();
}

/**
 * Who holds leases is kept in memory alone: an object that was started anew does not know whom its predecessor told,
 * and takes everybody for told until those leases have ended.
 */
export abstract class Lender<Holder, Parts extends Pick<Ground, 'environment'>> extends Part<Parts> {
  /** Milliseconds that a lease lasts. */
  readonly #lasts = settingsOf(this.parts.environment).sessionLease + LEASE_MARGIN;
  readonly #born = Date.now();
  /** When the lease of each ends, in milliseconds since 1970, the first one first. */
  readonly #ends = new Map<Holder, number>();
  #last: Promise<unknown> = Promise.resolve();

  /** To be called before a holder is told something. */
  give(holder: Holder): void {
    const now = Date.now();
    for (const [given, end] of this.#ends) {
      if (end > now) break;
      this.#ends.delete(given);
    }
    this.#ends.delete(holder);
    this.#ends.set(holder, now + this.#lasts);
  }

  protected endOf(holder: Holder): number {
    return this.#ends.get(holder) ?? this.#born + this.#lasts;
  }

  protected anyHolds(holders: Iterable<Holder>): boolean {
    const now = Date.now();
    return Array.from(holders).some((holder) => this.endOf(holder) > now);
  }

  /** Tells, if there is something, and resolves when all that was begun has ended: others may tell of ours, too. */
  protected async allTold(notify: (() => Promise<unknown>) | null): Promise<void> {
    if (notify !== null) this.#last = Promise.all([this.#last, notify()]);
    await this.#last;
  }
}

/** The holders are types, which are told by their collections. */
export abstract class TypeLender<Parts extends Pick<Ground, 'environment' | 'own'> = Ground> extends Lender<
  TypeName,
  Parts
> {
  /** The number of the last change that they were told of; null until a write asks. */
  #notified: number | null = null;

  /** Resolves when no type relies on the state before a change. `idle`: the answer of those whose leases have ended. */
  protected async changed<T>(
    number: number,
    types: Iterable<TypeName>,
    tell: (calls: Remote, own: TypeName) => Promise<T>,
    idle: (type: TypeName, answer: T) => void = () => undefined,
  ): Promise<void> {
    const { environment, own } = this.parts;
    const isNews = number !== this.#notified;
    this.#notified = number;
    const notify = async (type: TypeName, { application, type: from }: CollectionName) => {
      const end = this.endOf(type);
      const call = () => tell(collectionOf({ environment, application }, type).calls, from);
      if (end > Date.now()) await notifiedOrEnded(end, call);
      else {
        // It relies on nothing any more, but its streams may want to know.
        call().then(
          (answer) => {
            if (this.endOf(type) === end) idle(type, answer);
          },
          () => undefined,
        );
      }
    };
    await this.allTold(
      isNews && own !== null ? () => Promise.all(Array.from(types, (type) => notify(type, own))) : null,
    );
  }
}
