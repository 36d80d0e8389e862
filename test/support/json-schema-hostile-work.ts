/** Schemas and documents that cost more work than they look, and texts that patterns are slow on elsewhere. */
import { MIB, nested, times, type HostileSchema } from './json-schema-hostile-case.ts';

const blowUps: readonly HostileSchema[] = [
  {
    name: 'anyOf that doubles at each of 40 steps',
    schema: () => ({ $ref: '#/definitions/a0' }),
    root: {
      definitions: {
        ...Object.fromEntries(
          times(40, (i) => [
            `a${i}`,
            { anyOf: [{ $ref: `#/definitions/a${i + 1}` }, { $ref: `#/definitions/a${i + 1}` }] },
          ]),
        ),
        a40: { type: 'null' },
      },
    },
    value: () => 1,
    outcome: 'too much work',
  },
  {
    name: 'allOf that triples at each of 30 steps',
    schema: () => ({ $ref: '#/definitions/a0' }),
    root: {
      definitions: {
        ...Object.fromEntries(
          times(30, (i) => [`a${i}`, { allOf: times(3, () => ({ $ref: `#/definitions/a${i + 1}` })) }]),
        ),
        a30: false,
      },
    },
    value: () => 1,
    outcome: 'too much work',
  },
  {
    name: 'oneOf over a tree, twice at every level',
    schema: () => ({ $ref: '#/definitions/t' }),
    root: {
      definitions: {
        t: {
          oneOf: [
            { items: { $ref: '#/definitions/t' }, minItems: 1 },
            { items: { $ref: '#/definitions/t' }, maxItems: 0 },
          ],
        },
      },
    },
    value: () => nested(50, (inner) => [inner], []),
    outcome: 'valid',
  },
  {
    name: 'anyOf over a tree, twice at every level',
    schema: () => ({ $ref: '#/definitions/t' }),
    root: {
      definitions: {
        t: {
          anyOf: [
            { items: { $ref: '#/definitions/t' }, maxItems: 1 },
            { items: { $ref: '#/definitions/t' }, maxItems: 2 },
          ],
        },
      },
    },
    value: () => nested(50, (inner) => [inner], []),
    outcome: 'too much work',
  },
  {
    name: '300,000 items that each break a rule',
    schema: () => ({ items: false }),
    value: () => times(300_000, () => 0),
    outcome: 'violations',
  },
  {
    name: '40 rules that 50,000 items break',
    schema: () => ({ allOf: times(40, () => ({ items: false })) }),
    value: () => times(50_000, () => 0),
    outcome: 'violations',
  },
  {
    name: '50,000 required names, missing in 50,000 items',
    schema: () => ({ items: { required: times(50_000, (i) => `n${i}`) } }),
    value: () => times(50_000, () => ({})),
    outcome: 'violations',
  },
  {
    name: '4,000 properties, absent in 300,000 items',
    schema: () => ({
      items: {
        properties: Object.fromEntries(times(4_000, (i) => [`p${i}`, {}])),
        additionalProperties: false,
      },
    }),
    value: () => times(300_000, () => ({})),
    outcome: 'too much work',
  },
  {
    name: '50,000 unknown keywords for 300,000 items',
    schema: () => ({ items: Object.fromEntries(times(50_000, (i) => [`x${i}`, 0])) }),
    value: () => times(300_000, () => 0),
    outcome: 'valid',
  },
  {
    name: '20,000 dependencies for 300,000 items',
    schema: () => ({ items: { dependencies: Object.fromEntries(times(20_000, (i) => [`d${i}`, []])) } }),
    value: () => times(300_000, () => ({})),
    outcome: 'too much work',
  },
  {
    name: 'an enum of 90,000 numbers for 100,000 items',
    schema: () => ({ items: { enum: times(90_000, (i) => i) } }),
    value: () => times(100_000, (i) => i % 90_000),
    outcome: 'valid',
  },
  {
    name: 'an enum of one huge value that nothing equals',
    schema: () => ({ items: { enum: [times(80_000, (i) => i)] } }),
    value: () => times(100_000, () => 0),
    outcome: 'violations',
  },
  {
    name: '4,000 constants beside a huge value',
    schema: () => ({ anyOf: times(4_000, (i) => ({ const: i })) }),
    value: () => times(300_000, () => 1),
    outcome: 'violations',
  },
  {
    name: 'uniqueItems on 50,000 items',
    schema: () => ({ uniqueItems: true }),
    value: () => times(50_000, (i) => ({ id: i, tags: ['a'] })),
    outcome: 'valid',
  },
  {
    name: 'uniqueItems on 50,000 items, the last one again',
    schema: () => ({ uniqueItems: true }),
    value: () => [...times(50_000, (i) => i), 49_999],
    outcome: 'violations',
  },
  {
    name: 'uniqueItems 4,000 times',
    schema: () => ({ allOf: times(4_000, () => ({ uniqueItems: true })) }),
    value: () => times(100_000, (i) => i),
    outcome: 'too much work',
  },
  {
    name: 'contains in contains on 500 by 500',
    schema: () => ({ contains: { contains: { const: 'x' } } }),
    value: () => times(500, () => times(500, () => 1)),
    outcome: 'violations',
  },
  {
    name: 'a schema of 90 levels of allOf',
    schema: () => ({
      allOf: times(40, () => nested(90, (inner) => ({ allOf: [inner] }), { additionalProperties: true })),
    }),
    value: () => Object.fromEntries(times(50_000, (i) => [`m${i}`, 0])),
    outcome: 'schema refused',
  },
  {
    name: 'what was looked at, copied through 28 levels',
    schema: () => ({
      allOf: times(100, () => nested(27, (inner) => ({ allOf: [inner] }), { additionalProperties: true })),
    }),
    value: () => Object.fromEntries(times(50_000, (i) => [`m${i}`, 0])),
    outcome: 'too much work',
  },
];

