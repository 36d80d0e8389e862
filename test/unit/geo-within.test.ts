// What lies within what on the sphere: a table for each sentence of the specification.
import { describe, expect, it } from 'vitest';
import { within } from '../../src/query/geo/within.ts';
import type { Geometry } from '../../src/query/geo/geometry.ts';
import {
  box,
  collection,
  line,
  point,
  points,
  polygon,
  polygons,
  ring,
  shapeOf,
} from '../support/geo-shapes.ts';

type Case = [name: string, one: Geometry, other: Geometry, expected: boolean];

function lieWithin(cases: readonly Case[]) {
  it.each(cases)('%s', (_name, one, other, expected) => {
    expect(within(shapeOf(one), shapeOf(other))).toBe(expected);
  });
}

const square = polygon(box(0, 0, 10, 10));
const holed = polygon(box(0, 0, 10, 10), box(4, 4, 6, 6));

describe('the boundary belongs to a polygon', () => {
  it.each([
    ['a corner', point(10, 10)],
    ['a side', point(10, 7.7)],
    ['a whole side', line([10, 0], [10, 10])],
    ['the whole ring', line(...box(0, 0, 10, 10))],
    ['the polygon itself', square],
    ['the polygon the other way round', polygon(box(0, 0, 10, 10).reverse())],
  ])('%s is within', (_name, geometry) => {
    expect(within(shapeOf(geometry), shapeOf(square))).toBe(true);
  });
});

describe('field geometry is inside the given polygon', () => {
  lieWithin([
    ['a point', point(5, 5), square, true],
    ['a point outside', point(15, 5), square, false],
    ['a point in a hole', point(5, 5), holed, false],
    ['all of some points', points([1, 1], [2, 2]), square, true],
    ['some of some points', points([1, 1], [12, 2]), square, false],
    ['a line', line([1, 1], [9, 9]), square, true],
    ['a line that leaves', line([1, 1], [11, 9]), square, false],
    ['a line that leaves and comes back', line([1, 1], [12, 5], [1, 9]), square, false],
    ['a line across a hole', line([1, 5], [9, 5]), holed, false],
    ['a line along a hole', line([4, 3], [4, 7]), holed, true],
    ['a line between the corners of a hole', line([4, 4], [6, 6]), holed, false],
    ['a polygon', polygon(box(1, 1, 3, 3)), square, true],
    ['a polygon that overlaps', polygon(box(5, 5, 15, 9)), square, false],
    ['a polygon around', polygon(box(-5, -5, 15, 15)), square, false],
    ['a polygon around a hole', polygon(box(3, 3, 7, 7)), holed, false],
    ['a polygon around a hole, with that hole', polygon(box(3, 3, 7, 7), box(4, 4, 6, 6)), holed, true],
    [
      'a polygon around a hole, with a smaller one',
      polygon(box(3, 3, 7, 7), box(4.5, 4.5, 5.5, 5.5)),
      holed,
      false,
    ],
    ['a polygon that is the hole', polygon(box(4, 4, 6, 6)), holed, false],
    ['a polygon at the hole', polygon(box(1, 4, 4, 6)), holed, true],
    ['a collection', collection(point(1, 1), line([1, 1], [2, 2])), square, true],
    ['a collection with one part outside', collection(point(1, 1), line([1, 1], [12, 2])), square, false],
    [
      'the pole in a ring around it',
      polygon(ring([0, 80], [120, 80], [-120, 80])),
      polygon(ring([0, 60], [120, 60], [-120, 60])),
      true,
    ],
    [
      'a ring around a hole at the pole',
      polygon(ring([0, 80], [120, 80], [-120, 80])),
      polygon(ring([0, 60], [120, 60], [-120, 60]), ring([0, 89], [120, 89], [-120, 89])),
      false,
    ],
  ]);
});

describe('$geoWithin of a MultiPolygon is within the union', () => {
  const neighbours = polygons([box(0, 0, 10, 10)], [box(10, 0, 20, 10)]);
  const apart = polygons([box(0, 0, 10, 10)], [box(11, 0, 20, 10)]);
  const corner = polygons([box(0, 0, 10, 10)], [box(10, -10, 20, 0)]);
  const frame = polygons([box(0, 0, 3, 9)], [box(6, 0, 9, 9)], [box(2, 0, 7, 3)], [box(2, 6, 7, 9)]);
  const filled = polygons([box(0, 0, 10, 10), box(4, 4, 6, 6)], [box(4, 4, 6, 6)]);
  lieWithin([
    ['a line from one to its neighbour', line([5, 5], [15, 5]), neighbours, true],
    ['a line from one to one apart', line([5, 5], [15, 5]), apart, false],
    ['a line through a common corner', line([10, 5], [10, -5]), corner, true],
    ['a line beside a common corner', line([8, 1], [12, -1.5]), corner, false],
    ['a polygon over the common side', polygon(box(8, 2, 12, 8)), neighbours, true],
    ['a polygon over the gap', polygon(box(8, 2, 12, 8)), apart, false],
    ['both of them', neighbours, neighbours, true],
    ['a polygon over what four leave open', polygon(box(1, 1, 8, 8)), frame, false],
    ['a polygon around what four leave open', polygon(box(1, 1, 8, 8), box(2.5, 2.5, 6.5, 6.5)), frame, true],
    ['a polygon over a hole that another fills', polygon(box(3, 3, 7, 7)), filled, true],
    ['a line over a hole that another fills', line([1, 5], [9, 5]), filled, true],
    ['points in either', points([5, 5], [15, 5]), apart, true],
  ]);
});
