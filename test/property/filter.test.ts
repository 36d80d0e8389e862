/** The matcher and the order of values against the oracle, and the codec of trees, on random data. */
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/domain/values/codec.ts';
import { Decimal, Double, Long, type Fields } from '../../src/domain/values/values.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { compareValues, equalValues } from '../../src/query/order/compare.ts';
import { compareNumbers, numberKey, type NumberValue } from '../../src/query/order/numbers.ts';
import { compareStrings } from '../../src/query/order/strings.ts';
import { conditionOf } from '../support/conditions.ts';
import { anyDocument, anyFilter, anyValue, isValid, textOf } from '../support/filter-arbitraries.ts';
import { matches, order, type Filter } from '../support/filter-oracle.ts';
import { scaled } from '../support/long.ts';

const filters = anyFilter(2).filter(isValid);
const documents = fc.array(anyDocument, { minLength: 1, maxLength: 12 });

const treeOf = (filter: Filter): Condition => conditionOf(textOf(filter));

function matcherOf(filter: Filter): (document: Fields) => boolean {
  return compileMatcher(treeOf(filter));
}

describe('the matcher', () => {
  it('answers as the oracle does', () => {
    let found = 0;
    let asked = 0;
    fc.assert(
      fc.property(filters, documents, (filter, list) => {
        const matcher = matcherOf(filter);
        for (const document of list) {
          const expected = matches(document, filter);
          if (matcher(document) !== expected) {
            throw new Error(`${textOf(filter)} on ${textOf(document)}: must be ${String(expected)}`);
          }
          asked += 1;
          if (expected) found += 1;
        }
      }),
      { numRuns: scaled(6000) },
    );
    // Filters that match always or never would show nothing.
    expect(found / asked).toBeGreaterThan(0.1);
    expect(found / asked).toBeLessThan(0.9);
  });

  it('finds the same with a tree that was stored and read again', () => {
    fc.assert(
      fc.property(filters, documents, (filter, list) => {
        const tree = treeOf(filter);
        const again = decodeText(encodeText(tree)) as Condition;
        expect(again).toEqual(tree);
        expect(list.filter(compileMatcher(again))).toEqual(list.filter(compileMatcher(tree)));
      }),
      { numRuns: scaled(500) },
    );
  });
});

const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }), fc.integer({ min: -350, max: 350 }))
  .map(([digits, exponent]) => new Decimal(`${digits.toString()}E${exponent < 0 ? '' : '+'}${exponent}`));
/** Numbers of all kinds, many of them close to one another. */
const numbers: fc.Arbitrary<NumberValue> = fc.oneof(
  doubles,
  fc.integer(),
  doubles.map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => new Long(value)),
  decimals,
  // Doubles and the decimals that print like them, which differ in digits far behind.
  doubles.map((value) => new Decimal(String(value).replace('e', 'E'))),
);

describe('the order of values', () => {
  it('is the oracle’s', () => {
    fc.assert(
      fc.property(anyValue(3), anyValue(3), (a, b) => {
        expect(Math.sign(compareValues(a, b))).toBe(order(a, b));
        expect(equalValues(a, b)).toBe(order(a, b) === 0);
      }),
      { numRuns: scaled(3000) },
    );
  });

  it('compares numbers exactly', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(Math.sign(compareNumbers(a, b))).toBe(order(a, b));
        expect(numberKey(a) === numberKey(b)).toBe(order(a, b) === 0);
      }),
      { numRuns: scaled(3000) },
    );
  });

  it('puts NaN below all numbers and infinities around them', () => {
    const rising: NumberValue[] = [
      NaN,
      -Infinity,
      new Decimal('-9E+6144'),
      -1e308,
      0,
      new Double(5e-324),
      1e308,
      new Decimal('9E+6144'),
      Infinity,
    ];
    const same: NumberValue[] = [new Double(NaN), new Decimal('-Infinity')];
    for (const [index, a] of rising.entries()) {
      for (const [other, b] of rising.entries())
        expect(Math.sign(compareNumbers(a, b))).toBe(Math.sign(index - other));
    }
    expect(same.map((each, index) => compareNumbers(each, rising[index] ?? 0))).toEqual([0, 0]);
    expect(compareNumbers(new Decimal('NaN'), new Long(0n))).toBeLessThan(0);
    expect(compareNumbers(new Decimal('Infinity'), new Long(0n))).toBeGreaterThan(0);
  });

  it('compares strings as their UTF-8 bytes', () => {
    const unicode = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(unicode, unicode, (a, b) => {
        expect(Math.sign(compareStrings(a, b))).toBe(order(a, b));
      }),
      { numRuns: scaled(3000) },
    );
  });
});
