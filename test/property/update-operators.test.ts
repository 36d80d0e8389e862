/** Laws of update operators over random documents: what nobody reaches stays, and order and arithmetic are exact. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../src/domain/values/codec.ts';
import type { ParsedObject } from '../../src/domain/values/json.ts';
import { integerOf, Long, longOf, type Fields, type Value } from '../../src/domain/values/values.ts';
import { updated } from '../support/update-run.ts';
import { scaled } from '../support/long.ts';
import { toParsed } from '../../src/domain/values/wrappers.ts';

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom('', 'x', 'y'),
  fc.boolean(),
  fc.constant(null),
  fc.bigInt(-5n, 5n).map((digits) => new Long(digits)),
);
const name = fc.constantFrom('a', 'b', 'c', '0', '1', '__proto__');
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    scalar,
    fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'value' }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4, depthIdentifier: 'value' })
      .map((entries): Value => Object.fromEntries(entries)),
  ),
}));
const document: fc.Arbitrary<Fields> = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.'));
const operation: fc.Arbitrary<ParsedObject> = fc
  .tuple(
    fc.oneof(
      fc
        .constantFrom('$inc', '$mul')
        .chain((op) => fc.tuple(fc.constant(op), fc.integer({ min: -3, max: 3 }))),
      fc
        .constantFrom('$min', '$max', '$push', '$addToSet', '$pull')
        .chain((op) => fc.tuple(fc.constant(op), scalar.map(toParsed))),
      fc.tuple(fc.constantFrom('$pop'), fc.constantFrom(1, -1)),
      fc.tuple(fc.constantFrom('$unset'), fc.constant('')),
      fc.tuple(fc.constantFrom('$currentDate'), fc.constant(true)),
    ),
    path,
  )
  .map(([[op, operand], at]) => ({ [op]: Object.fromEntries([[at, operand]]) }));

const isRefused = (result: unknown): boolean => Array.isArray(result);
const text = (result: Fields | readonly string[]): string =>
  isRefused(result) ? 'refused' : encodeText(result);

describe('an update', () => {
  test('does at once what its operators do one after the other, in any order, where their paths do not meet', () => {
    fc.assert(
      fc.property(document, operation, operation, (before, one, other) => {
        fc.pre(!areOne(one, other));
        const together = updated(before, merged(one, other));
        fc.pre(!faultOfConflict(together));
        const first = updated(before, one);
        const both = isRefused(first) ? first : updated(first as Fields, other);
        // What one makes may be in the way of the other only where positions fill an array up.
        fc.pre(isRefused(together) === isRefused(both));
        if (!isRefused(together)) expect(sorted(together as Fields)).toEqual(sorted(both as Fields));
      }),
      { numRuns: scaled(1000) },
    );
  });

  test('leaves all attributes that its paths do not begin with', () => {
    fc.assert(
      fc.property(document, operation, (before, update) => {
        const after = updated(before, update);
        fc.pre(!isRefused(after));
        const [operands = {}] = Object.values(update) as ParsedObject[];
        const changed = new Set(Object.keys(operands).map((each) => each.split('.')[0]));
        const others = (fields: Fields) =>
          encodeText(Object.fromEntries(Object.entries(fields).filter(([each]) => !changed.has(each))));
        expect(others(after as Fields)).toBe(others(before));
      }),
      { numRuns: scaled(1000) },
    );
  });

  test('$inc is exact: of a long, it gives the sum, or refuses what is beyond 64 bits', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        (a, b) => {
          const result = updated({ n: longOf(a) ?? null }, { $inc: { n: toParsed(longOf(b) ?? null) } });
          const sum = longOf(a + b);
          expect(text(result)).toBe(sum === undefined ? 'refused' : encodeText({ n: sum }));
        },
      ),
    );
  });

  test('$inc and back again leaves an int, or the same integer as a long', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        const there = updated({ n: a }, { $inc: { n: b } });
        const back = updated(there as Fields, { $inc: { n: -b } }) as Fields;
        const { n } = back;
        const exact = n instanceof Long ? n.value : BigInt(n as number);
        expect(integerOf(exact)).toBe(a);
      }),
    );
  });

  test('$rename there and back leaves the document', () => {
    fc.assert(
      fc.property(document, value, (before, moved) => {
        const whole = { ...before, from: moved };
        const there = updated(whole, { $rename: { from: 'deep.to' } });
        const back = updated(there as Fields, { $rename: { 'deep.to': 'from' }, $unset: { deep: '' } });
        expect(isRefused(back)).toBe(true);
        const again = updated(there as Fields, { $rename: { 'deep.to': 'from' } }) as Fields;
        expect(encodeText(sorted(again))).toBe(encodeText(sorted({ ...whole, deep: {} })));
      }),
    );
  });
});

function merged(one: ParsedObject, other: ParsedObject): ParsedObject {
  const [op = '', operands = {}] = Object.entries(other)[0] ?? [];
  return { ...one, [op]: { ...(one[op] as ParsedObject | undefined), ...(operands as ParsedObject) } };
}

/** Whether an object can hold only one of two: the same operator at the same path. */
function areOne(one: ParsedObject, other: ParsedObject): boolean {
  const [first, second] = [one, other].map((each) =>
    Object.entries(each).flatMap(([op, operands]) => [op, ...Object.keys(operands as ParsedObject)]),
  );
  return first?.join(' ') === second?.join(' ');
}

function faultOfConflict(result: Fields | readonly string[]): boolean {
  return Array.isArray(result) && result.some((each) => String(each).includes('the same place'));
}

/** Fields in an order of their own: that of new ones is the order of the operators. */
function sorted(fields: Fields): Fields {
  const deep = (each: Value): Value => {
    if (Array.isArray(each)) return (each as readonly Value[]).map(deep);
    return Object.getPrototypeOf(each ?? 0) === Object.prototype ? sorted(each as Fields) : each;
  };
  return Object.fromEntries(
    Object.entries(fields)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([each, child]) => [each, deep(child)]),
  );
}
