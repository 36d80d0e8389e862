// Which values are no geometries, and what is said of them.
import { describe, expect, it } from 'vitest';
import { Double } from '../../src/domain/values/values.ts';
import type { Value } from '../../src/domain/values/values.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { box, plain, polygon, refusal } from '../support/geo-shapes.ts';

const square: Value = box(0, 0, 10, 10);
describe('malformed GeoJSON is no geometry', () => {
  const nested = (depth: number): Value =>
    depth === 0
      ? { type: 'Point', coordinates: [0, 0] }
      : { type: 'GeometryCollection', geometries: [nested(depth - 1)] };
  const ring = (...coordinates: Value[]): Value => ({ type: 'Polygon', coordinates: [coordinates] });
  const invalid: [string, Value, string][] = [
    ['null', null, ': a geometry is an object'],
    ['a string', 'Point', ': a geometry is an object'],
    ['an array', [1, 2], ': a geometry is an object'],
    ['no type', { coordinates: [1, 2] }, 'type: the type is not one of the GeoJSON geometry types'],
    [
      'an unknown type',
      { type: 'Circle', coordinates: [1, 2] },
      'type: the type is not one of the GeoJSON geometry types',
    ],
    [
      'a type in another case',
      { type: 'point', coordinates: [1, 2] },
      'type: the type is not one of the GeoJSON geometry types',
    ],
    [
      'a Feature',
      { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] } },
      'type: the type is not one of the GeoJSON geometry types',
    ],
    ['no coordinates', { type: 'Point' }, 'coordinates: not an array of numbers'],
    [
      'coordinates in an object',
      { type: 'Point', coordinates: { x: 1, y: 2 } },
      'coordinates: not an array of numbers',
    ],
    ['one number', { type: 'Point', coordinates: [1] }, 'coordinates: fewer than 2 numbers'],
    [
      'digits in a string',
      { type: 'Point', coordinates: ['1', '2'] },
      'coordinates/0: the longitude is no number',
    ],
    ['a null', { type: 'Point', coordinates: [1, null] }, 'coordinates/1: the latitude is no number'],
    [
      'a longitude beyond 180',
      { type: 'Point', coordinates: [180.0001, 0] },
      'coordinates/0: the longitude is not from -180 to 180',
    ],
    [
      'a latitude beyond 90',
      { type: 'Point', coordinates: [0, -90.5] },
      'coordinates/1: the latitude is not from -90 to 90',
    ],
    [
      'an infinite longitude',
      { type: 'Point', coordinates: [new Double(Infinity), 0] },
      'coordinates/0: the longitude is not from -180 to 180',
    ],
    [
      'no number at all',
      { type: 'Point', coordinates: [0, new Double(NaN)] },
      'coordinates/1: the latitude is not from -90 to 90',
    ],
    [
      'a point too many levels down',
      { type: 'Point', coordinates: [[1, 2]] },
      'coordinates: fewer than 2 numbers',
    ],
    ['an empty MultiPoint', { type: 'MultiPoint', coordinates: [] }, 'coordinates: fewer than 1 positions'],
    [
      'a line of one position',
      { type: 'LineString', coordinates: [[1, 2]] },
      'coordinates: fewer than 2 positions',
    ],
    [
      'a line of one place',
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
          [
            [1, 2],
            [1, 2],
          ],
        ],
      },
      'coordinates/1: the line has fewer than two different positions',
    ],
    [
      'a line between opposite places',
      {
        type: 'LineString',
        coordinates: [
          [10, 20],
          [-170, -20],
        ],
      },
      'coordinates: neighbouring positions are opposite on the sphere',
    ],
    [
      'a line from pole to pole',
      {
        type: 'LineString',
        coordinates: [
          [0, 90],
          [50, -90],
        ],
      },
      'coordinates: neighbouring positions are opposite on the sphere',
    ],
    ['a polygon without rings', { type: 'Polygon', coordinates: [] }, 'coordinates: fewer than 1 rings'],
    ['a ring of three positions', ring([0, 0], [1, 0], [0, 0]), 'coordinates/0: fewer than 4 positions'],
    [
      'an open ring',
      ring([0, 0], [1, 0], [1, 1], [0, 1]),
      'coordinates/0: the ring is not closed: its first and last positions differ',
    ],
    [
      'a ring without area',
      ring([0, 0], [1, 0], [1, 0], [0, 0]),
      'coordinates/0: the ring has fewer than three different positions',
    ],
    [
      'a ring there and back',
      ring([0, 0], [1, 0], [2, 0], [0, 0]),
      'coordinates/0: the ring crosses or touches itself',
    ],
    [
      'a ring with a spike',
      ring([0, 0], [4, 0], [8, 0], [4, 0], [4, 4], [0, 0]),
      'coordinates/0: the ring crosses or touches itself',
    ],
    [
      'a bow tie',
      ring([0, 0], [10, 10], [10, 0], [0, 10], [0, 0]),
      'coordinates/0: the ring crosses or touches itself',
    ],
    [
      'two triangles at a corner',
      ring([0, 0], [4, 4], [8, 0], [8, 8], [4, 4], [0, 8], [0, 0]),
      'coordinates/0: the ring crosses or touches itself',
    ],
    [
      'a corner on a side',
      ring([0, 0], [10, 0], [10, 10], [5, 0], [0, 10], [0, 0]),
      'coordinates/0: the ring crosses or touches itself',
    ],
    [
      'a hole outside',
      plain(polygon(box(0, 0, 10, 10), box(20, 2, 30, 8))),
      'coordinates/1: the hole is not inside the outer ring, or meets another hole or ring along a line',
    ],
    [
      'a hole across the outer ring',
      plain(polygon(box(0, 0, 10, 10), box(8, 2, 12, 4))),
      'coordinates/1: the hole is not inside the outer ring, or meets another hole or ring along a line',
    ],
    [
      'a hole around the outer ring',
      plain(polygon(box(0, 0, 10, 10), box(-2, -2, 12, 12))),
      'coordinates/1: the hole is not inside the outer ring, or meets another hole or ring along a line',
    ],
    [
      'a hole that is all',
      plain(polygon(box(0, 0, 10, 10), box(0, 0, 10, 10))),
      'coordinates/1: the hole is not inside the outer ring, or meets another hole or ring along a line',
    ],
    [
      'a hole in a hole',
      plain(polygon(box(0, 0, 10, 10), box(2, 2, 8, 8), box(3, 3, 4, 4))),
      'coordinates/2: the hole is not inside the outer ring, or meets another hole or ring along a line',
    ],
    [
      'holes that cross',
      plain(polygon(box(0, 0, 10, 10), box(2, 2, 5, 5), box(4, 4, 8, 8))),
      'coordinates/1: the hole is not inside the outer ring, or meets another hole or ring along a line',
    ],
    [
      'the second of two polygons',
      {
        type: 'MultiPolygon',
        coordinates: [
          [square],
          [
            [
              [0, 0],
              [9, 9],
              [9, 0],
              [0, 9],
              [0, 0],
            ],
          ],
        ],
      },
      'coordinates/1/0: the ring crosses or touches itself',
    ],
    [
      'a collection without geometries',
      { type: 'GeometryCollection', coordinates: [] },
      'geometries: not an array of geometries',
    ],
    [
      'an empty collection',
      { type: 'GeometryCollection', geometries: [] },
      'geometries: fewer than 1 geometries',
    ],
    [
      'a flaw in a collection',
      { type: 'GeometryCollection', geometries: [nested(0), { type: 'Point', coordinates: [0] }] },
      'geometries/1/coordinates: fewer than 2 numbers',
    ],
    [
      'a bow tie in a collection',
      { type: 'GeometryCollection', geometries: [ring([0, 0], [9, 9], [9, 0], [0, 9], [0, 0])] },
      'geometries/0/coordinates/0: the ring crosses or touches itself',
    ],
    [
      'too many levels',
      nested(9),
      `${'geometries/0/'.repeat(8).slice(0, -1)}: collections nested more than 8 deep`,
    ],
    [
      'too many positions',
      { type: 'MultiPoint', coordinates: new Array<Value>(LIMITS.geometryPositions + 1).fill([0, 0]) },
      `coordinates/${LIMITS.geometryPositions}: more than ${LIMITS.geometryPositions} positions`,
    ],
  ];
  it.each(invalid)('%s', (_name, value, reason) => {
    expect(refusal(value)).toBe(reason);
  });

  it('eight levels of collections are read', () => {
    expect(refusal(nested(8))).toBe('accepted');
  });
});
