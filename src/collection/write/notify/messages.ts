/** The messages of a queue of the outbox as an application sees them, and sends them again. */
import { LIMITS } from '../../../domain/limits.ts';
import type { MessagesTold, MessageTold } from '../../rpc/maintenance/usage.ts';
import type { Of, Summary } from '../../storage/outbox/message.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';

/** To be called only when there are tables. */
export function messagesTo(outbox: Outbox, queue: Of): MessagesTold {
  const dead = outbox.dead.list(queue, LIMITS.messagesShown).map((each) => toldOf(each, each.died));
  const waiting = outbox.waiting(queue, LIMITS.messagesShown).map((each) => toldOf(each, null));
  return { ...outbox.counts(queue), messages: [...dead, ...waiting] };
}

/** Sends some again, null for all that were given up, and tells how many. To be called inside a transaction. */
export function sendAgain(outbox: Outbox, queue: Of, ids: readonly string[] | null): number {
  const chosen = ids ?? outbox.dead.ids(queue);
  return chosen.filter((id) => outbox.revive(queue, id, Date.now())).length;
}

function toldOf({ id, key, about, created, tries, failure }: Summary, died: number | null): MessageTold {
  return {
    id,
    state: died === null ? 'waiting' : 'dead',
    document: key,
    about,
    created,
    tries,
    failure,
    died,
  };
}
