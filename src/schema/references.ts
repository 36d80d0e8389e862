/**
 * Resolves the references of a schema inside of itself. It never reaches out: a reference to anything that the
 * schema does not hold is a fault.
 */
import { decodedParts } from '../domain/addresses/decoding.ts';
import { inside, stepsOf, type Place } from '../domain/pointer.ts';
import { ADDRESS_LENGTH, addressOf, type Reference, type Walk } from './walk.ts';
import type { Faults } from './faults.ts';
import { SCHEMA_LIMITS } from './limits.ts';
import { isObject, type Plain, type PlainObject } from './plain.ts';
import { isList, memberOf } from '../domain/values/tree.ts';

/** The target of each schema's references, by keyword in the order of the walk: a schema, or true or false. */
export type Targets = ReadonlyMap<PlainObject, Readonly<Record<string, ReferenceTarget>>>;

export type ReferenceTarget = PlainObject | boolean;

/** Follows every reference, those of the schemas that it finds on the way too. */
export function resolveReferences(walk: Walk, faults: Faults): Targets {
  const targets = new Map<PlainObject, Record<string, ReferenceTarget>>();
  // A for-of over an array sees what is added to it meanwhile.
  for (const reference of walk.references) {
    const { site, keyword } = reference;
    const found = resolve(walk, reference);
    if (typeof found === 'string') {
      faults.add(inside(site.place, keyword), found);
      continue;
    }
    targets.set(site.schema, { ...targets.get(site.schema), [keyword]: found.target });
  }
  refuseAmbiguous(walk, targets, faults);
  return targets;
}

/** The target of a reference, or a sentence that says why there is none. */
function resolve(walk: Walk, reference: Reference): { readonly target: ReferenceTarget } | string {
  const { text, keyword, site } = reference;
  if (keyword === '$recursiveRef' && text !== '#') return '$recursiveRef must be "#".';
  const url = text.length > SCHEMA_LIMITS.address ? null : URL.parse(text, site.base);
  if (url === null) return `${keyword} must be a URI reference, ${ADDRESS_LENGTH}.`;
  const resource = walk.resources.get(addressOf(url));
  if (resource === undefined) {
    return `${keyword} leads out of the schema; only references inside of it are followed.`;
  }
  return (
    locate(walk, resource, url) ?? `${keyword} leads to nothing: the schema has no ${text.slice(0, 200)}.`
  );
}

function locate(
  walk: Walk,
  resource: PlainObject,
  url: URL,
): { readonly target: ReferenceTarget } | undefined {
  const anchored = walk.anchors.get(url.href);
  if (anchored) return { target: anchored };
  const [fragment] = decodedParts([url.hash.slice(1)]) ?? [];
  if (fragment === undefined || (fragment !== '' && !fragment.startsWith('/'))) return undefined;
  return locatePointer(walk, resource, stepsOf(fragment));
}

/** The target of a JSON pointer. A place where the walk found no schema becomes one by the reference. */
function locatePointer(
  walk: Walk,
  resource: PlainObject,
  steps: readonly string[],
): { readonly target: ReferenceTarget } | undefined {
  let value: Plain | undefined = resource;
  let place: Place = walk.sites.get(resource)?.place ?? null;
  let base = walk.sites.get(resource)?.base ?? '';
  for (const name of steps) {
    value = childOf(value, name);
    place = inside(place, name);
    base = (isObject(value) ? walk.sites.get(value)?.base : undefined) ?? base;
  }
  if (typeof value === 'boolean') return { target: value };
  if (!isObject(value)) return undefined;
  walk.visit(value, place, base);
  return { target: value };
}

function childOf(value: Plain | undefined, name: string): Plain | undefined {
  if (isList(value)) return /^(?:0|[1-9][0-9]{0,8})$/.test(name) ? value[Number(name)] : undefined;
  return isObject(value) ? memberOf(value, name) : undefined;
}

/** The anchors by which a dynamic reference finds its target. */
const ANCHORS: Readonly<Record<string, string>> = {
  $dynamicRef: '$dynamicAnchor',
  $recursiveRef: '$recursiveAnchor',
};

/**
 * A dynamic reference to a schema with a dynamic anchor means the one that comes first on the way to it. With a
 * single anchor of the name that is always the same, as with a plain reference; with more of them the reference is
 * refused, so that no answer is wrong.
 */
function refuseAmbiguous(walk: Walk, targets: Targets, faults: Faults): void {
  const counts = new Map<string, number>();
  const keyOf = (schema: PlainObject, anchor: string): string | undefined => {
    const name = memberOf(schema, anchor);
    return typeof name === 'string' || name === true ? `${anchor} ${name}` : undefined;
  };
  for (const schema of walk.sites.keys()) {
    for (const anchor of Object.values(ANCHORS)) {
      const key = keyOf(schema, anchor);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  for (const { keyword, site } of walk.references) {
    const anchor = ANCHORS[keyword];
    const target = targets.get(site.schema)?.[keyword];
    const key = anchor !== undefined && isObject(target) ? keyOf(target, anchor) : undefined;
    if (key !== undefined && (counts.get(key) ?? 0) > 1) {
      faults.add(
        inside(site.place, keyword),
        `${keyword} may mean several schemas, as ${key} is there more than once: use $ref.`,
      );
    }
  }
}
