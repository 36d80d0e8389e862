/** Which Durable Object holds which collection, and how many of them may be in use at a time. */
import type { CollectionName } from '../../domain/documents.ts';
import { Lru } from '../../domain/lru.ts';
import { settingsOf } from '../../domain/settings.ts';
import type { Environment } from './environment.ts';
import { TOO_MANY_OBJECTS } from './outages.ts';

/** The type whose documents name the types of an application, so that deleting it finds everything. */
export const TYPE_REGISTRY = 'core.type';

/** The application that holds the operator's own documents: those of type `core.application`. */
export const SYSTEM_APPLICATION = 'system';

/** Ids of objects by their names: making an id is a hash, and requests use the same few again and again. */
const objectIds = new Lru<string, DurableObjectId>(1_000);

/** Milliseconds after its last use, an object has left memory: the runtime evicts it after ten seconds. */
const LINGERS = 15_000;

/** The last use of each object, in that order, where all objects share one process. */
const inUse = new Map<string, number>();

/** The object of a collection. Throws when one object more might fail to open its files. */
export function stubOf(environment: Pick<Environment, 'COLLECTIONS'>, { application, type }: CollectionName) {
  const name = `${application}/${type}`;
  const { objectsAtOnce } = settingsOf(environment);
  if (objectsAtOnce !== null) use(name, objectsAtOnce);
  const { COLLECTIONS } = environment;
  const known = objectIds.get(name);
  if (known !== undefined) return COLLECTIONS.get(known);
  const id = COLLECTIONS.idFromName(name);
  objectIds.set(name, id);
  return COLLECTIONS.get(id);
}

function use(name: string, most: number): void {
  const now = Date.now();
  if (!inUse.delete(name) && inUse.size >= most) {
    for (const [each, last] of inUse) {
      if (now - last < LINGERS) break;
      inUse.delete(each);
    }
    if (inUse.size >= most) throw new Error(TOO_MANY_OBJECTS);
  }
  inUse.set(name, now);
}
