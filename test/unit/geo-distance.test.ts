// How far places are from geometries.
import { describe, expect, it } from 'vitest';
import { distance } from '../../src/query/geo/relations.ts';
import { box, collection, line, point, points, polygon, polygons, shapeOf } from '../support/geo-shapes.ts';

const square = polygon(box(0, 0, 10, 10));

describe('distances are meters on a sphere of 6,378,100 m', () => {
  const degree = (Math.PI * 6_378_100) / 180;
  it.each([
    ['the same place', point(10, 20), point(10, 20), 0],
    ['a degree of the equator', point(0, 0), point(1, 0), degree],
    ['across the date line', point(179.5, 0), point(-179.5, 0), degree],
    ['over the pole', point(0, 89), point(180, 89), 2 * degree],
    ['from any longitude of the pole', point(77, 90), point(0, 89), degree],
    ['half way round', point(0, 0), point(180, 0), 180 * degree],
    ['nearly half way round', point(0, 0), point(180, 1e-7), (180 - 1e-7) * degree],
    ['a tenth of a millimeter', point(0, 0), point(1e-9, 0), 1e-9 * degree],
    ['the nearest of some points', point(0, 0), points([50, 50], [0, 2], [3, 0]), 2 * degree],
    ['the middle of a line', point(5, 1), line([0, 0], [10, 0]), degree],
    ['the end of a line', point(12, 0), line([0, 0], [10, 0]), 2 * degree],
    [
      'a line, from the other side of the Earth',
      point(180, 0),
      line([-10, 0], [0, 0], [0, 10]),
      170 * degree,
    ],
    ['inside a polygon', point(5, 5), square, 0],
    ['on the boundary', point(10, 5), square, 0],
    ['outside a polygon', point(5, -1), square, degree],
    [
      'in a hole, to its border',
      point(4.25, 5),
      polygon(box(-9, -9, 9, 9), [
        [4, -8],
        [8, -8],
        [8, 8],
        [4, 8],
        [4, -8],
      ]),
      Math.asin(Math.sin(Math.PI / 720) * Math.cos(Math.PI / 36)) * 6_378_100,
    ],
    [
      'the nearest part of a collection',
      point(0, 0),
      collection(point(5, 0), line([0, 1], [0, 2]), square),
      0,
    ],
    [
      'the nearest of some polygons',
      point(0, -3),
      polygons([box(0, 0, 1, 1)], [box(-1, -2, 1, -1)]),
      3 * degree - Math.atan(Math.tan(Math.PI / 90) / Math.cos(Math.PI / 180)) * 6_378_100,
    ],
  ])('%s', (_name, from, to, meters) => {
    const tolerance = Math.max(1e-6, meters * 1e-9);
    expect(Math.abs(distance(shapeOf(from), shapeOf(to)) - meters)).toBeLessThan(tolerance);
  });
});
