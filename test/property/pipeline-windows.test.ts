/** Windows against an enumeration of what lies in each, and percentiles against counting. */
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { Decimal, Double, Long, type Fields, type Value } from '../../src/domain/values/values.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { addMonths } from '../../src/operators/dates/calendar.ts';
import { toDouble } from '../../src/operators/numbers/kinds.ts';
import { compilePipeline } from '../../src/pipeline/pipeline.ts';
import { isNumber } from '../../src/query/order/numbers.ts';
import { compareValues } from '../../src/query/order/compare.ts';
import { scaled } from '../support/long.ts';

const RUNS = { numRuns: scaled(150) };

function run(pipeline: Value, documents: readonly Fields[]): readonly Fields[] {
  const compiled = compilePipeline({ inputType: 'thing', pipeline }, new Map());
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  const result = compiled.pipeline.run(documents);
  if (!result.ok) throw new Error(result.detail);
  return result.outputs;
}

/** Numbers of all kinds whose sums are exact in whatever order they are added. */
const eighths = fc.integer({ min: -800, max: 800 });
const number: fc.Arbitrary<Value> = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n }).map((value) => new Long(value)),
  eighths.map((value) => (value % 8 === 0 ? new Double(value / 8) : value / 8)),
  eighths.map((value) => new Decimal(`${value}E-2`)),
);
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom<Value>(null, 'text', [1], true) },
);

const partition = fc.constantFrom<Value>('a', 'b', null);
const rows = fc
  .array(fc.record({ p: partition, k: fc.integer({ min: 0, max: 60 }), v: value }), { maxLength: 90 })
  .map((list): readonly Fields[] =>
    list.map((each, id) => ({ id, ...each, at: new Date(Date.UTC(2024, 0, 31 + each.k * 5)) })),
  );

/** The documents by partition, each in the order of `k`. */
function partitionsOf(list: readonly Fields[]): readonly (readonly Fields[])[] {
  const sorted = list.toSorted((a, b) => compareValues(a['p'], b['p']) || Number(a['k']) - Number(b['k']));
  return [...Map.groupBy(sorted, ({ p }) => p).values()];
}

type Bound = number | 'unbounded' | 'current';

const bounds = fc
  .tuple(
    fc.oneof(fc.integer({ min: -40, max: 30 }), fc.constantFrom('unbounded' as const, 'current' as const)),
    fc.oneof(fc.integer({ min: -30, max: 40 }), fc.constantFrom('unbounded' as const, 'current' as const)),
  )
  .filter(([lower, upper]) => {
    const [from, to] = [lower === 'current' ? 0 : lower, upper === 'current' ? 0 : upper];
    return from === 'unbounded' || to === 'unbounded' || from <= to;
  });

interface Window {
  readonly sortBy: string;
  readonly window: Value;
  /** True when the document with the index `other` lies in the window of the one with the index `index`. */
  readonly holds: (list: readonly Fields[], index: number, other: number) => boolean;
}

/** Whether `x` lies between two bounds, each reached from the place of the window by `at`. */
function within(
  [lower, upper]: readonly [Bound, Bound],
  other: number,
  index: number,
  x: number,
  at: (by: number) => number,
): boolean {
  const above = lower === 'unbounded' || (lower === 'current' ? other >= index : x >= at(lower));
  return above && (upper === 'unbounded' || (upper === 'current' ? other <= index : x <= at(upper)));
}

const window: fc.Arbitrary<Window> = fc.oneof(
  bounds.map((pair): Window => ({
    sortBy: 'k',
    window: { documents: pair },
    holds: (_list, index, other) => within(pair, other, index, other, (by) => index + by),
  })),
  fc.tuple(bounds, fc.boolean()).map(([pair, halves]): Window => ({
    sortBy: 'k',
    window: { range: halves ? pair.map((each) => (typeof each === 'number' ? each / 2 : each)) : pair },
    holds: (list, index, other) => {
      const k = Number(list[index]?.['k']);
      return within(pair, other, index, Number(list[other]?.['k']), (by) => k + (halves ? by / 2 : by));
    },
  })),
  fc.tuple(bounds, fc.constantFrom('day', 'month')).map(([pair, unit]): Window => ({
    sortBy: 'at',
    window: { range: pair, unit },
    holds: (list, index, other) => {
      const [now, then] = [list[index]?.['at'], list[other]?.['at']].map((each) => Number(each));
      const from = now ?? 0;
      return within(pair, other, index, then ?? 0, (by) =>
        unit === 'day' ? from + by * 86_400_000 : addMonths(from, by),
      );
    },
  })),
);

