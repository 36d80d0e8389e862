// Which values are no geometries, and what is said of them.
import { describe, expect, it } from 'vitest';
import { Double } from '../../src/domain/values/values.ts';
import type { Value } from '../../src/domain/values/values.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { box, line, lines, path, plain, polygon, polygons, refusal } from '../support/geo-shapes.ts';

describe('malformed GeoJSON is no geometry', () => {
  const nested = (depth: number): Value =>
    depth === 0
      ? { type: 'Point', coordinates: [0, 0] }
      : { type: 'GeometryCollection', geometries: [nested(depth - 1)] };
  const ring = (...coordinates: Value[]): Value => ({ type: 'Polygon', coordinates: [coordinates] });
  const at = (...coordinates: Value[]): Value => ({ type: 'Point', coordinates });
  const square = box(0, 0, 10, 10);
  const holed = (...holes: Parameters<typeof box>[]) =>
    plain(polygon(square, ...holes.map((hole) => box(...hole))));
  const bow = path([0, 0], [9, 9], [9, 0], [0, 9], [0, 0]);
  const UNKNOWN = 'type: the type is not one of the GeoJSON geometry types';
  const OPPOSITE = 'coordinates: neighbouring positions are opposite on the sphere';
  const CROSSED = 'coordinates/0: the ring crosses or touches itself';
  const OUTSIDE = ': the hole is not inside the outer ring, or meets another hole or ring along a line';
  const invalid: [string, Value, string][] = [
    ['null', null, ': a geometry is an object'],
    ['a string', 'Point', ': a geometry is an object'],
    ['an array', [1, 2], ': a geometry is an object'],
    ['no type', { coordinates: [1, 2] }, UNKNOWN],
    ['an unknown type', { type: 'Circle', coordinates: [1, 2] }, UNKNOWN],
    ['a type in another case', { type: 'point', coordinates: [1, 2] }, UNKNOWN],
    ['a Feature', { type: 'Feature', geometry: at(1, 2) }, UNKNOWN],
    ['no coordinates', { type: 'Point' }, 'coordinates: not an array of numbers'],
    [
      'coordinates in an object',
      { type: 'Point', coordinates: { x: 1, y: 2 } },
      'coordinates: not an array of numbers',
    ],
    ['one number', at(1), 'coordinates: fewer than 2 numbers'],
    ['digits in a string', at('1', '2'), 'coordinates/0: the longitude is no number'],
    ['a null', at(1, null), 'coordinates/1: the latitude is no number'],
    ['a longitude beyond 180', at(180.0001, 0), 'coordinates/0: the longitude is not from -180 to 180'],
    ['a latitude beyond 90', at(0, -90.5), 'coordinates/1: the latitude is not from -90 to 90'],
    [
      'an infinite longitude',
      at(new Double(Infinity), 0),
      'coordinates/0: the longitude is not from -180 to 180',
    ],
    ['no number at all', at(0, new Double(NaN)), 'coordinates/1: the latitude is not from -90 to 90'],
    ['a point too many levels down', at([1, 2]), 'coordinates: fewer than 2 numbers'],
    ['an empty MultiPoint', { type: 'MultiPoint', coordinates: [] }, 'coordinates: fewer than 1 positions'],
    [
      'a line of one position',
      { type: 'LineString', coordinates: [[1, 2]] },
      'coordinates: fewer than 2 positions',
    ],
    [
      'a line of one place',
      plain(lines(path([0, 0], [1, 1]), path([1, 2], [1, 2]))),
      'coordinates/1: the line has fewer than two different positions',
    ],
    ['a line between opposite places', plain(line([10, 20], [-170, -20])), OPPOSITE],
    ['a line from pole to pole', plain(line([0, 90], [50, -90])), OPPOSITE],
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
    ['a ring there and back', ring([0, 0], [1, 0], [2, 0], [0, 0]), CROSSED],
    ['a ring with a spike', ring([0, 0], [4, 0], [8, 0], [4, 0], [4, 4], [0, 0]), CROSSED],
    ['a bow tie', ring([0, 0], [10, 10], [10, 0], [0, 10], [0, 0]), CROSSED],
    ['two triangles at a corner', ring([0, 0], [4, 4], [8, 0], [8, 8], [4, 4], [0, 8], [0, 0]), CROSSED],
    ['a corner on a side', ring([0, 0], [10, 0], [10, 10], [5, 0], [0, 10], [0, 0]), CROSSED],
    ['a hole outside', holed([20, 2, 30, 8]), `coordinates/1${OUTSIDE}`],
    ['a hole across the outer ring', holed([8, 2, 12, 4]), `coordinates/1${OUTSIDE}`],
    ['a hole around the outer ring', holed([-2, -2, 12, 12]), `coordinates/1${OUTSIDE}`],
    ['a hole that is all', holed([0, 0, 10, 10]), `coordinates/1${OUTSIDE}`],
    ['a hole in a hole', holed([2, 2, 8, 8], [3, 3, 4, 4]), `coordinates/2${OUTSIDE}`],
    ['holes that cross', holed([2, 2, 5, 5], [4, 4, 8, 8]), `coordinates/1${OUTSIDE}`],
    [
      'the second of two polygons',
      plain(polygons([square], [bow])),
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
      { type: 'GeometryCollection', geometries: [nested(0), at(0)] },
      'geometries/1/coordinates: fewer than 2 numbers',
    ],
    [
      'a bow tie in a collection',
      { type: 'GeometryCollection', geometries: [ring(...bow)] },
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
