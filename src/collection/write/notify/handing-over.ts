/**
 * Writes of settings of types, in the collection of these settings. The collection of the type may refuse new settings,
 * so it is asked before they are stored: it prepares what comes (stage), the settings are stored, and it keeps what is
 * stored (settle). What is pending is noted before the first of these, so that after a crash at any moment the alarm
 * lets the type keep what is stored. One write goes after the other, because each asks on top of what is stored.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import { Turns } from '../../../domain/turns.ts';
import { readTypeSettings, type TypeSettings } from '../../../domain/type-settings.ts';
import { storedType } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import { unpackContent, type StoredDocument } from '../../../domain/values/stored.ts';
import type { Pushed, Pushes } from './pushes.ts';
import type { Transactor } from '../transactor.ts';
import type { Writes } from '../writes.ts';

/** What the collections of types do with settings, and what comes before. */
interface Targets {
  readonly stage: (
    target: CollectionName,
    number: number,
    settings: TypeSettings | null,
  ) => Promise<Outcome<null>>;
  readonly settle: (
    target: CollectionName,
    number: number,
    settings: readonly TypeSettings[],
  ) => Promise<void>;
  /** Makes the alarm push what is pending, if the object dies before. */
  readonly remind: () => Promise<void>;
}

/** What a write of settings would change. */
interface Trial {
  readonly target: string;
  readonly settings: TypeSettings | null;
}

export class HandingOver {
  readonly #tables: Transactor;
  readonly #writes: Writes;
  readonly #pushes: Pushes<TypeSettings>;
  readonly #targets: Targets;
  readonly #turns = new Turns();

  constructor(tables: Transactor, writes: Writes, pushes: Pushes<TypeSettings>, targets: Targets) {
    this.#tables = tables;
    this.#writes = writes;
    this.#pushes = pushes;
    this.#targets = targets;
  }

  /** Performs a write of one document; `idOf` gives its id, `given` is the id that it has before, null for none. */
  write<T>(
    { application }: CollectionName,
    given: DocumentId | null,
    work: () => Outcome<T>,
    idOf: (value: T) => DocumentId,
  ): Promise<Outcome<T>> {
    return this.#turns.take(async () => {
      await this.#settle();
      const trial = this.#try(given, work, idOf);
      if (!trial.ok) return trial;
      // A request that is repeated after its settings were deleted changes nothing.
      if (trial.value === null) return this.#writes.alone(work);
      const { target, settings } = trial.value;
      const noted = this.#writes.alone(() => {
        const number = this.#tables.records.nextVersion();
        this.#pushes.note(application, target, number);
        return ok(number);
      });
      if (!noted.ok) return noted;
      await this.#targets.remind();
      const taken = await this.#targets.stage(
        { application, type: storedType(target) },
        noted.value,
        settings,
      );
      const written = taken.ok ? this.#writes.alone(work) : taken;
      await this.#settle();
      return written;
    });
  }

  /** Resolves when all types have what is stored, after the writes that are under way. */
  push(): Promise<void> {
    return this.#turns.take(() => this.#settle());
  }

  async #settle(): Promise<void> {
    if (!this.#writes.hasTables || !this.#pushes.pending) return;
    await this.#targets.remind();
    await this.#pushes.push(this.#targets.settle);
  }

  /** What a write would change, or why it is refused: it is performed and undone. */
  #try<T>(
    given: DocumentId | null,
    work: () => Outcome<T>,
    idOf: (value: T) => DocumentId,
  ): Outcome<Trial | null> {
    try {
      return this.#writes.alone(() => {
        throw new Tried(this.#trial(given, work, idOf));
      });
    } catch (error) {
      if (error instanceof Tried) return error.outcome;
      throw error;
    }
  }

  #trial<T>(
    given: DocumentId | null,
    work: () => Outcome<T>,
    idOf: (value: T) => DocumentId,
  ): Outcome<Trial | null> {
    const before = given === null ? undefined : this.#tables.records.find(given);
    const result = work();
    if (!result.ok) return result;
    const after = this.#tables.records.find(given ?? idOf(result.value));
    const told = after ?? before;
    if (told === undefined) return ok(null);
    const { target, content } = openSettings(told);
    return ok({ target, settings: after === undefined ? null : content });
  }
}

/** Ends a transaction that only asks what it would do. */
class Tried extends Error {
  readonly outcome: Outcome<Trial | null>;

  constructor(outcome: Outcome<Trial | null>) {
    super('A write was tried.');
    this.outcome = outcome;
  }
}

/** Settings as they are pushed to the collection of their type. */
export function openSettings(document: StoredDocument): Pushed<TypeSettings> {
  const { attributes } = unpackContent(document);
  const target = memberOf(attributes, 'name');
  if (typeof target !== 'string') throw new Error('Stored settings of a type are none.');
  // Faults were refused when the settings were written.
  return { target, content: readTypeSettings(attributes, () => undefined) };
}
