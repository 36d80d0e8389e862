/** Which Durable Object holds which collection. */
import type { CollectionName } from '../domain/documents.ts';
import { Lru } from '../domain/lru.ts';
import type { Environment } from './environment.ts';

/** The type whose documents name the types of an application, so that deleting it finds everything. */
export const TYPE_REGISTRY = 'core.type';

/** The application that holds the operator's own documents: those of type `core.application`. */
export const SYSTEM_APPLICATION = 'system';

/** Ids of objects by their names: making one is a hash, and the same few are asked for again and again. */
const objectIds = new Lru<string, DurableObjectId>(1_000);

/** The object of a collection. */
export function stubOf(collections: Environment['COLLECTIONS'], { application, type }: CollectionName) {
  const name = `${application}/${type}`;
  const known = objectIds.get(name);
  if (known !== undefined) return collections.get(known);
  const id = collections.idFromName(name);
  objectIds.set(name, id);
  return collections.get(id);
}
