/**
 * Whether a shape lies in the union of some polygons (`$geoWithin`). Lines are cut where they meet the polygons'
 * boundaries; then the middle of each piece decides for all of it.
 */
import { boxOfArea, standing, type Area } from './area.ts';
import { boxOfEdge, BoxTree } from './boxes.ts';
import { along, cutOf, cuts, isOn, type Edge } from './edges.ts';
import { isCovered } from './relations.ts';
import type { Shape } from './shape.ts';
import { angleBetween, plus, SAME_PLACE, scaled, unit, type Vector } from './vectors.ts';

/** A step beside a boundary, in radians (6 micrometers); narrower gaps are none. */
const BESIDE = 1e-12;

/** Pieces of an edge shorter than this, in radians, are too short to look beside. */
const SHORTEST_PIECE = 10 * BESIDE;

/** The middles of the pieces into which the boundaries of the areas cut an edge. */
export function middles(edge: Edge, ...unions: readonly BoxTree<Area>[]): Vector[] {
  const length = angleBetween(edge.a, edge.b);
  const stops = [length];
  const box = boxOfEdge(edge);
  const cut = (other: Edge) => {
    if (isOn(edge, other.a, SAME_PLACE)) stops.push(along(edge, other.a));
    if (isOn(edge, other.b, SAME_PLACE)) stops.push(along(edge, other.b));
    if (cuts(edge, other)) stops.push(along(edge, cutOf(edge, other)));
    return false;
  };
  for (const areas of unions) {
    areas.some(box, SAME_PLACE, ({ boundary }) => boundary.some(box, SAME_PLACE, cut));
  }
  const found: Vector[] = [];
  let from = 0;
  for (const to of stops.sort((one, other) => one - other)) {
    if (to > length) break;
    if (to - from < SHORTEST_PIECE) continue;
    const middle = (from + to) / 2;
    found.push(unit(plus(scaled(edge.a, Math.cos(middle)), scaled(edge.fromA, Math.sin(middle)))));
    from = to;
  }
  return found;
}

function isEdgeCovered(edge: Edge, union: BoxTree<Area>): boolean {
  return (
    isCovered(edge.a, union) &&
    isCovered(edge.b, union) &&
    middles(edge, union).every((middle) => isCovered(middle, union))
  );
}

/** True when the place is in the area and farther from its boundary than rounding reaches. */
function isWellInside(area: Area, place: Vector): boolean {
  const { inside, chord } = standing(area, place);
  return inside && chord > (BESIDE / 2) ** 2;
}

/**
 * True when an area whose boundary the union covers has a part that the union does not. Such a part has an edge
 * of the union as its border, and shows beside it.
 */
function hasGap(area: Area, union: BoxTree<Area>): boolean {
  const box = boxOfArea(area);
  const alone = new BoxTree([area], () => box, 1);
  const isGap = (place: Vector) => isWellInside(area, place) && !isCovered(place, union);
  const showsGap = (edge: Edge) =>
    middles(edge, alone, union).some(
      (middle) =>
        isGap(unit(plus(middle, scaled(edge.normal, BESIDE)))) ||
        isGap(unit(plus(middle, scaled(edge.normal, -BESIDE)))),
    );
  return union.some(box, SAME_PLACE, ({ boundary }) => boundary.some(box, SAME_PLACE, showsGap));
}

/**
 * True when the whole of the inner shape is in the union of the outer one's polygons, boundary included
 * (`$geoWithin`). The outer shape's points and lines, if any, do not count.
 */
export function within(inner: Shape, outer: Shape): boolean {
  const union = outer.areas;
  return (
    inner.places.items.every((place) => isCovered(place, union)) &&
    inner.edges.items.every((edge) => isEdgeCovered(edge, union)) &&
    inner.areas.items.every(
      ({ boundary }) =>
        // A corner outside is the cheapest way to find out.
        boundary.items.every((edge) => isCovered(edge.a, union)) &&
        boundary.items.every((edge) => isEdgeCovered(edge, union)),
    ) &&
    !inner.areas.items.some((area) => hasGap(area, union))
  );
}
