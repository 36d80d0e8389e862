/** Cases of `$gt`, `$gte`, `$lt`, `$lte`: every bracket of kinds, arrays, null, and their faults. */
import { cases, date, decimal, long, oid, raw, type FilterCase } from './filter-case.ts';

const NUMBERS = [
  { n: 1 },
  { n: 2 },
  { n: raw('2.0') },
  { n: long('3') },
  { n: decimal('2.5') },
  { n: -1 },
  { n: '2' },
  { n: null },
  {},
  { n: true },
  { n: 2.0000000001 },
  { n: decimal('1E+30') },
];

const numbers = cases('$gt and kin on numbers', NUMBERS, [
  ['$gt leaves the operand out', { n: { $gt: 2 } }, [3, 4, 10, 11]],
  ['$gte takes the operand in, whatever its kind', { n: { $gte: 2 } }, [1, 2, 3, 4, 10, 11]],
  ['a decimal is compared by value', { n: { $gt: decimal('2.4') } }, [3, 4, 11]],
  ['numbers beyond a long can be compared', { n: { $gt: decimal('1E+29') } }, [11]],
  ['strings of digits do not take part', { n: { $gt: '1' } }, [6]],
]);

const EXACT = [
  { n: raw('9007199254740993') },
  { n: 9007199254740992 },
  { n: decimal('9007199254740992.5') },
  { n: long('9223372036854775807') },
  { n: 0.1 },
  { n: decimal('0.1') },
  { n: decimal('0.1000000000000000055511151231257827') },
  { n: decimal('-1E-6176') },
  { n: 5e-324 },
];

const exact = cases('$gt and kin to the last digit', EXACT, [
  ['beyond 2^53 each integer counts', { n: { $gt: 9007199254740992 } }, [0, 2, 3]],
  [
    'a decimal fraction stands between two integers',
    { n: { $gt: decimal('9007199254740992.4'), $lt: raw('9007199254740993') } },
    [2],
  ],
  ['the greatest long is not above itself', { n: { $gt: long('9223372036854775807') } }, []],
  [
    'the greatest long is below the double next to it',
    { n: { $lt: raw('9223372036854775808.0'), $gt: 1e18 } },
    [3],
  ],
  ['the double tenth is above the decimal tenth', { n: { $gt: decimal('0.1'), $lt: 1 } }, [4, 6]],
  ['the decimal tenth is below the double tenth', { n: { $lt: 0.1, $gt: 0.01 } }, [5, 6]],
  ['the least decimal is below zero', { n: { $lt: 0 } }, [7]],
  ['the least double is above zero', { n: { $gt: 0, $lt: 1e-300 } }, [8]],
]);

const STRINGS = [
  { s: 'a' },
  { s: 'b' },
  { s: 'B' },
  { s: '' },
  { s: 'aa' },
  { s: '\u{1F600}' },
  { s: '\uFFFD' },
  { s: 'é' },
  { s: 5 },
  { s: null },
  { s: '10' },
  { s: '9' },
];

const strings = cases('$gt and kin on strings', STRINGS, [
  ['strings order by code point', { s: { $gt: 'a' } }, [1, 4, 5, 6, 7]],
  ['capitals come before small letters', { s: { $lt: 'a', $gt: '@' } }, [2]],
  ['what UTF-16 writes as surrogates comes after all else', { s: { $gt: '\uFFFD' } }, [5]],
  ['digits are letters here', { s: { $lt: '9', $gt: '' } }, [10]],
  ['numbers do not take part', { s: { $lte: 5 } }, [8]],
]);

const OTHERS = [
  { v: true },
  { v: false },
  { v: date('2020-01-01') },
  { v: date('2021-06-15T12:00:00.500Z') },
  { v: oid('000000000000000000000001') },
  { v: oid('ff0000000000000000000000') },
  { v: date('1969-12-31T23:59:59.999Z') },
  { v: null },
  {},
  { v: '2020-06-01' },
  { v: 1 },
];

