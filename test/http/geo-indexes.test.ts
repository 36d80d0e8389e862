/**
 * Indexes of cells through the API: geometric searches teach a collection to keep one, and from then on look at
 * little. Whatever is built of it, the answers are those of plain spherical distances.
 */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Position } from '../../src/query/geo/geometry.ts';
import { Client, type Reply } from '../support/client.ts';
import * as oracle from '../support/geo-oracle.ts';
import { box, point, polygon } from '../support/geo-shapes.ts';
import { makeUser, underAcl, type Person } from '../support/people.ts';
import { makeMany, searchPath } from '../support/search.ts';

const SIZE = 1000;
const OWN = 600;

/** On a spiral around the Earth, no two equally far from anywhere that is asked. */
function placeOf(n: number): Position {
  return [((n * 137.50776405) % 360) - 180, (Math.asin((2 * n + 1) / SIZE - 1) * 180) / Math.PI];
}

const numbers = Array.from({ length: SIZE }, (_, n) => n);
const attributesOf = (n: number) => ({ n, at: point(...placeOf(n)), side: n % 2 === 0 ? 'even' : 'odd' });
const nearest = (from: Position, among = numbers) =>
  among
    .map((n) => ({ n, meters: oracle.angle(from, placeOf(n)) * oracle.RADIUS }))
    .sort((a, b) => a.meters - b.meters);

