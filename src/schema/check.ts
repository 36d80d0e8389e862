/** Reads a schema: its faults, or everything that checking documents against it needs. */
import { draftOfSchema, KNOWN_DRAFTS, type Draft } from './drafts.ts';
import { Faults, type SchemaFault } from './faults.ts';
import { SCHEMA_LIMITS } from './limits.ts';
import { isObject, plainOf, type Plain, type PlainObject } from './plain.ts';
import { resolveReferences, type ReferenceTarget, type Targets } from './references.ts';
import { placeOf, inside, type Place } from '../domain/pointer.ts';
import { NO_ADDRESS, Walk, isReference, type Site } from './walk.ts';
import { isList } from '../domain/values/tree.ts';
import { refStandsAlone } from './keywords.ts';

export interface Analysis {
  readonly root: ReferenceTarget;
  readonly draft: Draft;
  readonly targets: Targets;
}

/** Everything that makes `content` no usable JSON Schema; pointers are relative to its root. */
export function checkSchema(content: unknown): readonly SchemaFault[] {
  return analyze(content).faults;
}

export function analyze(content: unknown) {
  const faults = new Faults();
  const root = plainOf(content, SCHEMA_LIMITS.depth, faults.add);
  const nothing: Analysis = { root: false, draft: 7, targets: new Map() };
  if (typeof root === 'boolean') return { analysis: { ...nothing, root }, faults: faults.list };
  if (!isObject(root)) {
    faults.add(null, 'A schema must be an object, true or false.');
    return { analysis: nothing, faults: faults.list };
  }
  const draft = draftOfSchema(root);
  if (draft === undefined) {
    faults.add(placeOf('$schema'), `The drafts known are ${KNOWN_DRAFTS}.`);
    return { analysis: nothing, faults: faults.list };
  }
  if (countValues(root) > SCHEMA_LIMITS.values) {
    faults.add(null, `A schema has at most ${SCHEMA_LIMITS.values} values.`);
    return { analysis: nothing, faults: faults.list };
  }
  const walk = new Walk(draft, faults);
  walk.visit(root, null, NO_ADDRESS);
  const targets = resolveReferences(walk, faults);
  if (!faults.any) checkLoops(walk, targets, faults);
  return { analysis: { root, draft, targets }, faults: faults.list };
}

function countValues(value: Plain): number {
  const children = isList(value) ? value : isObject(value) ? Object.values(value) : [];
  return children.reduce<number>((sum, child) => sum + countValues(child), 1);
}

const ON_THE_WAY = -1;

/**
 * Finds references that would never end: schemas that apply themselves to the same value through each other. A
 * schema that comes back to itself inside of the value (a tree of comments, say) is fine, as values end.
 */
function checkLoops(walk: Walk, targets: Targets, faults: Faults): void {
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
