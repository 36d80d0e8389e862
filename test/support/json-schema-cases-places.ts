/**
 * Schema cases of objects, arrays and logic: where faults are, and in which order; names of prototypes; what a draft
 * does not know. Verdicts of all keywords: the official suite; faults of generated schemas: property/schema.
 */
import { decimal, documents, list, raw, values, type SchemaCase } from './json-schema-case.ts';

/** A member named as the prototype is: written out, as a JavaScript literal would set the prototype. */
const PROTO = JSON.parse('{"__proto__": {"type": "number"}}') as unknown;

const objects: readonly SchemaCase[] = [
  ...values('properties', 7, { properties: { foo: { type: 'integer' }, bar: { type: 'string' } } }, [
    ['both are right', { foo: 1, bar: 'x' }],
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
  ...values('required', 7, { required: ['__proto__', 'toString', 'constructor'] }, [
    ['inherited members do not count: each is told at the object', {}, 'required', 'required', 'required'],
    ['own ones count', JSON.parse('{"__proto__": 1, "toString": 1, "constructor": 1}')],
  ]),
  ...documents('required', 7, { required: ['attributes', 'relationships'] }, [
    ['a document without relationships has no such member', { a: 1 }, 'required'],
  ]),
  ...values('additionalProperties', 7, { properties: { foo: {} }, additionalProperties: false }, [
    ['only known members', { foo: 1 }],
    [
      'each unknown member is told, in the order of the value',
      { foo: 1, b: 2, a: 3 },
      ['/b', 'additionalProperties'],
      ['/a', 'additionalProperties'],
    ],
    ['__proto__ is unknown too', JSON.parse('{"__proto__": 1}'), ['/__proto__', 'additionalProperties']],
  ]),
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
    ['each that is missing', { a: 1 }, 'dependentRequired', 'dependentRequired'],
  ]),
  ...values('dependentSchemas', 2020, { dependentSchemas: { a: { required: ['b'] } } }, [
    ['the schema does not hold', { a: 1 }, 'required'],
  ]),
  ...values(
    'unevaluatedProperties',
    2020,
    {
      oneOf: list({ properties: { a: {} }, required: ['a'] }, { properties: { b: {} }, required: ['b'] }),
      unevaluatedProperties: { type: 'string' },
    },
    [['and one does not', { a: 1, c: 1 }, ['/c', 'type']]],
  ),
  ...values(
    'unevaluatedProperties',
    2019,
    { not: { not: { properties: { foo: {} } } }, unevaluatedProperties: false },
    [['what is under not looks at nothing', { foo: 1 }, ['/foo', 'unevaluatedProperties']]],
  ),
];

const arrays: readonly SchemaCase[] = [
  ...values('items', 7, { items: { type: 'integer' } }, [
    ['all items satisfy it', [1, 2, 3]],
    ['each item that does not is told', [1, 'x', 2, null], ['/1', 'type'], ['/3', 'type']],
  ]),
  ...values('items', 2019, { items: [true, false] }, [
    ['the position that may not be filled is', [1, 'x'], ['/1', 'items']],
  ]),
  ...values('additionalItems', 7, { items: [{}], additionalItems: { type: 'integer' } }, [
    ['one of the others does not', [null, 2, 'x'], ['/2', 'type']],
  ]),
  ...values('additionalItems', 4, { items: [{}, {}], additionalItems: false }, [
    ['one is additional', [1, 2, 3], ['/2', 'additionalItems']],
  ]),
  ...values(
    'maxContains',
    2019,
    { contains: { const: 1 }, minContains: 2, maxContains: raw('2.0') },
    list(['both bounds', [1, 1]], ['too few', [1], 'contains'], ['too many', [1, 1, 1], 'contains']),
  ),
  ...values('minItems', 7, { minItems: 1 }, list(['enough items', [1]], ['too few items', [], 'minItems'])),
  ...values(
    'maxItems',
    4,
    { maxItems: raw('2.0') },
    list(['few enough items', [1, 2]], ['too many items', [1, 2, 3], 'maxItems']),
  ),
  ...values('uniqueItems', 7, { uniqueItems: true }, [
    ['1 and a decimal 1.00 are the same', [1, decimal('1.00')], 'uniqueItems'],
    ['longs that are one double are different', [raw('9007199254740992'), raw('9007199254740993')]],
  ]),
  ...values('unevaluatedItems', 2020, { contains: { type: 'string' }, unevaluatedItems: false }, [
    ['what it did not find was not', ['x', 1], ['/1', 'unevaluatedItems']],
  ]),
  ...values(
    'unevaluatedItems',
    2020,
    { allOf: [{ prefixItems: [true, { type: 'number' }] }], unevaluatedItems: { type: 'null' } },
    [['the rest must satisfy it', ['x', 1, 'y'], ['/2', 'type']]],
  ),
];

