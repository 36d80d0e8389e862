// Generated schemas and documents: the validator must find what a naive evaluator finds, no more and no less.
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../src/schema/check.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { plainOf } from '../../src/schema/plain.ts';
import { faultsOf, type Json, type Schema } from '../support/schema-oracle.ts';
import { scaled } from '../support/long.ts';

const NAMES = ['a', 'ab', 'b', 'c'];
const name = fc.constantFrom(...NAMES);
const names = fc.uniqueArray(name, { maxLength: 2 });
const number = fc.constantFrom(-2, -0.5, 0, 0.25, 1, 2, 3, 10);
const text = fc.constantFrom('', 'a', 'ab', 'b', 'é', '😀', '😀a');
const count = fc.integer({ min: 0, max: 3 });
const pattern = fc.constantFrom('^a', 'b$', '^(?:a|b)+$', '^.$', '[^a]', '\\W');

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** Up to four keywords, each with an argument of its shape. References lead to `$defs` only. */
const keywords = fc.letrec<{ schema: Schema }>((tie) => {
  const one = tie('schema');
  const list = fc.array(one, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(name, one, { maxKeys: 3, noNullPrototype: true });
  const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
  const either = (...values: readonly fc.Arbitrary<object>[]) => fc.oneof(...values);
  const keyword = either(
    fc.record({ type: fc.oneof(type, fc.constant(['string', 'array', 'object'])) }),
    fc.record({ enum: fc.array(json, { maxLength: 3 }) }),
    fc.record({ const: json }),
    fc.record({ allOf: list }),
    fc.record({ anyOf: list }),
    fc.record({ oneOf: list }),
    fc.record({ not: one }),
    fc.record({ if: one, then: one, else: one }, { requiredKeys: ['if'] }),
    fc.record({ minimum: number }),
    fc.record({ maximum: number, exclusiveMinimum: number }),
    fc.record({ exclusiveMaximum: number }),
    fc.record({ multipleOf: fc.constantFrom(0.25, 0.5, 1, 2) }),
    fc.record({ minLength: count, maxLength: count }, { requiredKeys: [] }),
    fc.record({ pattern }),
    fc.record({ minItems: count, maxItems: count }, { requiredKeys: [] }),
    fc.record({ uniqueItems: fc.boolean() }),
    fc.record({ prefixItems: list, items: one }, { requiredKeys: [] }),
    fc.record({ contains: one }),
    fc.record({ minProperties: count, maxProperties: count }, { requiredKeys: [] }),
    fc.record({ required: names }),
    fc.record(
      {
        properties: byName,
        patternProperties: fc.dictionary(pattern, one, { maxKeys: 2, noNullPrototype: true }),
        additionalProperties: one,
      },
      { requiredKeys: ['properties'] },
    ),
    fc.record({ propertyNames: one }),
    fc.record({ dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }) }),
    fc.record({ $ref: fc.constantFrom('#/$defs/x', '#/$defs/y') }),
  );
  const some = fc
    .array(keyword, { minLength: 1, maxLength: 4, depthIdentifier: 'schema' })
    .map((parts): Schema => Object.assign({}, ...parts) as Schema);
  return {
    schema: fc.oneof({ maxDepth: 3, depthIdentifier: 'schema', withCrossShrink: true }, fc.boolean(), {
      arbitrary: some,
      weight: 5,
    }),
  };
}).schema;

/** A schema with two definitions that refer to nothing themselves, so that no reference comes back. */
const schema = fc
  .tuple(keywords, keywords, keywords)
  .map(([main, x, y]): Readonly<Record<string, unknown>> => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { x: withoutReferences(x), y: withoutReferences(y) },
    ...(typeof main === 'boolean' ? { allOf: [main] } : main),
  }));

function withoutReferences(part: Schema): Schema {
  return JSON.parse(
    JSON.stringify(part, (key, value: unknown) => (key === '$ref' ? undefined : value)),
  ) as Schema;
}

function violationsOf(content: unknown, value: Json): string[] {
  const plain = plainOf(value, 64, (_place, detail) => {
    throw new Error(detail);
  });
  const whole = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...under(content) };
  expect(checkSchema(whole)).toEqual([]);
  return compileSchema(whole)
    .validate({ attributes: { v: plain } })
    .map(({ pointer, keyword }) => `${pointer} ${keyword}`);
}

/** The schema for the attribute `v`, its definitions where references look for them. */
function under(content: unknown): object {
  const { $defs, ...own } = content as { readonly $defs?: unknown };
  return { ...($defs !== undefined && { $defs }), properties: { attributes: { properties: { v: own } } } };
}

describe('generated schemas', () => {
  it('find the faults that the naive evaluator finds', () => {
    let refused = 0;
    let accepted = 0;
    fc.assert(
      fc.property(schema, json, (content, value) => {
        const expected = faultsOf(content, value, '/data/attributes/v', content);
        const found = new Set(violationsOf(content, value));
        if (expected.size > 0) refused += 1;
        else accepted += 1;
        expect([...found].sort()).toEqual([...expected].sort());
      }),
      { numRuns: scaled(4000) },
    );
    // Both answers are tried often.
    expect(Math.min(refused, accepted)).toBeGreaterThan(scaled(400));
  });

  it('have no fault that depends on where they stand', () => {
    const broken = fc.constantFrom(
      { type: 'any' },
      { minLength: -1 },
      { pattern: '(' },
      { $ref: '#/nowhere' },
    );
    fc.assert(
      fc.property(schema, broken, (content, fault) => {
        const pointers = (whole: unknown) => checkSchema(whole).map(({ pointer }) => pointer);
        const [own = ''] = pointers(fault);
        expect(pointers({ ...content, contains: fault })).toEqual([`/contains${own}`]);
        expect(pointers({ ...content, items: { not: fault } })).toEqual([`/items/not${own}`]);
        expect(pointers({ ...content, default: fault, 'x-note': fault })).toEqual([]);
      }),
      { numRuns: scaled(300) },
    );
  });
});