/** The windows of all documents, in the order of the outputs. */
function windowsOf({ holds }: Window, list: readonly Fields[]): readonly (readonly Fields[])[] {
  return partitionsOf(list).flatMap((part) =>
    part.map((_, index) => part.filter((_each, other) => holds(part, index, other))),
  );
}

const method = 'approximate';

describe('windows', () => {
  it.each<[name: string, expression: Value, empty: Value]>([
    ['$sum', { $sum: '$v' }, 0],
    ['$avg', { $avg: '$v' }, null],
    ['$min', { $min: '$v' }, null],
    ['$max', { $max: '$v' }, null],
    ['$count', { $count: {} }, 0],
    ['$push', { $push: '$v' }, []],
    ['$addToSet', { $addToSet: '$v' }, []],
    ['$first', { $first: '$v' }, null],
    ['$last', { $last: '$v' }, null],
    ['$firstN', { $firstN: { input: '$v', n: 3 } }, []],
    ['$bottom', { $bottom: { sortBy: 'v,id', output: '$id' } }, null],
    ['$median', { $median: { input: '$v', method } }, null],
    ['$percentile', { $percentile: { input: '$v', p: [0.1, 0.9], method } }, [null, null]],
  ])('%s is that of a group of what lies in them', (_name, expression, empty) => {
    fc.assert(
      fc.property(rows, window, (list, each) => {
        const output = { v: { ...(expression as Fields), window: each.window } };
        const found = run([{ setWindowFields: { partitionBy: '$p', sortBy: each.sortBy, output } }], list);
        const groups = windowsOf(each, list).map((inside) =>
          inside.length === 0 ? empty : (run([{ group: { v: expression } }], inside)[0]?.['v'] ?? null),
        );
        expect(found.map(({ v }) => encodeText({ v: v === undefined ? 'missing' : v }))).toEqual(
          groups.map((v) => encodeText({ v })),
        );
      }),
      RUNS,
    );
  });

  it.each(['$stdDevPop', '$stdDevSamp', '$covariancePop', '$covarianceSamp'])(
    '%s is near to its definition',
    (name) => {
      const isCovariance = name.startsWith('$cov');
      const operand: Value = isCovariance ? ['$k', '$v'] : '$v';
      const small = rows.map((list) =>
        list.map((each): Fields => ({ ...each, v: Number(each['k']) ** 2 / 8 })),
      );
      fc.assert(
        fc.property(small, window, (list, each) => {
          const output = { v: { [name]: operand, window: each.window } };
          const found = run([{ setWindowFields: { partitionBy: '$p', sortBy: each.sortBy, output } }], list);
          for (const [index, inside] of windowsOf(each, list).entries()) {
            const ys = inside.map(({ v }) => Number(v));
            const xs = isCovariance ? inside.map(({ k }) => Number(k)) : ys;
            const mean = (numbers: readonly number[]) =>
              numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
            const products = xs.map((x, at) => (x - mean(xs)) * ((ys[at] ?? 0) - mean(ys)));
            const divisor = inside.length - (name.endsWith('Samp') ? 1 : 0);
            const moment = products.reduce((sum, x) => sum + x, 0) / divisor;
            const result = found[index]?.['v'];
            if (divisor <= 0) expect(result).toBeNull();
            else {
              const expected = isCovariance ? moment : Math.sqrt(moment);
              const near = isNumber(result) ? Math.abs(toDouble(result) - expected) : Infinity;
              expect(near).toBeLessThan(1e-6 * (1 + Math.abs(expected)));
            }
          }
        }),
        RUNS,
      );
    },
  );

  it('an area is that of its trapezoids, and a slope that between the ends', () => {
    fc.assert(
      fc.property(rows, window, (list, each) => {
        const numeric = list.map((row): Fields => ({ ...row, v: Number(row['k']) ** 2 / 8 }));
        const unit = each.sortBy === 'at' ? { unit: 'day' } : {};
        const output = {
          area: { $integral: { input: '$v', ...unit }, window: each.window },
          slope: { $derivative: { input: '$v', ...unit }, window: each.window },
        };
        const found = run([{ setWindowFields: { partitionBy: '$p', sortBy: each.sortBy, output } }], numeric);
        const x = (row: Fields | undefined) =>
          each.sortBy === 'at' ? Number(row?.['at']) / 86_400_000 : Number(row?.['k']);
        for (const [index, inside] of windowsOf(each, numeric).entries()) {
          const { area = null, slope = null } = found[index] ?? {};
          if (inside.length === 0) {
            expect([area, slope]).toEqual([null, null]);
            continue;
          }
          const areas = inside
            .slice(1)
            .map(
              (row, at) => ((Number(row['v']) + Number(inside[at]?.['v'])) / 2) * (x(row) - x(inside[at])),
            );
          expect(isNumber(area) ? toDouble(area) : area).toBeCloseTo(
            areas.reduce((sum, part) => sum + part, 0),
            4,
          );
          const [first, last] = [inside[0], inside.at(-1)];
          if (x(first) === x(last)) expect(slope).toBeNull();
          else
            expect(isNumber(slope) ? toDouble(slope) : slope).toBeCloseTo(
              (Number(last?.['v']) - Number(first?.['v'])) / (x(last) - x(first)),
              4,
            );
        }
      }),
      RUNS,
    );
  });

  it('ranks count those before', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const output = { rank: { $rank: {} }, dense: { $denseRank: {} }, number: { $documentNumber: {} } };
        const found = run([{ setWindowFields: { partitionBy: '$p', sortBy: 'k', output } }], list);
        const expected = partitionsOf(list).flatMap((part) =>
          part.map(({ k }, index) => {
            const before = part.filter((other) => Number(other['k']) < Number(k));
            return [before.length + 1, new Set(before.map((other) => other['k'])).size + 1, index + 1];
          }),
        );
        expect(found.map(({ rank, dense, number: place }) => [rank, dense, place])).toEqual(expected);
      }),
      RUNS,
    );
  });
});