let client: Client;
/** Sees what its users may see. */
let web: Client;
let user: Person;
beforeAll(async () => {
  client = await Client.create();
  web = await underAcl(client);
  user = await makeUser(client, 'walker');
  await makeMany(client, 'spot', numbers.slice(OWN).map(attributesOf));
  // What a user creates is the user's to read.
  const waiting = numbers.slice(0, OWN);
  const worker = async () => {
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
      const data = { type: 'spot', attributes: attributesOf(n) };
      const made = await web.post('/resources/spot', { data }, user.headers);
      if (made.status !== 201) throw new Error(made.text);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}, 120_000);

interface Plan {
  readonly indexes: readonly string[];
  readonly scan: boolean;
  readonly 'documents-decoded': number;
}

function near(from: Position, bounds: object = {}): object {
  return { at: { $near: { $geometry: point(...from), ...bounds } } };
}

function get(path: string, by: Client = client, headers: Person['headers'] = {}): Promise<Reply> {
  return by.get(path, { 'foredge-explain': inject('operatorSecret'), ...headers });
}

function planOf(reply: Reply): Plan {
  return reply.body.meta['plan'] as Plan;
}

function found(reply: Reply): readonly number[] {
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.map(({ attributes }) => Number(attributes?.['n']));
}

const PARIS: Position = [2.35, 48.86];
const DATE_LINE: Position = [179.99, -16.5];

test('a collection learns an index of cells from searches, and answers alike meanwhile', async () => {
  const expected = nearest(PARIS)
    .slice(0, 20)
    .map(({ n }) => n);
  const first = await get(searchPath('spot', near(PARIS)));
  expect(planOf(first)).toMatchObject({ scan: true, indexes: [] });
  for (let reply = first; ; reply = await get(searchPath('spot', near(PARIS)))) {
    expect(found(reply)).toEqual(expected);
    expect(reply.body.meta.count).toBe(SIZE);
    const plan = planOf(reply);
    if (plan.scan) continue;
    expect(plan.indexes).toEqual(['$cells.at']);
    expect(plan['documents-decoded']).toBeLessThan(SIZE / 4);
    break;
  }
});

describe('with the index', () => {
  test.each([PARIS, DATE_LINE, [0, 90], [12, -90], [0, 0]] as Position[])(
    'nearest first from %d, %d: pages by cursor and by offset hold all, once, in order',
    async (...from) => {
      const expected = nearest(from).map(({ n }) => n);
      const visited: number[] = [];
      const start = searchPath('spot', near(from), { 'page[after]': '', 'page[size]': '250' });
      for (let next: string | null = start; next !== null;) {
        const page: Reply = await get(next);
        expect(planOf(page).scan).toBe(false);
        visited.push(...found(page));
        next = page.body.links.next;
      }
      expect(visited).toEqual(expected);
      const page = await get(searchPath('spot', near(from), { 'page[offset]': '95', 'page[limit]': '10' }));
      expect(found(page)).toEqual(expected.slice(95, 105));
      expect(page.body.meta.count).toBe(SIZE);
    },
  );

  test.each([
    [PARIS, 0, 900_000],
    [DATE_LINE, 400_000, 3_000_000],
    [[0, 90] as Position, 0, 9_000_000],
  ])('bounds of distance from %o are counted exactly', async (from, $minDistance, $maxDistance) => {
    const expected = nearest(from).filter(({ meters }) => meters >= $minDistance && meters <= $maxDistance);
    const reply = await get(searchPath('spot', near(from, { $minDistance, $maxDistance })));
    expect(found(reply)).toEqual(expected.slice(0, 20).map(({ n }) => n));
    expect(reply.body.meta.count).toBe(expected.length);
    expect(planOf(reply)).toMatchObject({ scan: false, indexes: ['$cells.at'] });
  });

  test('a user sees and counts what it may read', async () => {
    const own = numbers.slice(0, OWN);
    for (const bounds of [{}, { $maxDistance: 4_000_000 }]) {
      const expected = nearest(PARIS, own).filter(
        ({ meters }) => meters <= (bounds.$maxDistance ?? Infinity),
      );
      const reply = await get(searchPath('spot', near(PARIS, bounds)), web, user.headers);
      expect(found(reply)).toEqual(expected.slice(0, 20).map(({ n }) => n));
      expect(reply.body.meta.count).toBe(expected.length);
      expect(planOf(reply).scan).toBe(false);
    }
  });

  test('a polygon across the date line looks at what is about there', async () => {
    const $geometry = polygon(box(170, -30, 190, -5).map(([l = 0, p = 0]) => [l > 180 ? l - 360 : l, p]));
    const path = searchPath('spot', { at: { $geoWithin: { $geometry } } }, { 'page[limit]': '1000' });
    const reply = await get(path);
    const matching = found(
      await get(
        searchPath(
          'spot',
          { $nor: [{ $nor: [{ at: { $geoWithin: { $geometry } } }] }] },
          { 'page[limit]': '1000' },
        ),
      ),
    );
    expect([...found(reply)].sort()).toEqual([...matching].sort());
    expect(matching.length).toBeGreaterThan(5);
    expect(planOf(reply)).toMatchObject({ indexes: ['$cells.at'] });
    expect(planOf(reply)['documents-decoded']).toBeLessThan(SIZE / 6);
  });

  test('what moves, goes and comes is found where it is', async () => {
    const island: Position = [-3.001, 0.002];
    const there = async () => found(await get(searchPath('spot', near(island, { $maxDistance: 10 }))));
    const made = await client.make('spot', { n: 5000, at: point(...island) });
    expect(await there()).toEqual([5000]);
    const move = (at: unknown) =>
      client.patch(`/resources/spot/${made.id}`, { data: { type: 'spot', id: made.id, attributes: { at } } });
    expect((await move('nowhere')).status).toBe(200);
    expect(await there()).toEqual([]);
    expect((await get(searchPath('spot', near(island)))).body.meta.count).toBe(SIZE);
    expect((await move([point(50, 50), point(...island)])).status).toBe(200);
    expect(await there()).toEqual([5000]);
    expect((await get(searchPath('spot', near(island)))).body.meta.count).toBe(SIZE + 1);
    expect((await client.delete(`/resources/spot/${made.id}`)).status).toBe(204);
    expect(await there()).toEqual([]);
  });

  test('a cursor that somebody made up is refused, with a distance and without', async () => {
    const cursor = (key: unknown) => btoa(JSON.stringify({ key, id: '0'.repeat(24) })).replace(/=+$/, '');
    for (const key of [[], [['far']], [[null]], [[-5]], [[5]]]) {
      expect((await get(searchPath('spot', near(PARIS), { 'page[after]': cursor(key) }))).status).toBe(400);
    }
  });
});
