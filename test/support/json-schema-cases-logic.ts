/** Schema cases about schemas together: logic, conditions, booleans, and what a draft does not know. */
import { documents, list, values, type SchemaCase } from './json-schema-case.ts';

const logic: readonly SchemaCase[] = [
  ...values('allOf', 7, { allOf: [{ required: ['bar'] }, { required: ['foo'] }, { maxProperties: 2 }] }, [
    ['all hold', { foo: 1, bar: 2 }],
    ['each that does not is told by its own keyword', {}, 'required', 'required'],
    ['one of them fails', { foo: 1, bar: 2, c: 3 }, 'maxProperties'],
  ]),
  ...values('allOf', 2020, { allOf: [true, false] }, [['false among them', 1, 'allOf']]),
  ...values(
    'oneOf',
    7,
    { oneOf: [{ type: 'integer' }, { minimum: 2 }] },
    list(['just the first holds', 1], ['both hold', 3, 'oneOf']),
  ),
  ...values('oneOf', 4, { oneOf: [{ type: 'null' }, { type: 'object', required: ['data'] }] }, [
    ['null or an object: neither', { other: 1 }, 'oneOf'],
  ]),
  ...values('oneOf', 2019, { oneOf: [true, true, false] }, [['two that are true', 'x', 'oneOf']]),
  ...values('not', 7, { not: { not: { type: 'string' } } }, [['twice, and wrong', 1, 'not']]),
  ...values('not', 7, { properties: { foo: { not: {} } } }, [
    ['the member is there', { foo: 1 }, ['/foo', 'not']],
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
  ...values(
    'anyOf',
    7,
    {
      anyOf: [
        { allOf: [{ type: 'string' }, { oneOf: [{ minLength: 3 }, { pattern: '^x' }] }] },
        { not: { type: 'string' } },
      ],
    },
    [['nested: both of the inner one of', 'xabc', 'anyOf']],
  ),
];

const conditions: readonly SchemaCase[] = [
  ...values('if', 7, { if: { const: 0 } }, [['alone asks for nothing', 1]]),
  ...values('if', 7, { then: { const: 0 }, else: { const: 0 } }, [
    ['then and else without if mean nothing', 1],
  ]),
  ...values('if', 2019, { if: { required: ['a'] }, then: false }, [
    ['then is false, and asked', { a: 1 }, 'then'],
  ]),
  ...values('if', 4, { if: true, then: false }, [['means nothing in draft-04', 1]]),
  ...values('if', 6, { if: true, then: false, else: 5 }, [['means nothing in draft-06', 1]]),
];

const booleans: readonly SchemaCase[] = [
  ...documents('true', 7, true, [['accepts anything', { a: [1, null] }]]),
  ...documents('false', 7, false, [['refuses the document', { a: 1 }, 'false']]),
  ...documents('{}', 2020, {}, [['accepts anything', { a: [1, null] }]]),
];

const unknown: readonly SchemaCase[] = [
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

export const LOGIC_CASES: readonly SchemaCase[] = [
  ...logic,
  ...conditions,
  ...booleans,
  ...unknown,
  ...together,
];
