/** Cases of the operators on arrays: `$all`, `$elemMatch`, `$size`. */
import { cases, date, decimal, list, long, Parameters, raw, type FilterCase } from './filter-case.ts';

const LISTS = [
  { a: [1, 2, 3] },
  { a: [3, 1] },
  { a: 1 },
  { a: [[1, 2]] },
  { a: [] },
  {},
  { a: null },
  { a: [null, 1] },
  { a: ['apple', 'pear'] },
  { a: [[1, 2], 1, 2] },
  { a: [decimal('1'), raw('2.0')] },
];

const all = cases('$all', LISTS, [
  ['every value must be there, in any order', { a: { $all: [3, 1] } }, [0, 1]],
  ['a scalar is not two values', { a: { $all: [1, 2] } }, [0, 9, 10]],
  ['all of nothing matches nothing', { a: { $all: [] } }, []],
  ['an array among the values is an item, or the array itself', { a: { $all: [[1, 2]] } }, [3, 9, 10]],
  ['null asks for an item that is null, or for nothing there', { a: { $all: [null] } }, [5, 6, 7]],
  ['numbers are taken by value', { a: { $all: [long('2'), decimal('1.0')] } }, [0, 9, 10]],
  ['strings are taken with their case', { a: { $all: ['Apple'] } }, []],
  [
    'patterns may be among the values',
    { a: { $all: [{ $regex: '^a' }, { $regex: '^P', $options: 'i' }] } },
    [8],
  ],
  ['$all goes with $size', { a: { $all: [1], $size: 2 } }, [1, 7, 10]],
]);

const SHOP = [
  {
    items: list({ name: 'x', size: 1 }, { name: 'y', size: 5 }),
  },
  {
    items: list({ name: 'x', size: 5 }, { name: 'y', size: 1 }),
  },
  { items: [{ name: 'x', size: 5 }] },
  { items: { name: 'x', size: 5 } },
  { items: [] },
  {},
  { items: [[{ name: 'x', size: 5 }]] },
  { items: ['x', 5, { name: 'y' }] },
  { items: [{ name: 'x', size: [5, 6] }] },
  { items: [null, { name: null }] },
];

const objects = cases('$elemMatch on objects', SHOP, [
  [
    'one and the same object must meet all conditions',
    { items: { $elemMatch: { name: 'x', size: 5 } } },
    [1, 2, 8],
  ],
  ['an object that is in no array is no element', { items: { $elemMatch: { name: 'x' } } }, [0, 1, 2, 8]],
  [
    'operators work inside',
    { items: { $elemMatch: { size: { $gt: 4 }, name: { $in: ['x', 'z'] } } } },
    [1, 2, 8],
  ],
  [
    'an array among the elements is an object of positions',
    { items: { $elemMatch: { '0.name': 'x' } } },
    [6],
  ],
  [
    '$or may stand inside',
    { items: { $elemMatch: { $or: [{ name: 'y', size: 5 }, { size: { $size: 2 } }] } } },
    [0, 8],
  ],
  [
    'the empty expression matches any object among the elements',
    { items: { $elemMatch: {} } },
    [0, 1, 2, 6, 7, 8, 9],
  ],
  [
    'conditions without it may be met by two objects',
    { 'items.name': 'x', 'items.size': 5 },
    [0, 1, 2, 3, 8],
  ],
  [
    'two on one field may find two elements',
    { $and: [{ items: { $elemMatch: { size: 1 } } }, { items: { $elemMatch: { size: 5 } } }] },
    [0, 1],
  ],
  ['filter[FIELD] takes it', new Parameters(['items', { $elemMatch: { name: 'y', size: 1 } }]), [1]],
]);

const VALUES = [
  { a: [1, 5, 9] },
  { a: [2, 8] },
  { a: 5 },
  { a: [[5]] },
  { a: [] },
  { a: ['5', 'x'] },
  { a: [null] },
  {},
  { a: [{ b: 5 }] },
  { a: [date(0), true] },
  { a: [[1, 5, 9]] },
];

const values = cases('$elemMatch on values', VALUES, [
  ['one and the same item must meet all operators', { a: { $elemMatch: { $gt: 3, $lt: 7 } } }, [0]],
  ['without it two items may', { a: { $gt: 3, $lt: 7 } }, [0, 1, 2]],
  ['a scalar is no array', { a: { $elemMatch: { $eq: 5 } } }, [0]],
  ['an array inside the array is one item', { a: { $elemMatch: { $eq: [5] } } }, [3]],
  ['its items are not looked at', { a: { $elemMatch: { $gte: 5, $lte: 5 } } }, [0]],
  ['it may be looked into with another $elemMatch', { a: { $elemMatch: { $elemMatch: { $gt: 8 } } } }, [10]],
  ['$type may stand inside', { a: { $elemMatch: { $type: 'date' } } }, [9]],
  ['$type array sees an array among the items', { a: { $elemMatch: { $type: 'array' } } }, [3, 10]],
  ['$regex may stand inside', { a: { $elemMatch: { $regex: '^x' } } }, [5]],
]);

