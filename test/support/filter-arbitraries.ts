/**
 * Random documents and filters for property tests. Names and values come from few, so that filters often match; kinds
 * of numbers are mixed and arrays nest, since that is where matchers go wrong.
 */
import fc from './fast-check.ts';
import {
  Decimal,
  Double,
  isFields,
  Long,
  ObjectId,
  type Fields,
  type Value,
} from '../../src/domain/values/values.ts';
import type { Filter } from './filter-oracle.ts';
import { isList } from '../../src/domain/values/tree.ts';

const NAMES = ['a', 'b', '0', '1'];

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(null, true, false, 0, 1, 2, -1, 1.5, 'a', 'b', 'ab', ''),
  fc
    .constantFrom<() => Value>(
      () => new Double(1),
      () => new Double(-0),
      () => new Long(1n),
      () => new Long(9007199254740993n),
      () => new Decimal('1.0'),
      () => new Decimal('1.5'),
      () => new Decimal('9007199254740993'),
      () => new Date(0),
      () => new Date(1),
      () => new ObjectId('000000000000000000000001'),
      () => new ObjectId('000000000000000000000002'),
    )
    .map((make) => make()),
);

function objectOf(value: fc.Arbitrary<Value>): fc.Arbitrary<Fields> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), { selector: ([name]) => name, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
}

/** Any value, arrays and objects nested as deep as said. */
export function anyValue(depth: number): fc.Arbitrary<Value> {
  if (depth === 0) return scalar;
  const inner = anyValue(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 4, arbitrary: fc.array(inner, { maxLength: 3 }) },
    { weight: 2, arbitrary: objectOf(inner) },
  );
}

export const anyDocument: fc.Arbitrary<Fields> = objectOf(anyValue(4));

const path = fc
  .array(fc.constantFrom('a', 'b', '0', '0', '1'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('.'));
const operand = anyValue(2);
const pattern = fc.constantFrom({ $regex: '^a' }, { $regex: 'B', $options: 'i' });
const kind = fc.constantFrom(
  'null',
  'bool',
  'int',
  'long',
  'double',
  'decimal',
  'number',
  'string',
  'object',
  'array',
  'date',
  'objectId',
);

/** An object of operators on one value. */
function expression(depth: number): fc.Arbitrary<Filter> {
  const listed = fc.array(fc.oneof({ weight: 5, arbitrary: operand }, { weight: 1, arbitrary: pattern }), {
    maxLength: 3,
  });
  const simple: fc.Arbitrary<Filter>[] = [
    fc
      .tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), operand)
      .map(([name, value]) => ({ [name]: value })),
    fc.tuple(fc.constantFrom('$in', '$nin', '$all'), listed).map(([name, list]) => ({ [name]: list })),
    fc.boolean().map((exists) => ({ $exists: exists })),
    fc.integer({ min: 0, max: 3 }).map((size) => ({ $size: size })),
    fc.oneof(kind, fc.array(kind, { minLength: 1, maxLength: 2 })).map((kinds) => ({ $type: kinds })),
    fc
      .tuple(fc.constantFrom(1, 2, 3, -2), fc.integer({ min: -2, max: 2 }))
      .map((numbers) => ({ $mod: numbers })),
    pattern,
  ];
  if (depth === 0) return fc.oneof(...simple);
  const inner = expression(depth - 1);
  const fields = anyFilter(depth - 1);
  const element = fc.oneof(inner, fields);
  return fc.oneof(
    ...simple.map((arbitrary) => ({ weight: 2, arbitrary })),
    { weight: 2, arbitrary: inner.map((each) => ({ $not: each })) },
    { weight: 3, arbitrary: element.map((each) => ({ $elemMatch: each })) },
    {
      weight: 1,
      arbitrary: fc.array(element, { minLength: 1, maxLength: 2 }).map((list) => ({ $elemMatch: list })),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(element, { minLength: 1, maxLength: 2 })
        .map((list) => ({ $all: list.map((each) => ({ $elemMatch: each })) })),
    },
    { weight: 2, arbitrary: fc.tuple(inner, inner).map(([one, other]) => ({ ...one, ...other })) },
  );
}

/** A valid filter, nested as deep as said. */
export function anyFilter(depth: number): fc.Arbitrary<Filter> {
  const condition = fc
    .tuple(path, fc.oneof(operand, expression(depth)))
    .map(([name, value]): Filter => ({ [name]: value }));
  if (depth === 0) return condition;
  const inner = anyFilter(depth - 1);
  const branch = fc
    .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([name, list]): Filter => ({ [name]: list }));
  return fc.oneof(
    { weight: 4, arbitrary: condition },
    { weight: 2, arbitrary: branch },
    { weight: 1, arbitrary: fc.tuple(inner, inner).map(([one, other]): Filter => ({ ...one, ...other })) },
  );
}

/** Options beside no pattern would be a fault: they come of merging expressions, and mean nothing. */
export function isValid(filter: Filter): boolean {
  const text = textOf(filter);
  return !text.includes('"$options"') || !/\{[^{}]*"\$regex":"\^a"[^{}]*"\$options"/.test(text);
}

/** A filter, or a value, as the JSON text of a request. */
export function textOf(filter: unknown): string {
  return JSON.stringify(wrapped(filter as Value));
}

function wrapped(value: Value): unknown {
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof ObjectId) return { $oid: value.hex };
  if (value instanceof Long) return { $numberLong: value.value.toString() };
  if (value instanceof Decimal) return { $numberDecimal: value.text };
  if (value instanceof Double) return JSON.rawJSON(Object.is(value.value, -0) ? '-0.0' : `${value.value}.0`);
  if (isList(value)) return value.map(wrapped);
  if (value === null || !isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wrapped(each)]));
}
