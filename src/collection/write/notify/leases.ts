/**
 * Whom a collection has told of tokens and groups, and so must tell of changes (rpc/sessions/sessions.ts). It is kept in memory
 * alone: an object that was started anew does not know whom its predecessor has told, and takes everybody for told until
 * those leases have ended. So no crash leaves a session with what no longer holds.
 */
import { storedId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import { isHolderType } from '../../../domain/types/facts.ts';
import { sessionOf } from '../../rpc/sessions/sessions.ts';
import type { Followers } from './followers.ts';
import { ended, LEASE_MARGIN, toldOrEnded } from './lease-ends.ts';
import type { Ground } from '../ground.ts';

/** A session that must be told, and when its lease ends by itself, in milliseconds since 1970. */
interface Lease {
  readonly identity: string;
  readonly end: number;
}

interface Parts extends Ground {
  readonly followers: Followers;
}

export class Leases {
  readonly #parts: Parts;
  /** Milliseconds that a lease lasts. */
  readonly #lasts: number;
  readonly #born = Date.now();
  /** When the lease of each identity ends, the first one first. */
  readonly #given = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lasts = settingsOf(parts.environment).sessionLease + LEASE_MARGIN;
  }

  /** To be called before the session of an identity is told something. */
  give(identity: string): void {
    const now = Date.now();
    for (const [given, end] of this.#given) {
      if (end > now) break;
      this.#given.delete(given);
    }
    this.#given.delete(identity);
    this.#given.set(identity, now + this.#lasts);
  }

  /** Resolves when no session relies on anything that committed writes have changed, and streams have heard of it. */
  async told(): Promise<void> {
    // Those of writes that were undone do no harm.
    const { concerned } = this.#parts.tables;
    if (concerned.size > 0) {
      const identities = [...concerned];
      concerned.clear();
      this.#last = Promise.all([this.#last, this.#tell(identities)]);
    }
    // Another write may have taken ours with its own.
    await this.#last;
  }

  async #tell(identities: readonly string[]): Promise<void> {
    await this.#tellSessions(identities);
    // Streams ask the sessions.
    await this.#parts.followers.tell(identities);
  }

  async #tellSessions(identities: readonly string[]): Promise<void> {
    const now = Date.now();
    const leases = identities
      .filter(isHolder)
      .map((identity) => ({ identity, end: this.#endOf(identity) }))
      .filter(({ end }) => end > now);
    // Without the object's name, leases are waited for.
    const waits = this.#parts.own === null || leases.length > LIMITS.sessionsTold;
    if (waits) await ended(Math.max(0, ...leases.map(({ end }) => end)));
    else await Promise.all(leases.map((lease) => this.#tellOne(lease)));
  }

  #endOf(identity: string): number {
    return Math.max(this.#given.get(identity) ?? 0, this.#born + this.#lasts);
  }

  async #tellOne({ identity, end }: Lease): Promise<void> {
    const [type = '', id = ''] = identity.split(' ');
    const { environment, own } = this.#parts;
    if (own === null || !isHolderType(type)) return;
    const session = { application: own.application, holder: { type, id: storedId(id) } };
    await toldOrEnded(end, async () => sessionOf(environment, session)?.changed());
  }
}

function isHolder(identity: string): boolean {
  return isHolderType(identity.slice(0, identity.indexOf(' ')));
}