const expressions = cases('$elemMatch with an array of expressions', SHOP, [
  [
    'all expressions must hold for one element',
    { items: { $elemMatch: [{ name: 'x' }, { size: 5 }] } },
    [1, 2, 8],
  ],
  ['one expression alone is as without the array', { items: { $elemMatch: [{ name: 'x', size: 1 }] } }, [0]],
  [
    'an expression may hold operators on the element',
    { items: { $elemMatch: [{ $type: 'string' }, { $gte: 'x' }] } },
    [7],
  ],
  [
    'both forms may be mixed',
    { items: { $elemMatch: [{ $type: 'object' }, { size: { $exists: false } }] } },
    [7, 9],
  ],
  [
    'a negation does not make a scalar an object',
    { items: { $elemMatch: [{ size: { $ne: 5 } }, { $ne: { name: 'y' } }] } },
    [0, 1, 6, 9],
  ],
]);

const allElements = cases('$all with $elemMatch', SHOP, [
  [
    'each expression may find its own element',
    { items: { $all: [{ $elemMatch: { name: 'x' } }, { $elemMatch: { size: 1 } }] } },
    [0, 1],
  ],
  [
    'operators on the element may stand inside',
    { items: { $all: [{ $elemMatch: { $eq: 'x' } }, { $elemMatch: { $gt: 4 } }] } },
    [7],
  ],
]);

const SIZES = [
  { a: [] },
  { a: [1] },
  { a: [1, 2] },
  { a: 1 },
  {},
  { a: null },
  { a: [[1, 2]] },
  { a: 'xy' },
  { a: { length: 2 } },
  { a: { b: [1] } },
];

const size = cases('$size', SIZES, [
  ['counts the items', { a: { $size: 2 } }, [2]],
  ['0 is the empty array, and nothing else', { a: { $size: 0 } }, [0]],
  ['an array inside is one item', { a: { $size: 1 } }, [1, 6]],
  ['a double of integral value will do', { a: { $size: raw('2.0') } }, [2]],
  ['a long will do', { a: { $size: long('1') } }, [1, 6]],
  ['a path leads to the array', { 'a.b': { $size: 1 } }, [9]],
  ['$not $size takes in what is no array', { a: { $not: { $size: 0 } } }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['a fraction is no size', { a: { $size: 1.5 } }, '/a/$size'],
  ['a negative number is no size', { a: { $size: -1 } }, '/a/$size'],
  ['a string is no size', { a: { $size: '2' } }, '/a/$size'],
  ['null is no size', { a: { $size: null } }, '/a/$size'],
  ['a range is no size', { a: { $size: { $gt: 1 } } }, '/a/$size'],
]);

const faults = cases(
  'faults of operators on arrays',
  [],
  [
    ['$all needs an array', { a: { $all: 1 } }, '/a/$all'],
    ['$all does not take an object', { a: { $all: { $elemMatch: { x: 1 } } } }, '/a/$all'],
    ['$all takes no other operators', { a: { $all: [{ $gt: 1 }] } }, '/a/$all/0'],
    ['$all does not mix $elemMatch and values', { a: { $all: [{ $elemMatch: { x: 1 } }, 2] } }, '/a/$all/1'],
    ['$all does not mix values and $elemMatch', { a: { $all: [2, { $elemMatch: { x: 1 } }] } }, '/a/$all/0'],
    ['$elemMatch needs an object', { a: { $elemMatch: 1 } }, '/a/$elemMatch'],
    ['$elemMatch needs an expression in its array', { a: { $elemMatch: [] } }, '/a/$elemMatch'],
    ['$elemMatch takes only objects in its array', { a: { $elemMatch: [{ x: 1 }, 2] } }, '/a/$elemMatch/1'],
    ['$elemMatch names an unknown operator inside', { a: { $elemMatch: { $foo: 1 } } }, '/a/$elemMatch/$foo'],
    [
      '$elemMatch names an unknown operator deeper inside',
      { a: { $elemMatch: { x: { $foo: 1 } } } },
      '/a/$elemMatch/x/$foo',
    ],
    [
      '$elemMatch does not mix operators and fields',
      { a: { $elemMatch: { $gt: 1, x: 1 } } },
      '/a/$elemMatch/x',
    ],
    [
      '$elemMatch does not mix fields and operators',
      { a: { $elemMatch: { x: 1, $gt: 1 } } },
      '/a/$elemMatch/$gt',
    ],
    [
      '$elemMatch does not mix operators and $or',
      { a: { $elemMatch: { $gt: 1, $or: [{ x: 1 }] } } },
      '/a/$elemMatch/$or',
    ],
    [
      'a fault in the array of expressions is named',
      { a: { $elemMatch: [{ x: 1 }, { y: { $in: 1 } }] } },
      '/a/$elemMatch/1/y/$in',
    ],
    [
      '$text stands only at the top',
      { a: { $elemMatch: { $text: { $search: 'x' } } } },
      '/a/$elemMatch/$text',
    ],
  ],
);

export const ARRAY_CASES: readonly FilterCase[] = [
  ...all,
  ...objects,
  ...values,
  ...expressions,
  ...allElements,
  ...size,
  ...faults,
];
