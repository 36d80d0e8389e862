/** The geometries of conditions: reads them, and looks them up in an index of cells. */
import type { Cell } from '../../query/geo/cells.ts';
import {
  cellOfPoint,
  coveringOf,
  PARTINGS,
  ringAround,
  type Lookup,
  type Ring,
} from '../../query/geo/covering.ts';
import { compileReach, type Reach } from '../../query/geo/reach.ts';
import { compileShape } from '../../query/geo/shape.ts';
import { kind, type BodyTest } from '../../query/sql/body-test.ts';
import { NEVER, sql } from '../../query/sql/condition.ts';
import { nameOfCells } from '../../query/index/cells.ts';
import type { FindIndex } from '../../query/index/path-index.ts';
import { among, anyGeometry, type Translation } from '../../query/sql/positions.ts';
import type { Leaf } from '../filter/conditions.ts';

export type GeoCondition = Leaf<'geoIntersects' | 'geoWithin' | 'near'>;
export type Near = Leaf<'near'>;

/** True of a `near` that every geometry meets. */
export function isUnbounded({ minDistance, maxDistance }: Near): boolean {
  return (minDistance ?? 0) === 0 && maxDistance === null;
}

/** The look-up of all geometries that may match, never fewer. */
export function cellsAsked(condition: GeoCondition, find: FindIndex): Translation | null {
  const index = find(nameOfCells(condition.path));
  if (index === undefined) return null;
  // Each geometry is at some distance.
  if (condition.op === 'near' && isUnbounded(condition)) return anyGeometry(index, true);
  const { ranges, ancestors } = lookupOf(condition);
  const intervals = [...ranges, ...ancestors.map((cell) => [cell, cell])];
  return among(
    `SELECT DISTINCT cells.seq FROM json_each(?) AS asked CROSS JOIN cells
     ON cells.path = ? AND cells.cell BETWEEN asked.value ->> 0 AND asked.value ->> 1`,
    [JSON.stringify(intervals), index.id],
    false,
  );
}

/** The test of a body in SQL: a geometry is an object, or among the items of an array. */
export function testGeometry(path: string): BodyTest {
  return { may: sql((row) => `${kind(row, path)} IN ('object', 'array') IS TRUE`), must: NEVER };
}

/** The look-up in an index of cells that misses no match. */
function lookupOf(condition: GeoCondition): Lookup {
  const operand = compileShape(condition.geometry);
  return condition.op === 'near'
    ? ringAround(operand, condition.minDistance ?? 0, condition.maxDistance ?? Infinity)
    : coveringOf(operand);
}

/** Cells around the point of a `near`, for a search outward. */
export interface CellRings {
  /** The finest cell that holds the point. */
  readonly here: Cell;
  /** All between two distances in meters. */
  readonly ring: (least: number, most: number) => Ring;
  /** Bounds in meters for the distances to the places of a cell. */
  readonly reach: Reach;
}

export function surroundingsOf(near: Near): CellRings {
  const point = compileShape(near.geometry);
  const reach = compileReach(point);
  const here = cellOfPoint(point) ?? 0;
  return { here, reach, ring: (least, most) => ringAround(point, least, most, PARTINGS.outward, reach) };
}
