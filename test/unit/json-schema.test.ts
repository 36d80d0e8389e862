/**
 * Schema cases on the validator alone: where faults are, and what values of our own kinds are. Verdicts on plain JSON
 * are those of the official suite (json-schema-suite.test.ts).
 */
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../src/schema/check.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { SCHEMA_CASES } from '../support/json-schema-cases.ts';
import { jsonOf, validated } from '../support/json-schema-run.ts';

describe.each([...Map.groupBy(SCHEMA_CASES, (each) => each.keyword)])('%s', (_keyword, list) => {
  it.each(list.map((each) => [each.sentence, each] as const))('%s', (_sentence, each) => {
    expect(validated(each.content, each.attributes)).toEqual(each.violations);
  });
});

it('has no two cases of one name, and each keyword both accepted and refused', () => {
  expect(new Set(SCHEMA_CASES.map((each) => `${each.keyword}: ${each.sentence}`)).size).toBe(
    SCHEMA_CASES.length,
  );
  const refused = new Set(SCHEMA_CASES.flatMap((each) => each.violations.map(({ keyword }) => keyword)));
  const accepted = new Set(
    SCHEMA_CASES.filter((each) => each.violations.length === 0).map(({ keyword }) => keyword),
  );
  for (const keyword of OF_THE_SPEC) {
    expect(refused).toContain(keyword);
    expect(accepted).toContain(keyword);
  }
});

const OF_THE_SPEC = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'minLength',
  'minimum',
  'maximum',
  'multipleOf',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'oneOf',
  'pattern',
];

describe('violations', () => {
  const content = JSON.stringify({
    properties: { attributes: { properties: { v: { items: { type: 'string' } } } } },
  });

  it('are at most fifty', () => {
    const found = validated(
      content,
      JSON.stringify({ v: Array.from({ length: 1000 }, (_, index) => index) }),
    );
    expect(found).toEqual(
      Array.from({ length: 50 }, (_, index) => ({ pointer: `/data/attributes/v/${index}`, keyword: 'type' })),
    );
  });

  it('come in the same order every time, whatever else was checked', () => {
    const schema = compileSchema(jsonOf(content));
    const document = { attributes: { v: [1, 'a', 2, null] } };
    const first = schema.validate(document);
    schema.validate({ attributes: { v: [true] } });
    expect(schema.validate(document)).toEqual(first);
    expect(first.map(({ detail }) => detail)).toEqual(Array(3).fill('The value must be of type string.'));
  });
});

describe('a schema is refused, with a pointer to what is wrong', () => {
  it.each(REFUSED())('%s', (_name, content, pointer) => {
    expect(checkSchema(content).map((fault) => fault.pointer)).toEqual([pointer]);
    expect(() => compileSchema(content)).toThrow(/A schema in force has a fault/);
  });
});

/** Schemas with just one fault. */
function REFUSED(): readonly (readonly [name: string, content: unknown, pointer: string])[] {
  const v4 = 'http://json-schema.org/draft-04/schema#';
  const v2020 = 'https://json-schema.org/draft/2020-12/schema';
  return [
    ['no schema at all', 'x', ''],
    ['an array', [], ''],
    ['an unknown type', { type: 'float' }, '/type'],
    ['a type twice', { type: ['string', 'string'] }, '/type'],
    ['no type', { type: [] }, '/type'],
    ['properties that are no object', { properties: [] }, '/properties'],
    ['a member that is no schema', { properties: { 'a/b': 5 } }, '/properties/a~1b'],
    ['required that is no array', { required: true }, '/required'],
    ['required of a name twice', { required: ['a', 'a'] }, '/required'],
    ['required of nothing in draft-04', { $schema: v4, required: [] }, '/required'],
    ['a length below zero', { minLength: -1 }, '/minLength'],
    ['a length with a fraction', { maxLength: 1.5 }, '/maxLength'],
    ['a bound that is no number', { minimum: '1' }, '/minimum'],
    ['a flag where draft-07 has a number', { minimum: 1, exclusiveMinimum: true }, '/exclusiveMinimum'],
    [
      'a number where draft-04 has a flag',
      { $schema: v4, minimum: 1, exclusiveMinimum: 1 },
      '/exclusiveMinimum',
    ],
    ['a flag of draft-04 without its bound', { $schema: v4, exclusiveMinimum: true }, ''],
    ['a multiple of zero', { multipleOf: 0 }, '/multipleOf'],
    ['a multiple of less than zero', { multipleOf: -2 }, '/multipleOf'],
    ['an empty allOf', { allOf: [] }, '/allOf'],
    ['oneOf that is an object', { oneOf: {} }, '/oneOf'],
    ['a true schema in draft-04', { $schema: v4, not: true }, '/not'],
    ['an empty enum in draft-04', { $schema: v4, enum: [] }, '/enum'],
    ['an array of items in 2020-12', { $schema: v2020, items: [{}] }, '/items'],
    ['a flag that is no boolean', { uniqueItems: 1 }, '/uniqueItems'],
    ['a dependency of neither kind', { dependencies: { a: 5 } }, '/dependencies'],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }, '/properties/a/pattern'],
    ['a pattern of members that is none', { patternProperties: { '[': {} } }, '/patternProperties/['],
    ['a backreference to no group', { pattern: '(a)\\k<n>' }, '/pattern'],
    ['a lookbehind without its end', { pattern: '(?<=a' }, '/pattern'],
    ['a reference to nothing', { $ref: '#/definitions/x' }, '/$ref'],
    ['a reference out of it', { items: { $ref: 'other.json' } }, '/items/$ref'],
    ['an unknown draft', { $schema: 'http://json-schema.org/draft-03/schema#' }, '/$schema'],
    ['a draft that is no string', { $schema: 4 }, '/$schema'],
    ['a draft inside of another', { items: { $schema: v4 } }, '/items/$schema'],
    ['a fault beneath a reference', { $ref: '#/x/y', x: { y: { type: 5 } } }, '/x/y/type'],
  ];
}