const others = cases('$gt and kin on other kinds', OTHERS, [
  ['true is above false', { v: { $gt: false } }, [0]],
  ['dates compare as instants', { v: { $gt: date('2020-06-01') } }, [3]],
  ['dates before 1970 are below it', { v: { $lt: date(0) } }, [6]],
  ['dates do not compare with strings', { v: { $lt: date('2030-01-01'), $gt: date('2020-01-01') } }, [3]],
  ['strings do not compare with dates', { v: { $gt: '2020-01-01' } }, [9]],
  ['object ids do not compare with strings', { v: { $gt: '00' } }, [9]],
  ['$gte null matches null and missing', { v: { $gte: null } }, [7, 8]],
  ['nothing is above null', { v: { $gt: null } }, []],
  [
    '$not $gte null is what is there and not null',
    { v: { $not: { $gte: null } } },
    [0, 1, 2, 3, 4, 5, 6, 9, 10],
  ],
]);

const ARRAYS = [
  { a: [1, 10] },
  { a: [4, 5] },
  { a: [] },
  { a: 6 },
  { a: [[5]] },
  { a: [[1], 7] },
  { a: ['5'] },
  { a: [null] },
  { a: [1, 2, 3] },
  { a: [1, 'x'] },
];

const arrays = cases('$gt and kin on arrays', ARRAYS, [
  ['one item is enough', { a: { $gt: 5 } }, [0, 3, 5]],
  ['two bounds may be met by two items', { a: { $gt: 5, $lt: 3 } }, [0]],
  ['arrays inside the array are not entered', { a: { $lt: 2 } }, [0, 8, 9]],
  ['strings in the array are compared with strings', { a: { $gte: '5' } }, [6, 9]],
  ['an array is compared as a whole, item by item', { a: { $gt: [4, 4] } }, [1, 4, 5, 6]],
  ['a longer array is above its beginning', { a: { $gt: [1, 2] } }, [0, 1, 4, 5, 6, 8, 9]],
  ['$lt of an array looks at whole arrays and at items', { a: { $lt: [1, 2] } }, [2, 5, 7]],
]);

const OBJECTS = [
  { o: { x: 1 } },
  { o: { x: 2 } },
  { o: { x: 1, y: 1 } },
  { o: { y: 0 } },
  { o: {} },
  { o: { x: 'a' } },
  { o: [{ x: 5 }] },
  { o: 5 },
];

const objects = cases('$gt and kin on objects', OBJECTS, [
  ['objects compare by the value of their first field', { o: { $gt: { x: 1 } } }, [1, 2, 3, 5, 6]],
  ['the kind of the value counts before the name', { o: { $gt: { y: 5 } } }, [5]],
  ['the name counts before the value', { o: { $gte: { y: 0 } } }, [3, 5]],
]);

const faults = cases(
  'faults of $gt and kin',
  [],
  [
    ['$gt takes no pattern', { a: { $gt: { $regex: 'x' } } }, '/a/$gt'],
    ['$lt takes no operators', { a: { $lt: { $gt: 1 } } }, '/a/$lt'],
    ['an unknown wrapper is named', { a: { $gte: { $binary: 'AA==' } } }, '/a/$gte'],
    ['a broken date is named', { a: { $lte: { $date: 'yesterday' } } }, '/a/$lte'],
    ['an integer beyond 64 bits is no number here', { a: { $gt: raw('99999999999999999999') } }, '/a/$gt'],
    ['a double beyond the greatest is none either', { a: { $gt: raw('1e400') } }, '/a/$gt'],
    ['a fault deep inside a value is named', { a: { $gt: { x: [1, { $oid: 'zz' }] } } }, '/a/$gt/x/1'],
  ],
);

export const ORDER_CASES: readonly FilterCase[] = [
  ...numbers,
  ...exact,
  ...strings,
  ...others,
  ...arrays,
  ...objects,
  ...faults,
];
