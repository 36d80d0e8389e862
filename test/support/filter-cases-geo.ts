/**
 * Cases of `$geoIntersects`, `$geoWithin`, `$near`, `$nearSphere`: how they fit into a filter. That the shapes are
 * right on the sphere is shown elsewhere; the answers here are plain to see on a map. Matches are in the order of
 * the documents, not by distance.
 */
import { cases, decimal, Parameters, raw, type FilterCase } from './filter-case.ts';
import { box, line, point, points, polygon, polygons } from './geo-shapes.ts';

/** A condition on the field `at`. */
const at = (operator: string, geometry: unknown, more: object = {}) => ({
  at: { [operator]: { $geometry: geometry, ...more } },
});
const meets = (geometry: unknown) => at('$geoIntersects', geometry);
const inside = (geometry: unknown) => at('$geoWithin', geometry);
/** Places near one of these longitudes and latitudes. */
const nearTo = (x: number, y: number, more: object = {}) => at('$near', point(x, y), more);

const PLACES = [
  { at: point(5, 5) },
  { at: point(15, 5) },
  { at: polygon(box(2, 2, 4, 4)) },
  { at: polygon(box(8, 2, 12, 4)) },
  { at: line([-5, 5], [5, 5], [20, 5]) },
  { at: [point(50, 50), point(6, 6)] },
  { at: { place: point(5, 5) } },
  { at: null },
  {},
  { at: { type: 'Point', coordinates: [500, 5] } },
  { at: [5, 5] },
  { at: 'Point' },
  { at: points([5, 5], [60, 60]) },
  { at: { type: 'GeometryCollection', geometries: [point(5, 6), point(6, 5)] } },
];
const SQUARE = polygon(box(0, 0, 10, 10));
const HOLED = polygon(box(0, 0, 10, 10), box(4.5, 4.5, 5.5, 5.5));

const intersects = cases('$geoIntersects', PLACES, [
  ['any part in common will do', meets(SQUARE), [0, 2, 3, 4, 5, 12, 13]],
  ['what lies in a hole is outside', meets(HOLED), [2, 3, 4, 5, 13]],
  ['takes a point', meets(point(3, 3)), [2]],
  ['takes a line', meets(line([3, 0], [3, 3])), [2]],
  ['a path leads to the geometry', { 'at.place': { $geoIntersects: { $geometry: SQUARE } } }, [6]],
  [
    '$not takes in what is no geometry',
    { at: { $not: { $geoIntersects: { $geometry: SQUARE } } } },
    [1, 6, 7, 8, 9, 10, 11],
  ],
  ['may stand in $or', { $or: [meets(point(15, 5)), { at: 'Point' }] }, [1, 11]],
  ['may stand in $nor', { $nor: [meets(SQUARE), { at: null }] }, [1, 6, 9, 10, 11]],
  ['may stand in $elemMatch', { at: { $elemMatch: { $geoIntersects: { $geometry: SQUARE } } } }, [5]],
  ['goes with other operators', { at: { $geoIntersects: { $geometry: SQUARE }, $type: 'array' } }, [5]],
  [
    'numbers of all kinds are coordinates',
    meets({ type: 'Point', coordinates: [raw('3.0'), decimal('3')] }),
    [2],
  ],
  ['filter[FIELD] takes it', new Parameters(['at', { $geoIntersects: { $geometry: point(3, 3) } }]), [2]],
]);

const within = cases('$geoWithin', PLACES, [
  ['the whole geometry must be inside', inside(SQUARE), [0, 2, 5, 13]],
  ['what lies in a hole is outside', inside(HOLED), [2, 5, 13]],
  [
    'a MultiPolygon is the union of its parts',
    inside(polygons([box(0, 0, 10, 10)], [box(50, 50, 70, 70)])),
    [0, 2, 5, 12, 13],
  ],
  [
    '$not takes in what is no geometry',
    { at: { $not: { $geoWithin: { $geometry: SQUARE } } } },
    [1, 3, 4, 6, 7, 8, 9, 10, 11, 12],
  ],
]);

