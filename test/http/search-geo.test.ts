/**
 * Geometry through the API: cities of all the world by distance, every type of geometry. Figures of all kinds, against
 * spherical trigonometry: test/property/geo-shapes and geo-index.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Geometry, Position } from '../../src/query/geo/geometry.ts';
import { CITIES } from '../support/cities.ts';
import { Client } from '../support/client.ts';
import * as oracle from '../support/geo-oracle.ts';
import { box, collection, line, lines, point, points, polygon, polygons } from '../support/geo-shapes.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';

/** Meters within which two distances count as equal: what the oracle is good for. */
const METERS = 1e-3;

const PLACES: readonly (readonly [name: string, place: Position])[] = [
  ['the north pole', [0, 90]],
  ['the north pole, written otherwise', [-137.5, 90]],
  ['the south pole', [12, -90]],
  ['the date line from the east', [-180, -17]],
  ['the date line from the west', [180, -17]],
  ['beside the date line', [179.999, 66]],
  ['where Greenwich crosses the equator', [0, 0]],
];

const client = await Client.create();
await crowd(
  client,
  'cities',
  CITIES.map((coordinates, n) => ({ n, at: { type: 'Point', coordinates } })),
);

/** The numbers of the documents of a page and of all that follow it, in order. */
async function follow(path: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (let next: string | null = path; next !== null;) {
    const page = await client.get(next);
    expect(page.status, page.text).toBe(200);
    found.push(...page.body.data.map(({ attributes }) => Number(attributes?.['n'])));
    next = page.body.links.next;
  }
  return found;
}

/** The numbers of all documents that match, in order. */
function numbers(type: string, filter: unknown, further: object = {}): Promise<readonly number[]> {
  return follow(searchPath(type, filter, { 'page[limit]': '1000', ...further }));
}

function near(operator: '$near' | '$nearSphere', from: Position, bounds: object = {}): unknown {
  return { at: { [operator]: { $geometry: point(...from), ...bounds } } };
}

const metersTo = (from: Position) => (n: number) => oracle.angle(from, CITIES[n] ?? []) * oracle.RADIUS;

const everyCity = CITIES.map((_, n) => n);

describe('the nearest twenty cities come in order', () => {
  test.each(PLACES)('of %s', async (_name, from) => {
    const meters = metersTo(from);
    const expected = everyCity.map(meters).sort((a, b) => a - b);
    for (const operator of ['$near', '$nearSphere'] as const) {
      const path = searchPath('cities', near(operator, from), { 'page[limit]': '20' });
      const reply = await client.get(path);
      const found = reply.body.data.map(({ attributes }) => meters(Number(attributes?.['n'])));
      expect(found.length).toBe(20);
      found.forEach((each, index) => {
        expect(Math.abs(each - (expected[index] ?? 0))).toBeLessThan(METERS);
      });
      expect(reply.body.meta.count).toBe(CITIES.length);
    }
  });
});

