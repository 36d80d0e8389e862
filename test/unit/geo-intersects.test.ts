// What intersects what on the sphere: a table for each sentence of the specification.
import { describe, expect, it } from 'vitest';
import { intersects } from '../../src/query/geo/relations.ts';
import type { Geometry } from '../../src/query/geo/geometry.ts';
import {
  box,
  collection,
  line,
  lines,
  path,
  point,
  points,
  polygon,
  polygons,
  ring,
  shapeOf,
} from '../support/geo-shapes.ts';

type Case = [name: string, one: Geometry, other: Geometry, expected: boolean];

function meetBothWays(cases: readonly Case[]) {
  it.each(cases)('%s', (_name, one, other, expected) => {
    expect(intersects(shapeOf(one), shapeOf(other))).toBe(expected);
    expect(intersects(shapeOf(other), shapeOf(one))).toBe(expected);
  });
}

const square = polygon(box(0, 0, 10, 10));
const holed = polygon(box(0, 0, 10, 10), box(4, 4, 6, 6));

describe('field geometry intersects the given geometry', () => {
  const far: Geometry[] = [
    point(50, 50),
    points([50, 50], [51, 51]),
    line([50, 50], [60, 50]),
    lines(path([50, 50], [60, 50]), path([50, 52], [60, 52])),
    polygon(box(50, 50, 60, 60)),
    polygons([box(50, 50, 60, 60)], [box(70, 50, 75, 60)]),
    collection(point(50, 50), polygon(box(55, 50, 60, 60))),
  ];
  const near: Geometry[] = [
    point(5, 0),
    points([50, 50], [5, 0]),
    line([5, -5], [5, 5]),
    lines(path([50, 50], [60, 50]), path([5, 0], [5, 20])),
    polygon(box(4, -1, 6, 1)),
    polygons([box(50, 50, 60, 60)], [box(4, -1, 6, 1)]),
    collection(point(50, 50), line([5, -5], [5, 5])),
  ];
  // Some of the many-part geometries have a part far away, so only those of one part are apart from the far ones.
  const nearAlone: Geometry[] = [point(5, 0), line([5, -5], [5, 5]), polygon(box(4, -1, 6, 1)), square];
  const pairs = (ones: Geometry[], others: Geometry[], expected: boolean) =>
    ones.flatMap((one) =>
      others.map((other): Case => [`${one.type} and ${other.type}`, one, other, expected]),
    );
  describe('and meets it', () => {
    meetBothWays(pairs(near, near, true));
  });
  describe('and is apart from it', () => {
    meetBothWays(pairs(nearAlone, far, false));
  });

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
    [
      'a ring in the hole of another',
      polygon(box(4.5, 4.5, 5.5, 5.5), box(4.8, 4.8, 5.2, 5.2)),
      holed,
      false,
    ],
  ]);
});

describe('the boundary belongs to a polygon', () => {
  const touching = polygon(box(0, 0, 10, 10), ring([5, 0], [6, 2], [4, 2]));
  meetBothWays([
    ['a corner', point(10, 10), square, true],
    ['on the equator side', point(3.3, 0), square, true],
    ['on a meridian side', point(10, 7.7), square, true],
    ['on a slanted side, its middle', point(5, 5.019095), polygon(ring([0, 0], [10, 0], [10, 10])), true],
    ['a thousandth of a degree outside', point(10.001, 5), square, false],
    ['below the touch of a hole', point(5, -3), touching, false],
    ['in a hole that touches the ring', point(5, 1), touching, false],
    ['beside the touch', point(4.5, 0.5), touching, true],
  ]);
});

describe('polygon edges are geodesics', () => {
  // The great circle from 50° N to 50° N over 100° of longitude reaches 61.7° N in the middle.
  const wide = polygon(ring([-50, 50], [50, 50], [50, 40], [-50, 40]));
  meetBothWays([
    ['north of the parallel, south of the geodesic', point(0, 61), wide, true],
    ['north of the geodesic', point(0, 62), wide, false],
    ['north of the southern parallel, south of its geodesic', point(0, 45), wide, false],
    ['lines that cross only on the sphere', line([-50, 50], [50, 50]), line([0, 60], [0, 63]), true],
    ['lines that cross only on the plane', line([-50, 50], [50, 50]), line([0, 45], [0, 55]), false],
  ]);
});

describe('the date line is no border', () => {
  const across = polygon(ring([170, -10], [-170, -10], [-170, 10], [170, 10]));
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
  const arctic = polygon(ring([0, 70], [90, 70], [180, 70], [-90, 70]));
  const antarctic = polygon(ring([0, -70], [90, -70], [180, -70], [-90, -70]));
  const wedge = polygon(ring([0, 90], [10, 80], [30, 80]));
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
    ['inside nearly half the Earth', point(0, 90), polygon(ring([0, 1], [120, 1], [-120, 1])), true],
    [
      'inside just more than half by the ring’s direction',
      point(0, -90),
      polygon(ring([0, -1], [120, -1], [-120, -1])),
      true,
    ],
    [
      'a hole written clockwise or not',
      point(5, 5),
      polygon(box(0, 0, 10, 10), box(4, 4, 6, 6).reverse()),
      false,
    ],
  ]);
});
