/**
 * Geometric searches over an index of cells, against the matcher alone: on random figures of all sizes and places,
 * whether the index is there, half built, or absent, the same documents are found, counted, ordered and paged.
 */
import fc from '../support/fast-check.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ObjectId, type Fields } from '../../src/domain/values/values.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { compileDistance, nearOf } from '../../src/operators/query/near.ts';
import type { Geometry, Position } from '../../src/query/geo/geometry.ts';
import * as oracle from '../support/geo-oracle.ts';
import { geometric, located } from '../support/geo-arbitraries.ts';
import { line, plain, point, points, polygon } from '../support/geo-shapes.ts';
import { LocalCollection, type Found } from '../support/local-collection.ts';
import { isLong, scaled } from '../support/long.ts';

const SIZE = isLong('whole') ? 700 : 200;
const USER = 'core.user/u';

interface Known {
  readonly id: string;
  readonly fields: Fields;
  readonly readable: boolean;
}

/** What the matcher alone finds, in order. */
function expected(known: Iterable<Known>, condition: Condition, viewed: boolean): readonly string[] {
  const matches = compileMatcher(condition);
  const asked = nearOf(condition);
  const distance = asked === undefined ? () => 0 : compileDistance(asked);
  return [...known]
    .filter(({ readable, fields }) => (readable || !viewed) && matches(fields))
    .map(({ id, fields }) => ({ id, meters: distance(fields) }))
    .sort((a, b) => a.meters - b.meters || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

function idsOf({ documents }: Found): readonly string[] {
  return documents.map(({ id }) => id);
}

class Places {
  readonly collection = new LocalCollection();
  readonly known = new Map<string, Known>();

  add(attributes: Fields, readable = true): string {
    const id = this.collection.create(attributes, readable ? [USER] : []);
    this.#keep(id, attributes, readable);
    return id;
  }

  change(id: string, attributes: Fields): void {
    this.collection.update(id, attributes);
    const { fields, readable } = this.known.get(id) ?? { fields: {}, readable: true };
    this.#keep(id, { ...fields, ...attributes }, readable);
  }

  remove(id: string): void {
    this.collection.remove(id);
    this.known.delete(id);
  }

  /** Compares one page and the count, and every page by cursor, with what the matcher finds. */
  async compare(
    condition: Condition,
    viewed: boolean,
    offset: number,
    limit: number,
  ): Promise<Found['plan']> {
    const wanted = expected(this.known.values(), condition, viewed);
    const options = { viewer: viewed ? [USER, '*'] : null };
    const page = await this.collection.list(condition, { offset, limit }, options);
    expect(idsOf(page)).toEqual(wanted.slice(offset, offset + limit));
    expect(page.total).toBe(wanted.length);
    const uncounted = await this.collection.list(condition, { offset, limit, counted: false }, options);
    expect(idsOf(uncounted)).toEqual(wanted.slice(offset, offset + limit));
    expect(uncounted).toMatchObject({ total: null, more: offset + limit < wanted.length });
    const visited: string[] = [];
    const size = Math.max(limit, Math.ceil(wanted.length / 4));
    let after: string | null = null;
    for (let more = true; more;) {
      const next: Found = await this.collection.list(condition, { after, limit: size }, options);
      expect(next.total).toBe(wanted.length);
      visited.push(...idsOf(next));
      ({ more, next: after } = next);
    }
    expect(visited).toEqual(wanted);
    return page.plan;
  }

  #keep(id: string, attributes: Fields, readable: boolean): void {
    this.known.set(id, { id, fields: { ...attributes, id: new ObjectId(id), type: 'place' }, readable });
  }
}

const places = new Places();
beforeAll(() => {
  for (const each of fc.sample(fc.tuple(located, fc.boolean()), { numRuns: SIZE, seed: 11 }))
    places.add(...each);
});
afterAll(() => {
  places.collection.close();
});

const search = fc.tuple(geometric, fc.boolean(), fc.nat(30), fc.integer({ min: 1, max: 40 }));
const INDEXES = ['$cells.at', '$cells.deep.at', '$cells.at.0', 'color'];

describe('what a geometric search finds is what the matcher finds', () => {
  async function compareAll(numRuns: number, seed: number): Promise<readonly Found['plan'][]> {
    const plans: Found['plan'][] = [];
    const property = fc.asyncProperty(search, async ([condition, viewed, offset, limit]) => {
      plans.push(await places.compare(condition, viewed, offset, limit));
    });
    await fc.assert(property, { numRuns, seed, endOnFailure: true });
    return plans;
  }

  test('without an index', async () => {
    const plans = await compareAll(10, 1);
    expect(plans.every(({ used }) => used.length === 0)).toBe(true);
  });

  test('while indexes are built, and after a restart in between', async () => {
    for (const name of INDEXES) places.collection.learn(name);
    expect(places.collection.build(1)).toBe(false);
    await compareAll(5, 2);
    places.collection.restart();
    expect(places.collection.build(1)).toBe(false);
    expect((await compareAll(5, 3)).every(({ used }) => used.length < INDEXES.length)).toBe(true);
  });

  test('with the index of cells on each path', async () => {
    expect(places.collection.build()).toBe(true);
    const plans = await compareAll(scaled(250), 4);
    expect(plans.filter(({ scan }) => !scan).length).toBeGreaterThan(scaled(50));
    expect(plans.filter(({ used, decoded }) => used.length > 0 && decoded < SIZE / 4).length).toBeGreaterThan(
      scaled(50),
    );
  });
});

test('writes keep the index, while it is built and after', async () => {
  const change = fc.oneof(
    located.map((attributes) => ({ kind: 'add' as const, attributes })),
    fc.tuple(fc.nat(), located).map(([at, attributes]) => ({ kind: 'change' as const, at, attributes })),
    fc.nat().map((at) => ({ kind: 'remove' as const, at })),
    fc.nat(2).map((steps) => ({ kind: 'build' as const, steps })),
    fc.constant({ kind: 'restart' as const }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(located, { minLength: 1, maxLength: 20 }),
      fc.array(change, { maxLength: 20 }),
      fc.array(geometric, { minLength: 3, maxLength: 3 }),
      async (documents, changes, filters) => {
        const places = new Places();
        const idAt = (at: number) => [...places.known.keys()][at % Math.max(1, places.known.size)];
        for (const each of documents) places.add(each);
        for (const name of INDEXES) places.collection.learn(name);
        for (const each of changes) {
          const id = 'at' in each ? idAt(each.at) : undefined;
          if (each.kind === 'add') places.add(each.attributes);
          else if (each.kind === 'build') places.collection.build(each.steps);
          else if (each.kind === 'restart') places.collection.restart();
          else if (id !== undefined && each.kind === 'remove') places.remove(id);
          else if (id !== undefined && each.kind === 'change') places.change(id, each.attributes);
        }
        places.collection.build();
        for (const condition of filters) await places.compare(condition, false, 0, 5);
        for (const id of places.known.keys()) places.remove(id);
        expect(places.collection.rows('cells') + places.collection.rows('entries')).toBe(0);
        places.collection.close();
      },
    ),
    { numRuns: scaled(60), seed: 5, endOnFailure: true },
  );
});

describe('on the border', () => {
  /** Cells of the grid end at these. */
  const borders: readonly (readonly [name: string, stored: Position, asked: Position])[] = [
    ['the same place', [0, 0], [0, 0]],
    ['a place that rounding put beyond a border of cells', [-1e-17, 10], [1e-17, 10]],
    ['a place that rounding put beyond a corner of cells', [-1e-17, -1e-17], [1e-17, 1e-17]],
    ['the date line from either side', [180, 10], [-180, 10]],
    ['the corner of three faces', [45, 35.264389682754654], [45, 35.26438968275466]],
    ['the border of two faces', [45, 10], [45.00000000000001, 10]],
    ['the north pole by another name', [17, 90], [-120, 90]],
    ['the south pole by another name', [17, -90], [-120, -90]],
  ];
  const around = ([l = 0, p = 0]: Position): Geometry =>
    polygon([...oracle.star([l, p], 0.2, [1, 1, 1, 1, 1]).ring]);
  const filters = (asked: Position): readonly Condition[] => [
    { op: 'geoIntersects', path: ['at'], geometry: point(...asked) },
    { op: 'geoIntersects', path: ['at'], geometry: points(asked, [100, 33], [100, -33]) },
    { op: 'geoIntersects', path: ['at'], geometry: around(asked) },
    { op: 'geoWithin', path: ['at'], geometry: around(asked) },
    { op: 'near', path: ['at'], geometry: point(...asked), minDistance: null, maxDistance: 1e-6 },
    { op: 'near', path: ['at'], geometry: point(...asked), minDistance: 0, maxDistance: null },
    { op: 'near', path: ['at'], geometry: point(...asked), minDistance: null, maxDistance: 30_000_000 },
  ];

  test.each(borders)('%s', async (_name, stored, asked) => {
    const places = new Places();
    places.collection.learn('$cells.at');
    places.add({ at: plain(point(...stored)) });
    places.add({ at: [plain(line(stored, [stored[0] ?? 0, 1])), null] });
    places.add({ at: plain(around(stored)) });
    places.add({ at: plain(point(100, 33)) });
    places.add({ at: 'nowhere' });
    places.collection.build();
    for (const condition of filters(asked)) {
      const { used } = await places.compare(condition, false, 0, 10);
      expect(used).toEqual(['$cells.at']);
      expect(expected(places.known.values(), condition, false)).toContain([...places.known.keys()][0]);
    }
    places.collection.close();
  });

  test.each([0, 0.001, 50, 1_000_000])('both bounds of distance are inside: %d meters', async (meters) => {
    const places = new Places();
    places.collection.learn('$cells.at');
    for (const direction of [0, 1, 2, 3, 4, 5]) {
      places.add({ at: plain(point(...oracle.travel([10, 45], direction, meters / oracle.RADIUS))) });
    }
    places.collection.build();
    const from: Condition = {
      op: 'near',
      path: ['at'],
      geometry: point(10, 45),
      minDistance: null,
      maxDistance: null,
    };
    for (const { fields } of places.known.values()) {
      // The very distance of a stored point, as a bound from above and from below.
      const exact = compileDistance({ ...from })(fields);
      for (const bounds of [
        { maxDistance: exact },
        { minDistance: exact },
        { minDistance: exact, maxDistance: exact },
      ]) {
        await places.compare({ ...from, ...bounds }, false, 0, 3);
      }
    }
    places.collection.close();
  });
});

test('an index that nothing asks for leaves nothing behind', async () => {
  const places = new Places();
  for (const name of INDEXES) places.collection.learn(name);
  for (const each of fc.sample(located, { numRuns: 20, seed: 6 })) places.add(each);
  places.collection.build();
  expect(places.collection.rows('cells')).toBeGreaterThan(0);
  places.collection.forget();
  expect(places.collection.rows('cells') + places.collection.rows('path_indexes')).toBe(0);
  await places.compare(
    { op: 'not', condition: { op: 'geoIntersects', path: ['at'], geometry: point(0, 0) } },
    false,
    0,
    5,
  );
  places.collection.close();
});
