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

export function checkLoops(walk: Walk, targets: Targets, faults: Faults): void {
  const search = new Search(walk, targets, faults);
  for (const site of walk.sites.values()) search.heightOf(site, 0);
}

const ON_THE_WAY = -1;

class Search {
  readonly #walk: Walk;
  readonly #targets: Targets;
  readonly #faults: Faults;
  /** The length of the longest chain from a schema; `ON_THE_WAY` while it is unknown. */
  readonly #heights = new Map<PlainObject, number>();

  constructor(walk: Walk, targets: Targets, faults: Faults) {
    this.#walk = walk;
    this.#targets = targets;
    this.#faults = faults;
  }

  /** The recursion is no deeper than the longest chain allowed. */
  heightOf(site: Site, depth: number): number {
    const known = this.#heights.get(site.schema);
    if (known !== undefined) return known;
    this.#heights.set(site.schema, ON_THE_WAY);
    let height = 0;
    for (const [place, next] of this.#next(site)) {
      const other = this.#walk.sites.get(next);
      if (other === undefined) continue;
      if (this.#heights.get(next) === ON_THE_WAY) {
        this.#faults.add(place, 'The schema leads back to itself without going deeper into the document.');
      } else if (depth >= SCHEMA_LIMITS.chain) {
        this.#tooLong(place);
      } else {
        height = Math.max(height, 1 + this.heightOf(other, depth + 1));
      }
    }
    if (height === SCHEMA_LIMITS.chain + 1) this.#tooLong(site.place);
    this.#heights.set(site.schema, height);
    return height;
  }

  /** The schemas that apply to the same value, each with the place that says so. */
  #next(site: Site): (readonly [Place, PlainObject])[] {
    const referred = Object.entries(this.#targets.get(site.schema) ?? {}).flatMap(([keyword, target]) =>
      isObject(target) ? [[inside(site.place, keyword), target] as const] : [],
    );
    if (refStandsAlone(this.#walk.draft) && isReference(site.schema)) return referred;
    return [...referred, ...site.inPlace.map((schema) => [site.place, schema] as const)];
  }

  #tooLong(place: Place): void {
    this.#faults.add(
      place,
      `More than ${SCHEMA_LIMITS.chain} schemas apply to one value through each other.`,
    );
  }
}
