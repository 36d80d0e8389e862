/** What changed since a time, in the order of creation: a page of matches at the end costs the same wherever it is. */
import { afterAll, expect, test } from 'vitest';
import { TUNING } from '../../src/collection/search/tuning.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const SIZE = 4_000;
const LIMIT = 100;
const collection = new LocalCollection();
for (let at = 0; at < SIZE; at += 1) collection.create({ at, changed: new Date(at) });
collection.learn('changed');
collection.build();

afterAll(() => {
  collection.close();
});

/** As a collection of a hundred times this size would choose. */
const tuning = { ...TUNING, small: 10, few: 50, documentsInStep: 50 };

test('that are too many to be listed are walked to from the first of them', async () => {
  const broad = new LocalCollection({ entries: 16 });
  for (let at = 0; at < SIZE; at += 1) broad.create({ at });
  broad.learn('at');
  broad.build();
  const visited: number[] = [];
  for (const since of [2_000, 2_001, 3_000, 2_500]) {
    const page = { offset: 0, limit: LIMIT };
    const { documents, total, plan } = await broad.list(conditionOf({ at: { $gte: since } }), page, {
      tuning: { ...tuning, mostListed: 100 },
    });
    expect(total).toBe(SIZE - since);
    expect(documents.map(({ body }) => (JSON.parse(body) as { readonly at: number }).at)).toEqual(
      Array.from({ length: LIMIT }, (_, at) => since + at),
    );
    visited.push(plan.visited);
  }
  broad.close();
  // The first walk begins at the start, ends after a twentieth of the matches, begins anew; later ones in their part.
  const [first = 0, ...later] = visited;
  expect(first).toBeLessThanOrEqual(SIZE / 10);
  expect(Math.max(...later)).toBeLessThanOrEqual(16 + LIMIT + 1);
});

test.each([
  [0, true],
  [1_000, true],
  [2_000, true],
  [3_600, true],
  [3_900, true],
  [1_000, false],
  [2_000, false],
  [3_600, false],
])('since %i, counted: %s', async (since, counted) => {
  const $gte = { $date: new Date(since).toISOString() };
  // What was counted once is known: the filter is another one each time.
  const filter = { changed: { $gte, $lt: { $date: new Date(SIZE + Number(counted)).toISOString() } } };
  let after = '';
  for (const page of [0, 1]) {
    const { documents, total, plan, next } = await collection.list(
      conditionOf(filter),
      { after: after === '' ? null : after, limit: LIMIT, counted },
      { tuning },
    );
    const first = since + page * LIMIT;
    const places = documents.map(({ body }) => (JSON.parse(body) as { readonly at: number }).at);
    expect(places).toEqual(Array.from({ length: Math.min(LIMIT, SIZE - first) }, (_, at) => first + at));
    expect(total).toBe(counted ? SIZE - since : null);
    // A twentieth of the documents, and those of the page.
    expect(plan.visited).toBeLessThanOrEqual(SIZE / 20 + LIMIT + 1);
    after = next ?? '';
    if (after === '') break;
  }
});
