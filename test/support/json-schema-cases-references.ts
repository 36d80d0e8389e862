/** Schema cases about references inside of a schema. */
import { documents, values, type SchemaCase } from './json-schema-case.ts';

const TREE = {
  properties: { attributes: { $ref: '#/definitions/node' } },
  definitions: {
    node: {
      required: ['value'],
      properties: {
        value: { type: 'number' },
        nodes: { type: 'array', items: { $ref: '#/definitions/node' } },
      },
    },
  },
};

export const REFERENCE_CASES: readonly SchemaCase[] = [
  ...documents('$ref', 7, TREE, [
    ['a tree', { value: 1, nodes: [{ value: 1.1, nodes: [{ value: 1.11 }] }, { value: 2 }] }],
    [
      'a fault deep in a tree',
      { value: 1, nodes: [{ value: 1.1, nodes: [{ value: 'x' }] }, {}] },
      ['/attributes/nodes/0/nodes/0/value', 'type'],
      ['/attributes/nodes/1', 'required'],
    ],
  ]),
  ...documents(
    '$ref',
    7,
    {
      properties: { attributes: { $ref: '#' }, v: { $ref: '#' }, n: { type: 'integer' } },
      additionalProperties: false,
    },
    [['a fault far inside', { v: { v: { bad: 1 } } }, ['/attributes/v/v/bad', 'additionalProperties']]],
  ),
  ...values(
    '$ref',
    7,
    { $ref: '#/definitions/a~1b/items/1', maximum: 1 },
    [['an escaped pointer into an array', 'x', 'type']],
    { definitions: { 'a/b': { items: [{}, { type: 'integer' }] } } },
  ),
  ...values(
    '$ref',
    2019,
    { $ref: '#/$defs/a', maximum: 1 },
    [['both are told, the reference first', 5.5, 'type', 'maximum']],
    { $defs: { a: { type: 'integer' } } },
  ),
  ...values(
    '$ref',
    7,
    { $ref: '#/definitions/per%25cent%22' },
    [['percent-encoding, refused', 'x', 'type']],
    { definitions: { 'per%cent"': { type: 'integer' } } },
  ),
  ...values('$ref', 7, { $ref: '#/definitions/c' }, [['through other references, refused', 'a', 'type']], {
    definitions: { a: { type: 'integer' }, b: { $ref: '#/definitions/a' }, c: { $ref: '#/definitions/b' } },
  }),
  ...values('$ref', 7, { properties: { $ref: { type: 'string' } } }, [
    ['a member named $ref is a member of that name', { ref: 1 }],
  ]),
  ...values('$ref', 7, { $ref: '#/definitions/no' }, [['to false', 1, '$ref']], {
    definitions: { no: false },
  }),
  ...values('$ref', 2019, { $ref: '#a:b' }, [['to an $anchor with a colon, refused', 'x', 'type']], {
    $defs: { n: { $anchor: 'a:b', type: 'number' } },
  }),
  ...values('$ref', 2020, { $ref: '#number' }, [['to an $anchor, refused', 'x', 'type']], {
    $defs: { n: { $anchor: 'number', type: 'number' } },
  }),
  ...values('$ref', 7, { $ref: '#number' }, [['to an $id with a fragment, refused', 'x', 'type']], {
    definitions: { n: { $id: '#number', type: 'number' } },
  }),
  ...values('$ref', 7, { $ref: 'item.json' }, [['to an $id, refused', 'x', 'type']], {
    $id: 'http://example.com/root.json',
    definitions: { n: { $id: 'item.json', type: 'number' } },
  }),
  ...values(
    '$ref',
    4,
    { $ref: 'http://example.com/folder/inner.json#/definitions/n' },
    [['to an id of draft-04, refused', 'x', 'type']],
    {
      id: 'http://example.com/',
      definitions: { n: { id: 'folder/inner.json', definitions: { n: { type: 'number' } } } },
    },
  ),
  ...values(
    '$ref',
    2020,
    { $ref: 'urn:uuid:deadbeef-1234-0000-0000-4321feebdaed#/$defs/bar' },
    [['to a URN, refused', 12, 'type']],
    {
      $defs: {
        u: { $id: 'urn:uuid:deadbeef-1234-0000-0000-4321feebdaed', $defs: { bar: { type: 'string' } } },
      },
    },
  ),
  ...values('$ref', 7, { enum: [{ $ref: '#/none' }] }, [['in an enum it is data', { a: 1 }, 'enum']]),
  ...values('$recursiveRef', 2019, { properties: { v: { $recursiveRef: '#' } } }, [
    ['leads to the root', { v: 1 }],
  ]),
  ...values(
    '$dynamicRef',
    2020,
    { $dynamicRef: '#node' },
    [
      ['to the only anchor of its name', [[[]]]],
      ['to the only anchor of its name, refused', [['x']], ['/0/0', 'type']],
    ],
    { $defs: { n: { $dynamicAnchor: 'node', type: 'array', items: { $dynamicRef: '#node' } } } },
  ),
];
