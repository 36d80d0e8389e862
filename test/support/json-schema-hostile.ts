/** Schemas and documents made to stall, to overflow or to deceive. What must become of each is said with it. */
import { MIB, nested, times, withProto, type HostileSchema } from './json-schema-hostile-case.ts';
import { HOSTILE_WORK } from './json-schema-hostile-work.ts';

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
    outcome: 'valid',
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
    schema: () => ({ enum: [{ $id: 'x.json', type: 5 }, { $id: 'x.json' }, { a: 1 }] }),
    value: () => ({ a: 1 }),
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

export const HOSTILE_SCHEMAS: readonly HostileSchema[] = [...loops, ...HOSTILE_WORK, ...identities, ...names];
