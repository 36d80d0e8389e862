/** Schemas and documents made to stall, to overflow or to deceive. What must become of each is said with it. */
import { MIB, nested, schemas, times, withProto, type HostileSchema } from './json-schema-hostile-case.ts';
import { HOSTILE_WORK } from './json-schema-hostile-work.ts';

const loops = schemas([
  [
    'refused',
    'a schema that is itself',
    () => ({ $ref: '#/definitions/a' }),
    { definitions: { a: { $ref: '#/definitions/a' } } },
  ],
  [
    'refused',
    'two schemas that are each other',
    () => ({ $ref: '#/definitions/a' }),
    { definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } },
  ],
  ['refused', 'a loop through allOf', () => true, { allOf: [{ $ref: '#' }] }],
  ['refused', 'a loop through not', () => true, { not: { $ref: '#' } }],
  ['refused', 'a loop through if', () => true, { if: { if: { $ref: '#' } } }],
  ['refused', 'a loop through then', () => true, { if: true, then: { $ref: '#' } }],
  ['refused', 'a loop through dependencies', () => true, { dependencies: { attributes: { $ref: '#' } } }],
  [
    'refused',
    'a loop through a sibling of $ref in 2020-12',
    () => true,
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: [{ $ref: '#' }] } },
    },
  ],
  [
    'refused',
    'a loop through $dynamicRef',
    () => true,
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $dynamicAnchor: 'x', $dynamicRef: '#x' },
  ],
  [
    'refused',
    'a loop through $recursiveRef',
    () => true,
    { $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveRef: '#' },
  ],
  [
    'refused',
    'a chain of 5,000 references',
    () => ({ $ref: '#/definitions/a0' }),
    {
      definitions: Object.fromEntries(
        times(4_900, (i) => [`a${i}`, i < 4_899 ? { $ref: `#/definitions/a${i + 1}` } : {}]),
      ),
    },
  ],
  [
    'valid',
    'a tree as deep as JSON may be',
    () => ({ $ref: '#/definitions/t' }),
    () => nested(58, (inner) => [inner], []),
    { definitions: { t: { type: 'array', items: { $ref: '#/definitions/t' } } } },
  ],
  [
    'too much work',
    'long chains of anyOf at every level of a deep tree',
    () => ({ $ref: '#/definitions/t0' }),
    () => nested(58, (inner) => [inner], []),
    {
      definitions: {
        ...Object.fromEntries(times(48, (i) => [`t${i}`, { anyOf: [{ $ref: `#/definitions/t${i + 1}` }] }])),
        t48: { items: { $ref: '#/definitions/t0' } },
      },
    },
  ],
  [
    'valid',
    'long chains at every level of a deep tree',
    () => ({ $ref: '#/definitions/t0' }),
    () => nested(58, (inner) => [inner], []),
    {
      definitions: {
        ...Object.fromEntries(times(95, (i) => [`t${i}`, { $ref: `#/definitions/t${i + 1}` }])),
        t95: { items: { $ref: '#/definitions/t0' } },
      },
    },
  ],
]);

const identities = schemas([
  ['refused', 'a reference to the network', () => ({ $ref: 'http://169.254.169.254/latest/meta-data' })],
  ['refused', 'a reference to a file', () => ({ $ref: 'file:///etc/passwd' })],
  [
    'refused',
    'a reference to the schema of schemas',
    () => ({ $ref: 'http://json-schema.org/draft-07/schema#' }),
  ],
  [
    'refused',
    'two schemas of one address',
    () => true,
    { definitions: { a: { $id: 'x.json' }, b: { $id: 'x.json' } } },
  ],
  [
    'refused',
    'two schemas of one anchor',
    () => true,
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } },
    },
  ],
  ['refused', 'a member that takes the address of the root', () => ({ $id: '#' })],
  [
    'refused',
    'an address of a megabyte',
    () => ({ allOf: times(1_000, () => ({ $ref: '#' })) }),
    { $id: `http://x/${'a'.repeat(MIB / 2)}` },
  ],
  ['refused', 'an address that is none', () => true, { $id: 'http://[' }],
  ['refused', 'a reference that is none', () => ({ $ref: 'http://[' })],
  ['refused', 'a reference of a megabyte', () => ({ $ref: `#${'/a'.repeat(MIB / 3)}` })],
  ['refused', 'a fragment that can not be decoded', () => ({ $ref: '#/%' })],
  ['refused', 'a reference into what every object inherits', () => ({ $ref: '#/constructor' })],
  ['refused', 'a reference into the prototype', () => ({ $ref: '#/__proto__' })],
  [
    'valid',
    'an address in an enum is data',
    () => ({ enum: [{ $id: 'x.json', type: 5 }, { $id: 'x.json' }, { a: 1 }] }),
    () => ({ a: 1 }),
  ],
  [
    'refused',
    'two dynamic anchors of one name',
    () => ({ $dynamicRef: '#x' }),
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $dynamicAnchor: 'x',
      $defs: { b: { $id: 'b.json', $dynamicAnchor: 'x' } },
    },
  ],
]);

const names = schemas([
  [
    'violations',
    'a property named __proto__',
    () => ({ properties: withProto({ type: 'string' }) }),
    () => withProto(5),
  ],
  ['valid', 'a keyword named __proto__', () => withProto({ type: 'string' }), () => 5],
  [
    'valid',
    'keywords named as what objects inherit',
    () => ({ constructor: 1, toString: 'x', valueOf: null, hasOwnProperty: [] }),
    () => 5,
  ],
  ['refused', 'a draft named as what objects inherit', () => true, { $schema: 'constructor' }],
  ['refused', 'a type named as what objects inherit', () => ({ type: 'constructor' })],
  ['valid', 'a format named as what objects inherit', () => ({ format: 'constructor' }), () => 'x'],
  ['refused', 'a schema of 200 levels', () => nested(200, (inner) => ({ items: inner }), {})],
  ['refused', 'a schema of 10,000 schemas', () => ({ allOf: times(10_000, () => ({})) })],
  ['refused', 'a schema of 200,000 values', () => ({ enum: times(200_000, (i) => i) })],
  ['refused', '1,000 faults', () => ({ allOf: times(1_000, () => ({ type: 'x' })) })],
  [
    'valid',
    'numbers at the ends of what there is',
    () => ({ multipleOf: 5e-324 }),
    () => 1.7976931348623157e308,
  ],
]);

export const HOSTILE_SCHEMAS: readonly HostileSchema[] = [...loops, ...HOSTILE_WORK, ...identities, ...names];
