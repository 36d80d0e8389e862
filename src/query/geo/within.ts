/**
 * Whether a shape lies in the union of some polygons (`$geoWithin`). Lines are cut where they meet the
 * polygons' boundaries; a piece is then in the union or out of it as a whole, so its middle tells.
 */
import { boxAround, contains, standing } from './area.ts';
import type { Area } from './area.ts';
import { boxOf } from './boxes.ts';
import { along, cutOf, cuts, isOn } from './edges.ts';
import type { Edge } from './edges.ts';
import type { Shape } from './shape.ts';
import { angleBetween, plus, SAME_PLACE, scaled, unit } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** How far beside a boundary to look for what is there, in radians (6 micrometers); gaps narrower than this are none. */
const BESIDE = 1e-12;

/** Pieces of an edge shorter than this, in radians, are too short to look beside. */
const SHORTEST_PIECE = 10 * BESIDE;

/** The middles of the pieces into which the boundaries of the areas cut an edge. */
export function* middles(edge: Edge, areas: readonly Area[]): Generator<Vector> {
  const length = angleBetween(edge.a, edge.b);
  const stops = [0, length];
  const box = boxOf(edge);
  for (const { boundary } of areas) {
    boundary.some(box, SAME_PLACE, (other) => {
      if (isOn(edge, other.a, SAME_PLACE)) stops.push(along(edge, other.a));
      if (isOn(edge, other.b, SAME_PLACE)) stops.push(along(edge, other.b));
      if (cuts(edge, other)) stops.push(along(edge, cutOf(edge, other)));
      return false;
    });
  }
  stops.sort((one, other) => one - other);
  let from = 0;
  for (const to of stops) {
    if (to > length) break;
    if (to - from < SHORTEST_PIECE) continue;
    const middle = (from + to) / 2;
    yield unit(plus(scaled(edge.a, Math.cos(middle)), scaled(edge.fromA, Math.sin(middle))));
    from = to;
  }
}

function isCovered(place: Vector, union: readonly Area[]): boolean {
  return union.some((area) => contains(area, place));
}

function isEdgeCovered(edge: Edge, union: readonly Area[]): boolean {
  if (!isCovered(edge.a, union) || !isCovered(edge.b, union)) return false;
  for (const middle of middles(edge, union)) {
    if (!isCovered(middle, union)) return false;
  }
  return true;
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
function hasGap(area: Area, union: readonly Area[]): boolean {
  const box = boxAround(area);
  if (box === null) return false;
  return union.some(({ boundary }) =>
    boundary.some(box, SAME_PLACE, (edge) => {
      for (const middle of middles(edge, [area, ...union])) {
        for (const side of [BESIDE, -BESIDE]) {
          const place = unit(plus(middle, scaled(edge.normal, side)));
          if (isWellInside(area, place) && !isCovered(place, union)) return true;
        }
      }
      return false;
    }),
  );
}

/**
 * True when the whole of the inner shape is in the union of the outer one's polygons, boundary included.
 * The outer shape's points and lines, if any, do not count; an inner shape without parts is in nothing.
 */
export function within(inner: Shape, outer: Shape): boolean {
  const union = outer.areas;
  if (inner.places.length + inner.lines.length + inner.areas.length === 0) return false;
  return (
    inner.places.every((place) => isCovered(place, union)) &&
    inner.lines.every((line) => line.edges.every((edge) => isEdgeCovered(edge, union))) &&
    inner.areas.every(
      (area) => area.boundary.edges.every((edge) => isEdgeCovered(edge, union)) && !hasGap(area, union),
    )
  );
}
