/**
 * Cells of the S2 grid as plain numbers, which an index stores of a geometry in an ordinary B-tree. A cell's
 * descendants are one range of numbers around its own. A number is an S2 cell id without its lowest twelve bits: cells
 * end at level 24 (half a meter across), and all numbers stay below 2^52, exact as doubles.
 */
import { around, boxOfEdge, type Box } from './boxes.ts';
import type { Disk } from './disk.ts';
import { edgeOf, type Edge } from './edges.ts';
import {
  cellOfSquare,
  findPlace,
  findSquare,
  FINEST,
  project,
  squareAt,
  squaresAround,
  type MutableVector,
} from './grid.ts';
import { dot, plus, unit, type Vector } from './vectors.ts';

export type Cell = number;

/** From the first to the last of the cells in a cell. */
export type CellRange = readonly [min: Cell, max: Cell];

/** The six cells of level 0, the faces of a cube around the Earth. */
export const FACES: readonly Cell[] = [0, 1, 2, 3, 4, 5].map((face) => (2 * face + 1) * 4 ** FINEST);

/** The upper half of a number begins here. */
const UPPER = 2 ** 26;

/** The value of a cell's lowest bit that is set: 1 at the finest level, four times as much for each above. */
function lowestBit(cell: Cell): number {
  // Bitwise operators hold half of a number at a time.
  const low = cell % UPPER;
  if (low !== 0) return low & -low;
  const high = cell / UPPER;
  return (high & -high) * UPPER;
}

/** Levels from a cell to the finest: 0 to 24. */
export function coarseness(cell: Cell): number {
  return Math.log2(lowestBit(cell)) / 2;
}

/** The cell itself, every cell in it, and no other. */
export function rangeOf(cell: Cell): CellRange {
  const bit = lowestBit(cell);
  return [cell - (bit - 1), cell + (bit - 1)];
}

/** The four cells of the next level, or none at the finest. */
export function childrenOf(cell: Cell): readonly Cell[] {
  const step = lowestBit(cell) / 4;
  return step < 1 ? [] : [-3, -1, 1, 3].map((steps) => cell + steps * step);
}

/** The cell that this one is a quarter of, or undefined for a face. */
export function parentOf(cell: Cell): Cell | undefined {
  const level = FINEST - coarseness(cell);
  return level === 0 ? undefined : ancestorOf(cell, level - 1);
}

function ancestorOf(cell: Cell, level: number): Cell {
  const bit = 4 ** (FINEST - level);
  return Math.floor(cell / (2 * bit)) * 2 * bit + bit;
}

export function cellAt(place: Vector): Cell {
  return cellOfSquare(squareAt(place));
}

/** No cell of level n is narrower than this, in radians, divided by 2^n: 2√2/3 for S2's quadratic projection. */
const NARROWEST = 0.9428;

/** At most six cells that together hold a disk, as fine as its size lets them be. */
export function cellsAround({ center, radius }: Disk): readonly Cell[] {
  // A disk no wider than half a cell is in the up to four cells around the corner nearest to its center.
  const level = Math.min(FINEST - 1, Math.floor(Math.log2(NARROWEST / radius)) - 1);
  if (level < 1) return FACES;
  return squaresAround(squareAt(center), level).map((square) => ancestorOf(cellOfSquare(square), level));
}

/** A cell as a figure on the sphere: four edges, the cell to their left. */
export interface Quad {
  readonly center: Vector;
  readonly edges: readonly Edge[];
  /** Holds the cell: where one bulges out of the box of its edges it is a face, and its center is the farthest out. */
  readonly box: Box;
}

/** Rows and columns of a square's corners, with the square to the left of the way round. */
const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

export function quadOf(cell: Cell): Quad {
  const level = FINEST - coarseness(cell);
  const square = { face: 0, i: 0, j: 0 };
  findSquare(cell, level, square);
  const corners = CORNERS.map(([i, j]) => {
    const corner: MutableVector = { x: 0, y: 0, z: 0 };
    findPlace(
      square.face,
      project((square.i + i) / 2 ** level),
      project((square.j + j) / 2 ** level),
      corner,
    );
    return corner;
  });
  const edges = corners.map((corner, at) => edgeOf(corner, corners[(at + 1) % 4] ?? corner));
  const center = unit(corners.reduce(plus, { x: 0, y: 0, z: 0 }));
  const box = edges.reduce((whole, edge) => around(whole, boxOfEdge(edge)), { low: center, high: center });
  return { center, edges, box };
}

/** True when a place is in the cell, or outside by at most a number of radians. */
export function isInQuad(quad: Quad, place: Vector, margin: number): boolean {
  return quad.edges.every((edge) => dot(edge.normal, place) >= -margin);
}
