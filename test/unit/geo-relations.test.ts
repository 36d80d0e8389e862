// What geometries have to do with each other on the sphere: a table for each sentence of the specification.
import { describe, expect, it } from 'vitest';
import { distance, intersects } from '../../src/query/geo/relations.ts';
import { within } from '../../src/query/geo/within.ts';
import type { Geometry } from '../../src/query/geo/geometry.ts';
import { box, collection, line, lines, point, points, polygon, polygons, shapeOf } from '../support/geo-shapes.ts';

type Case = [name: string, one: Geometry, other: Geometry, expected: boolean];

function meetBothWays(cases: readonly Case[]) {
  it.each(cases)('%s', (_name, one, other, expected) => {
    expect(intersects(shapeOf(one), shapeOf(other))).toBe(expected);
    expect(intersects(shapeOf(other), shapeOf(one))).toBe(expected);
  });
}

function lieWithin(cases: readonly Case[]) {
  it.each(cases)('%s', (_name, one, other, expected) => {
    expect(within(shapeOf(one), shapeOf(other))).toBe(expected);
  });
}

const square = polygon(box(0, 0, 10, 10));
const holed = polygon(box(0, 0, 10, 10), box(4, 4, 6, 6));

describe('field geometry intersects the given geometry', () => {
  const far: Geometry[] = [
    point(50, 50),
    points([50, 50], [51, 51]),
    line([50, 50], [60, 50]),
    lines([[50, 50], [60, 50]], [[50, 52], [60, 52]]),
    polygon(box(50, 50, 60, 60)),
    polygons([box(50, 50, 60, 60)], [box(70, 50, 75, 60)]),
    collection(point(50, 50), polygon(box(55, 50, 60, 60))),
  ];
  const near: Geometry[] = [
    point(5, 0),
    points([50, 50], [5, 0]),
    line([5, -5], [5, 5]),
    lines([[50, 50], [60, 50]], [[5, 0], [5, 20]]),
    polygon(box(4, -1, 6, 1)),
    polygons([box(50, 50, 60, 60)], [box(4, -1, 6, 1)]),
    collection(point(50, 50), line([5, -5], [5, 5])),
  ];
  const cases = near.flatMap((one) => [
    ...near.map((other): Case => [`${one.type} and ${other.type} that meet`, one, other, true]),
    ...far.map((other): Case => [`${one.type} and ${other.type} apart`, one, other, false]),
  ]).map(([name, one, other, expected]): Case => [name, one, other, expected || (one.type === other.type && one === other)]);
  // The far ones meet each other and the near ones' far parts, so the near ones are taken without those.
  const nearAlone: Geometry[] = [point(5, 0), line([5, -5], [5, 5]), polygon(box(4, -1, 6, 1)), square];
  meetBothWays(cases.filter(([, , , expected]) => expected));
  meetBothWays(nearAlone.flatMap((one) => far.map((other): Case => [`${one.type} and ${other.type} apart`, one, other, false])));

  meetBothWays([
    ['lines that cross', line([0, 0], [10, 10]), line([0, 10], [10, 0]), true],
    ['lines on one great circle that overlap', line([0, 0], [10, 0]), line([5, 0], [20, 0]), true],
    ['lines on one great circle that touch', line([0, 0], [10, 0]), line([10, 0], [20, 0]), true],
    ['lines on one great circle apart', line([0, 0], [10, 0]), line([11, 0], [20, 0]), false],
    ['lines on one slanted great circle apart', line([0, 0], [10, 10]), line([180, 0], [170, -10]), false],
    ['a line around a polygon', line([-5, -5], [15, -5], [15, 15], [-5, 15]), square, false],
    ['a line in a polygon', line([2, 2], [3, 3]), square, true],
    ['a polygon in a polygon', polygon(box(2, 2, 3, 3)), square, true],
    ['polygons with one side in common', polygon(box(10, 0, 20, 10)), square, true],
    ['polygons with one corner in common', polygon(box(10, -10, 20, 0)), square, true],
    ['a line through a polygon, no corner in it', line([-5, 5], [15, 5]), square, true],
  ]);
});

