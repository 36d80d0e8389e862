/** Aggregates that keep themselves, in corners that random writes do not reach. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packContent } from '../../src/domain/values/stored.ts';
import { Double, type Value } from '../../src/domain/values/values.ts';
import { CachedCollection, shown } from '../support/cached-collection.ts';
import { idOf, typeOf } from '../support/names.ts';

let cached: CachedCollection;
beforeEach(() => {
  cached = new CachedCollection();
});
afterEach(() => {
  cached.close();
});

function make(valueOf: (n: number) => Value, text: (n: number) => string = () => ''): void {
  for (let n = 0; n < 40; n += 1)
    cached.write({ do: 'make', fields: { kind: 'a', value: valueOf(n), text: text(n) } });
}

/** Reads after a change of the last document, a number of times. */
async function readOften(pipeline: unknown, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    cached.collection.update(cached.ids[39] ?? '', { other: n });
    await cached.read(pipeline);
    cached.write({ do: 'store' });
  }
}

describe('what expressions make that JSON has no number for is what it was after a sleep', () => {
  const EXP = { $exp: '$value' };
  test.each<readonly [string, (n: number) => Value, unknown]>([
    [
      'an id beside null',
      (n) => (n % 2 === 0 ? null : 1000),
      [{ group: { id: EXP, n: { $sum: 1 } } }, { group: { id: null, n: { $sum: '$n' } } }],
    ],
    ['the greatest', (n) => (n === 3 ? 1000 : n), [{ group: { id: null, m: { $max: EXP } } }]],
    [
      'the first, by its type',
      () => 1000,
      [{ group: { id: null, m: { $first: EXP } } }, { project: { t: { $type: '$m' } } }],
    ],
    [
      'all of them, by their types',
      (n) => 1000 - n,
      [
        { group: { id: null, m: { $push: EXP } } },
        { project: { t: { $map: { input: '$m', in: { $type: '$$this' } } } } },
      ],
    ],
    [
      'one that is no number at all',
      () => 1000,
      [{ group: { id: null, m: { $addToSet: { $subtract: [EXP, EXP] } } } }],
    ],
  ])('%s', async (_, valueOf, pipeline) => {
    make(valueOf);
    await readOften(pipeline, 4);
    expect(cached.collection.rows('stored_groups')).toBeGreaterThan(0);
    cached.write({ do: 'restart', stored: false });
    const page = await cached.read(pipeline);
    expect(cached.restored).toBeGreaterThan(0);
    expect(shown(page)).toEqual(await cached.computed(pipeline));
  });
});

test('a lower id that comes in a pause is in what is kept of a range of ids', async () => {
  make((n) => n);
  const range = { id: { $lte: { $oid: cached.ids[36] } } };
  const pipeline = [{ filter: range }, { group: { id: null, n: { $sum: 1 } } }];
  await readOften(pipeline, 3);
  for (const id of cached.ids) cached.collection.update(id, { other: 'x' });
  let pauses = 0;
  await cached.read(pipeline, () => {
    pauses += 1;
    if (pauses > 1) return;
    const id = idOf('000000000000000000000001');
    const content = packContent({ attributes: { kind: 'a', value: 5 }, relationships: {} });
    const made = cached.collection.tables.restore(
      typeOf('place'),
      { id, acl: {}, content },
      false,
      Date.now(),
    );
    expect(made.ok).toBe(true);
  });
  expect(pauses).toBeGreaterThan(0);
  await readOften(pipeline, 1);
  const page = await cached.read(pipeline);
  expect(shown(page)).toEqual(await cached.computed(pipeline));
  expect(shown(page)).toMatchObject({ bodies: ['{"n":38}'] });
});

test('what cannot be kept after all is computed with all the work that patterns may take', async () => {
  // Sums of numbers this large depend on their order.
  make(
    (n) => (n === 39 ? new Double(1e300) : n),
    () => `${'ab'.repeat(400)}c`,
  );
  const pipeline = [
    { filter: { text: { $regex: '(?=a)(?:[ab])*d|c$' } } },
    { group: { id: null, n: { $sum: 1 }, total: { $sum: '$value' } } },
  ];
  const anew = await cached.computed(pipeline);
  expect(anew).toMatchObject({ ids: ['null'] });
  for (let times = 0; times < 3; times += 1) {
    cached.collection.update(cached.ids[1] ?? '', { other: times });
    expect(shown(await cached.read(pipeline))).toEqual(anew);
  }
});

test('a pass that meets large documents pauses for work no less often', async () => {
  const add = { $add: ['$$value', '$$this'] };
  const heavy = { $reduce: { input: { $range: ['$value', 10_000] }, initialValue: 0, in: add } };
  const pipeline = [{ group: { id: null, t: { $max: { $strLenBytes: '$text' } }, s: { $sum: heavy } } }];
  const isLarge = (n: number) => n % 6 === 0;
  const pausesBeside = async (length: number): Promise<number> => {
    cached.close();
    cached = new CachedCollection();
    make(
      (n) => (isLarge(n) ? 10_000 : 0),
      (n) => 'x'.repeat(isLarge(n) ? length : 1),
    );
    let pauses = 0;
    await cached.read(pipeline, () => {
      pauses += 1;
    });
    return pauses;
  };
  const usual = await pausesBeside(1);
  expect(usual).toBeGreaterThan(5);
  expect(await pausesBeside(990_000)).toBeGreaterThanOrEqual(usual);
});
