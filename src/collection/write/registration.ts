/**
 * What the registry of an application's types knows of a collection, as the collection itself asks and tells it. A type is
 * registered once its tables are on the disk, and before anything is written to them. So deleting an application finds all
 * that was stored; and a collection that is registered and has no tables has lost its data: it must not pass for a type
 * that nobody uses, nor begin its numbers anew.
 */
import type { CollectionName } from '../../domain/documents.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { settingsOf } from '../../domain/settings.ts';
import { CORE } from '../../domain/types.ts';
import type { Environment } from '../rpc/environment.ts';
import { collectionOf, type CollectionClient } from '../rpc/client.ts';
import { SYSTEM_APPLICATION, collectionOfObject, objectNameOf } from '../rpc/objects.ts';
import type { Writes } from './writes.ts';
import { DATA_LOST } from '../rpc/outages.ts';

/** The name of the unique value that a registered type has in the registry. */
export const REGISTERED = 'type';

/** The type that is registered before any other in an application: to every other, a registry has tables. */
const FIRST_TYPE = CORE.apiKey;

export class Registration {
  readonly #environment: Environment;
  readonly #writes: Writes;
  readonly #name: CollectionName | null;
  /** Nobody else registers the type, so what was never stored stays so until it is stored here. */
  #neverStored = false;

  /** `object` is the name of the collection's object. Where the platform does not tell it, no loss is noticed. */
  constructor(environment: Environment, writes: Writes, object: string | undefined) {
    this.#environment = environment;
    this.#writes = writes;
    this.#name = object === undefined ? null : collectionOfObject(object);
  }

  /** Resolves when it is sure that nothing was ever stored in this collection without tables; throws when that is lost. */
  async neverStored(): Promise<void> {
    if (this.#neverStored || this.#writes.sealed || this.#name === null) return;
    if (await this.#isRegistered(this.#name)) throw lost(this.#name);
    this.#neverStored = true;
  }

  /** Resolves when documents may be created: with tables, and registered. Throws when what was stored is lost. */
  async ready(name: CollectionName): Promise<Outcome<unknown>> {
    const writes = this.#writes;
    if (!writes.hasTables) await this.neverStored();
    if (writes.registered) return ok(null);
    const fresh = !writes.hasTables;
    const made = writes.alone(() => ok(null));
    if (!made.ok) return made;
    if (isRegistered(name) && (fresh || !(await this.#isRegistered(name)))) {
      const registered = await this.#register(name);
      if (!registered.ok) {
        // The application is being deleted, and finds no more than what was registered.
        if (fresh) await writes.erase();
        return registered;
      }
    }
    writes.noteRegistered();
    return ok(null);
  }

  /** Asked of the registry: whether it has a type. */
  has(type: string, find: (name: string, value: string) => unknown): boolean {
    if (this.#writes.hasTables) return find(REGISTERED, type) !== null;
    if (this.#writes.sealed || type === FIRST_TYPE) return false;
    if (this.#name === null || this.#accepted(this.#name)) return false;
    throw lost(this.#name);
  }

  async #isRegistered(name: CollectionName): Promise<boolean> {
    if (!isRegistered(name) || this.#accepted(name)) return false;
    return this.#registry(name).hasType(name.type);
  }

  #register(name: CollectionName): Promise<Outcome<unknown>> {
    const content = { attributes: { name: name.type }, relationships: {} };
    const unique = { name: REGISTERED, value: name.type };
    return this.#registry(name).findOrCreate({ content, unique });
  }

  #registry({ application }: CollectionName): CollectionClient {
    return collectionOf({ environment: this.#environment, application }, CORE.typeRegistry);
  }

  /** Whether the operator lets the collection begin anew. */
  #accepted(name: CollectionName): boolean {
    return settingsOf(this.#environment).lostCollections.has(objectNameOf(name));
  }
}

/** The registry itself, and what the operator keeps, are registered nowhere. */
function isRegistered({ application, type }: CollectionName): boolean {
  return type !== CORE.typeRegistry && application !== SYSTEM_APPLICATION;
}

function lost(name: CollectionName): Error {
  return new Error(`${DATA_LOST} ${objectNameOf(name)}`);
}
