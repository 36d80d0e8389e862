/**
 * A tree of boxes around edges, so that only the edges near a place or another edge are looked at. Edges keep
 * their order, in which neighbours are near each other anyway: building it takes no sorting.
 */
import { chordSquared } from './vectors.ts';
import type { Vector } from './vectors.ts';
import type { Edge } from './edges.ts';

/** A box in space, its sides along the axes. */
export interface Box {
  readonly low: Vector;
  readonly high: Vector;
}

interface Node<E extends Edge> {
  readonly box: Box;
  readonly parts: readonly [Node<E>, Node<E>] | null;
  /** Empty unless the node is a leaf. */
  readonly edges: readonly E[];
}

const LEAF = 8;

/** The box of an edge, bulge included: an arc leaves its chord by at most 1 - cos(angle / 2). */
export function boxOf({ a, b }: Edge, margin = 0): Box {
  const halfChord = chordSquared(a, b) / 4;
  const bulge = halfChord / (1 + Math.sqrt(Math.max(0, 1 - halfChord))) + margin;
  return {
    low: { x: Math.min(a.x, b.x) - bulge, y: Math.min(a.y, b.y) - bulge, z: Math.min(a.z, b.z) - bulge },
    high: { x: Math.max(a.x, b.x) + bulge, y: Math.max(a.y, b.y) + bulge, z: Math.max(a.z, b.z) + bulge },
  };
}

/** The box around two boxes. */
export function around(one: Box, other: Box): Box {
  const [l, m, h, i] = [one.low, other.low, one.high, other.high];
  return {
    low: { x: Math.min(l.x, m.x), y: Math.min(l.y, m.y), z: Math.min(l.z, m.z) },
    high: { x: Math.max(h.x, i.x), y: Math.max(h.y, i.y), z: Math.max(h.z, i.z) },
  };
}

/** True when the boxes are no farther apart than the margin along any axis. */
export function overlap(one: Box, other: Box, margin: number): boolean {
  return (
    one.low.x <= other.high.x + margin &&
    other.low.x <= one.high.x + margin &&
    one.low.y <= other.high.y + margin &&
    other.low.y <= one.high.y + margin &&
    one.low.z <= other.high.z + margin &&
    other.low.z <= one.high.z + margin
  );
}

/** The squared distance of a place from a box: never more than the squared chord to anything in it. */
function chordTo({ low, high }: Box, place: Vector): number {
  const x = place.x < low.x ? low.x - place.x : place.x > high.x ? place.x - high.x : 0;
  const y = place.y < low.y ? low.y - place.y : place.y > high.y ? place.y - high.y : 0;
  const z = place.z < low.z ? low.z - place.z : place.z > high.z ? place.z - high.z : 0;
  return x * x + y * y + z * z;
}

function build<E extends Edge>(edges: readonly E[]): Node<E> | null {
  const [first, ...others] = edges.length <= LEAF ? edges : [];
  if (first !== undefined) {
    return { box: others.reduce((box, edge) => around(box, boxOf(edge)), boxOf(first)), parts: null, edges };
  }
  if (edges.length === 0) return null;
  const middle = edges.length >> 1;
  const left = build(edges.slice(0, middle));
  const right = build(edges.slice(middle));
  if (left === null || right === null) return left ?? right;
  return { box: around(left.box, right.box), parts: [left, right], edges: [] };
}

export class EdgeTree<E extends Edge> {
  readonly edges: readonly E[];
  #root: Node<E> | null | undefined;

  constructor(edges: readonly E[]) {
    this.edges = edges;
  }

  get #top(): Node<E> | null {
    return (this.#root ??= build(this.edges));
  }

  /** The box of all edges, or null when there are none. */
  get box(): Box | null {
    return this.#top?.box ?? null;
  }

  /** True when some edge whose surroundings overlap the box passes the test. */
  some(box: Box, margin: number, test: (edge: E) => boolean): boolean {
    const waiting = this.#top === null ? [] : [this.#top];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (!overlap(node.box, box, margin)) continue;
      if (node.parts === null) {
        if (node.edges.some(test)) return true;
      } else waiting.push(node.parts[1], node.parts[0]);
    }
    return false;
  }

  /** Shows every edge that may be nearest to the place; the visitor answers with the squared chord worth going on for. */
  towards(place: Vector, visit: (edge: E) => number): void {
    if (this.#top !== null) descend(this.#top, place, Infinity, visit);
  }
}

function descend<E extends Edge>(
  node: Node<E>,
  place: Vector,
  limit: number,
  visit: (edge: E) => number,
): number {
  let within = limit;
  if (node.parts === null) {
    for (const edge of node.edges) within = visit(edge);
    return within;
  }
  const [left, right] = node.parts;
  const toLeft = chordTo(left.box, place);
  const toRight = chordTo(right.box, place);
  const [near, far] = toLeft <= toRight ? [left, right] : [right, left];
  if (Math.min(toLeft, toRight) <= within) within = descend(near, place, within, visit);
  return Math.max(toLeft, toRight) <= within ? descend(far, place, within, visit) : within;
}
