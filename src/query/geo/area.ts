/**
 * A polygon on the sphere: rings turned so that the polygon is to their left, and whether a place is in it. The nearest
 * edge decides, so a place well away from the boundary is always judged right, and a place on the boundary is in.
 */
import { around, treeOfEdges, type Box, type BoxTree } from './boxes.ts';
import { diskAround, isInDisk, type Disk } from './disk.ts';
import { approach, distinct, edgeOf, type Approach, type Edge } from './edges.ts';
import { cross, dot, SAME_PLACE, turn, type Vector } from './vectors.ts';

/** An edge in a ring, which knows the planes of its neighbours. */
export interface RingEdge extends Edge {
  readonly ring: number;
  /** Its position in the ring, once positions that repeat their neighbour are dropped. */
  readonly index: number;
  readonly ringSize: number;
  readonly previousNormal: Vector;
  readonly nextNormal: Vector;
}

export interface Area {
  /** The outer ring's edges, then those of each hole. */
  readonly boundary: BoxTree<RingEdge>;
  /** Holds all of the polygon. */
  readonly disk: Disk;
}

/** Rings that bound two areas this near to equal, in steradians, are taken as they are written. */
const UNDECIDED = 1e-9;

const SPHERE = 4 * Math.PI;

/**
 * The smaller of the two areas that a ring bounds, in steradians, which goes back from the last place to the
 * first; negative when it is to the right. Signed so that the tiniest ring has a direction.
 */
function signedAreaOf(places: readonly Vector[]): number {
  const [origin] = places;
  if (origin === undefined) return 0;
  let sum = 0;
  let a = origin;
  for (const b of places) {
    sum += 2 * Math.atan2(turn(origin, a, b), 1 + dot(origin, a) + dot(a, b) + dot(b, origin));
    a = b;
  }
  // Each triangle is known but for whole spheres, and so is the sum.
  return sum - SPHERE * Math.round(sum / SPHERE);
}

/** The corners of a ring, ordered with the smaller area on the left (as MongoDB), or on the right for a hole. */
function cornersOf(written: readonly Vector[], isHole: boolean): readonly Vector[] {
  const corners = distinct(written, true);
  const area = signedAreaOf(corners);
  const isOnRight = area < 0 && area > UNDECIDED - SPHERE / 2;
  return isOnRight === isHole ? corners : corners.reverse();
}

function ringEdges(corners: readonly Vector[], ring: number): RingEdge[] {
  const edges = corners.map((corner, index) => edgeOf(corner, corners[index + 1] ?? corners[0] ?? corner));
  return edges.map((edge, index) => ({
    a: edge.a,
    b: edge.b,
    normal: edge.normal,
    fromA: edge.fromA,
    fromB: edge.fromB,
    ring,
    index,
    ringSize: edges.length,
    previousNormal: (edges.at(index - 1) ?? edge).normal,
    nextNormal: (edges[index + 1] ?? edges[0] ?? edge).normal,
  }));
}

/** A polygon of closed rings, the outer one first. */
export function areaOf(rings: readonly (readonly Vector[])[]): Area {
  const corners = rings.map((ring, at) => cornersOf(ring, at > 0));
  return { boundary: treeOfEdges(corners.flatMap(ringEdges)), disk: diskAround(corners[0] ?? []) };
}

/** True when a ring that turns at a corner, from one plane to the next, leaves a place near the corner on its left. */
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

/** Where a place is, seen from a polygon's boundary. */
export interface AreaStanding {
  readonly inside: boolean;
  /** The squared chord to the boundary. */
  readonly chord: number;
}

/**
 * On which side of the boundary a place lies, and how far from it. Rings may touch each other at a place; for
 * one whose nearest is such a place, all that touch there must agree that it is inside.
 */
export function standing(area: Area, place: Vector): AreaStanding {
  const found = { inside: false, chord: Infinity, slack: 0 };
  area.boundary.towards(place, (edge) => {
    const { chord, at } = approach(edge, place);
    if (chord < found.chord - found.slack) found.inside = isOnLeft(edge, at, place);
    else if (chord <= found.chord + found.slack) found.inside &&= isOnLeft(edge, at, place);
    if (chord < found.chord) {
      found.chord = chord;
      // Distances are known to a few units of rounding; of the square, that is this much.
      found.slack = 4e-15 * Math.sqrt(chord) + 1e-29;
    }
    return found.chord + found.slack;
  });
  return { inside: found.inside && isInDisk(area.disk, place), chord: found.chord };
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

/** A box around all of the polygon, which bulges out of the box of its boundary where it holds the end of an axis. */
export function boxOfArea(area: Area): Box {
  const ends = AXES.filter((end) => contains(area, end)).map((end) => ({ low: end, high: end }));
  const { box } = area.boundary;
  return ends.reduce(around, box ?? { low: area.disk.center, high: area.disk.center });
}
