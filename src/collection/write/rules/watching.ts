/**
 * What a collection knows of other collections that its writers' rules look at: whether anything has changed there
 * since. They tell before they answer (watchers.ts), for as long as a lease lasts; then they are asked again.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { Seen } from '../../../domain/rules.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import type { TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import { unpackDocuments } from '../../rpc/packing/packing.ts';
import { seenChanged } from '../../rpc/refusals.ts';
import type { Transactor } from '../transactor.ts';
import type { PreparedShare } from '../transactions/prepared.ts';
import { Part, type Ground } from '../ground.ts';
import type { Linked } from './looked.ts';

interface Known {
  readonly counter: number;
  /** Until when it may be relied on, in milliseconds since 1970. */
  readonly until: number;
}

interface Parts extends Pick<Ground, 'environment' | 'own'> {
  readonly tables: Pick<Transactor, 'records'>;
  readonly prepared: Pick<PreparedShare, 'free'>;
}

/** A call that has not begun. */
interface Next {
  readonly ids: Set<DocumentId>;
  readonly linked: Promise<Linked>;
}

export class Watching extends Part<Parts> {
  readonly #known = new Map<TypeName, Known>();
  /** The last call of each collection: one goes after the other. */
  readonly #last = new Map<TypeName, Promise<unknown>>();
  readonly #next = new Map<TypeName, Next>();

  /** Resolves when the collections of what was seen tell of changes. */
  async sure(seen: readonly Seen[]): Promise<void> {
    const stale = seen.filter(({ type }) => !this.#isOwn(type) && !this.#isTold(type));
    await Promise.all(stale.map(({ type }) => this.look(type, [])));
  }

  /** The refusal of a write, if something has changed since it was seen. To be called inside the transaction. */
  changed(seen: readonly Seen[]): ReturnType<typeof seenChanged> | null {
    return seen.every((each) => this.isCurrent(each)) ? null : seenChanged();
  }

  /** Whether a collection is sure to be as it was seen. */
  isCurrent({ type, counter }: Seen): boolean {
    if (this.#isOwn(type)) return this.parts.tables.records.counter() <= counter;
    return this.#isTold(type) && (this.#known.get(type)?.counter ?? Infinity) <= counter;
  }

  /**
   * Asks for documents of another type. Whoever asks during a call shares the next one: what the first brings may be
   * older than what its sender has seen.
   */
  async look(type: TypeName, ids: readonly DocumentId[]): Promise<Linked> {
    const next = this.#next.get(type);
    const isJoined = next !== undefined && next.ids.size + ids.length <= LIMITS.includedDocuments;
    const call = isJoined ? next : this.#begin(type, [], true);
    for (const id of ids) call.ids.add(id);
    const linked = await call.linked;
    // What several ask for may be too much together.
    const isAlone = linked.complete || call.ids.size === ids.length;
    return isAlone ? linked : this.#begin(type, ids, false).linked;
  }

  #begin(type: TypeName, given: readonly DocumentId[], isShared: boolean): Next {
    const ids = new Set(given);
    const before = this.#last.get(type) ?? Promise.resolve();
    const linked = before.then(() => {
      if (this.#next.get(type) === next) this.#next.delete(type);
      return this.#request(type, [...ids]);
    });
    const next = { ids, linked };
    if (isShared) this.#next.set(type, next);
    this.#last.set(
      type,
      linked.catch(() => undefined),
    );
    return next;
  }

  /** What arrives late is no news. */
  #note(type: TypeName, counter: number, until: number): void {
    const known = this.#known.get(type);
    this.#known.set(type, {
      counter: Math.max(counter, known?.counter ?? 0),
      until: Math.max(until, known?.until ?? 0),
    });
  }

  /** Takes note of a change. What is prepared by what was before is decided when this resolves. */
  async notified(type: TypeName, counter: number): Promise<void> {
    this.#note(type, counter, 0);
    await this.parts.prepared.free();
  }

  async #request(type: TypeName, ids: readonly DocumentId[]): Promise<Linked> {
    const { environment, own } = this.parts;
    if (own === null) return { counter: 0, complete: true, documents: new Map() };
    const lease = Date.now() + settingsOf(environment).sessionLease;
    // A collection that has lost its data counts anew.
    if (!this.#isTold(type)) this.#known.delete(type);
    const { calls } = collectionOf({ environment, application: own.application }, type);
    const { complete, counter, documents } = await calls.watch(own.type, ids);
    this.#note(type, counter, lease);
    const byId = new Map(unpackDocuments(documents).map((each) => [each.id, each]));
    return { complete, counter, documents: byId };
  }

  #isTold(type: TypeName): boolean {
    return (this.#known.get(type)?.until ?? 0) > Date.now();
  }

  #isOwn(type: TypeName): boolean {
    return type === this.parts.own?.type;
  }
}
