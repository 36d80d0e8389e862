/** The one place where filters meet the geo module. */
import { isFields, type Value } from '../../domain/values.ts';
import type { Cell } from '../geo/cells.ts';
import {
  capCovering,
  cellOfPoint,
  cellsOf,
  coveringOf,
  roughCellsOf,
  ringAround,
  type Lookup,
  type Ring,
} from '../geo/covering.ts';
import type { Geometry } from '../geo/geometry.ts';
import { parseGeometry } from '../geo/parse.ts';
import { compileReach, type Reach } from '../geo/reach.ts';
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

/** What an index of cells holds of a value that is a geometry. */
export interface ValueCells {
  readonly cells: readonly Cell[];
  readonly isPoint: boolean;
}

/** The cells of a stored value, or null for what is no geometry; found roughly when it must be cheap. */
export function cellsOfValue(value: Value | undefined, rough: boolean): ValueCells | null {
  const shape = shapeOf(value);
  if (shape === null) return null;
  const cell = cellOfPoint(shape);
  if (cell !== null) return { cells: [cell], isPoint: true };
  return { cells: rough ? roughCellsOf(shape) : cellsOf(shape), isPoint: false };
}

/** True of a `near` that every geometry meets. */
export function isUnbounded({ minDistance, maxDistance }: Near): boolean {
  return (minDistance ?? 0) === 0 && maxDistance === null;
}

/** What to ask an index of cells, so that nothing is missed that passes the test of the condition. */
export function lookupOf(condition: GeoCondition): Lookup {
  const asked = compileShape(condition.geometry);
  return condition.op === 'near'
    ? capCovering(asked, condition.maxDistance ?? Infinity, condition.minDistance ?? 0)
    : coveringOf(asked);
}

/** What a search outward from the point of a `near` needs to know of cells. */
export interface Surroundings {
  /** The finest cell that holds the point. */
  readonly here: Cell;
  /** What holds all between two distances in meters. */
  readonly ring: (least: number, most: number) => Ring;
  /** Bounds in meters for the distances to the places of a cell. */
  readonly reach: Reach;
}

export function surroundingsOf(near: Near): Surroundings {
  const point = compileShape(near.geometry);
  const reach = compileReach(point);
  const here = cellOfPoint(point) ?? 0;
  return { here, reach, ring: (least, most) => ringAround(point, reach, least, most) };
}

function shapeOf(value: Value | undefined): Shape | null {
  // Most values are no geometry; those that have no type need no reader to tell.
  if (value === undefined || !isFields(value) || typeof value['type'] !== 'string') return null;
  const parsed = parseGeometry(value);
  return parsed.ok ? parsed.shape : null;
}
