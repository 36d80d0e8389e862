/** The letters of the outbox as the owner of a webhook sees them, and sends them again. */
import { LIMITS } from '../../../domain/limits.ts';
import { ok } from '../../../domain/problems.ts';
import type { LettersTold, LetterTold } from '../../rpc/upkeep/letters.ts';
import type { Summary } from '../../storage/outbox/letter.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';
import type { Writes } from '../writes.ts';

export class Letters {
  readonly #outbox: Outbox;
  readonly #writes: Pick<Writes, 'alone'>;

  constructor(outbox: Outbox, writes: Pick<Writes, 'alone'>) {
    this.#outbox = outbox;
    this.#writes = writes;
  }

  /** To be called only when there are tables. */
  told(addressee: string): LettersTold {
    const lane = { kind: 'webhook', addressee } as const;
    const dead = this.#outbox.dead.list(lane, LIMITS.lettersShown).map((each) => toldOf(each, each.died));
    const waiting = this.#outbox.waiting(lane, LIMITS.lettersShown).map((each) => toldOf(each, null));
    return { ...this.#outbox.counts(lane), letters: [...dead, ...waiting] };
  }

  /** The same; null stands for all that were given up. */
  sendAgain(addressee: string, ids: readonly string[] | null): number {
    const lane = { kind: 'webhook', addressee } as const;
    const sent = this.#writes.alone(() => {
      const chosen = ids ?? this.#outbox.dead.ids(lane);
      return ok(chosen.filter((id) => this.#outbox.revive(lane, id, Date.now())).length);
    });
    return sent.ok ? sent.value : 0;
  }
}

function toldOf({ id, key, about, created, tries, failure }: Summary, died: number | null): LetterTold {
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
