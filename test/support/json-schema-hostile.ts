/** Schemas and documents made to stall, to overflow or to deceive. What must become of each is said with it. */

export interface HostileSchema {
  readonly name: string;
  /** Makes the schema of the attribute `v`, or of the whole content where it has `root`. */
  readonly schema: () => unknown;
  readonly root?: Readonly<Record<string, unknown>>;
  readonly value?: () => unknown;
  /** Whether the schema is refused, or accepts, refuses or gives up on the value. */
  readonly outcome: 'schema refused' | 'valid' | 'violations' | 'too much work';
}

const MIB = 1024 * 1024;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Puts something into something again and again. */
function nested(levels: number, wrap: (inner: unknown) => unknown, core: unknown): unknown {
  return times(levels, () => wrap).reduce<unknown>((inner, each) => each(inner), core);
}

/** An object whose member is named as the prototype is. */
const withProto = (value: unknown): unknown => JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`);

const loops: readonly HostileSchema[] = [
  {
    name: 'a schema that is itself',
    schema: () => ({ $ref: '#/definitions/a' }),
    root: { definitions: { a: { $ref: '#/definitions/a' } } },
    outcome: 'schema refused',
  },
  {
    name: 'two schemas that are each other',
    schema: () => ({ $ref: '#/definitions/a' }),
    root: { definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } },
    outcome: 'schema refused',
  },
  {
    name: 'a loop through allOf',
    schema: () => true,
    root: { allOf: [{ $ref: '#' }] },
    outcome: 'schema refused',
  },
  { name: 'a loop through not', schema: () => true, root: { not: { $ref: '#' } }, outcome: 'schema refused' },
  {
    name: 'a loop through if',
    schema: () => true,
    root: { if: { if: { $ref: '#' } } },
    outcome: 'schema refused',
  },
  {
    name: 'a loop through then',
    schema: () => true,
    root: { if: true, then: { $ref: '#' } },
    outcome: 'schema refused',
  },
  {
    name: 'a loop through dependencies',
    schema: () => true,
    root: { dependencies: { attributes: { $ref: '#' } } },
    outcome: 'schema refused',
  },
  {
    name: 'a loop through a sibling of $ref in 2020-12',
    schema: () => true,
    root: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: [{ $ref: '#' }] } },
    },
    outcome: 'schema refused',
  },
  {
    name: 'a loop through $dynamicRef',
    schema: () => true,
    root: { $schema: 'https://json-schema.org/draft/2020-12/schema', $dynamicAnchor: 'x', $dynamicRef: '#x' },
    outcome: 'schema refused',
  },
  {
    name: 'a loop through $recursiveRef',
    schema: () => true,
    root: { $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveRef: '#' },
    outcome: 'schema refused',
  },
  {
    name: 'a chain of 5,000 references',
    schema: () => ({ $ref: '#/definitions/a0' }),
    root: {
      definitions: Object.fromEntries(
        times(4_900, (i) => [`a${i}`, i < 4_899 ? { $ref: `#/definitions/a${i + 1}` } : {}]),
      ),
    },
    outcome: 'schema refused',
  },
  {
    name: 'a tree as deep as JSON may be',
    schema: () => ({ $ref: '#/definitions/t' }),
    root: { definitions: { t: { type: 'array', items: { $ref: '#/definitions/t' } } } },
    value: () => nested(58, (inner) => [inner], []),
    outcome: 'valid',
  },
  {
    name: 'long chains of anyOf at every level of a deep tree',
    schema: () => ({ $ref: '#/definitions/t0' }),
    root: {
      definitions: {
        ...Object.fromEntries(times(48, (i) => [`t${i}`, { anyOf: [{ $ref: `#/definitions/t${i + 1}` }] }])),
        t48: { items: { $ref: '#/definitions/t0' } },
      },
    },
    value: () => nested(58, (inner) => [inner], []),
    outcome: 'too much work',
  },
  {
    name: 'long chains at every level of a deep tree',
    schema: () => ({ $ref: '#/definitions/t0' }),
    root: {
      definitions: {
        ...Object.fromEntries(times(95, (i) => [`t${i}`, { $ref: `#/definitions/t${i + 1}` }])),
        t95: { items: { $ref: '#/definitions/t0' } },
      },
    },
    value: () => nested(58, (inner) => [inner], []),
    outcome: 'too much work',
  },
];

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
    outcome: 'too much work',
  },
  {
    name: '300,000 items that each break a rule',
    schema: () => ({ items: false }),
    value: () => times(300_000, () => 0),
    outcome: 'violations',
  },
  {
    name: '90 rules that 50,000 items break',
    schema: () => ({ allOf: times(90, () => ({ items: false })) }),
    value: () => times(50_000, () => 0),
    outcome: 'violations',
  },
  {
    name: '50,000 required names, missing in 50,000 items',
    schema: () => ({ items: { required: times(50_000, (i) => `n${i}`) } }),
    value: () => times(50_000, () => ({})),
    outcome: 'too much work',
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
    outcome: 'too much work',
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
    name: 'contains with contains on 1,000 by 1,000',
    schema: () => ({ contains: { contains: { const: 'x' } } }),
    value: () => times(500, () => times(500, () => 1)),
    outcome: 'violations',
  },
  {
    name: 'what was looked at, copied through 90 levels',
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
    schema: () => ({ pattern: '(?:a{1,900}){1,900}' }),
    outcome: 'schema refused',
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
    value: () => ({ ['n'.repeat(MIB / 2)]: 0 }),
    outcome: 'violations',
  },
];

