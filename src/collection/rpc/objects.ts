/** Which Durable Object holds which collection, and how many of them may be in use at a time. */
import type { CollectionName } from '../../domain/documents.ts';
import { Lru } from '../../domain/caching/lru.ts';
import { placementOf, type Placement } from '../../domain/applications/placements.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import { storedNameOf, typeStoredAs } from '../../domain/types/facts.ts';
import { type Environment, hasJurisdictions } from './environment.ts';
import { TOO_MANY_OBJECTS } from './outages.ts';
import { recall } from '../../domain/caching/recall.ts';
import { isApplicationId, type ApplicationId } from '../../domain/ids.ts';

/** Ids of objects by their names: making an id is a hash, and requests use the same few again and again. */
const objectIds = new Lru<string, DurableObjectId>(1_000);

/** Milliseconds after its last noted use, an object has left memory: the runtime evicts it after ten seconds. */
const LINGERS = 15_000;

/** Milliseconds for which a use that was noted is not noted again: far fewer than the two above are apart. */
const NOTED = 1_000;

/** The last noted use of each object, in that order, where all objects share one process. */
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
  if (objectsAtOnce !== null && !use(name, objectsAtOnce)) throw new Error(TOO_MANY_OBJECTS);
  return stubNamed(environment.COLLECTIONS, name, placementOf(collection.application));
}

/** An object that can be done without; null when half of all objects are in use: the rest is for collections. */
export function spareStub<T extends Rpc.DurableObjectBranded>(
  environment: object,
  namespace: DurableObjectNamespace<T>,
  application: ApplicationId,
  name: string,
): DurableObjectStub<T> | null {
  const own = `${application}/${name}`;
  const { objectsAtOnce } = settingsOf(environment);
  if (objectsAtOnce !== null && !use(own, Math.floor(objectsAtOnce / 2))) return null;
  return stubNamed(namespace, own, placementOf(application));
}

function stubNamed<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  name: string,
  placement: Placement | undefined,
): DurableObjectStub<T> {
  const id = recall(objectIds, name, () => within(namespace, placement).idFromName(name));
  const isHinted = placement !== undefined && 'region' in placement;
  return isHinted ? namespace.get(id, { locationHint: placement.region }) : namespace.get(id);
}

/** The objects of a jurisdiction. An application that was made in one can be imported where there are none. */
function within<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  placement: Placement | undefined,
): DurableObjectNamespace<T> {
  return placement !== undefined && 'jurisdiction' in placement && hasJurisdictions(namespace)
    ? namespace.jurisdiction(placement.jurisdiction)
    : namespace;
}

/** Notes the use of an object; false when that would be one object too many. */
function use(name: string, most: number): boolean {
  const now = Date.now();
  const noted = inUse.get(name);
  if (noted !== undefined && Math.abs(now - noted) < NOTED) return true;
  if (!inUse.delete(name) && inUse.size >= most) {
    for (const [each, last] of inUse) {
      if (now - last < LINGERS) break;
      inUse.delete(each);
    }
    if (inUse.size >= most) return false;
  }
  inUse.set(name, now);
  return true;
}
