/** Which Durable Object holds which collection, and how many of them may be in use at a time. */
import type { CollectionName } from '../../domain/documents.ts';
import { Lru } from '../../domain/caching/lru.ts';
import { placementOf, type Placement } from '../../domain/placements.ts';
import { settingsOf } from '../../domain/settings.ts';
import { storedNameOf, typeStoredAs } from '../../domain/types.ts';
import type { Environment } from './environment.ts';
import { TOO_MANY_OBJECTS } from './outages.ts';
import { recall } from '../../domain/caching/recall.ts';
import { isApplicationId } from '../../domain/ids.ts';

/** Ids of objects by their names: making an id is a hash, and requests use the same few again and again. */
const objectIds = new Lru<string, DurableObjectId>(1_000);

/** Milliseconds after its last use, an object has left memory: the runtime evicts it after ten seconds. */
const LINGERS = 15_000;

/** The last use of each object, in that order, where all objects share one process. */
const inUse = new Map<string, number>();

/** The name of the object of a collection, as in storage, settings and logs. */
export function objectNameOf({ application, type }: CollectionName): string {
  return `${application}/${storedNameOf(type)}`;
}

/** The inverse of `objectNameOf`; null for a name of another form. */
export function collectionOfObject(name: string): CollectionName | null {
  const [, application, stored] = /^([^/]*)\/(.*)$/s.exec(name) ?? [];
  return application === undefined || stored === undefined || !isApplicationId(application)
    ? null
    : { application, type: typeStoredAs(stored) };
}

/** The object of a collection. Throws when one object more might fail to open its files. */
export function stubOf(environment: Pick<Environment, 'COLLECTIONS'>, collection: CollectionName) {
  const name = objectNameOf(collection);
  const { objectsAtOnce } = settingsOf(environment);
  if (objectsAtOnce !== null) use(name, objectsAtOnce);
  const { COLLECTIONS } = environment;
  const placement = placementOf(collection.application);
  if (placement === undefined) {
    return COLLECTIONS.get(recall(objectIds, name, () => COLLECTIONS.idFromName(name)));
  }
  const id = recall(objectIds, name, () => within(COLLECTIONS, placement).idFromName(name));
  return 'region' in placement
    ? COLLECTIONS.get(id, { locationHint: placement.region })
    : COLLECTIONS.get(id);
}

/** What the runtime on one machine says of jurisdictions: all objects are where it is. */
const NO_JURISDICTIONS = 'Jurisdiction restrictions are not implemented in workerd.';

/** Whether objects can be kept in a jurisdiction. */
export function hasJurisdictions({ COLLECTIONS }: Pick<Environment, 'COLLECTIONS'>): boolean {
  try {
    COLLECTIONS.jurisdiction('eu');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === NO_JURISDICTIONS) return false;
    throw error;
  }
}

/** The objects of a jurisdiction. An application that was made in one can be imported where there are none. */
function within(COLLECTIONS: Environment['COLLECTIONS'], placement: Placement): Environment['COLLECTIONS'] {
  return 'jurisdiction' in placement && hasJurisdictions({ COLLECTIONS })
    ? COLLECTIONS.jurisdiction(placement.jurisdiction)
    : COLLECTIONS;
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
