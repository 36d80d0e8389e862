/** Schema cases about arrays. */
import { decimal, list, raw, values, type SchemaCase } from './json-schema-case.ts';

const items: readonly SchemaCase[] = [
  ...values('items', 7, { items: { type: 'integer' } }, [
    ['all items satisfy it', [1, 2, 3]],
    ['each item that does not is told', [1, 'x', 2, null], ['/1', 'type'], ['/3', 'type']],
  ]),
  ...values('items', 7, { items: [{ type: 'integer' }, { type: 'string' }] }, [
    ['positions the wrong way round', ['foo', 1], ['/0', 'type'], ['/1', 'type']],
  ]),
  ...values('items', 7, { items: false }, [['something is in it', [1], ['/0', 'items']]]),
  ...values('items', 2019, { items: [true, false] }, [
    ['the position that may not be filled is', [1, 'x'], ['/1', 'items']],
  ]),
  ...values('items', 7, { items: { items: { items: { type: 'number' } } } }, [
    ['a fault deep inside', [[[1], ['x']], [[3]]], ['/0/1/0', 'type']],
  ]),
  ...values('items', 2020, { prefixItems: [{ type: 'string' }], items: { type: 'integer' } }, [
    ['an item after the prefix is wrong', ['x', 2, 'y'], ['/2', 'type']],
  ]),
  ...values('prefixItems', 2020, { prefixItems: [{ type: 'integer' }, { type: 'string' }] }, [
    ['wrong at its position', [1, 2], ['/1', 'type']],
  ]),
  ...values('prefixItems', 7, { prefixItems: [{ type: 'integer' }] }, [['means nothing in draft-07', ['x']]]),
  ...values('additionalItems', 7, { items: [{}], additionalItems: { type: 'integer' } }, [
    ['the others satisfy it', [null, 2, 3]],
    ['one of the others does not', [null, 2, 'x'], ['/2', 'type']],
  ]),
  ...values('additionalItems', 4, { items: [{}, {}], additionalItems: false }, [
    ['one is additional', [1, 2, 3], ['/2', 'additionalItems']],
  ]),
  ...values('additionalItems', 7, { items: {}, additionalItems: false }, [
    ['means nothing beside a schema for all items', [1, 2, 3]],
  ]),
  ...values('additionalItems', 7, { additionalItems: false }, [['means nothing without items', [1, 2, 3]]]),
  ...values('additionalItems', 2020, { prefixItems: [{}], additionalItems: false }, [
    ['means nothing in 2020-12', [1, 2]],
  ]),
];

const contains: readonly SchemaCase[] = [
  ...values(
    'contains',
    7,
    { contains: { minimum: 5 } },
    list(['one item satisfies it', [3, 4, 5]], ['none does', [2, 3], 'contains']),
  ),
  ...values('contains', 7, { contains: true, minContains: 5 }, [['true needs an item', [], 'contains']]),
  ...values('contains', 2019, { contains: false }, [['nothing can satisfy false', [1], 'contains']]),
  ...values(
    'minContains',
    2019,
    { contains: { const: 1 }, minContains: 2 },
    list(['too few', [1, 2], 'contains']),
  ),
  ...values(
    'minContains',
    2020,
    { contains: { const: 1 }, minContains: 0 },
    list(['none at all is enough', [2]], ['nor need there be items', []]),
  ),
  ...values('minContains', 2020, { minContains: 2 }, [['means nothing without contains', []]]),
  ...values(
    'maxContains',
    2020,
    { contains: { const: 1 }, maxContains: 1 },
    list(['one too many', [1, 1], 'contains']),
  ),
  ...values(
    'maxContains',
    2019,
    { contains: { const: 1 }, minContains: 1, maxContains: raw('2.0') },
    list(['between both', [1, 1]], ['above both', [1, 1, 1], 'contains']),
  ),
];

const sizes: readonly SchemaCase[] = [
  ...values('minItems', 7, { minItems: 1 }, list(['enough items', [1]], ['too few items', [], 'minItems'])),
  ...values(
    'maxItems',
    4,
    { maxItems: raw('2.0') },
    list(['few enough items', [1, 2]], ['too many items', [1, 2, 3], 'maxItems']),
  ),
  ...values('uniqueItems', 7, { uniqueItems: true }, [
    ['a number twice', [1, 2, 1], 'uniqueItems'],
    ['1 and a decimal 1.00 are the same', [1, decimal('1.00')], 'uniqueItems'],
    ['longs that are one double are different', [raw('9007199254740992'), raw('9007199254740993')]],
  ]),
];

const unevaluated: readonly SchemaCase[] = [
  ...values('unevaluatedItems', 2019, { items: [{ type: 'string' }], unevaluatedItems: false }, [
    ['all items were looked at', ['x']],
    ['one was not', ['x', 1], ['/1', 'unevaluatedItems']],
  ]),
  ...values(
    'unevaluatedItems',
    2020,
    { allOf: [{ prefixItems: [true, { type: 'number' }] }], unevaluatedItems: { type: 'null' } },
    [['the rest must satisfy it', ['x', 1, 'y'], ['/2', 'type']]],
  ),
  ...values('unevaluatedItems', 2020, { contains: { type: 'string' }, unevaluatedItems: false }, [
    ['what it did not find was not', ['x', 1], ['/1', 'unevaluatedItems']],
  ]),
  ...values('unevaluatedItems', 2019, { contains: { type: 'string' }, unevaluatedItems: false }, [
    ['contains looks at nothing in 2019-09', ['x'], ['/0', 'unevaluatedItems']],
  ]),
  ...values(
    'unevaluatedItems',
    2020,
    { anyOf: [{ prefixItems: [{ const: 1 }, true] }, { prefixItems: [true] }], unevaluatedItems: false },
    [['the branch that fails has not', [0, 2], ['/1', 'unevaluatedItems']]],
  ),
  ...values('unevaluatedItems', 2020, { items: true, unevaluatedItems: false }, [
    ['items looks at all', [1, 2, 3]],
  ]),
  ...values('unevaluatedItems', 7, { unevaluatedItems: false }, [['means nothing in draft-07', [1]]]),
];

export const ARRAY_CASES: readonly SchemaCase[] = [...items, ...contains, ...sizes, ...unevaluated];
