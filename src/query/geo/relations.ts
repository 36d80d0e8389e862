/**
 * Whether two shapes share a place, and how far a place is from a shape. All sets are closed: a boundary belongs to its
 * polygon, and touching is sharing.
 */
import { boxOfArea, contains, standing, type Area } from './area.ts';
import { boxOfEdge, boxOfPlace, type BoxTree } from './boxes.ts';
import { approach, isOn, meet, type Edge } from './edges.ts';
import type { Shape } from './shape.ts';
import { angleBetween, chordSquared, EARTH_RADIUS, SAME_PLACE, type Vector } from './vectors.ts';

/** True when edges of the two have a place in common. */
function edgesMeet(one: BoxTree<Edge>, other: BoxTree<Edge>): boolean {
  const [few, many] = one.items.length <= other.items.length ? [one, other] : [other, one];
  const { box } = many;
  return (
    box !== null &&
    few.some(box, SAME_PLACE, (e) => many.some(boxOfEdge(e), SAME_PLACE, (f) => meet(e, f, SAME_PLACE)))
  );
}

/** True when a place is in one of the areas or on its boundary. */
export function isCovered(place: Vector, areas: BoxTree<Area>): boolean {
  const [area] = areas.items;
  if (areas.items.length === 1 && area !== undefined) return contains(area, place);
  return areas.some(boxOfPlace(place), SAME_PLACE, (one) => contains(one, place));
}

function holdsPlace(shape: Shape, place: Vector): boolean {
  const box = boxOfPlace(place);
  return (
    isCovered(place, shape.areas) ||
    shape.edges.some(box, SAME_PLACE, (edge) => isOn(edge, place, SAME_PLACE)) ||
    shape.places.some(box, SAME_PLACE, (other) => chordSquared(place, other) <= SAME_PLACE ** 2)
  );
}

/** True when a place of the one shape is in the other. */
function placesMeet(places: Shape, shape: Shape): boolean {
  return places.places.items.some((place) => holdsPlace(shape, place));
}

/** True when a line of one shape and an area of the other meet. A line that meets no boundary is wholly in or out. */
function linesMeetAreas(lines: Shape, areas: Shape): boolean {
  return (
    lines.lines.some(([first]) => first !== undefined && isCovered(first.a, areas.areas)) ||
    areas.areas.items.some((area) => edgesMeet(lines.edges, area.boundary))
  );
}

/** True when a ring starts in an area. Rings that do not meet its boundary are in it or out of it as a whole. */
function ringStartsIn(rings: Area, area: Area): boolean {
  return rings.boundary.items.some((edge) => edge.index === 0 && contains(area, edge.a));
}

function areasMeet(one: Area, other: Area): boolean {
  return ringStartsIn(one, other) || ringStartsIn(other, one) || edgesMeet(one.boundary, other.boundary);
}

/** True when the shapes have a place in common (`$geoIntersects`). */
export function intersects(one: Shape, other: Shape): boolean {
  return (
    placesMeet(one, other) ||
    placesMeet(other, one) ||
    linesMeetAreas(one, other) ||
    linesMeetAreas(other, one) ||
    edgesMeet(one.edges, other.edges) ||
    one.areas.items.some((area) =>
      other.areas.some(boxOfArea(area), SAME_PLACE, (another) => areasMeet(area, another)),
    )
  );
}

/** The nearest of some edges to a place: the squared chord, and the edge's end if that is nearest. */
function nearestOf(edges: BoxTree<Edge>, place: Vector) {
  const nearest: { chord: number; end: Vector | null } = { chord: Infinity, end: null };
  edges.towards(place, (edge) => {
    const { chord, at } = approach(edge, place);
    if (chord < nearest.chord) {
      nearest.chord = chord;
      nearest.end = at === 'inside' ? null : edge[at];
    }
    return nearest.chord;
  });
  return nearest;
}

/** The angle from a place to the nearest of some edges; infinite when there are none. */
function angleToEdges(edges: BoxTree<Edge>, place: Vector): number {
  const { chord, end } = nearestOf(edges, place);
  // Ends are measured anew because a chord tells nothing fine of places almost opposite.
  if (end !== null) return angleBetween(place, end);
  return chord === Infinity ? Infinity : 2 * Math.asin(Math.sqrt(chord) / 2);
}

/** The squared chord for an angle, rounded up, as a bound for what is still worth looking at. */
function boundFor(angle: number): number {
  return angle >= Math.PI ? Infinity : (2 * Math.sin(angle / 2)) ** 2 * (1 + 1e-12);
}

/** The angle in radians from a place to the nearest part of a shape; 0 in a polygon. */
function angleTo(shape: Shape, place: Vector): number {
  let least = angleToEdges(shape.edges, place);
  shape.places.towards(place, (other) => {
    least = Math.min(least, angleBetween(place, other));
    return boundFor(least);
  });
  shape.areas.towards(place, (area) => {
    least = Math.min(least, standing(area, place).inside ? 0 : angleToEdges(area.boundary, place));
    return boundFor(least);
  });
  return least;
}

function isPoint({ places, edges, areas }: Shape): boolean {
  return places.items.length === 1 && edges.items.length === 0 && areas.items.length === 0;
}

/**
 * Meters on the sphere from a Point's shape to the nearest part of another shape; 0 in a polygon. Infinite
 * when there is no part. The first shape must be that of a Point.
 */
export function distance(point: Shape, shape: Shape): number {
  const [place] = point.places.items;
  const [other] = shape.places.items;
  // From point to point is by far the most frequent question.
  if (place !== undefined && other !== undefined && isPoint(shape))
    return angleBetween(place, other) * EARTH_RADIUS;
  return place === undefined ? Infinity : angleTo(shape, place) * EARTH_RADIUS;
}
