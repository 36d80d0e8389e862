/** Schema cases about objects. */
import { documents, list, raw, values, type SchemaCase } from './json-schema-case.ts';

/** A member named as the prototype is: written out, as a JavaScript literal would set the prototype. */
const PROTO = JSON.parse('{"__proto__": {"type": "number"}}') as unknown;

const members: readonly SchemaCase[] = [
  ...values('properties', 7, { properties: { foo: { type: 'integer' }, bar: { type: 'string' } } }, [
    ['one is wrong', { foo: 1, bar: {} }, ['/bar', 'type']],
    ['both are wrong, in the order of the schema', { bar: {}, foo: [] }, ['/foo', 'type'], ['/bar', 'type']],
  ]),
  ...values('properties', 7, { properties: { foo: true, bar: false } }, [
    ['what may not be there', { bar: 2 }, ['/bar', 'properties']],
  ]),
  ...values(
    'properties',
    7,
    { properties: { 'foo/bar': { type: 'number' }, 'a~b "c"': { type: 'number' } } },
    [
      [
        'their pointers are escaped',
        { 'foo/bar': 'x', 'a~b "c"': 'x' },
        ['/foo~1bar', 'type'],
        ['/a~0b "c"', 'type'],
      ],
    ],
  ),
  ...values('properties', 7, { properties: PROTO }, [
    ['__proto__ is a name like others', JSON.parse('{"__proto__": 1}')],
    ['and is checked like others', JSON.parse('{"__proto__": "x"}'), ['/__proto__', 'type']],
  ]),
  ...values(
    'properties',
    2020,
    {
      properties: {
        constructor: { type: 'number' },
        toString: { properties: { length: { type: 'string' } } },
      },
    },
    [
      ['inherited members are none', {}],
      [
        'own ones are',
        { constructor: 'x', toString: { length: 5 } },
        ['/constructor', 'type'],
        ['/toString/length', 'type'],
      ],
    ],
  ),
  ...values('properties', 7, { properties: { pattern: { type: 'string' }, ref: { maximum: 1 } } }, [
    ['is checked as a member', { pattern: 1 }, ['/pattern', 'type']],
  ]),
  ...values('required', 7, { required: ['foo', 'bar'] }, [
    ['all are there', { foo: 1, bar: null }],
    ['one is missing: told at the object', { foo: 1 }, 'required'],
    ['two are missing: two faults', {}, 'required', 'required'],
  ]),
  ...values('required', 7, { required: ['__proto__', 'toString', 'constructor'] }, [
    ['inherited members do not count', {}, 'required', 'required', 'required'],
    ['own ones count', JSON.parse('{"__proto__": 1, "toString": 1, "constructor": 1}')],
  ]),
  ...values('required', 2020, { required: [] }, [['nothing is required', {}]]),
  ...values('required', 7, { required: ['foo\nbar', 'ünï'] }, [
    ['names of any characters', { 'foo\nbar': 1, ünï: 2 }],
  ]),
  ...documents('required', 7, { required: ['attributes', 'relationships'] }, [
    ['a document without relationships has no such member', { a: 1 }, 'required'],
  ]),
];

const others: readonly SchemaCase[] = [
  ...values('additionalProperties', 7, { properties: { foo: {} }, additionalProperties: false }, [
    ['only known members', { foo: 1 }],
    [
      'each unknown member is told',
      { foo: 1, a: 2, b: 3 },
      ['/a', 'additionalProperties'],
      ['/b', 'additionalProperties'],
    ],
    ['__proto__ is unknown too', JSON.parse('{"__proto__": 1}'), ['/__proto__', 'additionalProperties']],
  ]),
  ...values(
    'additionalProperties',
    7,
    { patternProperties: { '^v': {} }, additionalProperties: { type: 'boolean' } },
    [['the rest does not satisfy the schema', { x: 1 }, ['/x', 'type']]],
  ),
  ...values(
    'additionalProperties',
    7,
    { allOf: [{ properties: { foo: {} } }], additionalProperties: { type: 'boolean' } },
    [['it does not see into allOf', { foo: 1 }, ['/foo', 'type']]],
  ),
  ...values(
    'patternProperties',
    7,
    { patternProperties: { 'f.*o': { type: 'integer' }, '^🐲': { type: 'string' } } },
    [
      ['members that match', { foo: 1, foooo: 2, '🐲x': 'y' }],
      ['a match that is wrong', { foo: 'bar' }, ['/foo', 'type']],
      ['several that are wrong', { foo: 'bar', '🐲': 1 }, ['/foo', 'type'], ['/🐲', 'type']],
      ['no match, no rule', { bar: 'x' }],
    ],
  ),
  ...values(
    'patternProperties',
    7,
    { patternProperties: { 'a*': { type: 'integer' }, 'aaa*': { maximum: 20 } } },
    [['and is told for each', { aaaa: 31 }, ['/aaaa', 'maximum']]],
  ),
  ...values(
    'patternProperties',
    2020,
    { patternProperties: { '[0-9]{2,}': { type: 'boolean' }, X_: { type: 'string' } } },
    [['a match in the middle', { a_X_3: 3 }, ['/a_X_3', 'type']]],
  ),
  ...values('propertyNames', 7, { propertyNames: { maxLength: 3 } }, [
    ['a long name', { foobar: {} }, ['/foobar', 'maxLength']],
  ]),
  ...values('propertyNames', 2019, { propertyNames: false }, [
    ['any name', { a: 1 }, ['/a', 'propertyNames']],
  ]),
  ...values('propertyNames', 4, { propertyNames: { maxLength: 1 } }, [
    ['means nothing in draft-04', { foo: 1 }],
  ]),
  ...values('maxProperties', 7, { maxProperties: raw('2.0') }, [
    ['few enough members', { a: 1, b: 2 }],
    ['too many members', { a: 1, b: 2, c: 3 }, 'maxProperties'],
  ]),
];

