/** Cases of equality: implicit, `$eq`, `$ne`, `$in` and `$nin`, on scalars, null, objects and arrays. */
import { cases, date, decimal, long, oid, Parameters, raw, type FilterCase } from './filter-case.ts';

const SCALARS = [
  { a: 1 },
  { a: 2 },
  { a: '1' },
  { a: true },
  { a: null },
  {},
  { a: 'one' },
  { a: false },
  { a: 0 },
  { a: '' },
];

const implicit = cases('equality', SCALARS, [
  ['a plain value is equality', { a: 1 }, [0]],
  ['a string never equals a number of the same digits', { a: '1' }, [2]],
  ['a boolean equals only itself, not 1', { a: true }, [3]],
  ['strings compare with their case', { a: 'ONE' }, []],
  ['null matches null and missing', { a: null }, [4, 5]],
  ['an empty filter matches everything', {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['two fields must both hold', { a: 1, b: null }, [0]],
  ['filter[FIELD] says the same as filter[*]', new Parameters(['a', 1]), [0]],
  ['filter[FIELD] takes operators', new Parameters(['a', { $gt: 1 }]), [1]],
  ['filter[FIELD] given twice must hold twice', new Parameters(['a', { $gte: 1 }], ['a', { $lt: 2 }]), [0]],
  [
    'filter[FIELD] and filter[*] must both hold',
    new Parameters(['a', { $gte: 1 }], [null, { a: { $ne: 2 } }]),
    [0],
  ],
  [
    'filter[*] given twice must hold twice',
    new Parameters([null, { a: { $gte: 1 } }], [null, { a: { $lt: 2 } }]),
    [0],
  ],
]);

const NUMBERS = [
  { n: 1 },
  { n: raw('1.0') },
  { n: long('1') },
  { n: decimal('1') },
  { n: decimal('1.00') },
  { n: 0.1 },
  { n: decimal('0.1') },
  { n: raw('9007199254740993') },
  { n: 9007199254740992 },
  { n: decimal('9007199254740993') },
  { n: raw('-0.0') },
  { n: 0 },
  { n: decimal('-0') },
];

const numbers = cases('equality of numbers', NUMBERS, [
  ['an int equals every kind of number of its value', { n: 1 }, [0, 1, 2, 3, 4]],
  ['a decimal does so too, whatever its zeros', { n: decimal('1.000') }, [0, 1, 2, 3, 4]],
  ['the double nearest to a tenth is not a tenth', { n: 0.1 }, [5]],
  ['the decimal tenth is not the double', { n: decimal('0.1') }, [6]],
  ['the decimal of all digits of a double equals it', { n: decimal('9007199254740992') }, [8]],
  ['an integer beyond 2^53 is compared to the last digit', { n: raw('9007199254740993') }, [7, 9]],
  ['a long beyond 2^53 equals the decimal of its value', { n: long('9007199254740993') }, [7, 9]],
  ['minus zero is zero', { n: 0 }, [10, 11, 12]],
  ['the decimal zero is zero, whatever its exponent', { n: decimal('0E+10') }, [10, 11, 12]],
  [
    '$in takes numbers of any kind for their value',
    { n: { $in: [long('1'), decimal('0')] } },
    [0, 1, 2, 3, 4, 10, 11, 12],
  ],
  [
    '$ne takes numbers of any kind for their value',
    { n: { $ne: decimal('1') } },
    [5, 6, 7, 8, 9, 10, 11, 12],
  ],
]);

const SPECIALS = [
  { d: date('2020-01-01T00:00:00Z') },
  { d: date(1577836800000) },
  { d: '2020-01-01T00:00:00.000Z' },
  { d: 1577836800000 },
  { d: oid('0123456789abcdef01234567') },
  { d: '0123456789abcdef01234567' },
  { d: date('2020-01-01T00:00:00.001Z') },
];

const specials = cases('equality of dates and object ids', SPECIALS, [
  ['dates are equal by instant, however written', { d: date('2020-01-01T01:00:00+01:00') }, [0, 1]],
  ['a date differs by a millisecond', { d: date('2020-01-01T00:00:00.001Z') }, [6]],
  ['a string that holds a date is a string', { d: '2020-01-01T00:00:00.000Z' }, [2]],
  ['a number of milliseconds is a number', { d: 1577836800000 }, [3]],
  ['an object id equals an object id', { d: oid('0123456789abcdef01234567') }, [4]],
  ['an object id has no case', { d: oid('0123456789ABCDEF01234567') }, [4]],
  ['a string of hexadecimal digits is no object id', { d: '0123456789abcdef01234567' }, [5]],
  ['$in takes wrappers', { d: { $in: [oid('0123456789abcdef01234567'), date(1577836800000)] } }, [0, 1, 4]],
]);

const OBJECTS = [
  { o: { x: 1, y: 2 } },
  { o: { y: 2, x: 1 } },
  { o: { x: 1 } },
  { o: { x: 1, y: 2, z: 3 } },
  { o: {} },
  { o: { x: { y: 1 } } },
  { o: [{ x: 1, y: 2 }] },
  { o: { x: null } },
  { o: { x: raw('1.0'), y: decimal('2') } },
];

const objects = cases('equality of objects', OBJECTS, [
  ['an object equals one with the same fields in the same order', { o: { x: 1, y: 2 } }, [0, 6, 8]],
  ['another order of fields is another object', { o: { y: 2, x: 1 } }, [1]],
  ['$ne of an object leaves the others', { o: { $ne: { x: 1, y: 2 } } }, [1, 2, 3, 4, 5, 7]],
  ['wrappers inside an object are read', { o: { x: decimal('1'), y: long('2') } }, [0, 6, 8]],
  ['a name with a dot is a name there, and no field has it', { o: { 'x.y': 1 } }, []],
  ['__proto__ is a field like others', JSON.parse('{"o":{"__proto__":1}}'), []],
]);

const ARRAYS = [
  { a: [1, 2, 3] },
  { a: [3, 2, 1] },
  { a: [1] },
  { a: 1 },
  { a: [] },
  { a: [[1, 2, 3]] },
  { a: [[]] },
  { a: [null] },
  {},
  { a: [1, 2, 3, 4] },
  { a: ['x', 'y'] },
  { a: [[[1, 2, 3]]] },
];

const arrays = cases('equality with arrays', ARRAYS, [
  ['a value matches an array that holds it', { a: 1 }, [0, 1, 2, 3, 9]],
  ['an array equals one of the same items in the same order', { a: [1, 2, 3] }, [0, 5]],
  ['the empty array equals itself, alone or as an item', { a: [] }, [4, 6]],
  ['an array matches one that holds it, not deeper', { a: [[1, 2, 3]] }, [5, 11]],
  ['null matches an array that holds null, not an empty one', { a: null }, [7, 8]],
  ['$ne is refused by any item that equals', { a: { $ne: 1 } }, [4, 5, 6, 7, 8, 10, 11]],
  ['$in finds an item of the array', { a: { $in: [4, 'x'] } }, [9, 10]],
  ['$nin is refused by any item', { a: { $nin: [1, 'x'] } }, [4, 5, 6, 7, 8, 11]],
]);

const lists = cases(
  '$in',
  [{ a: 1, s: 'abc' }, { a: 'x', s: 'Abc' }, { a: true }, { a: null }, { s: ['xyz', 'abd'] }, { a: date(0) }],
  [
    ['values of all kinds may be mixed', { a: { $in: [true, null, date(0)] } }, [2, 3, 4, 5]],
    ['a pattern may be among the values', { s: { $in: [{ $regex: '^ab' }] } }, [0, 4]],
    [
      'patterns and values may be mixed',
      { s: { $in: [{ $regex: '^ab', $options: 'i' }, 'xyz'] } },
      [0, 1, 4],
    ],
    ['$nin takes patterns', { s: { $nin: [{ $regex: '^ab' }] } }, [1, 2, 3, 5]],
    [
      'a list of many values is searched',
      { a: { $in: Array.from({ length: 2000 }, (_, index) => index) } },
      [0],
    ],
    ['$in needs an array', { a: { $in: 1 } }, '/a/$in'],
    ['$in does not take an object', { a: { $in: { x: 1 } } }, '/a/$in'],
    ['$nin needs an array', { a: { $nin: 'x' } }, '/a/$nin'],
    ['$in takes no operators', { a: { $in: [{ $gt: 1 }] } }, '/a/$in/0'],
    ['$nin takes no operators', { a: { $nin: [1, { $elemMatch: {} }] } }, '/a/$nin/1'],
    ['an item with a broken pattern is named', { a: { $in: ['x', { $regex: '(' }] } }, '/a/$in/1/$regex'],
    ['an item with a broken wrapper is named', { a: { $in: [{ $oid: 'no' }] } }, '/a/$in/0'],
  ],
);

const negated = cases('$ne', SCALARS, [
  ['$ne is the rest of equality, missing included', { a: { $ne: 1 } }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['two $ne on one field go together with $nin', { a: { $nin: [1, 2] } }, [2, 3, 4, 5, 6, 7, 8, 9]],
  ['$ne takes no pattern', { a: { $ne: { $regex: 'x' } } }, '/a/$ne'],
  ['$eq takes no pattern', { a: { $eq: { $regex: 'x' } } }, '/a/$eq'],
  ['$eq takes no operators', { a: { $eq: { $gt: 1 } } }, '/a/$eq'],
  ['$ne takes no operators', { a: { $ne: { $in: [1] } } }, '/a/$ne'],
]);

export const EQUALITY_CASES: readonly FilterCase[] = [
  ...implicit,
  ...numbers,
  ...specials,
  ...objects,
  ...arrays,
  ...lists,
  ...negated,
];
