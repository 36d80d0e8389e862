/** Geometry through the API against spherical trigonometry, over cities of the whole world and figures of all kinds. */
import fc from '../support/fast-check.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Geometry, Position } from '../../src/query/geo/geometry.ts';
import { CITIES } from '../support/cities.ts';
import { Client } from '../support/client.ts';
import * as oracle from '../support/geo-oracle.ts';
import { between, CLOSE, place, shares, star } from '../support/geo-samples.ts';
import { box, collection, line, lines, point, points, polygon, polygons } from '../support/geo-shapes.ts';
import { makeInOrder, makeMany, searchPath } from '../support/search.ts';

/** Meters within which two distances count as equal: what the oracle is good for. */
const METERS = 1e-3;

/** Figures stored beside the cities, some across the date line or around a pole. */
const FIGURES = fc
  .sample(fc.tuple(star, fc.boolean()), { numRuns: 120, seed: 7 })
  .map(([figure, closed]) => ({
    ...figure,
    closed,
    // An open line along the ring.
    line: closed ? figure.ring : figure.ring.slice(0, -1),
  }));

const PLACES: readonly (readonly [name: string, place: Position])[] = [
  ['the north pole', [0, 90]],
  ['the north pole, written otherwise', [-137.5, 90]],
  ['the south pole', [12, -90]],
  ['the date line from the east', [-180, -17]],
  ['the date line from the west', [180, -17]],
  ['beside the date line', [179.999, 66]],
  ['where Greenwich crosses the equator', [0, 0]],
  ...fc
    .sample(place, { numRuns: 25, seed: 3 })
    .map((each): [string, Position] => [`[${each.join(', ')}]`, each]),
];

let client: Client;
beforeAll(async () => {
  client = await Client.create();
  await makeMany(
    client,
    'cities',
    CITIES.map((coordinates, n) => ({ n, at: { type: 'Point', coordinates } })),
  );
  await makeMany(
    client,
    'figures',
    FIGURES.map(({ closed, line: corners, ring }, n) => ({
      n,
      at: closed ? polygon([...ring]) : line(...corners),
    })),
  );
});

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

/** What both lists hold is right for sure; what neither holds may be left out. */
function expectBetween(
  found: readonly number[],
  surely: readonly number[],
  perhaps: readonly number[],
): void {
  const all = new Set(found);
  expect(all.size).toBe(found.length);
  expect(surely.filter((n) => !all.has(n))).toEqual([]);
  expect(found.filter((n) => !perhaps.includes(n))).toEqual([]);
}

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

describe('the cities between two distances, nearest first', () => {
  const rings = fc.sample(fc.tuple(between(5, 7), between(0, 0.9)), { numRuns: PLACES.length, seed: 4 });

  test.each(PLACES)('from %s', async (_name, from) => {
    const meters = metersTo(from);
    const [power = 6, share = 0.5] = rings[PLACES.findIndex(([, each]) => each === from)] ?? [];
    const $maxDistance = 10 ** power;
    const $minDistance = $maxDistance * share;
    const found = await numbers('cities', near('$near', from, { $minDistance, $maxDistance }));
    const within = (slack: number) =>
      everyCity.filter((n) => meters(n) >= $minDistance - slack && meters(n) <= $maxDistance + slack);
    expectBetween(found, within(-METERS), within(METERS));
    const distances = found.map(meters);
    distances.forEach((each, index) => {
      expect(each).toBeGreaterThan((distances[index - 1] ?? 0) - METERS);
    });
  });
});

describe('the cities in a figure', () => {
  const around = fc
    .tuple(fc.constantFrom(...CITIES), between(-2.5, 0), shares)
    .map(([center, power, corners]) => oracle.star(center, 10 ** power, corners));
  const figures = [
    ...fc.sample(around, { numRuns: 20, seed: 5 }),
    ...fc.sample(star, { numRuns: 10, seed: 6 }),
    oracle.star([0, 90], 0.4, [1, 0.8, 1, 0.9, 1]),
    oracle.star([0, -90], 0.6, [1, 0.8, 1, 0.9, 1]),
    oracle.star([180, -17], 0.3, [1, 0.5, 1, 0.5, 1, 0.5]),
    oracle.star([-180, 62], 0.2, [1, 0.7, 1, 0.7, 1]),
  ];

  test.each(figures.map((figure) => [figure.center.join(', '), figure] as const))(
    'around %s are those the oracle puts there',
    async (_name, figure) => {
      const inside = everyCity.filter((n) => oracle.isInside(figure, CITIES[n] ?? []));
      const isClear = (n: number) => oracle.angleToLine(CITIES[n] ?? [], figure.ring) > CLOSE;
      const close = everyCity.filter((n) => !isClear(n));
      const $geometry = polygon([...figure.ring]);
      for (const operator of ['$geoWithin', '$geoIntersects']) {
        const found = await numbers('cities', { at: { [operator]: { $geometry } } });
        expectBetween(found, inside.filter(isClear), [...inside, ...close]);
      }
    },
  );

  test('and those figures hold a good part of all cities', () => {
    const held = figures.map(
      (figure) => everyCity.filter((n) => oracle.isInside(figure, CITIES[n] ?? [])).length,
    );
    expect(held.filter((count) => count > 0).length).toBeGreaterThan(figures.length / 2);
    expect(Math.max(...held)).toBeGreaterThan(200);
  });

  test('of two parts are those of either', async () => {
    const [one, other] = [
      oracle.star([0, 90], 0.4, [1, 1, 1, 1]),
      oracle.star([180, -17], 0.3, [1, 1, 1, 1]),
    ];
    const $geometry = polygons([[...one.ring]], [[...other.ring]]);
    const inside = everyCity.filter((n) =>
      [one, other].some((figure) => oracle.isInside(figure, CITIES[n] ?? [])),
    );
    const found = await numbers('cities', { at: { $geoWithin: { $geometry } } });
    expect([...found].sort((a, b) => a - b)).toEqual(inside);
    expect(found.length).toBeGreaterThan(20);
  });
});

