/**
 * Edges: arcs of great circles shorter than half the sphere, with how near a place is to one and how two of
 * them meet. Meeting is closed: edges that only touch, within `SAME_PLACE`, do meet.
 */
import { chordSquared, cross, dot, minus, NOISE, plus, SAME_PLACE, unit, type Vector } from './vectors.ts';

export interface Edge {
  readonly a: Vector;
  readonly b: Vector;
  /** Unit normal of the edge's plane: what is to the left of the way from a to b has a positive product with it. */
  readonly normal: Vector;
  /** The direction of travel at a, and the opposite of it at b: a place is beside the edge when before both. */
  readonly fromA: Vector;
  readonly fromB: Vector;
}

/** The edge between two places that are neither the same nor opposite. */
export function edgeOf(a: Vector, b: Vector): Edge {
  // Sum and difference are nearly orthogonal, so this keeps full precision where a × b would lose it.
  const normal = unit(cross(minus(a, b), plus(a, b)));
  return { a, b, normal, fromA: cross(normal, a), fromB: cross(b, normal) };
}

/** True when the nearest place of the edge to this one is not one of its ends. */
function isBeside(edge: Edge, place: Vector): boolean {
  return dot(edge.fromA, place) > 0 && dot(edge.fromB, place) > 0;
}

/** Where on an edge the place nearest to a given one lies, and the squared chord to it. */
export interface Approach {
  readonly chord: number;
  readonly at: 'inside' | 'a' | 'b';
}

export function approach(edge: Edge, place: Vector): Approach {
  if (isBeside(edge, place)) {
    const height = dot(edge.normal, place);
    const square = height * height;
    return { chord: (2 * square) / (1 + Math.sqrt(Math.max(0, 1 - square))), at: 'inside' };
  }
  const toA = chordSquared(place, edge.a);
  const toB = chordSquared(place, edge.b);
  return toA <= toB ? { chord: toA, at: 'a' } : { chord: toB, at: 'b' };
}

/** True when the place lies on the edge, within a tolerance in radians. */
export function isOn(edge: Edge, place: Vector, tolerance: number): boolean {
  if (Math.abs(dot(edge.normal, place)) > tolerance) return false;
  return approach(edge, place).chord <= tolerance * tolerance;
}

/** True when the edges pass through each other. Only to be trusted where no end of one lies on the other. */
export function cuts(e: Edge, f: Edge): boolean {
  const fa = dot(e.normal, f.a);
  const fb = dot(e.normal, f.b);
  if (Math.abs(fa) <= NOISE || Math.abs(fb) <= NOISE || fa > 0 === fb > 0) return false;
  const ea = dot(f.normal, e.a);
  const eb = dot(f.normal, e.b);
  if (Math.abs(ea) <= NOISE || Math.abs(eb) <= NOISE) return false;
  // Ends on opposite sides both ways is also true of an edge and the antipode of the other; the sense tells.
  return fa > 0 ? ea < 0 && eb > 0 : ea > 0 && eb < 0;
}

/** True when the edges have a place in common, within a tolerance in radians. */
export function meet(e: Edge, f: Edge, tolerance: number): boolean {
  const fa = dot(e.normal, f.a);
  const fb = dot(e.normal, f.b);
  if ((fa > tolerance && fb > tolerance) || (fa < -tolerance && fb < -tolerance)) return false;
  const ea = dot(f.normal, e.a);
  const eb = dot(f.normal, e.b);
  if ((ea > tolerance && eb > tolerance) || (ea < -tolerance && eb < -tolerance)) return false;
  return (
    isOn(e, f.a, tolerance) ||
    isOn(e, f.b, tolerance) ||
    isOn(f, e.a, tolerance) ||
    isOn(f, e.b, tolerance) ||
    cuts(e, f)
  );
}

/** How far along the edge, in radians from a, a place on it lies. */
export function along(edge: Edge, place: Vector): number {
  return Math.atan2(dot(edge.fromA, place), dot(edge.a, place));
}

export function cutOf(e: Edge, f: Edge): Vector {
  const place = unit(cross(e.normal, f.normal));
  // The planes meet in two opposite places; the one on the edge is that on the side of its middle.
  return dot(place, plus(e.a, e.b)) >= 0 ? place : { x: -place.x, y: -place.y, z: -place.z };
}

/** The places of a line without those that repeat the one before; of a ring, as written, without its last too. */
export function distinct(places: readonly Vector[], isRing: boolean): Vector[] {
  const kept: Vector[] = [];
  for (const place of places) {
    const last = kept.at(-1);
    if (last === undefined || chordSquared(last, place) > SAME_PLACE ** 2) kept.push(place);
  }
  const [first] = kept;
  if (!isRing || first === undefined) return kept;
  while (kept.length > 1 && chordSquared(kept.at(-1) ?? first, first) <= SAME_PLACE ** 2) kept.pop();
  return kept;
}

/** The edges of a line: none when its positions are all one place. */
export function edgesAlong(places: readonly Vector[]): Edge[] {
  const edges: Edge[] = [];
  let last: Vector | undefined;
  for (const place of distinct(places, false)) {
    if (last !== undefined) edges.push(edgeOf(last, place));
    last = place;
  }
  return edges;
}