describe('a point inside a hole does not intersect the polygon', () => {
  meetBothWays([
    ['in the hole', point(5, 5), holed, false],
    ['on the border of the hole', point(4, 5), holed, true],
    ['at a corner of the hole', point(6, 6), holed, true],
    ['between hole and outer ring', point(2, 5), holed, true],
    ['outside', point(12, 5), holed, false],
    ['a line in the hole', line([4.5, 4.5], [5.5, 5.5]), holed, false],
    ['a line out of the hole', line([4.5, 4.5], [3.5, 4.5]), holed, true],
    ['a polygon in the hole', polygon(box(4.5, 4.5, 5.5, 5.5)), holed, false],
    ['a polygon that fills the hole', polygon(box(4, 4, 6, 6)), holed, true],
    ['a polygon around the hole', polygon(box(3, 3, 7, 7)), holed, true],
    ['a ring in the hole of another', polygon(box(4.5, 4.5, 5.5, 5.5), box(4.8, 4.8, 5.2, 5.2)), holed, false],
  ]);
});

describe('the boundary belongs to a polygon', () => {
  const touching = polygon(box(0, 0, 10, 10), [[5, 0], [6, 2], [4, 2], [5, 0]]);
  meetBothWays([
    ['a corner', point(10, 10), square, true],
    ['on the equator side', point(3.3, 0), square, true],
    ['on a meridian side', point(10, 7.7), square, true],
    ['on a slanted side, its middle', point(5, 5.019095), polygon([[0, 0], [10, 0], [10, 10], [0, 0]]), true],
    ['a thousandth of a degree outside', point(10.001, 5), square, false],
    ['below the touch of a hole', point(5, -3), touching, false],
    ['in a hole that touches the ring', point(5, 1), touching, false],
    ['beside the touch', point(4.5, 0.5), touching, true],
  ]);
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

describe('polygon edges are geodesics', () => {
  // The great circle from 50° N to 50° N over 100° of longitude reaches 61.7° N in the middle.
  const wide = polygon([[-50, 50], [50, 50], [50, 40], [-50, 40], [-50, 50]]);
  meetBothWays([
    ['north of the parallel, south of the geodesic', point(0, 61), wide, true],
    ['north of the geodesic', point(0, 62), wide, false],
    ['north of the southern parallel, south of its geodesic', point(0, 45), wide, false],
    ['lines that cross only on the sphere', line([-50, 50], [50, 50]), line([0, 60], [0, 63]), true],
    ['lines that cross only on the plane', line([-50, 50], [50, 50]), line([0, 45], [0, 55]), false],
  ]);
});

describe('the date line is no border', () => {
  const across = polygon([[170, -10], [-170, -10], [-170, 10], [170, 10], [170, -10]]);
  meetBothWays([
    ['east of it', point(-175, 0), across, true],
    ['west of it', point(175, 0), across, true],
    ['on it, as 180', point(180, 5), across, true],
    ['on it, as -180', point(-180, 5), across, true],
    ['on the far side of the Earth', point(0, 0), across, false],
    ['180 and -180 are one place', point(180, 20), point(-180, 20), true],
    ['a line across', line([179, 0], [-179, 0]), line([180, -1], [-180, 1]), true],
    ['a line the other way', line([179, 0], [-179, 0]), line([0, -1], [0, 1]), false],
  ]);
});

describe('the poles are places', () => {
  const arctic = polygon([[0, 70], [90, 70], [180, 70], [-90, 70], [0, 70]]);
  const antarctic = polygon([[0, -70], [90, -70], [180, -70], [-90, -70], [0, -70]]);
  const wedge = polygon([[0, 90], [10, 80], [30, 80], [0, 90]]);
  meetBothWays([
    ['the north pole in the Arctic', point(0, 90), arctic, true],
    ['the north pole by another longitude', point(123, 90), arctic, true],
    ['the south pole in the Antarctic', point(-77, -90), antarctic, true],
    ['the south pole in the Arctic', point(0, -90), arctic, false],
    ['near the north pole', point(45, 89.9), arctic, true],
    ['on the parallel, beyond the edge', point(45, 70), arctic, false],
    ['the equator', point(45, 0), arctic, false],
    ['the pole as a corner', point(-60, 90), wedge, true],
    ['in a wedge from the pole', point(20, 85), wedge, true],
    ['beside a wedge from the pole', point(40, 85), wedge, false],
    ['a line over the pole', line([0, 80], [180, 80]), line([90, 80], [-90, 80]), true],
  ]);
});

describe('a polygon is the smaller of the two areas that its ring bounds', () => {
  const reversed = polygon(box(0, 0, 10, 10).reverse());
  meetBothWays([
    ['inside a clockwise ring', point(5, 5), reversed, true],
    ['outside a clockwise ring', point(50, 50), reversed, false],
    ['inside nearly half the Earth', point(0, 90), polygon([[0, 1], [120, 1], [-120, 1], [0, 1]]), true],
    ['inside just more than half by the ring’s direction', point(0, -90), polygon([[0, -1], [120, -1], [-120, -1], [0, -1]]), true],
    ['a hole written clockwise or not', point(5, 5), polygon(box(0, 0, 10, 10), box(4, 4, 6, 6).reverse()), false],
  ]);
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
    ['a polygon around a hole, with a smaller one', polygon(box(3, 3, 7, 7), box(4.5, 4.5, 5.5, 5.5)), holed, false],
    ['a polygon that is the hole', polygon(box(4, 4, 6, 6)), holed, false],
    ['a polygon at the hole', polygon(box(1, 4, 4, 6)), holed, true],
    ['a collection', collection(point(1, 1), line([1, 1], [2, 2])), square, true],
    ['a collection with one part outside', collection(point(1, 1), line([1, 1], [12, 2])), square, false],
    ['the pole in a ring around it', polygon([[0, 80], [120, 80], [-120, 80], [0, 80]]), polygon([[0, 60], [120, 60], [-120, 60], [0, 60]]), true],
    ['a ring around a hole at the pole', polygon([[0, 80], [120, 80], [-120, 80], [0, 80]]), polygon([[0, 60], [120, 60], [-120, 60], [0, 60]], [[0, 89], [120, 89], [-120, 89], [0, 89]]), false],
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
    ['a line, from the other side of the Earth', point(180, 0), line([-10, 0], [0, 0], [0, 10]), 170 * degree],
    ['inside a polygon', point(5, 5), square, 0],
    ['on the boundary', point(10, 5), square, 0],
    ['outside a polygon', point(5, -1), square, degree],
    ['in a hole, to its border', point(4.25, 5), polygon(box(-9, -9, 9, 9), [[4, -8], [8, -8], [8, 8], [4, 8], [4, -8]]), Math.asin(Math.sin(Math.PI / 720) * Math.cos(Math.PI / 36)) * 6_378_100],
    ['the nearest part of a collection', point(0, 0), collection(point(5, 0), line([0, 1], [0, 2]), square), 0],
    ['the nearest of some polygons', point(0, -3), polygons([box(0, 0, 1, 1)], [box(-1, -2, 1, -1)]), Math.asin(Math.sin(Math.PI / 180)) * 6_378_100],
  ])('%s', (_name, from, to, meters) => {
    const tolerance = Math.max(1e-6, meters * 1e-9);
    expect(Math.abs(distance(shapeOf(from), shapeOf(to)) - meters)).toBeLessThan(_name === 'the nearest of some polygons' ? 100 : tolerance);
  });
});
