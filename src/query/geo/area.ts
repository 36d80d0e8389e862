/**
 * A polygon on the sphere: rings turned so that the polygon is to their left, and whether a place is in it.
 * That is read off the nearest edge, so a place well away from the boundary is never misjudged, whatever
 * lines up with it, and a place on the boundary is in.
 */
import { approach, edgesAround } from './edges.ts';
import type { Approach, Edge, RingEdge } from './edges.ts';
import { around, EdgeTree } from './boxes.ts';
import type { Box } from './boxes.ts';
import { angleBetween, cross, dot, plus, SAME_PLACE, turn, unit } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** A disk on the sphere that a polygon lies in. */
interface Disk {
  readonly center: Vector;
  /** The cosine of its radius, -1 for the whole sphere. */
  readonly cosine: number;
}

export interface Area {
  /** The outer ring's edges, then those of each hole. */
  readonly boundary: EdgeTree<RingEdge>;
  readonly disk: Disk;
}

/** Beyond this the disk around a ring says nothing of the polygon: the ring may go round the sphere. */
const WIDEST_DISK = 1.5;

/** Rings that bound two areas this near to equal, in steradians, are taken as they are written. */
const HALF_SPHERE = 1e-9;

/** The area to the left of a ring, in steradians from 0 to 4π. */
export function areaLeftOf(edges: readonly Edge[]): number {
  const [first] = edges;
  if (first === undefined) return 0;
  const origin = first.a;
  let sum = 0;
  for (const { a, b } of edges) {
    sum += 2 * Math.atan2(turn(origin, a, b), 1 + dot(origin, a) + dot(a, b) + dot(b, origin));
  }
  // Each triangle is known but for whole spheres, and so is the sum.
  const whole = 4 * Math.PI;
  return ((sum % whole) + whole) % whole;
}

/** A closed ring's edges with the smaller of its two areas to their left (as MongoDB), or to their right for a hole. */
function ringEdges(places: readonly Vector[], ring: number): RingEdge[] {
  const written = edgesAround(places);
  const isLarger = areaLeftOf(written) > 2 * Math.PI + HALF_SPHERE;
  const edges = isLarger === (ring === 0) ? edgesAround(places.toReversed()) : written;
  return edges.map((edge, index) => ({
    ...edge,
    ring,
    index,
    ringSize: edges.length,
    previousNormal: (edges.at(index - 1) ?? edge).normal,
    nextNormal: (edges[(index + 1) % edges.length] ?? edge).normal,
  }));
}

function diskAround(edges: readonly Edge[]): Disk {
  const center = unit(edges.reduce((sum, edge) => plus(sum, edge.a), { x: 0, y: 0, z: 0 }));
  const radius = edges.reduce((most, edge) => Math.max(most, angleBetween(center, edge.a)), 0);
  return { center, cosine: radius < WIDEST_DISK ? Math.cos(radius + 1e-6) - 1e-12 : -1 };
}

/** A polygon of closed rings, the outer one first. */
export function areaOf(rings: readonly (readonly Vector[])[]): Area {
  const edges = rings.map(ringEdges);
  return { boundary: new EdgeTree(edges.flat()), disk: diskAround(edges[0] ?? []) };
}

/** True when the ring's way from one edge to the next, at a place both share, leaves this place on its left. */
function isInCorner(place: Vector, corner: Vector, before: Vector, after: Vector): boolean {
  const turnsLeft = dot(cross(before, after), corner) > 0;
  const left = dot(before, place) > 0;
  const leftToo = dot(after, place) > 0;
  return turnsLeft ? left && leftToo : left || leftToo;
}

/** Whether a place is on the polygon's side of the edge nearest to it. */
function isOnLeft(edge: RingEdge, at: Approach['at'], place: Vector): boolean {
  if (at === 'a') return isInCorner(place, edge.a, edge.previousNormal, edge.normal);
  if (at === 'b') return isInCorner(place, edge.b, edge.normal, edge.nextNormal);
  return dot(edge.normal, place) > 0;
}

export interface Standing {
  readonly inside: boolean;
  /** The squared chord to the boundary. */
  readonly chord: number;
}

function isInDisk(disk: Disk, place: Vector): boolean {
  return dot(disk.center, place) >= disk.cosine;
}

/**
 * On which side of the boundary a place lies, and how far from it. Rings may touch each other at a place; for
 * one whose nearest is such a place, all that touch there must agree that it is inside.
 */
export function standing(
  area: Area,
  place: Vector,
  ring: (edge: RingEdge) => boolean = () => true,
): Standing {
  let inside = false;
  let nearest = Infinity;
  let slack = 0;
  area.boundary.towards(place, (edge) => {
    if (!ring(edge)) return nearest + slack;
    const { chord, at } = approach(edge, place);
    if (chord < nearest - slack) inside = isOnLeft(edge, at, place);
    else if (chord <= nearest + slack) inside &&= isOnLeft(edge, at, place);
    if (chord < nearest) {
      nearest = chord;
      // Distances are known to a few units of rounding; of the square, that is this much.
      slack = 4e-15 * Math.sqrt(chord) + 1e-29;
    }
    return nearest + slack;
  });
  return { inside: inside && isInDisk(area.disk, place), chord: nearest };
}

/** True when the place is in the polygon or on its boundary. */
export function contains(area: Area, place: Vector): boolean {
  if (!isInDisk(area.disk, place)) return false;
  const { inside, chord } = standing(area, place);
  return inside || chord <= SAME_PLACE ** 2;
}

const AXES: readonly Vector[] = [-1, 1].flatMap((end) => [
  { x: end, y: 0, z: 0 },
  { x: 0, y: end, z: 0 },
  { x: 0, y: 0, z: end },
]);

/** A box around all of the polygon, which may bulge out of the box of its boundary where it holds the end of an axis. */
export function boxAround(area: Area): Box | null {
  const { box } = area.boundary;
  if (box === null) return null;
  return AXES.filter((end) => contains(area, end)).reduce(
    (whole, end) => around(whole, { low: end, high: end }),
    box,
  );
}
