// Which values are geometries.
import { describe, expect, it } from 'vitest';
import { Decimal, Double, Long } from '../../src/domain/values/values.ts';
import type { Value } from '../../src/domain/values/values.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { parseGeometry } from '../../src/query/geo/parse.ts';
import { box, line, lines, path, plain, polygon, refusal, ring, shapeOf } from '../support/geo-shapes.ts';

const square: Value = box(0, 0, 10, 10);

describe('each geometry type of the specification is read', () => {
  const valid: [string, Value][] = [
    ['Point', { type: 'Point', coordinates: [1, 2] }],
    ['MultiPoint', { type: 'MultiPoint', coordinates: [[1, 2]] }],
    ['LineString', plain(line([1, 2], [3, 4]))],
    ['MultiLineString', plain(lines(path([1, 2], [3, 4])))],
    ['Polygon', { type: 'Polygon', coordinates: [square] }],
    ['Polygon with a hole', { type: 'Polygon', coordinates: [square, box(2, 2, 3, 3)] }],
    ['MultiPolygon', { type: 'MultiPolygon', coordinates: [[square], [box(20, 0, 30, 10)]] }],
    [
      'GeometryCollection',
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
    ],
  ];
  it.each(valid)('%s', (_name, value) => {
    const parsed = parseGeometry(value);
    expect(parsed).toMatchObject({ ok: true, geometry: value });
  });
});

describe('what is more than the geometry is passed over', () => {
  it('altitudes, crs, bbox and foreign members', () => {
    const value = { type: 'Point', coordinates: [1, 2, 300], crs: { type: 'name' }, bbox: [0], more: true };
    expect(parseGeometry(value)).toMatchObject({
      ok: true,
      geometry: { type: 'Point', coordinates: [1, 2] },
    });
  });

  it('numbers of every kind become plain', () => {
    const value = {
      type: 'MultiPoint',
      coordinates: [
        [new Double(1), new Long(2n)],
        [new Decimal('3.5'), 4],
      ],
    };
    expect(parseGeometry(value)).toMatchObject({
      ok: true,
      geometry: {
        coordinates: path([1, 2], [3.5, 4]),
      },
    });
  });

  it('positions that repeat their neighbour, in lines and rings', () => {
    const doubled = ring([0, 0], [0, 0], [10, 0], [10, 0], [10, 10], [0, 0]);
    expect(refusal({ type: 'Polygon', coordinates: [doubled] })).toBe('accepted');
    expect(refusal(plain(line([0, 0], [0, 0], [1, 1])))).toBe('accepted');
  });

  it('the direction of a ring', () => {
    expect(refusal(plain(polygon(box(0, 0, 10, 10).reverse(), box(2, 2, 3, 3))))).toBe('accepted');
  });
});

describe('the work of a check is bounded', () => {
  it('a ring of thousands of long, interleaved spikes is refused', () => {
    const spikes = Array.from({ length: 4900 }, (_, at) => [
      [-60 + at / 82, -50],
      [at / 82, 50],
    ]).flat();
    const coordinates = [[...spikes, [65, 55], [-70, 55], [-70, -50.5], [-60, -50]]];
    expect(refusal({ type: 'Polygon', coordinates })).toBe(
      'coordinates/0: the ring is too intricate to check',
    );
  });

  it('a wiggly ring of as many positions as are allowed is accepted', () => {
    const corners = Array.from({ length: LIMITS.geometryPositions - 1 }, (_, at) => {
      const turned = (2 * Math.PI * at) / (LIMITS.geometryPositions - 1);
      const far = 10 + 3 * Math.sin(turned * 50);
      return [far * Math.cos(turned), far * Math.sin(turned)];
    });
    expect(() => shapeOf(polygon([...corners, ...corners.slice(0, 1)]))).not.toThrow();
  });
});

describe('rings may touch each other at places', () => {
  it('a hole with a corner on the outer ring, and one at the corner of another hole', () => {
    const touching = polygon(box(0, 0, 10, 10), ring([5, 0], [6, 2], [4, 2]), ring([4, 2], [5, 4], [3, 4]));
    expect(refusal(plain(touching))).toBe('accepted');
  });
});
