/**
 * The transaction of several collections that is prepared in this one: its share has been checked, and nothing else is
 * written until it is known whether the transaction is committed. So what was checked still holds when it is applied.
 *
 * Reads go on: where the coordinator has not decided, the state before is the present one. If it has, the share is
 * applied first. So whoever has seen one change of a transaction sees all of them, whichever collection is asked next.
 */
import type { ApplicationId, DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { SingleFlight } from '../../../domain/work/single-flight.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { Environment } from '../../rpc/environment.ts';
import { NOT_DECIDED } from '../../rpc/outages.ts';
import type { Amount } from '../../rpc/writes/target.ts';
import { unitsOfList } from '../../rpc/writes/operations.ts';
import { ringBy, type AlarmStorage } from '../../storage/alarm.ts';
import { ended } from '../../storage/steps.ts';
import type { LookedAt } from '../rules/looked.ts';
import type { Decision, Preparation, PreparedState } from '../../rpc/writes/transactions.ts';

/** The storage key of the prepared share; its JSON text follows under the same name with the number of the part. */
const PREPARED = 'prepared';

/** Bytes of a value in storage. */
const PART = 1024 * 1024;

/** Milliseconds after which the coordinator is asked, if it does not tell. */
const ASKED = 1_000;

/** A share as it is kept, until the transaction is decided. */
export interface Prepared extends Omit<Preparation, 'until'> {
  /** Milliseconds since 1970: the time of its writes. */
  readonly now: number;
  /** What the settings of the type have looked at. */
  readonly looked?: LookedAt;
}

interface Parts {
  readonly environment: Environment;
  readonly storage: Pick<DurableObjectStorage, 'kv'> & AlarmStorage;
  readonly listWrites: {
    /** Applies a share, and takes it out of here in the same transaction. */
    apply(prepared: Prepared): Promise<unknown>;
  };
}

export class PreparedShare {
  readonly #parts: Parts;
  #held: Prepared | null;
  /** The last one that was applied. */
  #applied: { readonly id: string; readonly told: Promise<unknown> } | null = null;
  readonly #asking = new SingleFlight<void>();
  readonly #freeing = new SingleFlight<void>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#held = load(parts.storage);
  }

  /** Whether the collection waits for a decision. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Whether the share writes a document. */
  names(id: DocumentId): boolean {
    return (
      this.#held?.parts.some(({ list }) => list.operations.some((each) => 'id' in each && each.id === id)) ??
      false
    );
  }

  /** About how much the share adds: it has been allowed, so its room is nobody else's. */
  get wanted(): Amount {
    return unitsOfList({ operations: this.#held?.parts.flatMap(({ list }) => list.operations) ?? [] });
  }

  get state(): PreparedState | null {
    return this.#held && { id: this.#held.id, coordinator: this.#held.coordinator, since: this.#held.now };
  }

  /** Keeps a share. To be called inside a transaction, at its end. */
  hold(prepared: Prepared): void {
    const bytes = new TextEncoder().encode(JSON.stringify(prepared));
    const parts = Math.ceil(bytes.length / PART);
    this.#parts.storage.kv.put(PREPARED, parts);
    for (let part = 0; part < parts; part += 1) {
      this.#parts.storage.kv.put(`${PREPARED} ${part}`, bytes.slice(part * PART, (part + 1) * PART));
    }
    this.#held = prepared;
  }

  /** Forgets the share. To be called inside a transaction, or alone. */
  release(): void {
    const parts = this.#parts.storage.kv.get<number>(PREPARED) ?? 0;
    this.#parts.storage.kv.delete(PREPARED);
    for (let part = 0; part < parts; part += 1) this.#parts.storage.kv.delete(`${PREPARED} ${part}`);
    this.#held = null;
  }

  /** What was undone may have been held, or released. */
  reload(): void {
    this.#held = load(this.#parts.storage);
  }

  /** Sets the alarm. To be called before a share is held, so that no crash leaves it without one. */
  remind(): Promise<void> {
    return ringBy(this.#parts.storage, Date.now() + ASKED);
  }

  /** Asks the coordinator, until it knows. */
  async alarm(): Promise<void> {
    if (this.#held === null) return;
    await this.remind();
    await this.seen().catch(() => undefined);
  }

  /** Does what the coordinator says, and resolves when all know who rely on what was before. */
  async decide(id: string, committed: boolean): Promise<void> {
    if (this.#held?.id === id) this.#settle(this.#held, committed ? 'committed' : 'aborted');
    if (this.#applied?.id === id) await this.#applied.told;
  }

  /** Resolves when a read may go on: all that was committed before it began is here. Throws where nobody can tell. */
  seen(): Promise<void> {
    return this.#held === null ? Promise.resolve() : this.#asking.next(() => this.#request(false));
  }

  /**
   * Reads for others, who rely on it from then on: again, if a share was applied meanwhile. If it is still pending, the
   * coordinator knows that it was asked, and does not answer before they are told.
   */
  async lend<T>(read: () => T | Promise<T>): Promise<T> {
    for (;;) {
      const before = this.#applied;
      const result = await read();
      await this.seen();
      if (this.#applied === before) return result;
    }
  }

  /** Resolves when what is prepared here is decided; throws when it is too late. Writers must then look again. */
  async free(until = Date.now() + LIMITS.transactionPatience): Promise<void> {
    if (this.#held === null) return;
    const freeing = this.#freeing.join(() => this.#request(true));
    const freed = new AbortController();
    const late = ended(until, freed.signal).then(
      () => Promise.reject(new Error(NOT_DECIDED)),
      () => undefined,
    );
    // A timer that nobody waits for would keep the object awake.
    await Promise.race([freeing, late]).finally(() => {
      freed.abort();
    });
  }

  async #request(patient: boolean): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    const caller = { environment: this.#parts.environment, application: applicationOf(held) };
    const decision = await collectionOf(caller, held.coordinator).calls.decided(held.id, patient);
    this.#settle(held, decision);
  }

  /** Nobody but the coordinator waits for those who are told: they may be who asks, and wait for the answer. */
  #settle(held: Prepared, decision: Decision): void {
    // Another call may have done it meanwhile.
    if (decision === 'pending' || this.#held?.id !== held.id) return;
    if (decision === 'aborted') {
      this.release();
      return;
    }
    const told = this.#parts.listWrites.apply(held);
    // Where it fails, the coordinator asks again.
    told.catch(() => undefined);
    this.#applied = { id: held.id, told };
  }
}

function applicationOf({ parts: [part] }: Prepared): ApplicationId {
  if (part === undefined) throw new Error('A share has a part.');
  return part.target.application;
}

function load({ kv }: Parts['storage']): Prepared | null {
  const parts = kv.get<number>(PREPARED);
  if (parts === undefined) return null;
  const decoder = new TextDecoder();
  const texts = Array.from({ length: parts }, (_, part) =>
    decoder.decode(kv.get<Uint8Array>(`${PREPARED} ${part}`), { stream: true }),
  );
  return JSON.parse(texts.join('') + decoder.decode()) as Prepared;
}
