/**
 * Refuses well-formed geometries without a meaning on the sphere: rings that cross or touch themselves, holes outside
 * of their polygon, edges between opposite places. The work is bounded for any ring.
 */
import { areaOf, boxOfArea, contains, standing, type Area, type RingEdge } from './area.ts';
import { boxOfEdge, boxOfPlace, BoxTree } from './boxes.ts';
import { isOn, meet, type Edge } from './edges.ts';
import type { Shape } from './shape.ts';
import { dot, plus, SAME_PLACE, type Vector } from './vectors.ts';
import { middles } from './within.ts';

/** Pairs of edges compared before a polygon counts as too intricate; ordinary ones need a few for each edge. */
const COMPARISONS = 5_000_000;

/** Ends this near to opposite, in radians, leave the way between them open. */
const OPPOSITE = 1e-10;

export interface Flaw {
  /** Which line or polygon of the geometry, counted in order. */
  readonly part: 'lines' | 'areas';
  readonly index: number;
  readonly ring: number;
  readonly reason: string;
}

function hasOppositeEnds(edge: Edge): boolean {
  const sum = plus(edge.a, edge.b);
  return dot(sum, sum) < OPPOSITE ** 2;
}

/** True when neighbouring edges, of which the first ends where the second starts, run over each other. */
function foldBack(first: Edge, second: Edge): boolean {
  return isOn(first, second.b, SAME_PLACE) || isOn(second, first.a, SAME_PLACE);
}

/** True when two edges of a ring share more than the corner between neighbours. */
function clash(e: RingEdge, f: RingEdge): boolean {
  if (f.index === (e.index + 1) % e.ringSize) return foldBack(e, f);
  if (e.index === (f.index + 1) % e.ringSize) return foldBack(f, e);
  return meet(e, f, SAME_PLACE);
}

type RingFlaw = Pick<Flaw, 'ring' | 'reason'>;

/** The first ring that crosses or touches itself, or the one at which the comparisons ran out. */
function tangle(boundary: BoxTree<RingEdge>): RingFlaw | null {
  let comparisons = 0;
  for (const edge of boundary.items) {
    const isTangled = boundary.some(boxOfEdge(edge), SAME_PLACE, (other) => {
      // Each pair once, and rings apart from each other.
      if (other.index <= edge.index || other.ring !== edge.ring) return false;
      comparisons += 1;
      return comparisons > COMPARISONS || clash(edge, other);
    });
    if (comparisons > COMPARISONS) return { ring: edge.ring, reason: 'the ring is too intricate to check' };
    if (isTangled) return { ring: edge.ring, reason: 'the ring crosses or touches itself' };
  }
  return null;
}

/** Every ring of a polygon as a polygon of its own. */
function ringAreas(area: Area): Area[] {
  const rings: Vector[][] = [];
  for (const { ring, a } of area.boundary.items) (rings[ring] ??= []).push(a);
  return rings.map((ring) => areaOf([ring]));
}

function isStrictlyInside(area: Area, place: Vector): boolean {
  const { inside, chord } = standing(area, place);
  return inside && chord > SAME_PLACE ** 2;
}

/** The first hole of which some part is not inside the outer ring and outside the other holes. They may touch at places. */
function strayHole(area: Area): RingFlaw | null {
  const [outer, ...holes] = ringAreas(area);
  const alone = new BoxTree([area], boxOfArea, 1);
  const others = new BoxTree(holes, boxOfArea, 1);
  const index = holes.findIndex((hole) => {
    const isStray = (place: Vector) =>
      (outer !== undefined && !isStrictlyInside(outer, place)) ||
      others.some(boxOfPlace(place), SAME_PLACE, (other) => other !== hole && contains(other, place));
    return hole.boundary.items.some((edge) => middles(edge, alone).some(isStray));
  });
  if (index < 0) return null;
  const reason = 'the hole is not inside the outer ring, or meets another hole or ring along a line';
  return { ring: index + 1, reason };
}

function flawOfArea(area: Area, rings: number): RingFlaw | null {
  const sizes = new Map<number, number>();
  for (const edge of area.boundary.items) {
    if (hasOppositeEnds(edge))
      return { ring: edge.ring, reason: 'neighbouring positions are opposite on the sphere' };
    sizes.set(edge.ring, edge.ringSize);
  }
  for (let ring = 0; ring < rings; ring += 1) {
    if ((sizes.get(ring) ?? 0) < 3)
      return { ring, reason: 'the ring has fewer than three different positions' };
  }
  return tangle(area.boundary) ?? strayHole(area);
}

/** The first thing wrong with a shape, or null. `ringsOf` tells how many rings each polygon was written with. */
export function flawOf(shape: Shape, ringsOf: readonly number[]): Flaw | null {
  for (const [index, edges] of shape.lines.entries()) {
    if (edges.length === 0) {
      return { part: 'lines', index, ring: 0, reason: 'the line has fewer than two different positions' };
    }
    if (edges.some(hasOppositeEnds)) {
      return { part: 'lines', index, ring: 0, reason: 'neighbouring positions are opposite on the sphere' };
    }
  }
  for (const [index, area] of shape.areas.items.entries()) {
    const flaw = flawOfArea(area, ringsOf[index] ?? 1);
    if (flaw !== null) return { part: 'areas', index, ...flaw };
  }
  return null;
}