describe('percentiles', () => {
  const double = fc.double({ noNaN: true });
  const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 });

  it('are the least that so many are not above, in groups and over arrays', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(double, fc.integer({ min: -5, max: 5 })), { maxLength: 300 }),
        ps,
        (list, p) => {
          const expected = p.map((each) => {
            const most = list.filter((x) => list.filter((other) => other <= x).length >= each * list.length);
            return list.length === 0 ? null : most.reduce((least, x) => Math.min(least, x), Infinity) + 0;
          });
          const plain = (found: Value | undefined) =>
            (found as readonly Value[]).map((each) => (isNumber(each) ? toDouble(each) : each));
          const values = list.map((x): Value => (Number.isInteger(x) ? new Double(x) : x));
          const percentile = { $percentile: { input: '$v', p, method } };
          const [group] = run(
            [{ group: { v: percentile } }],
            values.map((v): Fields => ({ v })),
          );
          const [array] = run([{ project: { v: percentile } }], [{ v: values }]);
          if (list.length > 0) expect(plain(group?.['v'])).toEqual(expected);
          expect(plain(array?.['v'])).toEqual(expected);
        },
      ),
      RUNS,
    );
  });
});

describe('buckets', () => {
  it('hold each document once, in order, and never part equal ones', () => {
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(undefined, 'R5', 'E24', 'POWERSOF2'),
        (list, buckets, granularity) => {
          const given = {
            groupBy: '$k',
            buckets,
            output: { all: { $push: '$k' } },
            ...(granularity && { granularity }),
          };
          const found = run([{ bucketAuto: given }], list);
          const all = found.map((each) => (each['all'] as readonly Value[]).map(Number));
          expect(all.flat()).toEqual(list.map(({ k }) => Number(k)).toSorted((a, b) => a - b));
          expect(found.length).toBeLessThanOrEqual(buckets);
          for (const [index, { id }] of found.entries()) {
            const { min, max } = id as Fields;
            const last = index === found.length - 1;
            for (const k of all[index] ?? []) {
              expect(compareValues(k, min)).toBeGreaterThanOrEqual(0);
              if (!last) expect(compareValues(k, max)).toBeLessThan(0);
              else expect(compareValues(k, max)).toBeLessThanOrEqual(0);
            }
            const next = found[index + 1]?.['id'] as Fields | undefined;
            if (!last) expect(compareValues(next?.['min'], max)).toBe(0);
          }
        },
      ),
      RUNS,
    );
  });
});
