/** The one place where filters meet the geo module. */
import { isFields, type Value } from '../../domain/values.ts';
import type { Geometry } from '../geo/geometry.ts';
import { parseGeometry } from '../geo/parse.ts';
import { distance, intersects } from '../geo/relations.ts';
import { compileShape, type Shape } from '../geo/shape.ts';
import { within } from '../geo/within.ts';
import type { Condition } from './conditions.ts';
import type { Predicate } from './walk.ts';

export type GeoCondition = Extract<Condition, { readonly op: 'geoIntersects' | 'geoWithin' | 'near' }>;
export type Near = Extract<Condition, { readonly op: 'near' }>;

export type ReadGeometry =
  | { readonly ok: true; readonly geometry: Geometry }
  /** Where in the value the fault is, and a sentence that tells it. */
  | { readonly ok: false; readonly path: readonly (string | number)[]; readonly detail: string };

/** The geometry that an operand is. */
export function readGeometry(value: Value): ReadGeometry {
  const parsed = parseGeometry(value);
  if (parsed.ok) return { ok: true, geometry: parsed.geometry };
  return { ok: false, path: parsed.path, detail: `The geometry is not valid: ${parsed.reason}.` };
}

/** The test of a stored value; what is no valid geometry never passes (decisions, section 2). */
export function geoTest(condition: GeoCondition): Predicate {
  if (condition.op === 'near') {
    const measure = distanceFrom(condition);
    return (value) => measure(value) < Infinity;
  }
  const asked = compileShape(condition.geometry);
  const holds = condition.op === 'geoWithin' ? within : intersects;
  return (value) => {
    const shape = shapeOf(value);
    return shape !== null && holds(shape, asked);
  };
}

/** Meters from the point asked for to a stored value; infinite beyond the bounds and for what is no geometry. */
export function distanceFrom(near: Near): (value: Value | undefined) => number {
  const point = compileShape(near.geometry);
  const least = near.minDistance ?? 0;
  const most = near.maxDistance ?? Infinity;
  return (value) => {
    const shape = shapeOf(value);
    const meters = shape === null ? Infinity : distance(point, shape);
    return meters >= least && meters <= most ? meters : Infinity;
  };
}

function shapeOf(value: Value | undefined): Shape | null {
  // Most values are no geometry; those that have no type need no reader to tell.
  if (value === undefined || !isFields(value) || typeof value['type'] !== 'string') return null;
  const parsed = parseGeometry(value);
  return parsed.ok ? parsed.shape : null;
}
