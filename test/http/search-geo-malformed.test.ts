/** GeoJSON that is stored but none: it matches no geometric filter, and hinders none. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { box, point, polygon } from '../support/geo-shapes.ts';
import { makeInOrder, searchPath } from '../support/search.ts';

const client = await Client.create();

/** Around all that is stored below. */
const POLYGON = { $geometry: polygon(box(-60, -45, 60, 45)) };

describe('malformed GeoJSON that is stored matches no geometric filter', () => {
  const malformed: readonly (readonly [name: string, value: unknown])[] = [
    ['a latitude beyond the pole', { type: 'Point', coordinates: [0, 91] }],
    ['a longitude beyond the date line', { type: 'Point', coordinates: [181, 0] }],
    ['a position of one number', { type: 'Point', coordinates: [0] }],
    ['a position of strings', { type: 'Point', coordinates: ['0', '0'] }],
    ['a type in lower case', { type: 'point', coordinates: [0, 0] }],
    ['no type', { coordinates: [0, 0] }],
    ['no coordinates', { type: 'Point' }],
    ['a pair of numbers', [0, 0]],
    ['a line of one place', { type: 'LineString', coordinates: [[0, 0]] }],
    ['an open ring', { type: 'Polygon', coordinates: [box(-1, -1, 1, 1).slice(0, -1)] }],
    [
      'a ring that crosses itself',
      {
        type: 'Polygon',
        coordinates: [
          [
            [-1, -1],
            [1, 1],
            [1, -1],
            [-1, 1],
            [-1, -1],
          ],
        ],
      },
    ],
    ['a hole outside', { type: 'Polygon', coordinates: [box(-1, -1, 1, 1), box(5, 5, 6, 6)] }],
    ['an empty collection', { type: 'GeometryCollection', geometries: [] }],
    [
      'a collection with one bad part',
      { type: 'GeometryCollection', geometries: [point(0, 0), { type: 'Point', coordinates: [] }] },
    ],
  ];
  beforeAll(async () => {
    await makeInOrder(
      client,
      'malformed',
      [...malformed.map(([, at]) => ({ at })), { at: point(0, 0), good: true }].map((each) =>
        JSON.stringify(each),
      ),
    );
  });

  test.each([
    ['$geoIntersects', POLYGON],
    ['$geoWithin', POLYGON],
    ['$near', { $geometry: point(0, 0) }],
    ['$nearSphere', { $geometry: point(0, 0) }],
  ])('%s', async (operator, operand) => {
    const reply = await client.get(searchPath('malformed', { at: { [operator]: operand } }));
    expect(reply.body.data.map(({ attributes }) => attributes?.['good'])).toEqual([true]);
    const others = await client.get(searchPath('malformed', { at: { $not: { $geoWithin: POLYGON } } }));
    expect(others.body.meta.count).toBe(malformed.length);
  });

  test.each(malformed.filter(([, value]) => !Array.isArray(value)))(
    'in a filter %s is 400',
    async (_name, value) => {
      const reply = await client.get(
        searchPath('malformed', { at: { $geoIntersects: { $geometry: value } } }),
      );
      expect(reply.status).toBe(400);
      expect(reply.body.errors[0]?.meta?.['pointer']).toMatch(/^\/at\/\$geoIntersects\/\$geometry/);
    },
  );
});
