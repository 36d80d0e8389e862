/**
 * Bounds for how near and how far the places of a cell are from a place, by plain arithmetic on its number: a search
 * outward needs them for every entry. They are as tight as a disk around the cell.
 */
import { coarseness, type Cell } from './cells.ts';
import { findPlace, findSquare, FINEST, project, type Square, type MutableVector } from './grid.ts';
import type { Shape } from './shape.ts';
import { EARTH_RADIUS } from './vectors.ts';

/** Bounds in meters for how far from a Point's shape the places of a cell are: no less, no more. */
export type Reach = (cell: Cell) => readonly [least: number, most: number];

/** Widens each bound, in radians (6 micrometers): far more than rounding moves a place. */
const MARGIN = 1e-12;

/**
 * An upper bound for the angle from the center of a cell of level 0 to its corners, in radians; level n has a 2^n-th of
 * it: half of S2's greatest diagonal for its quadratic projection, 2.43866 / 2^level, and a little.
 */
const RADIUS = 1.22;

/** Reused for every result, because a search looks at thousands of cells. */
const square: Square = { face: 0, i: 0, j: 0 };
const found: MutableVector = { x: 0, y: 0, z: 0 };

/** The angle from a unit vector to the one that was found, precise for near and opposite places alike. */
function angleToFound(px: number, py: number, pz: number): number {
  const { x, y, z } = found;
  const cx = py * z - pz * y;
  const cy = pz * x - px * z;
  const cz = px * y - py * x;
  return Math.atan2(Math.sqrt(cx * cx + cy * cy + cz * cz), px * x + py * y + pz * z);
}

export function compileReach(point: Shape): Reach {
  const [place] = point.places.items;
  if (place === undefined) return () => [Infinity, Infinity];
  const { x, y, z } = place;
  return (cell) => {
    const level = FINEST - coarseness(cell);
    const side = 2 ** -level;
    findSquare(cell, level, square);
    findPlace(square.face, project((square.i + 0.5) * side), project((square.j + 0.5) * side), found);
    const angle = angleToFound(x, y, z);
    const radius = RADIUS * side + MARGIN;
    return [Math.max(0, angle - radius) * EARTH_RADIUS, (angle + radius) * EARTH_RADIUS];
  };
}
