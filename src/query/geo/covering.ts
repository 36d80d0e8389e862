/**
 * Coverings: a few cells of the grid that hold a shape, or a ring around a place; and the ranges to look up in an index
 * of stored cells. A covering may be too large, never too small.
 */
import { contains, type Area } from './area.ts';
import type { BoxTree } from './boxes.ts';
import {
  cellAt,
  cellsAround,
  childrenOf,
  coarseness,
  isInQuad,
  parentOf,
  quadOf,
  rangeOf,
  type Cell,
  type CellRange,
  type Quad,
} from './cells.ts';
import { diskAround, diskOf, type Disk } from './disk.ts';
import { meet, type Edge } from './edges.ts';
import { compileReach } from './reach.ts';
import type { Shape } from './shape.ts';
import { EARTH_RADIUS, type Vector } from './vectors.ts';

/** A cell reaches this far beyond its border, in radians (6 micrometers): far more than rounding moves a place. */
const MARGIN = 1e-12;

/** The most cells stored for a geometry: each is a row of an index. */
export const STORED_CELLS = 8;

/** The most cells of a query: each is a range to be read. */
export const QUERY_CELLS = 16;

/**
 * A look-up in an index of stored cells: a stored cell counts when it is in one of the ranges (it is inside a cell of
 * the query) or is one of the ancestors (a cell of the query is inside it).
 */
export interface Lookup {
  /** In order, apart from each other, ends included. */
  readonly ranges: readonly CellRange[];
  readonly ancestors: readonly Cell[];
}

/** How much of a cell is covered: nothing, a part, or all. */
type Standing = 'none' | 'some' | 'full';

/** The fewest cells, up to a number, after as many rounds of refining the coarsest as that number allows. */
function cover(standing: (quad: Quad) => Standing, start: readonly Cell[], most: number): Cell[] {
  const done: Cell[] = [];
  // Cells still to be refined, by their distance from the finest level.
  const waiting: Cell[][] = [];
  let count = 0;
  const add = (cell: Cell, at: Standing) => {
    count += 1;
    const level = coarseness(cell);
    if (at === 'full' || level === 0) done.push(cell);
    else (waiting[level] ??= []).push(cell);
  };
  const touched = (cells: readonly Cell[]) =>
    cells.map((cell) => [cell, standing(quadOf(cell))] as const).filter(([, at]) => at !== 'none');
  for (const [cell, at] of touched(start)) add(cell, at);
  while (waiting.length > 0) {
    const cell = waiting.at(-1)?.shift();
    if (cell === undefined) {
      waiting.pop();
      continue;
    }
    const parts = touched(childrenOf(cell));
    if (count - 1 + parts.length > most) done.push(cell);
    else {
      count -= 1;
      for (const [part, at] of parts) add(part, at);
    }
  }
  return merged(done);
}

/** The same cells with every four that make up a cell replaced by it, in order. */
function merged(cells: readonly Cell[]): Cell[] {
  const whole = new Set(cells);
  for (const cell of [...whole].sort((one, other) => coarseness(one) - coarseness(other))) {
    let parent = parentOf(cell);
    while (parent !== undefined && childrenOf(parent).every((child) => whole.has(child))) {
      for (const child of childrenOf(parent)) whole.delete(child);
      whole.add(parent);
      parent = parentOf(parent);
    }
  }
  return [...whole].sort((one, other) => one - other);
}

function edgesReach(edges: BoxTree<Edge>, quad: Quad): boolean {
  return edges.some(
    quad.box,
    MARGIN,
    (edge) => isInQuad(quad, edge.a, MARGIN) || quad.edges.some((side) => meet(edge, side, MARGIN)),
  );
}

/** How much of a cell an area covers. Without a boundary in it, all or nothing. */
function standingToArea(area: Area, quad: Quad): Standing {
  if (edgesReach(area.boundary, quad)) return 'some';
  return contains(area, quad.center) ? 'full' : 'none';
}

function standingTo(shape: Shape): (quad: Quad) => Standing {
  return (quad) => {
    const seen = new Set<Standing>();
    shape.areas.some(quad.box, MARGIN, (area) => seen.add(standingToArea(area, quad)).has('full'));
    if (seen.has('full')) return 'full';
    const some =
      seen.has('some') ||
      shape.places.some(quad.box, MARGIN, (place) => isInQuad(quad, place, MARGIN)) ||
      edgesReach(shape.edges, quad);
    return some ? 'some' : 'none';
  };
}

