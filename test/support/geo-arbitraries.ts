/** Documents with geometry, and searches for it, where much is near, on borders, and twice at the same place. */
import fc from './fast-check.ts';
import type { Fields, Value } from '../../src/domain/values/values.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import { negate } from '../../src/operators/filter/scope.ts';
import type { Geometry, Position } from '../../src/query/geo/geometry.ts';
import { parseGeometry } from '../../src/query/geo/parse.ts';
import * as oracle from './geo-oracle.ts';
import { between, degrees, place, shares, star } from './geo-samples.ts';
import { collection, line, lines, plain, point, points, polygon, polygons } from './geo-shapes.ts';

/** Few places, so that much is near, on borders, and twice at the same place. */
const HUBS: readonly Position[] = [
  [0, 0],
  [180, 10],
  [-180, 10],
  [12, 90],
  [-60, -90],
  [45, 45],
  [45, 0],
  [-45, 35.26438968],
  [2.35, 48.86],
];
const far = between(-7, -0.5).map((power) => 10 ** power);
const somewhere: fc.Arbitrary<Position> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...HUBS) },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...HUBS), degrees(Math.PI), far).map((way) => oracle.travel(...way)),
  },
  { weight: 2, arbitrary: place },
);
const corners = fc.array(somewhere, { minLength: 2, maxLength: 5 });
const figure = fc
  .oneof(
    star.map(({ ring }) => ring),
    fc
      .tuple(fc.constantFrom(...HUBS), far, shares, degrees(Math.PI))
      .map(([center, size, all, turned]) => oracle.star(center, size, all, turned).ring),
  )
  .map((ring) => [...ring]);
const shape: fc.Arbitrary<Geometry> = fc.oneof(
  { weight: 6, arbitrary: somewhere.map((at) => point(...at)) },
  { weight: 1, arbitrary: fc.array(somewhere, { minLength: 1, maxLength: 12 }).map((all) => points(...all)) },
  { weight: 1, arbitrary: corners.map((all) => line(...all)) },
  { weight: 1, arbitrary: fc.tuple(corners, corners).map((all) => lines(...all)) },
  { weight: 2, arbitrary: figure.map((ring) => polygon(ring)) },
  { weight: 1, arbitrary: fc.tuple(figure, figure).map(([one, other]) => polygons([one], [other])) },
  {
    weight: 1,
    arbitrary: fc.tuple(somewhere, figure).map(([at, ring]) => collection(point(...at), polygon(ring))),
  },
);
const valid = shape.filter((each) => parseGeometry(plain(each)).ok);
const stored: fc.Arbitrary<Value> = fc.oneof(
  { weight: 12, arbitrary: shape.map(plain) },
  { weight: 2, arbitrary: fc.array(shape.map(plain), { maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Value>(null, 'here', [1, 2], { type: 'Point', coordinates: [200, 0] }),
  },
);
export const located: fc.Arbitrary<Fields> = fc.record({
  at: stored,
  deep: fc.array(fc.record({ at: stored }), { maxLength: 2 }),
  color: fc.constantFrom('red', 'green', 'blue'),
});

const path = fc.constantFrom(['at'], ['at'], ['at'], ['deep', 'at'], ['at', '0']);
const reach = fc.oneof(
  fc.constantFrom(null, 0, 1, 50_000_000),
  between(-1, 7.3).map((power) => 10 ** power),
);
const near: fc.Arbitrary<Condition> = fc
  .tuple(
    path,
    somewhere,
    reach,
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: reach }),
  )
  .map(([at, from, maxDistance, minDistance]) => ({
    op: 'near',
    path: at,
    geometry: point(...from),
    minDistance,
    maxDistance,
  }));
const area = valid.filter(({ type }) => type === 'Polygon' || type === 'MultiPolygon');
const inShape: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(path, valid).map(([at, geometry]): Condition => ({ op: 'geoIntersects', path: at, geometry })),
  fc.tuple(path, area).map(([at, geometry]): Condition => ({ op: 'geoWithin', path: at, geometry })),
);
const colored = fc
  .constantFrom('red', 'green')
  .map((value): Condition => ({ op: 'eq', path: ['color'], value }));
export const geometric: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 3, arbitrary: inShape },
  { weight: 4, arbitrary: near },
  {
    weight: 2,
    arbitrary: fc.tuple(near, colored).map((conditions): Condition => ({ op: 'and', conditions })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(near, inShape).map((conditions): Condition => ({ op: 'and', conditions })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(inShape, colored).map((conditions): Condition => ({ op: 'or', conditions })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(inShape, inShape).map((conditions) => negate({ op: 'or', conditions })),
  },
  { weight: 1, arbitrary: inShape.map((condition): Condition => ({ op: 'not', condition })) },
);
