/**
 * What a collection reads from, and writes to, the registry of its application's types. A type is registered after its
 * tables are on disk, and before anything is written to them. So deleting an application finds all stored data. A
 * collection that is registered and has no tables has lost its data: it must not look like an unused type, nor reuse
 * its numbers.
 */
import { type CollectionName } from '../../domain/documents.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import { CORE } from '../../domain/types.ts';
import { collectionOf, type CollectionClient } from '../rpc/client.ts';
import { DATA_LOST } from '../rpc/outages.ts';
import { SYSTEM_APPLICATION } from '../../domain/ids.ts';
import { objectNameOf } from '../rpc/objects.ts';
import { Part, type Ground } from './ground.ts';

/** The name of the unique value that a registered type has in the registry. */
export const REGISTERED = 'type';

/** The type that is registered first in an application: for every other type, the registry has tables. */
const FIRST_TYPE = CORE.apiKey;

export class Registration extends Part<Ground> {
  /** Nobody else registers the type, so an unregistered type stays so until this collection registers it. */
  #neverStored = false;

  /**
   * Resolves when it is certain that this collection without tables never stored anything; throws if data were lost.
   */
  async neverStored(): Promise<void> {
    if (this.#neverStored || this.parts.writes.sealed || this.parts.own === null) return;
    if (await this.#isRegistered(this.parts.own)) throw lost(this.parts.own);
    this.#neverStored = true;
  }

  /** Resolves when documents may be created: there are tables, and the type is registered. Throws if data were lost. */
  async ready(name: CollectionName): Promise<Outcome<unknown>> {
    if (this.parts.writes.registered) return ok(null);
    const writes = this.parts.writes;
    if (!writes.hasTables) await this.neverStored();
    if (writes.registered) return ok(null);
    const fresh = !writes.hasTables;
    const made = writes.alone(() => ok(null));
    if (!made.ok) return made;
    if (isRegistered(name) && (fresh || !(await this.#isRegistered(name)))) {
      const registered = await this.#register(name);
      if (!registered.ok) {
        // The application is being deleted, and the deletion finds only registered types.
        if (fresh) await writes.erase();
        return registered;
      }
    }
    writes.noteRegistered();
    return ok(null);
  }

  /** Asks the registry whether it contains a type. */
  has(type: string, find: (name: string, value: string) => unknown): boolean {
    if (this.parts.writes.hasTables) return find(REGISTERED, type) !== null;
    if (this.parts.writes.sealed || type === FIRST_TYPE) return false;
    if (this.parts.own === null || this.#accepted(this.parts.own)) return false;
    throw lost(this.parts.own);
  }

  async #isRegistered(name: CollectionName): Promise<boolean> {
    if (!isRegistered(name) || this.#accepted(name)) return false;
    return this.#registry(name).calls.hasType(name.type);
  }

  #register(name: CollectionName): Promise<Outcome<unknown>> {
    const content = { attributes: { name: name.type }, relationships: {} };
    const unique = { name: REGISTERED, value: name.type };
    return this.#registry(name).create({ content, unique });
  }

  #registry({ application }: CollectionName): CollectionClient {
    return collectionOf({ environment: this.parts.environment, application }, CORE.typeRegistry);
  }

  /** Whether the operator lets the collection start empty. */
  #accepted(name: CollectionName): boolean {
    return settingsOf(this.parts.environment).lostCollections.has(objectNameOf(name));
  }
}

/** The registry itself, and the operator's own types, are registered nowhere. */
function isRegistered({ application, type }: CollectionName): boolean {
  return type !== CORE.typeRegistry && application !== SYSTEM_APPLICATION;
}

function lost(name: CollectionName): Error {
  return new Error(`${DATA_LOST} ${objectNameOf(name)}`);
}
