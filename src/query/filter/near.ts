/** What `$near` asks for beyond a condition: an order by distance. */
import type { Fields } from '../../domain/values.ts';
import { EVERYTHING, type Condition } from './conditions.ts';
import { distanceFrom, type Near } from './geometries.ts';
import { compileWalk } from './walk.ts';

/** The one `near` of a tree, or undefined. The parser lets it stand only where all conditions are and-ed. */
export function nearOf(condition: Condition): Near | undefined {
  if (condition.op === 'near') return condition;
  if (condition.op !== 'and') return undefined;
  for (const each of condition.conditions) {
    const near = nearOf(each);
    if (near !== undefined) return near;
  }
  return undefined;
}

/** The tree without its `near`: what else is asked. */
export function withoutNear(condition: Condition): Condition {
  if (condition.op === 'near') return EVERYTHING;
  return condition.op === 'and'
    ? { op: 'and', conditions: condition.conditions.map(withoutNear) }
    : condition;
}

/** Meters from the point to the nearest geometry that a document has at the path; infinite when there is none. */
export function compileDistance(near: Near): (document: Fields) => number {
  const measure = distanceFrom(near);
  let nearest = Infinity;
  const walk = compileWalk(near.path, 'items and array', (value) => {
    nearest = Math.min(nearest, measure(value));
    return false;
  });
  return (document) => {
    nearest = Infinity;
    walk(document);
    return nearest;
  };
}
