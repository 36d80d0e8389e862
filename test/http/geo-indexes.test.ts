/**
 * Indexes of cells through the API: geometric searches teach a collection to keep one, and from then on look at
 * little. What is found, counted and paged with one is compared in property/geo-index.
 */
import { expect, test } from 'vitest';
import type { Position } from '../../src/query/geo/geometry.ts';
import { Client, type Reply } from '../support/client.ts';
import * as oracle from '../support/geo-oracle.ts';
import { point } from '../support/geo-shapes.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';
import { explain, planOf } from '../support/plan.ts';

const SIZE = 1000;

/** On a spiral around the Earth. */
function placeOf(n: number): Position {
  return [((n * 137.50776405) % 360) - 180, (Math.asin((2 * n + 1) / SIZE - 1) * 180) / Math.PI];
}

const numbers = Array.from({ length: SIZE }, (_, n) => n);
const attributesOf = (n: number) => ({ n, at: point(...placeOf(n)) });
const nearest = (from: Position) =>
  numbers
    .map((n) => ({ n, meters: oracle.angle(from, placeOf(n)) * oracle.RADIUS }))
    .sort((a, b) => a.meters - b.meters);

const client = await Client.create();
await crowd(client, 'spot', SIZE, attributesOf);

function near(from: Position): object {
  return { at: { $near: { $geometry: point(...from) } } };
}

function found(reply: Reply): readonly number[] {
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.map(({ attributes }) => Number(attributes?.['n']));
}

const PARIS: Position = [2.35, 48.86];

test('a collection learns an index of cells from searches, and answers alike meanwhile', async () => {
  const expected = nearest(PARIS)
    .slice(0, 20)
    .map(({ n }) => n);
  const first = await explain(client, searchPath('spot', near(PARIS)));
  expect(planOf(first)).toMatchObject({ scan: true, indexes: [] });
  for (let reply = first; ; reply = await explain(client, searchPath('spot', near(PARIS)))) {
    expect(found(reply)).toEqual(expected);
    expect(reply.body.meta.count).toBe(SIZE);
    const plan = planOf(reply);
    if (plan.scan) continue;
    expect(plan.indexes).toEqual(['$cells.at']);
    expect(plan['documents-decoded']).toBeLessThan(SIZE / 4);
    break;
  }
});
