/** What the validator says where less, or more, would be wrong: patterns it cannot afford, faults found twice. */
import { describe, expect, it } from 'vitest';
import { validated } from '../support/json-schema-run.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The violations of a value `v`. */
function violations(schema: unknown, value: unknown, shared: object = {}) {
  const content = { $schema: DRAFT, ...shared, properties: { attributes: { properties: { v: schema } } } };
  return validated(JSON.stringify(content), JSON.stringify({ v: value }));
}

const at = (keyword: string, pointer = '/data/attributes/v') => ({ pointer, keyword });

describe('a string that is too long for its pattern', () => {
  // Matches in fact; the work that finding out could take is beyond what one pattern may.
  const expensive = { pattern: '(?=x)x*z|y$' };
  const long = `${'x'.repeat(100_000)}${'y'.repeat(500)}`;
  const refusedAsAWhole = [at('$schema', '/data')];

  it('violates the pattern', () => {
    expect(violations(expensive, long)).toEqual([at('pattern')]);
    expect(violations({ allOf: [expensive] }, long)).toEqual([at('pattern')]);
  });

  it.each([
    ['not', { not: expensive }],
    ['if', { if: expensive, then: false }],
    ['anyOf', { anyOf: [{ not: expensive }, false] }],
    ['oneOf', { oneOf: [true, expensive] }],
    ['contains', { maxContains: 0, minContains: 0, contains: expensive }],
    ['patternProperties', { not: { patternProperties: { '(?=x)x*z|y$': false } } }],
    [
      'additionalProperties',
      { not: { patternProperties: { '(?=x)x*z|y$': true }, additionalProperties: false } },
    ],
  ])('is never taken for one that does not match: %s', (keyword, schema) => {
    const value = keyword === 'contains' ? [long] : keyword.endsWith('Properties') ? { [long]: 1 } : long;
    expect(violations(schema, value)).toEqual(refusedAsAWhole);
  });
});

describe('a fault that is found twice', () => {
  it('is told once', () => {
    const person = { required: ['name'], properties: { age: { minimum: 0 } } };
    expect(violations({ allOf: [person, person] }, { age: -1 })).toEqual([
      at('required'),
      at('minimum', '/data/attributes/v/age'),
    ]);
    expect(violations({ $ref: '#/$defs/person', ...person }, {}, { $defs: { person } })).toEqual([
      at('required'),
    ]);
  });

  it('is two when two things are missing or two bounds are broken', () => {
    expect(violations({ required: ['a', 'b'] }, {})).toEqual([at('required'), at('required')]);
    expect(violations({ allOf: [{ minimum: 1 }, { minimum: 2 }] }, 0)).toEqual([
      at('minimum'),
      at('minimum'),
    ]);
  });

  it('still makes the schema refuse the value where only that counts', () => {
    const strict = { allOf: [{ type: 'string' }, { type: 'string' }] };
    expect(violations({ anyOf: [strict, { const: 1 }] }, 2)).toEqual([at('anyOf')]);
    expect(violations({ not: strict }, 2)).toEqual([]);
  });
});

describe('half a surrogate pair', () => {
  it('is a character', () => {
    expect(violations({ maxLength: 1 }, '\ud800x')).toEqual([at('maxLength')]);
    expect(violations({ minLength: 2, maxLength: 2 }, 'x\udc00')).toEqual([]);
    expect(violations({ minLength: 1, maxLength: 1 }, '\ud83d\ude00')).toEqual([]);
    expect(violations({ maxLength: 1 }, '\ude00\ud83d')).toEqual([at('maxLength')]);
  });
});
