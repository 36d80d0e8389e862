/**
 * Whom a collection has told of tokens and groups, and must tell of changes (sessions/sessions.ts): no crash leaves a
 * session with what no longer holds.
 */
import { linkOf } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isHolderType } from '../../../domain/types/facts.ts';
import { sessionOf } from '../../rpc/sessions/sessions.ts';
import { ended } from '../../storage/steps.ts';
import type { Followers } from './followers.ts';
import { Lender, notifiedOrEnded } from './lease-ends.ts';
import type { Ground } from '../ground.ts';

interface Parts extends Ground {
  readonly followers: Followers;
}

/** The holders are identities. */
export class Leases extends Lender<string, Parts> {
  /** Resolves when no session relies on anything that committed writes have changed, and streams have heard of it. */
  async notified(): Promise<void> {
    // Those of writes that were undone do no harm.
    const { concerned } = this.parts.tables;
    const identities = [...concerned];
    concerned.clear();
    const notify = async () => {
      await this.#tellSessions(identities);
      // Streams ask the sessions.
      await this.parts.followers.notify(identities);
    };
    await this.allTold(identities.length === 0 ? null : notify);
  }

  async #tellSessions(identities: readonly string[]): Promise<void> {
    const now = Date.now();
    const holders = identities.flatMap((identity) => {
      const { type, id } = linkOf(identity);
      const end = this.endOf(identity);
      return isHolderType(type) && end > now ? [{ type, id, end }] : [];
    });
    const { environment, own } = this.parts;
    // Without the object's name, leases are waited for.
    if (own === null || holders.length > LIMITS.sessionsTold) {
      await ended(Math.max(0, ...holders.map(({ end }) => end)));
      return;
    }
    const { application } = own;
    const notify = ({ end, ...holder }: (typeof holders)[number]) =>
      notifiedOrEnded(end, async () => sessionOf(environment, { application, holder })?.changed());
    await Promise.all(holders.map(notify));
  }
}
