/** Our grid is Google's: numbers, neighbours and corners of cells are those of S2, by a port of it (s2js). */
import fc from '../support/fast-check.ts';
import { scaled } from '../support/long.ts';
import { s2 } from 's2js';
import { describe, expect, test } from 'vitest';
import { cellAt, cellsAround, childrenOf, FACES, quadOf, type Cell } from '../../src/query/geo/cells.ts';
import { cellOfSquare, FINEST, squareAt, squaresAround } from '../../src/query/geo/grid.ts';
import { unit, vectorOf, type Vector } from '../../src/query/geo/vectors.ts';

const DROPPED = 12n;

const numberOf = (id: bigint): Cell => Number(id >> DROPPED);
const idAt = ({ x, y, z }: Vector): bigint => s2.cellid.fromPoint(new s2.Point(x, y, z));

/** Anywhere, and where rounding decides: on the borders and corners of faces and of cells, at the poles. */
const coordinate = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(-1, 0, 1, 1 / 3, -0.5, 1 - Number.EPSILON, Number.EPSILON),
);
const direction = fc
  .tuple(coordinate, coordinate, coordinate)
  .filter(([x, y, z]) => x * x + y * y + z * z > 1e-12)
  .map(([x, y, z]) => unit({ x, y, z }));
const position = fc
  .tuple(fc.integer({ min: -12, max: 12 }), fc.integer({ min: -6, max: 6 }))
  .map(([x, y]) => vectorOf([x * 15, y * 15]));
const place = fc.oneof({ weight: 4, arbitrary: direction }, { weight: 1, arbitrary: position });

const cell = fc
  .tuple(fc.constantFrom(...FACES), fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: FINEST }))
  .map(([face, quarters]) => quarters.reduce((each, quarter) => childrenOf(each)[quarter] ?? each, face));

describe('as in S2', () => {
  test('a place is in the cell of this number', () => {
    fc.assert(
      fc.property(place, (at) => {
        expect(cellAt(at)).toBe(numberOf(s2.cellid.parent(idAt(at), FINEST)));
      }),
      { numRuns: scaled(5000) },
    );
  });

  test('a cell has these four corners, but for the last bits', () => {
    fc.assert(
      fc.property(cell, (each) => {
        const figure = s2.Cell.fromCellID(BigInt(each) << DROPPED);
        const corners = quadOf(each).edges.map(({ a }) => a);
        for (const [at, { x, y, z }] of corners.entries()) {
          const s2Corner = figure.vertex(at);
          const off = Math.max(Math.abs(x - s2Corner.x), Math.abs(y - s2Corner.y), Math.abs(z - s2Corner.z));
          expect(off).toBeLessThanOrEqual(2 * Number.EPSILON);
        }
      }),
      { numRuns: scaled(2000) },
    );
  });

  test('these cells lie around the nearest corner', () => {
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: FINEST - 1 }), (at, level) => {
        const around = squaresAround(squareAt(at), level).map((square) => {
          return numberOf(s2.cellid.parent(BigInt(cellOfSquare(square)) << DROPPED, level));
        });
        expect(around).toEqual(s2.cellid.vertexNeighbors(idAt(at), level).map(numberOf));
      }),
      { numRuns: scaled(5000) },
    );
  });

  test('a disk is held by the cells around the corner nearest to its center', () => {
    fc.assert(
      fc.property(place, fc.double({ min: 1e-8, max: 0.2, noNaN: true }), (center, radius) => {
        const cells = cellsAround({ center, radius, cosine: Math.cos(radius) });
        const neighbours = Array.from({ length: FINEST }, (_, level) =>
          s2.cellid.vertexNeighbors(idAt(center), level).map(numberOf),
        );
        expect([FACES, ...neighbours]).toContainEqual(cells);
      }),
    );
  });
});
