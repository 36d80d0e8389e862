/**
 * What a collection knows of those whose documents rules of its writers look at: whether anything has changed there since.
 * They tell that before they answer (watchers.ts), for as long as a lease lasts; then they are asked again.
 */
import type { Seen } from '../../../domain/rules.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import type { TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import { seenChanged } from '../../rpc/refusals.ts';
import type { Transactor } from '../transactor.ts';
import type { PreparedShare } from '../transactions/prepared.ts';
import { Part, type Ground } from '../ground.ts';

interface Known {
  readonly counter: number;
  /** Until when it may be relied on, in milliseconds since 1970. */
  readonly until: number;
}

interface Parts extends Pick<Ground, 'environment' | 'own'> {
  readonly tables: Pick<Transactor, 'records'>;
  readonly prepared: Pick<PreparedShare, 'free'>;
}

export class Watching extends Part<Parts> {
  readonly #known = new Map<TypeName, Known>();

  /** Resolves when the collections of what was seen tell of changes. */
  async sure(seen: readonly Seen[]): Promise<void> {
    const now = Date.now();
    const stale = seen.filter(({ type }) => !this.#isOwn(type) && (this.#known.get(type)?.until ?? 0) <= now);
    await Promise.all(stale.map(({ type }) => this.#request(type)));
  }

  /** The refusal of a write, if something has changed since it was seen. To be called inside the transaction. */
  changed(seen: readonly Seen[]): ReturnType<typeof seenChanged> | null {
    const now = Date.now();
    const isCurrent = seen.every(({ type, counter }) => {
      if (this.#isOwn(type)) return this.parts.tables.records.counter() <= counter;
      const known = this.#known.get(type);
      return known !== undefined && known.until > now && known.counter <= counter;
    });
    return isCurrent ? null : seenChanged();
  }

  /** Takes note of a change. What is prepared by what was before is decided when this resolves. */
  async notified(type: TypeName, counter: number): Promise<void> {
    this.#note(type, counter, 0);
    await this.parts.prepared.free();
  }

  async #request(type: TypeName): Promise<void> {
    if (this.parts.own === null) return;
    const { application, type: own } = this.parts.own;
    const began = Date.now();
    this.#known.delete(type);
    const caller = { environment: this.parts.environment, application };
    const counter = await collectionOf(caller, type).calls.watch(own);
    this.#note(type, counter, began + settingsOf(this.parts.environment).sessionLease);
  }

  /** What arrives late is no news. */
  #note(type: TypeName, counter: number, until: number): void {
    const known = this.#known.get(type);
    this.#known.set(type, {
      counter: Math.max(counter, known?.counter ?? 0),
      until: Math.max(until, known?.until ?? 0),
    });
  }

  #isOwn(type: TypeName): boolean {
    return type === this.parts.own?.type;
  }
}