const texts: readonly HostileSchema[] = [
  {
    name: 'a pattern that backtracks, on its worst text',
    schema: () => ({ pattern: '^(a+)+$' }),
    value: () => `${'a'.repeat(100_000)}!`,
    outcome: 'violations',
  },
  {
    name: 'nested stars',
    schema: () => ({ pattern: '^(([a-z])*)*$' }),
    value: () => `${'a'.repeat(100_000)}!`,
    outcome: 'violations',
  },
  {
    name: 'alternatives that overlap',
    schema: () => ({ pattern: '^(a|a|aa)*b$' }),
    value: () => 'a'.repeat(100_000),
    outcome: 'violations',
  },
  {
    name: '1 MiB against a small pattern',
    schema: () => ({ pattern: '^[a-z]+$' }),
    value: () => 'a'.repeat(MIB - 200),
    outcome: 'valid',
  },
  {
    name: '1 MiB against a large pattern',
    schema: () => ({ pattern: '(?:[ab]{0,90}x){5}y' }),
    value: () => 'ab'.repeat(MIB / 2 - 200),
    outcome: 'violations',
  },
  {
    name: '1 MiB against 150 patterns',
    schema: () => ({ allOf: times(150, (i) => ({ pattern: `(?:[ab]{0,9}x){2}y${i}` })) }),
    value: () => 'ab'.repeat(MIB / 2 - 200),
    outcome: 'violations',
  },
  {
    name: '150 patterns for 20,000 names',
    schema: () => ({
      items: {
        patternProperties: Object.fromEntries(times(150, (i) => [`^(?:x|[a-f]{1,90}y){1,9}${i}$`, {}])),
      },
    }),
    value: () => times(20_000, () => ({ a: 0 })),
    outcome: 'too much work',
  },
  {
    name: 'a pattern that counts too far',
    schema: () => ({ pattern: '^(?:a{1,900}){1,900}$' }),
    value: () => `${'a'.repeat(5_000)}!`,
    outcome: 'too much work',
  },
  {
    name: 'a backreference, on its worst text',
    schema: () => ({ pattern: '^(?:(a+)+\\1)+$' }),
    value: () => `${'a'.repeat(5_000)}!`,
    outcome: 'too much work',
  },
  {
    name: 'a lookbehind, on its worst text',
    schema: () => ({ pattern: '(?<=(a+)+b)!' }),
    value: () => `${'a'.repeat(5_000)}!`,
    outcome: 'violations',
  },
  {
    name: 'a pattern of 2,000 characters',
    schema: () => ({ pattern: 'a'.repeat(2_000) }),
    outcome: 'schema refused',
  },
  {
    name: 'a pattern of 400 parentheses',
    schema: () => ({ pattern: `${'('.repeat(400)}a${')'.repeat(400)}` }),
    outcome: 'schema refused',
  },
  {
    name: '300 different patterns',
    schema: () => ({ allOf: times(300, (i) => ({ pattern: `a${i}` })) }),
    outcome: 'schema refused',
  },
  {
    name: 'a pattern with half a character',
    schema: () => ({ pattern: '\ud800' }),
    outcome: 'schema refused',
  },
  {
    name: 'lengths of 1 MiB, 1,000 times',
    schema: () => ({ allOf: times(1_000, () => ({ minLength: 5 })) }),
    value: () => 'a'.repeat(MIB - 200),
    outcome: 'too much work',
  },
  {
    name: 'an address of 1 MiB',
    schema: () => ({ format: 'email' }),
    value: () => `${'a'.repeat(MIB / 2)}@${'a'.repeat(MIB / 3)}`,
    outcome: 'violations',
  },
  {
    name: 'a name of half a megabyte above 100,000 faults',
    schema: () => ({ additionalProperties: { items: false } }),
    value: () => ({ ['n'.repeat(MIB / 2)]: times(100_000, () => 0) }),
    outcome: 'violations',
  },
  {
    name: 'a pattern for a name of half a megabyte',
    schema: () => ({ patternProperties: { '^(?:x|[ab]{0,90}){9}$': {} } }),
    value: () => ({ ['a'.repeat(MIB / 2)]: 0 }),
    outcome: 'valid',
  },
];

export const HOSTILE_WORK: readonly HostileSchema[] = [...blowUps, ...texts];
