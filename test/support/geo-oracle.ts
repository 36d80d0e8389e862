/**
 * A second opinion on geometry: spherical trigonometry from the textbook, slow and plain, that shares no code
 * and no method with what it judges. Angles are in radians, positions in degrees.
 */
import type { Position } from '../../src/query/geo/geometry.ts';

export const RADIUS = 6_378_100;
const RADIANS = Math.PI / 180;

type Triple = readonly [number, number, number];

function triple([longitude = 0, latitude = 0]: Position): Triple {
  const [l, p] = [longitude * RADIANS, latitude * RADIANS];
  return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)];
}

const times = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const inner = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** The haversine of the angle between two positions: it orders as the angle does and is cheap to brute-force with. */
function haversine([l1 = 0, p1 = 0]: Position, [l2 = 0, p2 = 0]: Position): number {
  const dp = Math.sin(((p2 - p1) * RADIANS) / 2);
  const dl = Math.sin(((l2 - l1) * RADIANS) / 2);
  return dp * dp + Math.cos(p1 * RADIANS) * Math.cos(p2 * RADIANS) * dl * dl;
}

export function angle(a: Position, b: Position): number {
  return 2 * Math.asin(Math.min(1, Math.sqrt(haversine(a, b))));
}

/** The direction from a to b, clockwise from north. */
function bearing([l1 = 0, p1 = 0]: Position, [l2 = 0, p2 = 0]: Position): number {
  const [a, b, d] = [p1 * RADIANS, p2 * RADIANS, (l2 - l1) * RADIANS];
  const east = Math.sin(d) * Math.cos(b);
  return Math.atan2(east, Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(d));
}

/** The position reached from another by going so far in a direction; at a pole, north is along its longitude. */
export function travel([l1 = 0, p1 = 0]: Position, direction: number, far: number): Position {
  const [l, p] = [l1 * RADIANS, p1 * RADIANS];
  const start = triple([l1, p1]);
  const north: Triple = [-Math.sin(p) * Math.cos(l), -Math.sin(p) * Math.sin(l), Math.cos(p)];
  const east: Triple = [-Math.sin(l), Math.cos(l), 0];
  const at = (axis: 0 | 1 | 2) =>
    start[axis] * Math.cos(far) +
    (north[axis] * Math.cos(direction) + east[axis] * Math.sin(direction)) * Math.sin(far);
  return [Math.atan2(at(1), at(0)) / RADIANS, Math.atan2(at(2), Math.hypot(at(0), at(1))) / RADIANS];
}

/** The angle from a position to the nearest part of an arc, by cross-track and along-track distances. */
function angleToArc(p: Position, a: Position, b: Position): number {
  const ends = Math.min(angle(p, a), angle(p, b));
  const [toP, length] = [angle(a, p), angle(a, b)];
  const turned = bearing(a, p) - bearing(a, b);
  if (Math.cos(turned) <= 0) return ends;
  const off = Math.asin(Math.sin(toP) * Math.sin(turned));
  const on = Math.atan2(Math.cos(turned) * Math.sin(toP), Math.cos(toP));
  return on >= 0 && on <= length ? Math.min(ends, Math.abs(off)) : ends;
}

/** Whether two arcs cross: the line their planes share passes through both. */
function arcsCross(a: Position, b: Position, c: Position, d: Position): boolean {
  const [ta, tb, tc, td] = [triple(a), triple(b), triple(c), triple(d)];
  const [m, n] = [times(ta, tb), times(tc, td)];
  const shared = times(m, n);
  const holds = (normal: Triple, from: Triple, to: Triple, at: Triple) =>
    inner(times(normal, from), at) > 0 && inner(times(to, normal), at) > 0;
  const opposite: Triple = [-shared[0], -shared[1], -shared[2]];
  return [shared, opposite].some((at) => holds(m, ta, tb, at) && holds(n, tc, td, at));
}

export type Ring = readonly Position[];

function arcs(line: Ring): [Position, Position][] {
  return line.slice(1).map((to, index) => [line[index] ?? to, to]);
}

/** A figure whose inside is known at one place. */
export interface Figure {
  readonly center: Position;
  readonly ring: Ring;
}

/** Whether the way to a position from one near the center crosses the ring an even number of times. */
export function isInside({ center, ring }: Figure, place: Position): boolean {
  const toCorners = ring.map((corner) => angle(center, corner));
  if (angle(center, place) > Math.max(...toCorners) * 1.000001) return false;
  // Not from the center itself: that is often in line with a place and a corner, which tells nothing.
  const from = travel(center, 0.739, Math.min(...toCorners) / 9);
  return arcs(ring).filter(([a, b]) => arcsCross(from, place, a, b)).length % 2 === 0;
}

export function angleToLine(place: Position, line: Ring): number {
  return Math.min(...arcs(line).map(([a, b]) => angleToArc(place, a, b)));
}

export function linesCross(one: Ring, other: Ring): boolean {
  return arcs(one).some(([a, b]) => arcs(other).some(([c, d]) => arcsCross(a, b, c, d)));
}

/** The least angle between a corner of either line and the other line: what is nearly a touch, or nearly none. */
export function clearance(one: Ring, other: Ring): number {
  return Math.min(...one.map((p) => angleToLine(p, other)), ...other.map((p) => angleToLine(p, one)));
}

/** A star-shaped figure: for each share from 0 to 1, in even directions, a corner at that share of the radius. */
export function star(center: Position, radius: number, shares: readonly number[], turned = 0): Figure {
  const corners = shares.map((share, index) =>
    travel(center, turned + (2 * Math.PI * index) / shares.length, radius * share),
  );
  return { center, ring: [...corners, ...corners.slice(0, 1)] };
}