const near = cases('$near', PLACES, [
  ['without bounds every geometry is near', nearTo(5, 5), [0, 1, 2, 3, 4, 5, 12, 13]],
  ['$maxDistance is in meters', nearTo(5, 5, { $maxDistance: 160000 }), [0, 2, 4, 5, 12, 13]],
  ['$minDistance is in meters', nearTo(5, 5, { $minDistance: 160000 }), [1, 3]],
  [
    'of several geometries the nearest must be within the bounds',
    nearTo(5, 5, { $minDistance: 1000000 }),
    [1],
  ],
  ['both bounds make a ring', nearTo(5, 5, { $minDistance: 1000, $maxDistance: 200000 }), [2, 5, 13]],
  [
    'the bounds may stand beside the operator',
    { at: { $near: { $geometry: point(5, 5) }, $maxDistance: 1 } },
    [0, 4, 12],
  ],
  ['a distance of 0 is the place itself', nearTo(15, 5, { $maxDistance: 0 }), [1]],
  ['$nearSphere says the same', at('$nearSphere', point(5, 5), { $maxDistance: 1 }), [0, 4, 12]],
  [
    'may stand in $and',
    { $and: [nearTo(5, 5, { $maxDistance: 1 }), { at: { $type: 'object' } }] },
    [0, 4, 12],
  ],
  [
    'goes with conditions on other fields',
    { at: { $nearSphere: { $geometry: point(5, 5) } }, 'at.type': 'Point' },
    [0, 1, 5],
  ],
  ['distances may be numbers of any kind', nearTo(5, 5, { $maxDistance: decimal('1') }), [0, 4, 12]],
  [
    'filter[FIELD] takes it',
    new Parameters(['at', { $near: { $geometry: point(15, 5), $maxDistance: 1 } }]),
    [1],
  ],
]);

const LINE = line([0, 0], [1, 1]);

const faults = cases(
  'faults of geo operators',
  [],
  [
    ['$geometry is needed', { at: { $geoIntersects: SQUARE } }, '/at/$geoIntersects'],
    ['a geometry must be an object', inside([1, 2]), '/at/$geoWithin/$geometry'],
    [
      'a geometry must have a type that is known',
      meets({ type: 'Circle', coordinates: [0, 0] }),
      '/at/$geoIntersects/$geometry/type',
    ],
    ['$geoWithin takes no point', inside(point(0, 0)), '/at/$geoWithin/$geometry'],
    ['$geoWithin takes no line', inside(LINE), '/at/$geoWithin/$geometry'],
    ['$near takes a point only', at('$near', LINE), '/at/$near/$geometry'],
    ['$nearSphere takes a point only', at('$nearSphere', SQUARE), '/at/$nearSphere/$geometry'],
    ['legacy pairs are not known', { at: { $near: [0, 0] } }, '/at/$near'],
    [
      '$box is not known',
      {
        at: {
          $geoWithin: {
            $box: [
              [0, 0],
              [1, 1],
            ],
          },
        },
      },
      '/at/$geoWithin/$box',
    ],
    [
      '$centerSphere is not known',
      { at: { $geoWithin: { $centerSphere: [[0, 0], 1] } } },
      '/at/$geoWithin/$centerSphere',
    ],
    ['a negative distance is refused', nearTo(0, 0, { $maxDistance: -1 }), '/at/$near/$maxDistance'],
    ['a distance must be a number', nearTo(0, 0, { $minDistance: 'far' }), '/at/$near/$minDistance'],
    [
      'a distance may be given once',
      { at: { $near: { $geometry: point(0, 0), $maxDistance: 1 }, $maxDistance: 2 } },
      '/at/$near',
    ],
    ['a distance needs a $near', { at: { $maxDistance: 1 } }, '/at/$maxDistance'],
    [
      '$geoWithin takes no distance',
      at('$geoWithin', SQUARE, { $maxDistance: 1 }),
      '/at/$geoWithin/$maxDistance',
    ],
    [
      '$near stands alone in its expression',
      { at: { $near: { $geometry: point(0, 0) }, $exists: true } },
      '/at/$near',
    ],
    ['$near cannot stand in $or', { $or: [nearTo(0, 0)] }, '/$or/0/at/$near'],
    ['$near cannot stand in $nor', { $nor: [nearTo(0, 0)] }, '/$nor/0/at/$near'],
    ['$near cannot stand in $not', { at: { $not: { $near: { $geometry: point(0, 0) } } } }, '/at/$not/$near'],
    ['$near cannot stand in $elemMatch', { a: { $elemMatch: nearTo(0, 0) } }, '/a/$elemMatch/at/$near'],
    [
      'a filter holds one $near',
      { a: { $near: { $geometry: point(0, 0) } }, b: { $nearSphere: { $geometry: point(0, 0) } } },
      '/b/$nearSphere',
    ],
    [
      'one in each of two parameters are two',
      new Parameters(
        ['a', { $near: { $geometry: point(0, 0) } }],
        ['b', { $near: { $geometry: point(0, 0) } }],
      ),
      '/$near',
    ],
  ],
);

export const GEO_CASES: readonly FilterCase[] = [...intersects, ...within, ...near, ...faults];