describe('stored lines and polygons', () => {
  const asked = [
    ...fc.sample(star, { numRuns: 25, seed: 8 }),
    oracle.star([0, 90], 0.5, [1, 0.8, 1, 0.9, 1]),
    oracle.star([180, 10], 0.5, [1, 0.8, 1, 0.9, 1]),
  ];
  const everyFigure = FIGURES.map((_, n) => n);

  test.each(asked.map((figure) => [figure.center.join(', '), figure] as const))(
    'that meet a figure around %s are those the oracle says',
    async (_name, figure) => {
      const found = await numbers('figures', {
        at: { $geoIntersects: { $geometry: polygon([...figure.ring]) } },
      });
      const isClear = (n: number) => oracle.clearance(FIGURES[n]?.line ?? [], figure.ring) > CLOSE;
      const meets = everyFigure.filter((n) => {
        const stored = FIGURES[n];
        if (stored === undefined) return false;
        const [corner = []] = stored.line;
        return (
          oracle.linesCross(stored.line, figure.ring) ||
          oracle.isInside(figure, corner) ||
          (stored.closed && oracle.isInside(stored, figure.ring[0] ?? []))
        );
      });
      const unclear = everyFigure.filter((n) => !isClear(n));
      expectBetween(found, meets.filter(isClear), [...meets, ...unclear]);
    },
  );

  test.each(PLACES)('come nearest to %s first', async (_name, from) => {
    const metersOf = (n: number) => {
      const stored = FIGURES[n];
      if (stored === undefined) return NaN;
      const inside = stored.closed && oracle.isInside(stored, from);
      return inside ? 0 : oracle.angleToLine(from, stored.line) * oracle.RADIUS;
    };
    const found = (await numbers('figures', near('$near', from))).map(metersOf);
    expect(found.length).toBe(FIGURES.length);
    found.forEach((each, index) => {
      // Halfway round the Earth the oracle's cross-track distance is good to centimeters.
      expect(each).toBeGreaterThan((found[index - 1] ?? 0) - 0.1);
    });
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
    ids = await makeInOrder(
      client,
      'geometries',
      [...stored, point(-10, -50)].map((at) => JSON.stringify({ at })),
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

  test('$near is at no distance from any of them', async () => {
    const filter = near('$near', here, { $maxDistance: 0.001 });
    // Zero, but for a rounding that gives them some order.
    expect(new Set(await search(filter))).toEqual(new Set(stored.map(({ type }) => type)));
  });

  test('$geoWithin takes those that are inside as a whole', async () => {
    const filter = { at: { $geoWithin: { $geometry: polygon(box(8, 48, 12, 52)) } } };
    expect(await search(filter)).toEqual(['Point', 'LineString', 'Polygon']);
  });

  test('a place in a hole is not in the polygon', async () => {
    const ring = polygon(box(0, 40, 20, 60), box(9, 49, 11, 51));
    expect(await search({ at: { $geoWithin: { $geometry: ring } } })).toEqual([]);
    // The border of the hole belongs to the polygon: what reaches it from within the hole touches.
    expect(await search({ at: { $geoIntersects: { $geometry: ring } } })).toEqual([
      'LineString',
      'MultiLineString',
      'Polygon',
      'MultiPolygon',
    ]);
  });

  test('they come back as they went', async () => {
    const reply = await client.get('/resources/geometries');
    expect(reply.body.data.slice(0, -1).map(({ attributes }) => attributes?.['at'])).toEqual(stored);
  });
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
    const same = Array.from({ length: 10 }, (_, n) => JSON.stringify({ n, at: point(1, 1) }));
    await makeInOrder(client, 'ties', same);
    const found = await follow(
      searchPath('ties', near('$near', [0, 0]), { 'page[after]': '', 'page[size]': '3' }),
    );
    expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