const logic: readonly SchemaCase[] = [
  ...values('allOf', 7, { allOf: [{ required: ['bar'] }, { required: ['foo'] }, { maxProperties: 2 }] }, [
    ['each that does not is told by its own keyword', {}, 'required', 'required'],
  ]),
  ...values('oneOf', 4, { oneOf: [{ type: 'null' }, { type: 'object', required: ['data'] }] }, [
    ['null or an object: null', null],
    ['null or an object: neither', { other: 1 }, 'oneOf'],
  ]),
  ...values(
    'allOf',
    7,
    { allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] },
    [
      [
        'with anyOf and oneOf: each tells its fault, in the order of the schema',
        1,
        'multipleOf',
        'anyOf',
        'oneOf',
      ],
    ],
  ),
  ...documents('true', 7, true, [['accepts anything', { a: [1, null] }]]),
  ...documents('false', 7, false, [['refuses the document', { a: 1 }, 'false']]),
  ...documents('{}', 2020, {}, [['accepts anything', { a: [1, null] }]]),
  ...values(
    'unknown keywords',
    7,
    { shade: 'dark', maxSize: -1, $defs: 5, dependentSchemas: 'x', minContains: 'x' },
    [['mean nothing, and may be anything', 1]],
  ),
  ...values('unknown keywords', 4, { const: 1, contains: 5, exclusive: true, $id: 5, $anchor: 7 }, [
    ['of later drafts mean nothing in draft-04', 2],
  ]),
  ...values('unknown keywords', 6, { if: 5, $comment: 5, readOnly: 5, contentMediaType: 5, $defs: 5 }, [
    ['of later drafts mean nothing in draft-06', 2],
  ]),
  ...values('unknown keywords', 2020, { id: 5, additionalItems: 'x', $recursiveRef: 5 }, [
    ['of earlier drafts mean nothing in 2020-12', 2],
  ]),
  ...values(
    'notes',
    2020,
    {
      title: 't',
      description: 'd',
      default: [],
      examples: [1],
      deprecated: true,
      readOnly: true,
      writeOnly: false,
      $comment: 'c',
      contentMediaType: 'application/json',
      contentEncoding: 'base64',
      contentSchema: { type: 'object' },
    },
    [['ask for nothing', 'not json']],
  ),
];

/** What the examples of relationships have around their links, here around an attribute. */
const together: readonly SchemaCase[] = [
  ...documents(
    'several keywords',
    7,
    {
      type: 'object',
      required: ['attributes'],
      properties: {
        attributes: {
          type: 'object',
          required: ['name', 'price'],
          additionalProperties: false,
          properties: {
            name: { type: 'string', minLength: 3, maxLength: 10, pattern: '^[A-Z]' },
            price: { type: 'number', minimum: 0, multipleOf: 0.01 },
            tags: {
              type: 'array',
              items: { type: 'string', minLength: 1 },
              minItems: 1,
              maxItems: 3,
              uniqueItems: true,
            },
          },
        },
      },
    },
    [
      ['a good document', { name: 'Chair', price: 19.99, tags: ['wood'] }],
      [
        'one fault for each thing that is wrong',
        { name: 'ab', price: -0.005, tags: ['', '', 'x', 'y'], more: 1 },
        ['/attributes/more', 'additionalProperties'],
        ['/attributes/name', 'minLength'],
        ['/attributes/name', 'pattern'],
        ['/attributes/price', 'minimum'],
        ['/attributes/price', 'multipleOf'],
        ['/attributes/tags/0', 'minLength'],
        ['/attributes/tags/1', 'minLength'],
        ['/attributes/tags', 'maxItems'],
        ['/attributes/tags', 'uniqueItems'],
      ],
      ['all that is required', {}, 'required'],
    ],
  ),
];

export const PLACE_CASES: readonly SchemaCase[] = [...objects, ...arrays, ...logic, ...together];
