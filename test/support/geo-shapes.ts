/** Short ways to write geometries in tests, and their shapes. */
import { parseGeometry } from '../../src/query/geo/parse.ts';
import type { Geometry, Position } from '../../src/query/geo/geometry.ts';
import type { Shape } from '../../src/query/geo/shape.ts';
import type { Value } from '../../src/domain/values/values.ts';

/** The shape of a geometry that must be valid. */
export function shapeOf(geometry: Geometry): Shape {
  const parsed = parseGeometry(plain(geometry));
  if (!parsed.ok)
    throw new Error(`${parsed.reason} at ${parsed.path.join('/')}: ${JSON.stringify(geometry)}`);
  return parsed.shape;
}

/** Why and where a value is refused, or 'accepted'. */
export function refusal(value: Value): string {
  const parsed = parseGeometry(value);
  return parsed.ok ? 'accepted' : `${parsed.path.join('/')}: ${parsed.reason}`;
}

/** A geometry as a value of a document. */
export function plain(geometry: Geometry): Value {
  if (geometry.type !== 'GeometryCollection')
    return { type: geometry.type, coordinates: geometry.coordinates };
  return { type: geometry.type, geometries: geometry.geometries.map(plain) };
}

export const point = (...position: number[]): Geometry => ({ type: 'Point', coordinates: position });
export const points = (...positions: Position[]): Geometry => ({
  type: 'MultiPoint',
  coordinates: positions,
});
export const line = (...positions: Position[]): Geometry => ({ type: 'LineString', coordinates: positions });
export const lines = (...coordinates: Position[][]): Geometry => ({ type: 'MultiLineString', coordinates });
export const polygon = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings });
export const polygons = (...coordinates: Position[][][]): Geometry => ({ type: 'MultiPolygon', coordinates });
export const collection = (...geometries: Geometry[]): Geometry => ({
  type: 'GeometryCollection',
  geometries,
});

/** A ring of four corners, counterclockwise, as far as its sides are meridians and near the equator. */
export function box(west: number, south: number, east: number, north: number): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** The positions of a line. */
export const path = (...positions: Position[]): Position[] => positions;
/** The positions of a ring, which is closed here. */
export const ring = (first: Position, ...others: Position[]): Position[] => [first, ...others, first];
