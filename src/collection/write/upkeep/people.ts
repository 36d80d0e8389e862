/**
 * Erases what a collection has of a person (docs/operating.md): documents that are theirs are deleted, and their name is
 * taken out of all others, of tombstones, of kept outcomes and of the log. In steps, between which others are served; what is done
 * is done, so it may be repeated after a crash.
 */
import { ok } from '../../../domain/problems.ts';
import type { Acl } from '../../../domain/rights.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { holdOf } from '../../../domain/types/settings.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { Erased, Person, Traces } from '../../rpc/maintenance/rights.ts';
import { NamedPeople, type Naming } from '../../storage/secondary/people.ts';
import { WRITE_STEP_DOCUMENTS, yieldToOthers } from '../../storage/steps.ts';
import type { Ground } from '../ground.ts';

/** Positions, and tombstones, that one step looks at; documents that one call changes. */
const LOOKED_AT_ONCE = 10_000;
const CHANGED_BY_CALL = 2_000;

export class People {
  readonly #ground: Ground;
  readonly #named: NamedPeople;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#named = new NamedPeople(ground.storage.sql);
  }

  /** To be called only when there are tables. */
  async traces(person: Person): Promise<Traces> {
    const traces = { owned: 0, named: 0 };
    for await (const naming of this.#all(person.identity)) {
      for (const each of naming) traces[isOwned(each, person) ? 'owned' : 'named'] += 1;
    }
    return traces;
  }

  /** The same. */
  async erase(type: TypeName, person: Person): Promise<Erased> {
    const erased = { owned: 0, named: 0 };
    const held = holdOf(this.#ground.tables.settings.current) > 0;
    const pause = this.#ground.rest();
    for await (const naming of this.#all(person.identity)) {
      for (let at = 0; at < naming.length; at += WRITE_STEP_DOCUMENTS) {
        if (erased.owned + erased.named >= CHANGED_BY_CALL) return { ...erased, more: true, held };
        await this.#eraseAll(type, naming.slice(at, at + WRITE_STEP_DOCUMENTS), person, erased);
        await pause();
      }
    }
    await this.#alone(() => {
      this.#ground.tables.outcomes.forgetSenders(person.senders);
      if (!held) this.#named.forgetVersions(person.identity);
    });
    await this.#eraseReader(person.identity, pause);
    return { ...erased, more: false, held };
  }

  async *#all(identity: string): AsyncGenerator<readonly Naming[]> {
    const last = this.#ground.tables.records.lastSeq();
    for (let from = 0; from < last; from += LOOKED_AT_ONCE) {
      const naming = this.#named.between(from, from + LOOKED_AT_ONCE, identity);
      if (naming.length > 0) yield naming;
      await yieldToOthers();
    }
  }

  #eraseAll(
    type: TypeName,
    naming: readonly Naming[],
    person: Person,
    erased: Record<keyof Traces, number>,
  ): Promise<void> {
    return this.#alone(() => {
      this.#ground.tables.together(() => {
        for (const each of naming) {
          const owned = isOwned(each, person);
          const isThere = owned
            ? this.#ground.tables.remove(type, each.id, { ...TRUSTED, ifMatch: null }).ok
            : this.#ground.tables.disown(type, each.id, person.identity, this.#named);
          if (isThere) erased[owned ? 'owned' : 'named'] += 1;
        }
      });
    });
  }

  async #eraseReader(identity: string, pause: () => Promise<void>): Promise<void> {
    for (let after: string | null = ''; after !== null;) {
      const from: string = after;
      after = null;
      await this.#alone(() => {
        after = this.#named.dropReader(from, LOOKED_AT_ONCE, identity);
      });
      await pause();
    }
  }

  async #alone(work: () => void): Promise<void> {
    await this.#ground.writes.exclusive(() => {
      work();
      return ok(null);
    });
  }
}

/**
 * A document is a person's, if nobody else may change the rights on it, and the person may or has created it. So one that
 * somebody else answers for as well stays, without the person's name.
 */
function isOwned({ acl, creator }: Naming, { identity, owns }: Person): boolean {
  if (!owns) return false;
  const { 'super-update': keepers = [] } = acl === null ? {} : (JSON.parse(acl) as Acl);
  if (keepers === '*' || keepers.some((each) => each !== identity)) return false;
  return creator === identity || keepers.length > 0;
}
