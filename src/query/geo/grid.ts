/**
 * The S2 grid (s2geometry.io): six faces of a cube around the Earth, each cut into squares by S2's quadratic projection
 * and numbered along a Hilbert curve. Converts places to numbers of finest cells and back, bit for bit as S2 does,
 * since indexes hold these numbers. The caller gives the objects for results, so that thousands of cells allocate
 * nothing.
 */
import type { Vector } from './vectors.ts';

/** The finest level of cells: half a meter across. */
export const FINEST = 24;

/** Squares of the finest level along a face. */
const SIDE = 2 ** FINEST;

/** A cell as a square on a face of the cube: its row and column among the `2^level` squares each way. */
export interface Square {
  face: number;
  i: number;
  j: number;
}

/** A vector to be written to. */
export type MutableVector = { -readonly [Axis in keyof Vector]: number };

/** Numbers of cells as two integers that bitwise operators can hold: twelve levels, and twelve more above a bit. */
const HALF = 12;
const SPLIT = 2 ** (2 * HALF + 1);

/**
 * The Hilbert curve: for an orientation and a quarter along it, the quarter's `2 * i + j`; the inverse of that; and how
 * the curve is turned in a quarter.
 */
const QUARTERS = [0, 1, 3, 2, 0, 2, 3, 1, 3, 2, 0, 1, 3, 1, 0, 2];
const PLACES = [0, 1, 3, 2, 0, 3, 1, 2, 2, 3, 1, 0, 2, 1, 3, 0];
const TURNS = [1, 0, 0, 3];

export function findSquare(cell: number, level: number, into: Square): void {
  const high = Math.floor(cell / SPLIT);
  const low = cell % SPLIT;
  into.face = high >> (2 * HALF);
  let orientation = into.face & 1;
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
  into.i = i;
  into.j = j;
}

export function cellOfSquare({ face, i, j }: Square): number {
  let orientation = face & 1;
  let high = face;
  let low = 0;
  for (let level = FINEST - 1; level >= 0; level -= 1) {
    const at = 2 * ((i >> level) & 1) + ((j >> level) & 1);
    const quarter = PLACES[4 * orientation + at] ?? 0;
    if (level >= HALF) high = 4 * high + quarter;
    else low = 4 * low + quarter;
    orientation ^= TURNS[quarter] ?? 0;
  }
  return high * SPLIT + 2 * low + 1;
}

/** S2's quadratic projection, from 0 to 1 along a face to -1 to 1 on the cube. */
export function project(share: number): number {
  return (1 / 3) * (share >= 0.5 ? 4 * share * share - 1 : 1 - 4 * (1 - share) * (1 - share));
}

function shareOf(projected: number): number {
  return projected >= 0 ? 0.5 * Math.sqrt(1 + 3 * projected) : 1 - 0.5 * Math.sqrt(1 - 3 * projected);
}

export function findPlace(face: number, u: number, v: number, into: MutableVector): void {
  const size = 1 / Math.sqrt(1 + u * u + v * v);
  // Not taken apart from an array, here and below: V8 makes it of whole numbers first, which was more than half
  // of this function's time.
  const a = u * size;
  const b = v * size;
  switch (face) {
    case 0: {
      put(size, a, b, into);
      return;
    }
    case 1: {
      put(-a, size, b, into);
      return;
    }
    case 2: {
      put(-a, -b, size, into);
      return;
    }
    case 3: {
      put(-size, -b, -a, into);
      return;
    }
    case 4: {
      put(b, -size, -a, into);
      return;
    }
    default: {
      put(b, a, -size, into);
      return;
    }
  }
}

function put(x: number, y: number, z: number, into: MutableVector): void {
  into.x = x;
  into.y = y;
  into.z = z;
}

/** The square of the finest level that holds a place; where faces meet, the later axis. */
export function squareAt({ x, y, z }: Vector): Square {
  return squareBy(faceOf(x, y, z), x, y, z, shareOf);
}

function faceOf(x: number, y: number, z: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const c = Math.abs(z);
  if (a > b && a > c) return x < 0 ? 3 : 0;
  if (a <= b && b > c) return y < 0 ? 4 : 1;
  return z < 0 ? 5 : 2;
}

function squareBy(
  face: number,
  x: number,
  y: number,
  z: number,
  share: (projected: number) => number,
): Square {
  const at = (u: number, v: number): Square => ({ face, i: indexAt(share(u)), j: indexAt(share(v)) });
  switch (face) {
    case 0:
      return at(y / x, z / x);
    case 1:
      return at(-x / y, z / y);
    case 2:
      return at(-x / z, -y / z);
    case 3:
      return at(z / x, y / x);
    case 4:
      return at(z / y, -x / y);
    default:
      return at(-y / z, -x / z);
  }
}

function indexAt(share: number): number {
  return Math.max(0, Math.min(SIDE - 1, Math.floor(SIDE * share)));
}

/** Barely outside a face: further out, the projection would move the other coordinate as well. */
const OUTSIDE = 1 + Number.EPSILON;

/** The square that follows on the next face where row or column is one too low or too high. */
function wrapped({ face, i, j }: Square): Square {
  // Between faces any projection will do that is undone the same way: a linear one.
  const linear = (index: number) =>
    Math.max(-OUTSIDE, Math.min(OUTSIDE, (2 * Math.max(-1, Math.min(SIDE, index)) + 1 - SIDE) / SIDE));
  const place: MutableVector = { x: 0, y: 0, z: 0 };
  findPlace(face, linear(i), linear(j), place);
  const { x, y, z } = place;
  return squareBy(faceOf(x, y, z), x, y, z, (projected) => 0.5 * (projected + 1));
}

/**
 * Squares of the finest level in the cells of a level around the corner that is nearest to a square: four, or three
 * where faces meet. The level is from 0 to 23.
 */
export function squaresAround(square: Square, level: number): readonly Square[] {
  const size = 2 ** (FINEST - level);
  const { face, i, j } = square;
  const step = (index: number) => (index % size >= size / 2 ? size : -size);
  const [nextI, nextJ] = [i + step(i), j + step(j)];
  const isOn = (index: number) => index >= 0 && index < SIDE;
  const at = (row: number, column: number): Square => {
    const moved = { face, i: row, j: column };
    return isOn(row) && isOn(column) ? moved : wrapped(moved);
  };
  const around = [square, at(nextI, j), at(i, nextJ)];
  return isOn(nextI) || isOn(nextJ) ? [...around, at(nextI, nextJ)] : around;
}
