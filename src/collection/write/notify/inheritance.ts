/**
 * What a collection knows of rights that come through links, and for how long it may rely on that. The collections of
 * the linked documents tell it of changes (inheritors.ts); if they have told nothing for as long as a lease lasts, it
 * asks before it answers anybody.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { ok } from '../../../domain/problems.ts';
import { SingleFlight } from '../../../domain/work/single-flight.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import type { TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import { NOT_IN_FORCE } from '../../rpc/outages.ts';
import { Part, type Ground } from '../ground.ts';

export class Inheritance extends Part<Ground> {
  /** Until when what each collection has told may be relied on, in milliseconds since 1970. */
  readonly #until = new Map<TypeName, number>();
  readonly #asking = new Map<TypeName, SingleFlight<void>>();

  /** Whether all that is known may be relied on. */
  get isCurrent(): boolean {
    const { types, wanted } = this.parts.tables.inherited;
    return wanted.size === 0 && (types.length === 0 || this.#stale().length === 0);
  }

  /** Resolves when it may be; throws where a collection cannot be asked. */
  async refresh(): Promise<void> {
    const { inherited } = this.parts.tables;
    if (inherited.wanted.size > 0) {
      this.parts.writes.alone(() => {
        inherited.need(inherited.wanted);
        return ok(null);
      });
      inherited.wanted.clear();
    }
    const wanted = new Set<TypeName>();
    // What is told may name documents of further types.
    for (;;) {
      const stale = this.#stale().filter((type) => !wanted.has(type));
      if (stale.length === 0 || this.parts.writes.sealed) return;
      for (const type of stale) wanted.add(type);
      await Promise.all(stale.map((type) => this.#flightOf(type).join(() => this.#askFor(type))));
    }
  }

  /** Asks for what a write has just changed: what was asked before does not have it. */
  async changed(type: TypeName): Promise<void> {
    if (!this.parts.tables.inherited.types.includes(type)) return;
    await this.#flightOf(type).next(() => this.#askFor(type));
  }

  #flightOf(type: TypeName): SingleFlight<void> {
    return recall(this.#asking, type, () => new SingleFlight<void>());
  }

  #stale(): readonly TypeName[] {
    const now = Date.now();
    return this.parts.tables.inherited.types.filter((type) => (this.#until.get(type) ?? 0) <= now);
  }

  async #askFor(type: TypeName): Promise<void> {
    if (this.parts.own === null) throw new Error(NOT_IN_FORCE);
    const { application, type: own } = this.parts.own;
    const { inherited, records } = this.parts.tables;
    const { calls } = collectionOf({ environment: this.parts.environment, application }, type);
    for (;;) {
      const began = Date.now();
      const answer = await calls.rights(own, inherited.cursorOf(type)).catch(() => null);
      if (answer?.ok !== true) throw new Error(NOT_IN_FORCE);
      const page = answer.value;
      const taken = await this.parts.writes.exclusive(() => {
        // A number of its own: streams and marks go by these.
        inherited.take(type, page, () => records.nextVersion());
        return ok(null);
      });
      if (!taken.ok) return;
      if (page.more) continue;
      const lease = began + settingsOf(this.parts.environment).sessionLease;
      this.#until.set(type, Math.min(lease, page.until ?? Infinity));
      return;
    }
  }
}