const identities: readonly HostileSchema[] = [
  {
    name: 'a reference to the network',
    schema: () => ({ $ref: 'http://169.254.169.254/latest/meta-data' }),
    outcome: 'schema refused',
  },
  {
    name: 'a reference to a file',
    schema: () => ({ $ref: 'file:///etc/passwd' }),
    outcome: 'schema refused',
  },
  {
    name: 'a reference to the schema of schemas',
    schema: () => ({ $ref: 'http://json-schema.org/draft-07/schema#' }),
    outcome: 'schema refused',
  },
  {
    name: 'two schemas of one address',
    schema: () => true,
    root: { definitions: { a: { $id: 'x.json' }, b: { $id: 'x.json' } } },
    outcome: 'schema refused',
  },
  {
    name: 'two schemas of one anchor',
    schema: () => true,
    root: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } },
    },
    outcome: 'schema refused',
  },
  {
    name: 'a member that takes the address of the root',
    schema: () => ({ $id: '#' }),
    outcome: 'schema refused',
  },
  {
    name: 'an address of a megabyte',
    schema: () => ({ allOf: times(1_000, () => ({ $ref: '#' })) }),
    root: { $id: `http://x/${'a'.repeat(MIB / 2)}` },
    outcome: 'schema refused',
  },
  {
    name: 'an address that is none',
    schema: () => true,
    root: { $id: 'http://[' },
    outcome: 'schema refused',
  },
  { name: 'a reference that is none', schema: () => ({ $ref: 'http://[' }), outcome: 'schema refused' },
  {
    name: 'a reference of a megabyte',
    schema: () => ({ $ref: `#${'/a'.repeat(MIB / 3)}` }),
    outcome: 'schema refused',
  },
  { name: 'a fragment that can not be decoded', schema: () => ({ $ref: '#/%' }), outcome: 'schema refused' },
  {
    name: 'a reference into what every object inherits',
    schema: () => ({ $ref: '#/constructor' }),
    outcome: 'schema refused',
  },
  {
    name: 'a reference into the prototype',
    schema: () => ({ $ref: '#/__proto__' }),
    outcome: 'schema refused',
  },
  {
    name: 'an address in an enum is data',
    schema: () => ({ enum: [{ $id: 'x.json', type: 5 }, { $id: 'x.json' }] }),
    value: () => ({ $id: 'x.json' }),
    outcome: 'valid',
  },
  {
    name: 'two dynamic anchors of one name',
    schema: () => ({ $dynamicRef: '#x' }),
    root: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $dynamicAnchor: 'x',
      $defs: { b: { $id: 'b.json', $dynamicAnchor: 'x' } },
    },
    outcome: 'schema refused',
  },
];

const names: readonly HostileSchema[] = [
  {
    name: 'a property named __proto__',
    schema: () => ({ properties: withProto({ type: 'string' }) }),
    value: () => withProto(5),
    outcome: 'violations',
  },
  {
    name: 'a keyword named __proto__',
    schema: () => withProto({ type: 'string' }),
    value: () => 5,
    outcome: 'valid',
  },
  {
    name: 'keywords named as what objects inherit',
    schema: () => ({ constructor: 1, toString: 'x', valueOf: null, hasOwnProperty: [] }),
    value: () => 5,
    outcome: 'valid',
  },
  {
    name: 'a draft named as what objects inherit',
    schema: () => true,
    root: { $schema: 'constructor' },
    outcome: 'schema refused',
  },
  {
    name: 'a type named as what objects inherit',
    schema: () => ({ type: 'constructor' }),
    outcome: 'schema refused',
  },
  {
    name: 'a format named as what objects inherit',
    schema: () => ({ format: 'constructor' }),
    value: () => 'x',
    outcome: 'valid',
  },
  {
    name: 'a schema of 200 levels',
    schema: () => nested(200, (inner) => ({ items: inner }), {}),
    outcome: 'schema refused',
  },
  {
    name: 'a schema of 10,000 schemas',
    schema: () => ({ allOf: times(10_000, () => ({})) }),
    outcome: 'schema refused',
  },
  {
    name: 'a schema of 200,000 values',
    schema: () => ({ enum: times(200_000, (i) => i) }),
    outcome: 'schema refused',
  },
  {
    name: '1,000 faults',
    schema: () => ({ allOf: times(1_000, () => ({ type: 'x' })) }),
    outcome: 'schema refused',
  },
  {
    name: 'numbers at the ends of what there is',
    schema: () => ({ multipleOf: 5e-324 }),
    value: () => 1.7976931348623157e308,
    outcome: 'valid',
  },
];

export const HOSTILE_SCHEMAS: readonly HostileSchema[] = [
  ...loops,
  ...blowUps,
  ...texts,
  ...identities,
  ...names,
];