describe('every type of geometry can be stored and found', () => {
  const here: Position = [10, 50];
  const stored: readonly Geometry[] = [
    point(...here),
    points([0, 0], here),
    line([9, 50], here),
    lines(
      [
        [0, 0],
        [1, 1],
      ],
      [here, [11, 51]],
    ),
    polygon(box(9, 49, 11, 51)),
    polygons([box(0, 0, 1, 1)], [box(9, 49, 11, 51)]),
    collection(point(0, 0), collection(point(...here))),
  ];
  let ids: readonly string[];
  beforeAll(async () => {
    ids = await crowd(
      client,
      'geometries',
      [...stored, point(-10, -50)].map((at) => ({ at })),
    );
  });
  const types = (found: readonly string[]) => found.map((id) => stored[ids.indexOf(id)]?.type ?? 'another');
  const search = async (filter: unknown) => {
    const reply = await client.get(searchPath('geometries', filter));
    expect(reply.status, reply.text).toBe(200);
    return types(reply.body.data.map(({ id }) => id));
  };

  test.each(stored.map((geometry) => [geometry.type, geometry] as const))(
    '$geoIntersects with a %s finds all that share a place with it',
    async (_type, $geometry) => {
      expect(await search({ at: { $geoIntersects: { $geometry } } })).toEqual(stored.map(({ type }) => type));
    },
  );

  test('$geoWithin takes those that are inside as a whole', async () => {
    const filter = { at: { $geoWithin: { $geometry: polygon(box(8, 48, 12, 52)) } } };
    expect(await search(filter)).toEqual(['Point', 'LineString', 'Polygon']);
  });

  test('a place in a hole is not in the polygon', async () => {
    const $geometry = polygon(box(0, 40, 20, 60), box(9, 49, 11, 51));
    expect(await search({ at: { $geoWithin: { $geometry } } })).toEqual([]);
    // The border of the hole belongs to the polygon.
    const touching = ['LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'];
    expect(await search({ at: { $geoIntersects: { $geometry } } })).toEqual(touching);
  });

  test('they come back as they went', async () => {
    const reply = await client.get('/resources/geometries');
    expect(reply.body.data.slice(0, -1).map(({ attributes }) => attributes?.['at'])).toEqual(stored);
  });
});

test('malformed GeoJSON that is stored matches no geometric filter, and in a filter it is 400', async () => {
  const bad = [
    { type: 'Point', coordinates: [0, 91] },
    { coordinates: [0, 0] },
    polygon(box(-1, -1, 1, 1).slice(0, -1)),
  ];
  await crowd(
    client,
    'malformed',
    [...bad, [0, 0], point(0, 0)].map((at) => ({ at })),
  );
  const around = { $geoWithin: { $geometry: polygon(box(-60, -45, 60, 45)) } };
  for (const condition of [
    around,
    { $geoIntersects: around.$geoWithin },
    { $near: { $geometry: point(0, 0) } },
  ]) {
    const reply = await client.get(searchPath('malformed', { at: condition }));
    expect(reply.body.data.map(({ attributes }) => attributes?.['at'])).toEqual([point(0, 0)]);
  }
  const others = await client.get(searchPath('malformed', { at: { $not: around } }));
  expect(others.body.meta.count).toBe(bad.length + 1);
  for (const $geometry of bad) {
    const reply = await client.get(searchPath('malformed', { at: { $geoIntersects: { $geometry } } }));
    expect(reply.body.errors[0]?.meta?.['pointer']).toMatch(/^\/at\/\$geoIntersects\/\$geometry/);
  }
});

describe('the order of $near', () => {
  const from: Position = [178, -18];

  test('gives way to sort', async () => {
    const filter = near('$near', from, { $maxDistance: 2_000_000 });
    const found = await numbers('cities', filter, { sort: '-n' });
    expect(found).toEqual([...found].sort((a, b) => b - a));
    expect(new Set(found)).toEqual(new Set(await numbers('cities', filter)));
    expect(found.length).toBeGreaterThan(20);
  });

  test.each([
    ['offset', { 'page[limit]': '7' }],
    ['number', { 'page[size]': '7' }],
    ['cursor', { 'page[after]': '', 'page[size]': '7' }],
  ] satisfies [string, Readonly<Record<string, string>>][])(
    'holds through all pages by %s, each city once',
    async (_style, page) => {
      const filter = near('$nearSphere', from, { $maxDistance: 2_000_000 });
      const paged = await follow(searchPath('cities', filter, page));
      expect(paged).toEqual(await numbers('cities', filter));
      expect(new Set(paged).size).toBe(paged.length);
    },
  );

  test('ties are broken by id, also from page to page', async () => {
    await crowd(client, 'ties', 10, (n) => ({ n, at: point(1, 1) }));
    const found = await follow(
      searchPath('ties', near('$near', [0, 0]), { 'page[after]': '', 'page[size]': '3' }),
    );
    expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
