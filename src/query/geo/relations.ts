/**
 * What two shapes have to do with each other: whether they share a place, and how far a place is from a
 * shape. All sets are closed: a boundary belongs to its polygon, and touching is sharing.
 */
import { contains, standing } from './area.ts';
import type { Area } from './area.ts';
import { boxOf } from './boxes.ts';
import type { EdgeTree } from './boxes.ts';
import { approach, isOn, meet } from './edges.ts';
import type { Edge } from './edges.ts';
import type { Shape } from './shape.ts';
import { angleBetween, chordSquared, EARTH_RADIUS, SAME_PLACE } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** True when edges of the two have a place in common. */
function edgesMeet(one: EdgeTree<Edge>, other: EdgeTree<Edge>): boolean {
  const [few, many] = one.edges.length <= other.edges.length ? [one, other] : [other, one];
  const { box } = many;
  return (
    box !== null &&
    few.some(box, SAME_PLACE, (e) => many.some(boxOf(e), SAME_PLACE, (f) => meet(e, f, SAME_PLACE)))
  );
}

function isOnLine(line: EdgeTree<Edge>, place: Vector): boolean {
  const box = { low: place, high: place };
  return line.some(box, SAME_PLACE, (edge) => isOn(edge, place, SAME_PLACE));
}

function placeIsIn(shape: Shape, place: Vector): boolean {
  return (
    shape.areas.some((area) => contains(area, place)) ||
    shape.lines.some((line) => isOnLine(line, place)) ||
    shape.places.some((other) => chordSquared(place, other) <= SAME_PLACE ** 2)
  );
}

function lineMeetsArea(line: EdgeTree<Edge>, area: Area): boolean {
  const start = line.edges[0]?.a;
  return (start !== undefined && contains(area, start)) || edgesMeet(line, area.boundary);
}

/** True when a ring's start lies in the area. Rings that do not meet its boundary are in it or out of it as a whole. */
function ringStartsIn(rings: Area, area: Area): boolean {
  return rings.boundary.edges.some((edge) => edge.index === 0 && contains(area, edge.a));
}

function areasMeet(one: Area, other: Area): boolean {
  return ringStartsIn(one, other) || ringStartsIn(other, one) || edgesMeet(one.boundary, other.boundary);
}

/** True when the shapes have a place in common (`$geoIntersects`). */
export function intersects(one: Shape, other: Shape): boolean {
  return (
    one.places.some((place) => placeIsIn(other, place)) ||
    other.places.some((place) => placeIsIn(one, place)) ||
    one.lines.some((line) => other.areas.some((area) => lineMeetsArea(line, area))) ||
    other.lines.some((line) => one.areas.some((area) => lineMeetsArea(line, area))) ||
    one.areas.some((area) => other.areas.some((another) => areasMeet(area, another))) ||
    one.lines.some((line) => other.lines.some((another) => edgesMeet(line, another)))
  );
}

/** The angle to the nearest of some edges: exact where a chord is not, for places almost opposite. */
function angleToEdges(edges: EdgeTree<Edge>, place: Vector): number {
  let nearest = Infinity;
  let corner: Vector | null = null;
  edges.towards(place, (edge) => {
    const { chord, at } = approach(edge, place);
    if (chord < nearest) {
      nearest = chord;
      corner = at === 'inside' ? null : edge[at];
    }
    return nearest;
  });
  if (nearest === Infinity) return Infinity;
  return corner === null ? 2 * Math.asin(Math.sqrt(nearest) / 2) : angleBetween(place, corner);
}

/** The angle in radians from a place to the nearest part of a shape; 0 in a polygon. */
export function angleTo(shape: Shape, place: Vector): number {
  let least = Infinity;
  for (const other of shape.places) least = Math.min(least, angleBetween(place, other));
  for (const line of shape.lines) least = Math.min(least, angleToEdges(line, place));
  for (const area of shape.areas) {
    least = standing(area, place).inside ? 0 : Math.min(least, angleToEdges(area.boundary, place));
    if (least === 0) return 0;
  }
  return least;
}

/**
 * Meters on the sphere from a Point's shape to the nearest part of another shape; 0 in a polygon. Infinite
 * when there is no part. The first shape must be that of a Point.
 */
export function distance(point: Shape, shape: Shape): number {
  const [place] = point.places;
  return place === undefined ? Infinity : angleTo(shape, place) * EARTH_RADIUS;
}
