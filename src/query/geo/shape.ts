/**
 * A geometry ready for questions: its places, the edges of its lines, and its polygons. Opaque outside this folder.
 * Trees of boxes are built when first needed.
 */
import { areaOf, boxOfArea, type Area } from './area.ts';
import { boxOfPlace, BoxTree, treeOfEdges } from './boxes.ts';
import { edgesAlong, type Edge } from './edges.ts';
import type { Geometry } from './geometry.ts';
import { vectorOf, type Vector } from './vectors.ts';

export interface Shape {
  /** Of Points and MultiPoints. */
  readonly places: BoxTree<Vector>;
  /** Of LineStrings, one by one and all together. */
  readonly lines: readonly (readonly Edge[])[];
  readonly edges: BoxTree<Edge>;
  /** Of Polygons; a MultiPolygon is the union of its areas. */
  readonly areas: BoxTree<Area>;
}

/** The geometries that a geometry is made of, collections opened. */
function* parts(geometry: Geometry): Generator<Exclude<Geometry, { type: 'GeometryCollection' }>> {
  if (geometry.type !== 'GeometryCollection') yield geometry;
  else for (const part of geometry.geometries) yield* parts(part);
}

/** The prepared form of a geometry that `parseGeometry` let through. */
export function compileShape(geometry: Geometry): Shape {
  const places: Vector[] = [];
  const lines: Edge[][] = [];
  const areas: Area[] = [];
  const addLine = (line: readonly (readonly number[])[]) => lines.push(edgesAlong(line.map(vectorOf)));
  const addArea = (rings: readonly (readonly (readonly number[])[])[]) =>
    areas.push(areaOf(rings.map((ring) => ring.map(vectorOf))));
  for (const part of parts(geometry)) {
    switch (part.type) {
      case 'Point':
        places.push(vectorOf(part.coordinates));
        break;
      case 'MultiPoint':
        for (const position of part.coordinates) places.push(vectorOf(position));
        break;
      case 'LineString':
        addLine(part.coordinates);
        break;
      case 'MultiLineString':
        for (const line of part.coordinates) addLine(line);
        break;
      case 'Polygon':
        addArea(part.coordinates);
        break;
      case 'MultiPolygon':
        for (const rings of part.coordinates) addArea(rings);
        break;
    }
  }
  return {
    places: new BoxTree(places, boxOfPlace, 8),
    lines,
    edges: treeOfEdges(lines.flat()),
    areas: new BoxTree(areas, boxOfArea, 1),
  };
}
