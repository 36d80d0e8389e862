/**
 * `$near` without bounds beside other conditions: once it knows how many match, a page is found outward from the point,
 * by looking at a few documents, and it is the page that a search without any index finds.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { nameOfCells } from '../../src/query/index/cells.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { plain, point } from '../support/geo-shapes.ts';

const MANY = 1_500;
const USER = 'core.user/u';

const indexed = new LocalCollection();
const unindexed = new LocalCollection();
for (let n = 0; n < MANY; n += 1) {
  const at = plain(point(((n * 7919) % 3600) / 10 - 180, ((n * 104_729) % 1700) / 10 - 85));
  const rare = n % 501 === 1;
  for (const each of [indexed, unindexed]) {
    each.create(
      { n, kind: n % 3 === 0 ? 'cafe' : 'bar', rare, ...(n % 7 > 0 && { at }) },
      n % 5 > 0 ? [USER] : [],
    );
  }
}
indexed.learn(nameOfCells(['at']));
indexed.build();
afterAll(() => {
  indexed.close();
  unindexed.close();
});

const CENTERS = [
  [0, 0],
  [179.9, 10],
  [-60, 84],
] as const;

function filterOf(others: object, [longitude, latitude]: (typeof CENTERS)[number]) {
  const $near = { $geometry: { type: 'Point', coordinates: [longitude, latitude] } };
  return conditionOf({ at: { $near }, ...others });
}

/** The numbers of a page, how many match, and how the page was found. */
async function pageOf(
  collection: LocalCollection,
  ...[condition, page, options]: Parameters<LocalCollection['list']>
) {
  const { documents, total, more, plan } = await collection.list(condition, page, options);
  return { numbers: documents.map(({ body }) => body), total, more, plan };
}

describe.each([
  ['nobody', null],
  ['a user', [USER]],
])('asked by %s', (_, viewer) => {
  test.each<readonly [string, object, boolean]>([
    ['a condition that many meet', { kind: 'cafe' }, true],
    ['two conditions', { kind: 'bar', n: { $gt: 300 } }, true],
    ['nothing, where some have no place', {}, true],
    ['a condition that few meet', { rare: true }, false],
  ])('%s', async (__, others, isOutward) => {
    const ways: string[] = [];
    for (const center of CENTERS) {
      const filter = filterOf(others, center);
      for (const page of [
        { offset: 0, limit: 20 },
        { offset: 40, limit: 20 },
      ]) {
        const found = await pageOf(indexed, filter, page, { viewer });
        const { numbers, total, more } = await pageOf(unindexed, filter, page, { viewer });
        expect([found.numbers, found.total, found.more]).toEqual([numbers, total, more]);
        ways.push(found.plan.way);
        if (center !== CENTERS[0] && isOutward) expect(found.plan.decoded).toBeLessThan(MANY / 4);
      }
    }
    // The first counts; the others are as many, from wherever they look.
    if (isOutward) expect(new Set(ways.slice(1))).toEqual(new Set(['outward']));
    else expect(ways).not.toContain('outward');
  });
});

test('a cursor goes on where it was', async () => {
  const numbers: string[] = [];
  const filter = filterOf({ kind: 'cafe' }, CENTERS[1]);
  let after: string | null = null;
  for (let page = 0; page < 3; page += 1) {
    const found = await indexed.list(filter, { after, limit: 20, counted: false });
    numbers.push(...found.documents.map(({ body }) => body));
    after = found.next;
  }
  const whole = await unindexed.list(filter, { offset: 0, limit: 60 });
  expect(numbers).toEqual(whole.documents.map(({ body }) => body));
});

test('after a write it is counted anew', async () => {
  const filter = filterOf({ kind: 'cafe' }, CENTERS[0]);
  const before = await indexed.list(filter, { offset: 0, limit: 1 });
  indexed.create({ n: -1, kind: 'cafe', at: plain(point(1, 1)) });
  unindexed.create({ n: -1, kind: 'cafe', at: plain(point(1, 1)) });
  const after = await indexed.list(filterOf({ kind: 'cafe' }, CENTERS[2]), { offset: 0, limit: 1 });
  expect(after.total).toBe((before.total ?? 0) + 1);
});