const dependent: readonly SchemaCase[] = [
  ...values(
    'dependencies',
    7,
    { dependencies: { bar: ['foo'], quux: { properties: { foo: { type: 'integer' } } } } },
    [
      ['nothing depends', { foo: 2 }],
      ['what is needed is missing', { bar: 2 }, 'dependencies'],
      ['the schema does not hold', { quux: 1, foo: 'x' }, ['/foo', 'type']],
    ],
  ),
  ...values('dependencies', 7, { dependencies: { bar: false, constructor: ['x'] } }, [
    ['a member that may not be', { bar: 1 }, 'dependencies'],
    ['an inherited member depends on nothing', {}],
  ]),
  ...values('dependentRequired', 2019, { dependentRequired: { a: ['b', 'c'] } }, [
    ['all that is needed', { a: 1, b: 2, c: 3 }],
    ['each that is missing', { a: 1 }, 'dependentRequired', 'dependentRequired'],
  ]),
  ...values('dependentRequired', 7, { dependentRequired: { a: ['b'] } }, [
    ['means nothing in draft-07', { a: 1 }],
  ]),
  ...values('dependentSchemas', 2020, { dependentSchemas: { a: { required: ['b'] } } }, [
    ['the schema holds', { a: 1, b: 1 }],
    ['the schema does not hold', { a: 1 }, 'required'],
  ]),
];

const unevaluated: readonly SchemaCase[] = [
  ...values('unevaluatedProperties', 2019, { properties: { foo: {} }, unevaluatedProperties: false }, [
    ['all were looked at', { foo: 1 }],
    ['one was not', { foo: 1, bar: 2 }, ['/bar', 'unevaluatedProperties']],
  ]),
  ...values(
    'unevaluatedProperties',
    2020,
    { allOf: [{ properties: { foo: {} } }], unevaluatedProperties: false },
    [['and finds the rest', { bar: 1 }, ['/bar', 'unevaluatedProperties']]],
  ),
  ...values(
    'unevaluatedProperties',
    2020,
    { $ref: '#/$defs/base', properties: { b: {} }, unevaluatedProperties: false },
    [['but no further', { a: 1, c: 1 }, ['/c', 'unevaluatedProperties']]],
    { $defs: { base: { properties: { a: {} } } } },
  ),
  ...values(
    'unevaluatedProperties',
    2020,
    {
      if: { properties: { kind: { const: 'x' } }, required: ['kind'] },
      then: { properties: { x: {} } },
      else: { properties: { y: {} } },
      unevaluatedProperties: false,
    },
    [['then was not asked', { x: 1 }, ['/x', 'unevaluatedProperties']]],
  ),
  ...values(
    'unevaluatedProperties',
    2019,
    { not: { not: { properties: { foo: {} } } }, unevaluatedProperties: false },
    [['what is under not looks at nothing', { foo: 1 }, ['/foo', 'unevaluatedProperties']]],
  ),
  ...values(
    'unevaluatedProperties',
    2020,
    {
      oneOf: list({ properties: { a: {} }, required: ['a'] }, { properties: { b: {} }, required: ['b'] }),
      unevaluatedProperties: { type: 'string' },
    },
    [['and one does not', { a: 1, c: 1 }, ['/c', 'type']]],
  ),
  ...values('unevaluatedProperties', 7, { unevaluatedProperties: false }, [
    ['means nothing in draft-07', { a: 1 }],
  ]),
];

export const OBJECT_CASES: readonly SchemaCase[] = [...members, ...others, ...dependent, ...unevaluated];
