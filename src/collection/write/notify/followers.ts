/**
 * Who hears at once that credentials have changed: the collections that have streams of their holders. Each follows the
 * collections of users, groups and keys that its streams depend on, which tell it whose credentials to ask for anew.
 * That is kept in storage, because a session forgets, and streams may sleep for days.
 */
import { isFollowed } from '../../../domain/types/facts.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import { ringBy, storedUnder } from '../../storage/alarm.ts';
import { Part, type Ground } from '../ground.ts';

/** How the storage keys of followers begin; and the key that says that they are still to be told. */
const FOLLOWS = 'follows:';
const UNTOLD = 'untold';

/** Milliseconds that a write waits until all have heard of it, and after which those who have not are told again. */
const PATIENCE = 1_000;
const AGAIN = 2_000;

export class Followers extends Part<Ground> {
  /** How many changes there were since the object began. */
  #changes = 0;
  /** By type, how often each has said since the object began that it follows; null until it is read. */
  #types: Map<TypeName, number> | null = null;

  constructor(ground: Ground) {
    super(ground);
    const { own, storage } = ground;
    // The object before this one may have died in between.
    if (own !== null && isFollowed(own.type) && this.#isUntold()) void ringBy(storage, Date.now());
  }

  /** From now on a type is told, until it says that it has no streams. */
  follow(type: TypeName): void {
    const types = this.#all();
    const calls = types.get(type);
    if (calls === undefined) this.parts.storage.kv.put(FOLLOWS + type, true);
    types.set(type, (calls ?? 0) + 1);
  }

  /** To be called after a commit, before anything is waited for: so what is to be told is stored together with it. */
  committed(): void {
    if (this.parts.tables.concerned.size > 0 && this.#all().size > 0) this.#note();
  }

  /** Tells all whose credentials have changed (null: everybody's), and waits for them a while. */
  async notify(identities: readonly string[] | null): Promise<void> {
    if (this.#all().size === 0) return;
    this.#note();
    // If some can not be told, or the object dies, the alarm tells them.
    await ringBy(this.parts.storage, Date.now() + AGAIN);
    await Promise.race([this.#notify(identities), scheduler.wait(PATIENCE)]);
  }

  /** Tells what could not be told before. */
  async alarm(): Promise<void> {
    if (!this.#isUntold()) return;
    await this.#notify(null);
    if (this.#isUntold()) await ringBy(this.parts.storage, Date.now() + AGAIN);
  }

  async #notify(identities: readonly string[] | null): Promise<void> {
    if (this.parts.own === null) return;
    const { application } = this.parts.own;
    const changes = this.#changes;
    const caller = { environment: this.parts.environment, application };
    const heard = await Promise.all(
      Array.from(this.#all(), async ([type, calls]) => {
        const follows = await collectionOf(caller, type)
          .calls.concern(identities)
          .catch(() => null);
        if (follows === false && this.#all().get(type) === calls) this.#forget(type);
        return follows !== null;
      }),
    );
    // Of a later change, its own telling says that.
    if (!heard.includes(false) && changes === this.#changes) this.parts.storage.kv.delete(UNTOLD);
  }

  #isUntold(): boolean {
    return this.parts.storage.kv.get(UNTOLD) !== undefined;
  }

  #note(): void {
    this.#changes += 1;
    this.parts.storage.kv.put(UNTOLD, true);
  }

  #forget(type: TypeName): void {
    this.parts.storage.kv.delete(FOLLOWS + type);
    this.#all().delete(type);
  }

  #all(): Map<TypeName, number> {
    return (this.#types ??= new Map(
      Array.from(storedUnder(this.parts.storage.kv, FOLLOWS).keys(), (type) => [storedType(type), 0]),
    ));
  }
}
