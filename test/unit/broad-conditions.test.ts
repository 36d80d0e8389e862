/** Two conditions that both match much: their indexes together decide what matches and how much; none is looked at. */
import { afterAll, describe, expect, test } from 'vitest';
import { TUNING } from '../../src/collection/search/tuning.ts';
import type { Viewer } from '../../src/domain/rights.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';

const SIZE = 2_000;
const READER = 'core.user/u';
const documents = Array.from({ length: SIZE }, (_, at) => ({
  t: (at * 7) % SIZE,
  s: at % 3 === 0 ? 'closed' : 'open',
  u: -at,
}));
const collection = new LocalCollection();
for (const [at, each] of documents.entries()) {
  const id = collection.create(each);
  if (at % 2 === 0) collection.share(id, [READER]);
}
for (const name of ['t', 's']) collection.learn(name);
collection.build();

afterAll(() => {
  collection.close();
});

/** As a collection of a hundred times this size would choose. */
const tuning = { ...TUNING, small: 10, few: 100 };
let searches = 0;

async function pageOf(sort: readonly SortField[], viewer: Viewer) {
  // What was counted once is known: the filter is another one each time.
  searches += 1;
  const filter = { t: { $gte: 1_000, $lt: SIZE + searches }, s: 'open' };
  const found = await collection.list(
    conditionOf(filter),
    { offset: 0, limit: 10 },
    { sort, viewer, tuning },
  );
  const bodies = found.documents.map(({ body }) => JSON.parse(body) as (typeof documents)[number]);
  return { bodies, total: found.total, ...found.plan };
}

const by = (name: 't' | 'u', direction: SortField['direction']): readonly SortField[] => [
  { path: [name], direction },
];
const matching = documents.filter(({ t, s }) => t >= 1_000 && s === 'open');

describe.each([
  ['nobody', null, matching],
  ['a viewer who may read half', [READER], matching.filter(({ u }) => u % 2 === 0)],
] as const)('under the rights of %s', (_whose, viewer, expected) => {
  test.each([
    ['without an order', [], expected],
    ['in the order of one of them', by('t', 'ascending'), expected.toSorted((a, b) => a.t - b.t)],
    ['against the order of one of them', by('t', 'descending'), expected.toSorted((a, b) => b.t - a.t)],
  ] as const)('%s: nothing is looked at to count', async (_name, sort, sorted) => {
    const { bodies, total, scan, visited, decoded } = await pageOf(sort, viewer);
    expect(bodies).toEqual(sorted.slice(0, 10));
    expect({ total, scan, decoded }).toEqual({ total: expected.length, scan: false, decoded: 0 });
    // A walk to the page looks at those it passes.
    expect(visited).toBeLessThan(100);
  });

  test('in another order: only matches are looked at', async () => {
    const { bodies, total, visited } = await pageOf(by('u', 'ascending'), viewer);
    expect(bodies).toEqual(expected.toReversed().slice(0, 10));
    expect({ total, visited }).toEqual({ total: expected.length, visited: expected.length });
  });
});
