/**
 * Finds references that would never end: schemas that apply themselves to the same value through each other. A
 * schema that comes back to itself inside of the value (a tree of comments, say) is fine, as values end.
 */
import { inside, type Place } from '../domain/pointer.ts';
import type { Faults } from './faults.ts';
import { SCHEMA_LIMITS } from './limits.ts';
import { isObject, type PlainObject } from './plain.ts';
import { refStandsAlone } from './keywords.ts';
import type { Targets } from './references.ts';
import { isReference, type Site, type Walk } from './walk.ts';

const ON_THE_WAY = -1;

export function checkLoops(walk: Walk, targets: Targets, faults: Faults): void {
  /** The length of the longest chain from a schema; `ON_THE_WAY` while it is unknown. */
  const heights = new Map<PlainObject, number>();
  const tooLong = (place: Place) => {
    faults.add(place, `More than ${SCHEMA_LIMITS.chain} schemas apply to one value through each other.`);
  };
  /** The recursion is no deeper than the longest chain allowed. */
  const heightOf = (site: Site, depth: number): number => {
    const known = heights.get(site.schema);
    if (known !== undefined) return known;
    heights.set(site.schema, ON_THE_WAY);
    let height = 0;
    for (const [place, next] of nextOf(site, walk, targets)) {
      const other = walk.sites.get(next);
      if (other === undefined) continue;
      if (heights.get(next) === ON_THE_WAY) {
        faults.add(place, 'The schema leads back to itself without going deeper into the document.');
      } else if (depth >= SCHEMA_LIMITS.chain) {
        tooLong(place);
      } else {
        height = Math.max(height, 1 + heightOf(other, depth + 1));
      }
    }
    if (height === SCHEMA_LIMITS.chain + 1) tooLong(site.place);
    heights.set(site.schema, height);
    return height;
  };
  for (const site of walk.sites.values()) heightOf(site, 0);
}

/** The schemas that apply to the same value, each with the place that says so. */
function nextOf(site: Site, walk: Walk, targets: Targets): (readonly [Place, PlainObject])[] {
  const referred = Object.entries(targets.get(site.schema) ?? {}).flatMap(([keyword, target]) =>
    isObject(target) ? [[inside(site.place, keyword), target] as const] : [],
  );
  if (refStandsAlone(walk.draft) && isReference(site.schema)) return referred;
  return [...referred, ...site.inPlace.map((schema) => [site.place, schema] as const)];
}
