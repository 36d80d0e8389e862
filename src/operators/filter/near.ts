/** `$near`: a place within bounds of distance, and beyond a condition an order by distance. */
import type { Fields, Value } from '../../domain/values.ts';
import { distance } from '../../query/geo/relations.ts';
import { compileShape } from '../../query/geo/shape.ts';
import { shapeOf } from '../../query/geo/stored.ts';
import { compileWalk } from '../../query/walk.ts';
import type { Condition } from './conditions.ts';
import type { Near } from './geometries.ts';
import { ofValues, type LeafOperator } from './operator.ts';

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

/** Meters from the point asked for to a stored value; infinite beyond the bounds and for what is no geometry. */
function distanceFrom(near: Near): (value: Value | undefined) => number {
  const point = compileShape(near.geometry);
  const least = near.minDistance ?? 0;
  const most = near.maxDistance ?? Infinity;
  return (value) => {
    const shape = shapeOf(value);
    const meters = shape === null ? Infinity : distance(point, shape);
    return meters >= least && meters <= most ? meters : Infinity;
  };
}

export const near: LeafOperator<'near'> = {
  matches: ofValues('items and array', (leaf) => {
    const measure = distanceFrom(leaf);
    return (value) => measure(value) < Infinity;
  }),
};
