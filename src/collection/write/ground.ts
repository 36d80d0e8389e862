/** What the parts of a collection's object stand on (collection/parts.ts). */
import type { CollectionName } from '../../domain/documents.ts';
import type { Environment } from '../rpc/environment.ts';
import type { Transactor } from './transactor.ts';
import type { Writes } from './writes.ts';

export interface Ground {
  readonly environment: Environment;
  readonly storage: DurableObjectStorage;
  /** Its SQLite, for the statements of all tables. */
  readonly sql: SqlStorage;
  /** Null where the platform does not give the object's name. */
  readonly own: CollectionName | null;
  readonly tables: Transactor;
  readonly writes: Writes;
  /** Whether there is room for writes: what is done in the background must not fill a disk. */
  readonly hasRoom: () => Promise<boolean>;
  /** Pauses for the steps of one walk that writes (storage/steps.ts). */
  readonly rest: () => () => Promise<void>;
}

/** A part, with those that it uses. */
export abstract class Part<Parts> {
  protected readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }
}
