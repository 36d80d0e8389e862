/** The messages of the outbox as the owner of a webhook sees them, and sends them again. */
import { LIMITS } from '../../../domain/limits.ts';
import { ok } from '../../../domain/problems.ts';
import type { MessagesTold, MessageTold } from '../../rpc/maintenance/messages.ts';
import type { Summary } from '../../storage/outbox/message.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';
import type { Writes } from '../writes.ts';

export class Messages {
  readonly #outbox: Outbox;
  readonly #writes: Pick<Writes, 'alone'>;

  constructor(outbox: Outbox, writes: Pick<Writes, 'alone'>) {
    this.#outbox = outbox;
    this.#writes = writes;
  }

  /** To be called only when there are tables. */
  told(addressee: string): MessagesTold {
    const queue = { kind: 'webhook', addressee } as const;
    const dead = this.#outbox.dead.list(queue, LIMITS.messagesShown).map((each) => toldOf(each, each.died));
    const waiting = this.#outbox.waiting(queue, LIMITS.messagesShown).map((each) => toldOf(each, null));
    return { ...this.#outbox.counts(queue), messages: [...dead, ...waiting] };
  }

  /** The same; null stands for all that were given up. */
  sendAgain(addressee: string, ids: readonly string[] | null): number {
    const queue = { kind: 'webhook', addressee } as const;
    const sent = this.#writes.alone(() => {
      const chosen = ids ?? this.#outbox.dead.ids(queue);
      return ok(chosen.filter((id) => this.#outbox.revive(queue, id, Date.now())).length);
    });
    return sent.ok ? sent.value : 0;
  }
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
