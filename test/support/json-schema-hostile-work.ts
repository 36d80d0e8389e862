/** Schemas and documents that cost more work than they look, and texts that patterns are slow on elsewhere. */
import { MIB, nested, schemas, times, type HostileSchema } from './json-schema-hostile-case.ts';

const blowUps = schemas([
  [
    'too much work',
    'a mebibyte of internationalized names',
    () => ({ items: { format: 'idn-hostname' } }),
    () => times(100_000, () => 'ü.de'),
  ],
  [
    'too much work',
    'anyOf that doubles at each of 40 steps',
    () => ({ $ref: '#/definitions/a0' }),
    () => 1,
    {
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
  ],
  [
    'too much work',
    'allOf that triples at each of 30 steps',
    () => ({ $ref: '#/definitions/a0' }),
    () => 1,
    {
      definitions: {
        ...Object.fromEntries(
          times(30, (i) => [`a${i}`, { allOf: times(3, () => ({ $ref: `#/definitions/a${i + 1}` })) }]),
        ),
        a30: false,
      },
    },
  ],
  [
    'valid',
    'oneOf over a tree, twice at every level',
    () => ({ $ref: '#/definitions/t' }),
    () => nested(50, (inner) => [inner], []),
    {
      definitions: {
        t: {
          oneOf: [
            { items: { $ref: '#/definitions/t' }, minItems: 1 },
            { items: { $ref: '#/definitions/t' }, maxItems: 0 },
          ],
        },
      },
    },
  ],
  [
    'too much work',
    'anyOf over a tree, twice at every level',
    () => ({ $ref: '#/definitions/t' }),
    () => nested(50, (inner) => [inner], []),
    {
      definitions: {
        t: {
          anyOf: [
            { items: { $ref: '#/definitions/t' }, maxItems: 1 },
            { items: { $ref: '#/definitions/t' }, maxItems: 2 },
          ],
        },
      },
    },
  ],
  [
    'violations',
    '300,000 items that each break a rule',
    () => ({ items: false }),
    () => times(300_000, () => 0),
  ],
  [
    'violations',
    '40 rules that 50,000 items break',
    () => ({ allOf: times(40, () => ({ items: false })) }),
    () => times(50_000, () => 0),
  ],
  [
    'violations',
    '50,000 required names, missing in 50,000 items',
    () => ({ items: { required: times(50_000, (i) => `n${i}`) } }),
    () => times(50_000, () => ({})),
  ],
  [
    'too much work',
    '4,000 properties, absent in 300,000 items',
    () => ({
      items: {
        properties: Object.fromEntries(times(4_000, (i) => [`p${i}`, {}])),
        additionalProperties: false,
      },
    }),
    () => times(300_000, () => ({})),
  ],
  [
    'valid',
    '50,000 unknown keywords for 300,000 items',
    () => ({ items: Object.fromEntries(times(50_000, (i) => [`x${i}`, 0])) }),
    () => times(300_000, () => 0),
  ],
  [
    'too much work',
    '20,000 dependencies for 300,000 items',
    () => ({ items: { dependencies: Object.fromEntries(times(20_000, (i) => [`d${i}`, []])) } }),
    () => times(300_000, () => ({})),
  ],
  [
    'valid',
    'an enum of 90,000 numbers for 100,000 items',
    () => ({ items: { enum: times(90_000, (i) => i) } }),
    () => times(100_000, (i) => i % 90_000),
  ],
  [
    'violations',
    'an enum of one huge value that nothing equals',
    () => ({ items: { enum: [times(80_000, (i) => i)] } }),
    () => times(100_000, () => 0),
  ],
  [
    'violations',
    '4,000 constants beside a huge value',
    () => ({ anyOf: times(4_000, (i) => ({ const: i })) }),
    () => times(300_000, () => 1),
  ],
  [
    'valid',
    'uniqueItems on 50,000 items',
    () => ({ uniqueItems: true }),
    () => times(50_000, (i) => ({ id: i, tags: ['a'] })),
  ],
  [
    'violations',
    'uniqueItems on 50,000 items, the last one again',
    () => ({ uniqueItems: true }),
    () => [...times(50_000, (i) => i), 49_999],
  ],
  [
    'too much work',
    'uniqueItems 4,000 times',
    () => ({ allOf: times(4_000, () => ({ uniqueItems: true })) }),
    () => times(100_000, (i) => i),
  ],
  [
    'violations',
    'contains in contains on 500 by 500',
    () => ({ contains: { contains: { const: 'x' } } }),
    () => times(500, () => times(500, () => 1)),
  ],
  [
    'refused',
    'a schema of 90 levels of allOf',
    () => ({
      allOf: times(40, () => nested(90, (inner) => ({ allOf: [inner] }), { additionalProperties: true })),
    }),
  ],
  [
    'too much work',
    'what was looked at, copied through 28 levels',
    () => ({
      allOf: times(100, () => nested(27, (inner) => ({ allOf: [inner] }), { additionalProperties: true })),
    }),
    () => Object.fromEntries(times(50_000, (i) => [`m${i}`, 0])),
  ],
]);

const texts = schemas([
  [
    'violations',
    'a pattern that backtracks, on its worst text',
    () => ({ pattern: '^(a+)+$' }),
    () => `${'a'.repeat(100_000)}!`,
  ],
  ['violations', 'nested stars', () => ({ pattern: '^(([a-z])*)*$' }), () => `${'a'.repeat(100_000)}!`],
  ['violations', 'alternatives that overlap', () => ({ pattern: '^(a|a|aa)*b$' }), () => 'a'.repeat(100_000)],
  ['valid', '1 MiB against a small pattern', () => ({ pattern: '^[a-z]+$' }), () => 'a'.repeat(MIB - 200)],
  [
    'violations',
    '1 MiB against a large pattern',
    () => ({ pattern: '(?:[ab]{0,90}x){5}y' }),
    () => 'ab'.repeat(MIB / 2 - 200),
  ],
  [
    'violations',
    '1 MiB against 150 patterns',
    () => ({ allOf: times(150, (i) => ({ pattern: `(?:[ab]{0,9}x){2}y${i}` })) }),
    () => 'ab'.repeat(MIB / 2 - 200),
  ],
  [
    'too much work',
    '150 patterns for 20,000 names',
    () => ({
      items: {
        patternProperties: Object.fromEntries(times(150, (i) => [`^(?:x|[a-f]{1,90}y){1,9}${i}$`, {}])),
      },
    }),
    () => times(20_000, () => ({ a: 0 })),
  ],
  [
    'violations',
    'a pattern that counts too far',
    () => ({ pattern: '^(?:a{1,900}){1,900}$' }),
    () => `${'a'.repeat(5_000)}!`,
  ],
  [
    'violations',
    'a backreference, on its worst text',
    () => ({ pattern: '^(?:(a+)+\\1)+$' }),
    () => `${'a'.repeat(5_000)}!`,
  ],
  [
    'violations',
    'a lookbehind, on its worst text',
    () => ({ pattern: '(?<=(a+)+b)!' }),
    () => `${'a'.repeat(5_000)}!`,
  ],
  ['refused', 'a pattern of 2,000 characters', () => ({ pattern: 'a'.repeat(2_000) })],
  ['refused', 'a pattern of 400 parentheses', () => ({ pattern: `${'('.repeat(400)}a${')'.repeat(400)}` })],
  ['refused', '300 different patterns', () => ({ allOf: times(300, (i) => ({ pattern: `a${i}` })) })],
  ['refused', 'a pattern with half a character', () => ({ pattern: '\ud800' })],
  [
    'too much work',
    'lengths of 1 MiB, 1,000 times',
    () => ({ allOf: times(1_000, () => ({ minLength: 5 })) }),
    () => 'a'.repeat(MIB - 200),
  ],
  [
    'violations',
    'an address of 1 MiB',
    () => ({ format: 'email' }),
    () => `${'a'.repeat(MIB / 2)}@${'a'.repeat(MIB / 3)}`,
  ],
  [
    'violations',
    'a name of half a megabyte above 100,000 faults',
    () => ({ additionalProperties: { items: false } }),
    () => ({ ['n'.repeat(MIB / 2)]: times(100_000, () => 0) }),
  ],
  [
    'valid',
    'a pattern for a name of half a megabyte',
    () => ({ patternProperties: { '^(?:x|[ab]{0,90}){9}$': {} } }),
    () => ({ ['a'.repeat(MIB / 2)]: 0 }),
  ],
]);

export const HOSTILE_WORK: readonly HostileSchema[] = [...blowUps, ...texts];
