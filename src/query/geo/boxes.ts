/**
 * A tree of boxes around things on the sphere, so that only those near a place or another thing are looked at.
 * Things keep their order, in which neighbours are mostly near each other: building the tree takes no sorting.
 */
import { chordSquared, type Vector } from './vectors.ts';
import type { Edge } from './edges.ts';

/** A box in space, its sides along the axes. */
export interface Box {
  readonly low: Vector;
  readonly high: Vector;
}

interface Node<T> {
  readonly box: Box;
  readonly parts: readonly [Node<T>, Node<T>] | null;
  /** Empty unless the node is a leaf. */
  readonly items: readonly T[];
}

/** The box of an edge, bulge included: an arc leaves its chord by at most 1 - cos(angle / 2). */
export function boxOfEdge({ a, b }: Edge): Box {
  const halfChord = chordSquared(a, b) / 4;
  const bulge = halfChord / (1 + Math.sqrt(Math.max(0, 1 - halfChord)));
  return {
    low: { x: Math.min(a.x, b.x) - bulge, y: Math.min(a.y, b.y) - bulge, z: Math.min(a.z, b.z) - bulge },
    high: { x: Math.max(a.x, b.x) + bulge, y: Math.max(a.y, b.y) + bulge, z: Math.max(a.z, b.z) + bulge },
  };
}

export function boxOfPlace(place: Vector): Box {
  return { low: place, high: place };
}

export function around(one: Box, other: Box): Box {
  const [l, m, h, i] = [one.low, other.low, one.high, other.high];
  return {
    low: { x: Math.min(l.x, m.x), y: Math.min(l.y, m.y), z: Math.min(l.z, m.z) },
    high: { x: Math.max(h.x, i.x), y: Math.max(h.y, i.y), z: Math.max(h.z, i.z) },
  };
}

/** True when the boxes are no farther apart than the margin along any axis. */
function overlap(one: Box, other: Box, margin: number): boolean {
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

function build<T>(items: readonly T[], boxOf: (item: T) => Box, leaf: number): Node<T> | null {
  if (items.length <= leaf) {
    const boxes = items.map(boxOf);
    return boxes.length === 0 ? null : { box: boxes.reduce(around), parts: null, items };
  }
  const middle = items.length >> 1;
  const left = build(items.slice(0, middle), boxOf, leaf);
  const right = build(items.slice(middle), boxOf, leaf);
  if (left === null || right === null) return left ?? right;
  return { box: around(left.box, right.box), parts: [left, right], items: [] };
}

export class BoxTree<out T> {
  readonly items: readonly T[];
  readonly #plant: () => Node<T> | null;
  #root: Node<T> | null = null;

  /** `leaf` is how many items share a box: few where to look at one is dear. */
  constructor(items: readonly T[], boxOf: (item: T) => Box, leaf: number) {
    this.items = items;
    this.#plant = () => build(items, boxOf, leaf);
  }

  /** The tree, built when first asked for; null when there are no items. */
  get #top(): Node<T> | null {
    this.#root ??= this.#plant();
    return this.#root;
  }

  /** The box of all items, or null when there are none. */
  get box(): Box | null {
    return this.#top?.box ?? null;
  }

  /** True when some item whose surroundings overlap the box passes the test. */
  some(box: Box, margin: number, test: (item: T) => boolean): boolean {
    return this.#top !== null && someIn(this.#top, box, margin, test);
  }

  /** Shows every item that may be nearest to the place; the visitor answers the squared chord worth going on for. */
  towards(place: Vector, visit: (item: T) => number): void {
    if (this.#top !== null) descend(this.#top, place, Infinity, visit);
  }
}

function someIn<T>(node: Node<T>, box: Box, margin: number, test: (item: T) => boolean): boolean {
  if (!overlap(node.box, box, margin)) return false;
  if (node.parts === null) return node.items.some(test);
  return someIn(node.parts[0], box, margin, test) || someIn(node.parts[1], box, margin, test);
}

function descend<T>(node: Node<T>, place: Vector, limit: number, visit: (item: T) => number): number {
  let within = limit;
  if (node.parts === null) {
    for (const item of node.items) within = visit(item);
    return within;
  }
  const [left, right] = node.parts;
  const toLeft = chordTo(left.box, place);
  const toRight = chordTo(right.box, place);
  const [near, far] = toLeft <= toRight ? [left, right] : [right, left];
  if (Math.min(toLeft, toRight) <= within) within = descend(near, place, within, visit);
  return Math.max(toLeft, toRight) <= within ? descend(far, place, within, visit) : within;
}

export function treeOfEdges<E extends Edge>(edges: readonly E[]): BoxTree<E> {
  return new BoxTree(edges, boxOfEdge, 8);
}
