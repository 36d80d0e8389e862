/**
 * How near and how far the places of a cell are from a place, by plain arithmetic on its number: a search outward
 * asks this of every entry that it meets. Bounds only; they are as tight as a disk around the cell.
 */
import { coarseness, FINEST } from './cells.ts';
import type { Cell } from './cells.ts';
import type { Shape } from './shape.ts';
import { EARTH_RADIUS } from './vectors.ts';

/** Bounds in meters for how far from a Point's shape the places of a cell are: no less, no more. */
export type Reach = (cell: Cell) => readonly [least: number, most: number];

/** What is added to each bound, in radians (6 micrometers): far more than rounding moves a place. */
const MARGIN = 1e-12;

/**
 * The farthest that a corner of a finest cell is from its center, in radians: half of S2's greatest diagonal for
 * its quadratic projection, 2.4387 / 2^level, and a little.
 */
const FINEST_RADIUS = 1.25 / 2 ** FINEST;

/** Numbers of cells as two integers that bitwise operators can hold: twelve levels, and twelve more above a bit. */
const HALF = 12;
const SPLIT = 2 ** (2 * HALF + 1);

/** The Hilbert curve: for an orientation and a quarter along it, the quarter's `2 * i + j`; and how it is turned then. */
const QUARTERS = [0, 1, 3, 2, 0, 2, 3, 1, 3, 2, 0, 1, 3, 1, 0, 2];
const TURNS = [1, 0, 0, 3];

/** A cell as a square on a face of the cube: its row and column among the `2^level` squares each way. */
const square = { face: 0, i: 0, j: 0 };

function findSquare(cell: Cell, level: number): void {
  const high = Math.floor(cell / SPLIT);
  const low = cell % SPLIT;
  square.face = high >> (2 * HALF);
  let orientation = square.face & 1;
  let i = 0;
  let j = 0;
  for (let done = 0; done < level; done += 1) {
    const quarter =
      done < HALF ? (high >> (2 * (HALF - 1 - done))) & 3 : (low >> (2 * (2 * HALF - 1 - done) + 1)) & 3;
    const at = QUARTERS[4 * orientation + quarter] ?? 0;
    i = 2 * i + (at >> 1);
    j = 2 * j + (at & 1);
    orientation ^= TURNS[quarter] ?? 0;
  }
  square.i = i;
  square.j = j;
}

/** S2's quadratic projection, from 0 to 1 along a face to -1 to 1 on the cube. */
function project(share: number): number {
  return share >= 0.5 ? (4 * share * share - 1) / 3 : (1 - 4 * (1 - share) * (1 - share)) / 3;
}

/** The unit vector that was found last: one, so that none is made for each of thousands of cells. */
const found = { x: 0, y: 0, z: 0 };

function findPlace(face: number, u: number, v: number): void {
  const size = 1 / Math.sqrt(1 + u * u + v * v);
  const [a, b] = [u * size, v * size];
  switch (face) {
    case 0:
      return put(size, a, b);
    case 1:
      return put(-a, size, b);
    case 2:
      return put(-a, -b, size);
    case 3:
      return put(-size, -b, -a);
    case 4:
      return put(b, -size, -a);
    default:
      return put(b, a, -size);
  }
}

function put(x: number, y: number, z: number): void {
  found.x = x;
  found.y = y;
  found.z = z;
}

/** The angle from a unit vector to the one that was found, precise for near and opposite places alike. */
function angleToFound(px: number, py: number, pz: number): number {
  const { x, y, z } = found;
  const cx = py * z - pz * y;
  const cy = pz * x - px * z;
  const cz = px * y - py * x;
  return Math.atan2(Math.sqrt(cx * cx + cy * cy + cz * cz), px * x + py * y + pz * z);
}

/** The angle from the center of the square, which was found last, to its farthest corner. */
function radiusOfSquare(side: number): number {
  const { x, y, z } = found;
  const { face, i, j } = square;
  let radius = 0;
  for (let corner = 0; corner < 4; corner += 1) {
    findPlace(face, project((i + (corner >> 1)) * side), project((j + (corner & 1)) * side));
    radius = Math.max(radius, angleToFound(x, y, z));
  }
  return radius;
}

export function compileReach(point: Shape): Reach {
  const [place] = point.places.items;
  if (place === undefined) return () => [Infinity, Infinity];
  const { x, y, z } = place;
  return (cell) => {
    const level = FINEST - coarseness(cell);
    const side = 2 ** -level;
    findSquare(cell, level);
    findPlace(square.face, project((square.i + 0.5) * side), project((square.j + 0.5) * side));
    const angle = angleToFound(x, y, z);
    const radius = (level === FINEST ? FINEST_RADIUS : radiusOfSquare(side)) + MARGIN;
    return [Math.max(0, angle - radius) * EARTH_RADIUS, (angle + radius) * EARTH_RADIUS];
  };
}
