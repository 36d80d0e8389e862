/** GeoJSON that can be drawn: positions on the Earth, rings in the direction that d3 takes for their inside. */
import { geoArea, type GeoGeometryObjects } from 'd3-geo';
import { isItems, isMembers } from '../values/kinds.ts';
import type { Json } from '../../../../client/values.ts';

type Geometry = Exclude<GeoGeometryObjects, { readonly type: 'Sphere' }>;
type Polygon = Extract<Geometry, { readonly type: 'Polygon' }>;
type Rings = Polygon['coordinates'];

/** How deep the positions of a type lie. */
const DEPTH: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** How many collections may stand in each other, as in filters. */
const DEEPEST = 8;

/** The geometry of a value, or undefined where nothing can be drawn. */
export function geometryOf(json: Json, depth = 0): Geometry | undefined {
  if (!isMembers(json) || depth > DEEPEST) return undefined;
  const { type, coordinates, geometries } = json;
  if (type === 'GeometryCollection' && isItems(geometries)) {
    const parts = geometries.map((each) => geometryOf(each, depth + 1));
    return parts.every((part) => part !== undefined) ? { type, geometries: parts } : undefined;
  }
  const levels = typeof type === 'string' && Object.hasOwn(DEPTH, type) ? DEPTH[type] : undefined;
  if (levels === undefined || !hasPositions(coordinates, levels)) return undefined;
  // The type and the depth of its positions make it a geometry.
  return wound({ type, coordinates } as Exclude<Geometry, { type: 'GeometryCollection' }>);
}

function hasPositions(json: Json | undefined, levels: number): boolean {
  if (!isItems(json) || json.length === 0) return false;
  if (levels > 0) return json.every((each) => hasPositions(each, levels - 1));
  const [longitude, latitude] = json;
  return isWithin(longitude, 180) && isWithin(latitude, 90);
}

function isWithin(json: Json | undefined, most: number): boolean {
  return typeof json === 'number' && Math.abs(json) <= most;
}

/** A polygon is the smaller of the two areas of its ring, whichever way round it is written (docs/geo.md). */
function wound(geometry: Exclude<Geometry, { type: 'GeometryCollection' }>): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: woundRings(geometry.coordinates) };
  if (geometry.type === 'MultiPolygon')
    return { ...geometry, coordinates: geometry.coordinates.map(woundRings) };
  return geometry;
}

function woundRings(rings: Rings): Rings {
  return rings.map((ring, index) => {
    const alone: Polygon = { type: 'Polygon', coordinates: [ring] };
    const isLarger = geoArea(alone) > 2 * Math.PI;
    return isLarger === (index === 0) ? ring.toReversed() : ring;
  });
}
