/** Sums of numbers: exact, and so the same in any order and merged in any way. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { exactOfDouble } from '../../src/domain/values/exact.ts';
import { Decimal, Double, doubleOf, integerOf, Long, type Value } from '../../src/domain/values/values.ts';
import { Total } from '../../src/operators/numbers/total.ts';
import type { NumberValue } from '../../src/query/order/numbers.ts';

const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e280, max: 1e280 });
const number: fc.Arbitrary<NumberValue> = fc.oneof(
  double.map((value) => doubleOf(value)),
  fc.constantFrom<NumberValue>(
    0.1,
    1e16,
    -1e16,
    new Double(1e100),
    new Double(-1e100),
    2 ** -1074,
    0.5,
    -0.1,
  ),
  fc.integer(),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => new Long(value)),
);
const decimal = fc
  .tuple(fc.bigInt(-(10n ** 34n) + 1n, 10n ** 34n - 1n), fc.integer({ min: -80, max: 80 }))
  .map(([digits, exponent]): NumberValue => new Decimal(`${digits}E${exponent}`));

function totalOf(numbers: readonly NumberValue[]): Total {
  const total = new Total();
  for (const each of numbers) total.add(each);
  return total;
}

const results = (total: Total): readonly Value[] => [total.value, total.mean];

describe('a total', () => {
  test('is the same in any order and merged in any way, where it says so', () => {
    const numbers = fc.array(fc.oneof({ weight: 5, arbitrary: number }, { weight: 1, arbitrary: decimal }));
    let exact = 0;
    fc.assert(
      fc.property(numbers, fc.array(fc.nat()), fc.nat(), (list, keys, at) => {
        const total = totalOf(list);
        if (!total.isExact) return;
        exact += 1;
        const shuffled = list
          .map((each, index) => ({ each, key: keys[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(results(totalOf(shuffled))).toEqual(results(total));
        const cut = at % (list.length + 1);
        const merged = totalOf(shuffled.slice(0, cut));
        merged.merge(totalOf(shuffled.slice(cut)));
        expect(results(merged)).toEqual(results(total));
        expect(merged.isExact).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(exact).toBeGreaterThan(2_000);
  });

  test('of doubles is the double nearest to the exact sum', () => {
    fc.assert(
      fc.property(fc.array(double, { minLength: 1 }), (list) => {
        const exponent = -1100;
        const parts = list.map((each) => exactOfDouble(each));
        const sum = parts.reduce(
          (all, each) => all + each.coefficient * 10n ** BigInt(each.exponent - exponent),
          0n,
        );
        // Text to double is correctly rounded.
        expect(totalOf(list.map(doubleOf)).value).toEqual(doubleOf(Number(`${sum}e${exponent}`)));
      }),
      { numRuns: 500 },
    );
  });

  test.each<readonly [string, readonly NumberValue[], Value]>([
    ['of large and small', [1e100, 1, -1e100].map(doubleOf), new Double(1)],
    ['of a thousand tenths', Array.from({ length: 1000 }, () => 0.1), new Double(100)],
    ['that rounds half a unit by what is behind it', [1, 2 ** -53, 2 ** -106].map(doubleOf), 1 + 2 ** -52],
    ['of decimals that cancel', ['1E+40', '1', '-1E+40'].map((text) => new Decimal(text)), new Decimal('1')],
    ['of an integer beyond doubles', [new Long(9007199254740993n), 0.5], new Double(9007199254740994)],
    ['of longs beyond 64 bits', [new Long(2n ** 63n - 1n), 1], new Double(2 ** 63)],
    ['of longs', [new Long(2n ** 62n), 1], integerOf(2n ** 62n + 1n) ?? null],
  ])('%s', (_, numbers, sum) => {
    expect(totalOf(numbers).value).toEqual(sum);
    expect(totalOf(numbers.toReversed()).value).toEqual(sum);
  });

  test.each<readonly [string, readonly NumberValue[]]>([
    ['doubles that may overflow', [new Double(1e300)]],
    ['infinities', [new Double(Infinity)]],
    ['decimals too far apart', [new Decimal('1E+200'), new Decimal('1E-200')]],
    ['decimals that are no numbers', [new Decimal('NaN')]],
  ])('does not say so of %s', (_, numbers) => {
    expect(totalOf(numbers).isExact).toBe(false);
    const merged = new Total();
    for (const each of numbers) merged.merge(totalOf([each]));
    expect(merged.isExact).toBe(false);
  });
});