function diskOfShape({ places, edges, areas }: Shape): Disk {
  const corners = [...places.items];
  for (const edge of edges.items) corners.push(edge.a, edge.b);
  for (const { boundary } of areas.items) {
    for (const edge of boundary.items) if (edge.ring === 0) corners.push(edge.a);
  }
  return diskAround(corners);
}

/** The covering of a shape in at most `most` cells, in order. Few places are their own cells. */
function cellsFor(shape: Shape, most: number): readonly Cell[] {
  const { places, edges, areas } = shape;
  if (edges.items.length + areas.items.length === 0 && places.items.length <= most) {
    return merged(places.items.map(cellAt));
  }
  return cover(standingTo(shape), cellsAround(diskOfShape(shape)), most);
}

function lookupOf(cells: readonly Cell[]): Lookup {
  const ranges: [Cell, Cell][] = [];
  const ancestors = new Set<Cell>();
  for (const cell of cells) {
    const [min, max] = rangeOf(cell);
    const last = ranges.at(-1);
    // Ids of neighbouring finest cells differ by 2.
    if (last !== undefined && min <= last[1] + 2) last[1] = max;
    else ranges.push([min, max]);
    for (let up = parentOf(cell); up !== undefined && !ancestors.has(up); up = parentOf(up))
      ancestors.add(up);
  }
  return { ranges, ancestors: [...ancestors].sort((one, other) => one - other) };
}

/** The cells to store for a geometry, at most `STORED_CELLS`. */
export function cellsOf(shape: Shape): readonly Cell[] {
  return cellsFor(shape, STORED_CELLS);
}

/** The cell in which a Point is stored; null for any other geometry. */
export function cellOfPoint({ places, edges, areas }: Shape): Cell | null {
  const [place] = places.items;
  const isPoint = places.items.length === 1 && edges.items.length + areas.items.length === 0;
  return isPoint && place !== undefined ? cellAt(place) : null;
}

/** A few cells that hold a geometry, found at a fraction of the cost of `cellsOf`. */
export function roughCellsOf(shape: Shape): readonly Cell[] {
  return cellsAround(diskOfShape(shape));
}

/** A look-up that finds every stored geometry that has a place in common with the shape (and so all within it). */
export function coveringOf(shape: Shape): Lookup {
  const { places, edges, areas } = shape;
  return edges.items.length + areas.items.length === 0 && places.items.length <= QUERY_CELLS / 4
    ? lookupOf(merged(places.items.flatMap(cellsAt)))
    : lookupOf(cover(standingTo(shape), cellsAround(diskOfShape(shape)), QUERY_CELLS));
}

/** The finest cells around a place: up to four where it is on a border, as the same place may be stored beyond it. */
function cellsAt(place: Vector): readonly Cell[] {
  const standing = (quad: Quad) => (isInQuad(quad, place, MARGIN) ? 'some' : 'none');
  return cover(standing, cellsAround(diskOf(place, 0)), 4);
}

/** A look-up of all between two distances from a Point. */
export interface Ring extends Lookup {
  /** Cells that together hold the ring; the ranges are theirs. */
  readonly cells: readonly Cell[];
}

/**
 * Rounds of parting the cells around a ring. Three leave about a quarter of its breadth as excess: for a search outward
 * more take longer than they save. A filter, which looks at all that is found, has one more.
 */
export const PARTINGS = { outward: 3, filter: 4 } as const;

/**
 * A look-up that finds every stored geometry whose distance from a Point's shape may be from `min` to `max` meters. The
 * rings of a nearest-first search share their borders and may find a geometry twice.
 */
export function ringAround(
  point: Shape,
  min: number,
  max: number,
  rounds: number = PARTINGS.filter,
  reach = compileReach(point),
): Ring {
  const [place] = point.places.items;
  if (place === undefined) return { cells: [], ranges: [], ancestors: [] };
  const cells: Cell[] = [];
  const add = (cell: Cell, partings: number): void => {
    const [nearest, farthest] = reach(cell);
    if (nearest > max || farthest < min) return;
    const isInside = nearest >= min && farthest <= max;
    const parts = isInside || partings === 0 ? [] : childrenOf(cell);
    if (parts.length === 0) cells.push(cell);
    for (const part of parts) add(part, partings - 1);
  };
  for (const cell of new Set(cellsAround(diskOf(place, max / EARTH_RADIUS)))) add(cell, rounds);
  cells.sort((one, other) => one - other);
  return { cells, ...lookupOf(cells) };
}
