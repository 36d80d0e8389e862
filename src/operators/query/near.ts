/** `$near`: a place within bounds of distance, and beyond a condition an order by distance. */
import type { Fields, Value } from '../../domain/values/values.ts';
import { cellsAsked, testGeometry, type Near } from './geometries.ts';
import { distance } from '../../query/geo/relations.ts';
import { compileShape } from '../../query/geo/shape.ts';
import { shapeOf } from '../../query/geo/stored.ts';
import { compileWalk, type Path, type Counter } from '../../query/walk.ts';
import type { Condition } from '../filter/conditions.ts';
import type { LeafOperator } from './operator.ts';

/** The one `near` of a tree, or undefined. The parser allows it only where all conditions are and-ed. */
export function nearOf(condition: Condition): Near | undefined {
  if (condition.op === 'near') return condition;
  if (condition.op !== 'and') return undefined;
  for (const each of condition.conditions) {
    const near = nearOf(each);
    if (near !== undefined) return near;
  }
  return undefined;
}

/** Meters from the point to the nearest geometry that a document has at the path; infinite when it does not match. */
export function compileDistance(near: Near): (document: Fields) => number {
  return distanceFrom(near, near.path);
}

/**
 * Of several geometries the nearest counts, and it alone: a place next door is not made far by another far away. So
 * the bounds are asked once all are measured.
 */
function distanceFrom(
  near: Near,
  path: Path,
  looked: Counter | null = null,
): (subject: Value | undefined) => number {
  const point = compileShape(near.geometry);
  const least = near.minDistance ?? 0;
  const most = near.maxDistance ?? Infinity;
  let nearest = Infinity;
  const walk = compileWalk(
    path,
    'items and array',
    (value) => {
      const shape = shapeOf(value, looked);
      if (shape !== null) nearest = Math.min(nearest, distance(point, shape));
      return false;
    },
    looked,
  );
  return (subject) => {
    nearest = Infinity;
    walk(subject);
    return nearest >= least && nearest <= most ? nearest : Infinity;
  };
}

export const near: LeafOperator<'near'> = {
  matches: (leaf, path, { looked }) => {
    const measure = distanceFrom(leaf, path, looked);
    return (subject) => measure(subject) < Infinity;
  },
  index: cellsAsked,
  body: (_leaf, path) => testGeometry(path),
};
