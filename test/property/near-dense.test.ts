/** Searches outward among more entries than are read at once: a city around a place, some documents at the same one. */
import fc from '../support/fast-check.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fields } from '../../src/domain/values/values.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import { compileDistance } from '../../src/operators/query/near.ts';
import { cellAt, childrenOf, parentOf, quadOf, rangeOf, type Cell } from '../../src/query/geo/cells.ts';
import { compileReach } from '../../src/query/geo/reach.ts';
import { compileShape } from '../../src/query/geo/shape.ts';
import { angleBetween, EARTH_RADIUS, vectorOf } from '../../src/query/geo/vectors.ts';
import * as oracle from '../support/geo-oracle.ts';
import { between, degrees, place } from '../support/geo-samples.ts';
import { line, plain, point } from '../support/geo-shapes.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { isLong, scaled, some } from '../support/long.ts';

const CITY = isLong('whole') ? 2_400 : 1_200;
const CENTER = [2.35, 48.86] as const;
const USER = 'core.user/u';

describe('bounds for the distance of a cell hold for every place in it', () => {
  test('at every level, near and far', () => {
    const property = fc.property(
      place,
      place,
      between(-8, 0.4),
      degrees(Math.PI),
      (one, other, power, way) => {
        for (const from of [other, oracle.travel(one, way, 10 ** power)]) {
          const reach = compileReach(compileShape(point(...from)));
          const meters = angleBetween(vectorOf(one), vectorOf(from)) * EARTH_RADIUS;
          for (
            let cell: Cell | undefined = cellAt(vectorOf(one));
            cell !== undefined;
            cell = parentOf(cell)
          ) {
            const [least, most] = reach(cell);
            expect(least).toBeLessThanOrEqual(meters);
            expect(most).toBeGreaterThanOrEqual(meters);
          }
        }
      },
    );
    fc.assert(property, { numRuns: scaled(300), seed: 1 });
  });

  test('at every level, seen from its corners, also where diagonals are longest on a face', () => {
    for (const at of [
      [24.239_05, 22.141_826],
      [0.000_001, 0.000_001],
      [44.999_999, 35.26],
    ] as const) {
      for (let cell: Cell | undefined = cellAt(vectorOf(at)); cell !== undefined; cell = parentOf(cell)) {
        for (const { a } of quadOf(cell).edges) {
          const corner = [Math.atan2(a.y, a.x), Math.asin(a.z)].map((angle) => (angle * 180) / Math.PI);
          const reach = compileReach(compileShape(point(corner[0] ?? NaN, corner[1] ?? NaN)));
          expect(reach(cell)[0]).toBe(0);
        }
      }
    }
  });

  test('a part reaches no farther than its whole, but for the disk around it', () => {
    const reach = compileReach(compileShape(point(...CENTER)));
    for (let cell = parentOf(cellAt(vectorOf([10, 10]))); cell !== undefined; cell = parentOf(cell)) {
      const [least, most] = reach(cell);
      const width = most - least;
      for (const part of childrenOf(cell)) {
        expect(rangeOf(part)[0]).toBeGreaterThanOrEqual(rangeOf(cell)[0]);
        const [nearest, farthest] = reach(part);
        expect(nearest).toBeGreaterThanOrEqual(least - width / 4);
        expect(farthest).toBeLessThanOrEqual(most + width / 4);
      }
    }
  });
});

describe('a search in a city', () => {
  const collection = new LocalCollection();
  const known: { readonly id: string; readonly fields: Fields; readonly readable: boolean }[] = [];

  beforeAll(() => {
    collection.learn('$cells.at');
    const away = fc.tuple(degrees(Math.PI), between(0, 1)).map(([way, share]) =>
      // As dense everywhere; every tenth in the very middle.
      oracle.travel([...CENTER], way, (share < 0.1 ? 0 : 2_000 * Math.sqrt(share)) / oracle.RADIUS),
    );
    const readable = fc.boolean();
    for (const [at, shown] of fc.sample(fc.tuple(away, readable), { numRuns: CITY, seed: 3 })) {
      // Some reach to the center, some have a second place there.
      const several = known.length % 70 === 0 ? [point(...CENTER), point(...at)] : null;
      const stored = known.length % 50 === 0 ? line(at, [...CENTER]) : point(...at);
      add({ at: several?.map(plain) ?? plain(stored) }, shown);
    }
    for (const [at, shown] of fc.sample(fc.tuple(place, readable), { numRuns: 200, seed: 4 })) {
      add({ at: plain(point(...at)) }, shown);
    }
    collection.build();
  });
  afterAll(() => {
    collection.close();
  });

  function add(fields: Fields, readable: boolean): void {
    known.push({ id: collection.create(fields, readable ? [USER] : []), fields, readable });
  }

  const bounds: readonly (readonly [least: number | null, most: number | null])[] = [
    [null, null],
    [null, 300],
    [null, 1_500],
    [null, 20_000_000],
    [500, null],
    [500, 1_900],
    [1_999, 5_000_000],
  ];
  const cases = bounds.flatMap(([least, most]) => [false, true].map((viewed) => ({ least, most, viewed })));

  test.each(some(cases, 3))('from $least to $most, viewed: $viewed', async ({ least, most, viewed }) => {
    const options = { viewer: viewed ? [USER, '*'] : null };
    for (const from of [[...CENTER], [2.36, 48.87], [-60, 10]] as const) {
      const geometry = point(...from);
      const near = { op: 'near', path: ['at'], geometry, minDistance: least, maxDistance: most } as const;
      const condition: Condition = near;
      const distance = compileDistance(near);
      const wanted = known
        .filter(({ readable }) => readable || !viewed)
        .map(({ id, fields }) => ({ id, meters: distance(fields) }))
        .filter(({ meters }) => meters < Infinity)
        .sort((a, b) => a.meters - b.meters || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id);
      for (const [offset, limit] of [
        [0, 20],
        [300, 30],
        [wanted.length - 5, 20],
      ] as const) {
        const page = await collection.list(condition, { offset: Math.max(0, offset), limit }, options);
        expect(page.total).toBe(wanted.length);
        expect(page.documents.map(({ id }) => id)).toEqual(
          wanted.slice(Math.max(0, offset), Math.max(0, offset) + limit),
        );
        const uncounted = { offset: Math.max(0, offset), limit, counted: false };
        const same = await collection.list(condition, uncounted, options);
        expect(same).toMatchObject({ total: null, more: uncounted.offset + limit < wanted.length });
        expect(same.documents).toEqual(page.documents);
      }
      let after: string | null = null;
      let more = true;
      const visited: string[] = [];
      for (let pages = 0; pages < 6 && more; pages += 1) {
        const page: Awaited<ReturnType<LocalCollection['list']>> = await collection.list(
          condition,
          { after, limit: 90 },
          options,
        );
        visited.push(...page.documents.map(({ id }) => id));
        ({ more, next: after } = page);
      }
      expect(visited).toEqual(wanted.slice(0, visited.length));
    }
  });
});
