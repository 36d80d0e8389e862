/** Cases of dotted paths: through objects, arrays of objects, positions, nested arrays; null and missing on the way. */
import { cases, Parameters, type FilterCase } from './filter-case.ts';

const NESTED = [
  { a: { b: 1 } },
  { a: { b: { c: 1 } } },
  { a: { b: null } },
  { a: {} },
  { a: 4 },
  { a: null },
  {},
  { a: { b: [1, 2] } },
  { a: { b: 2 } },
];

const objects = cases('paths through objects', NESTED, [
  ['a dot steps into an object', { 'a.b': 1 }, [0, 7]],
  ['dots step as deep as they go', { 'a.b.c': 1 }, [1]],
  ['null matches wherever the path breaks off', { 'a.b': null }, [2, 3, 4, 5, 6]],
  ['$ne null needs the path to lead somewhere', { 'a.b': { $ne: null } }, [0, 1, 7, 8]],
  ['$exists needs the field, null or not', { 'a.b': { $exists: true } }, [0, 1, 2, 7, 8]],
  ['filter[FIELD] takes a dotted path', new Parameters(['a.b', { $gt: 1 }]), [7, 8]],
  [
    'filter[FIELD] on a path may be given twice',
    new Parameters(['a.b', { $gte: 1 }], ['a.b', { $lte: 1 }]),
    [0, 7],
  ],
]);

const THROUGH = [
  { a: [{ b: 1 }, { b: 2 }] },
  { a: [{ b: [1, 2] }, { b: 3 }] },
  { a: [{ b: null }, { b: 3 }] },
  { a: [{ b: 3 }, {}] },
  { a: [] },
  { a: [1, 2] },
  { a: [[{ b: 1 }]] },
  { a: [1, { b: 1 }] },
  { a: [null] },
  { a: [{ b: [[1]] }] },
  { a: [{ b: [] }] },
  { a: { b: [{ c: 1 }] } },
  { a: [[]] },
  { a: [{ b: { c: 1 } }, { b: [{ c: 2 }] }] },
];

const arrays = cases('paths through arrays', THROUGH, [
  ['a step goes into each object of an array', { 'a.b': 2 }, [0, 1]],
  ['an array at the end is looked into as well', { 'a.b': 1 }, [0, 1, 7]],
  ['null matches when one object lacks the field or has null', { 'a.b': null }, [2, 3]],
  [
    '$ne null is refused by one object that lacks the field',
    { 'a.b': { $ne: null } },
    [0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  ],
  ['$exists is met by one object', { 'a.b': { $exists: true } }, [0, 1, 2, 3, 7, 9, 10, 11, 13]],
  ['$ne is refused by one object', { 'a.b': { $ne: 3 } }, [0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
  ['arrays in arrays are not entered', { 'a.b': { $gte: 1, $lte: 1 } }, [0, 1, 7]],
  ['a path may lead through two arrays', { 'a.b.c': 2 }, [13]],
  ['a path may lead through an object and an array', { 'a.b.c': 1 }, [11, 13]],
  ['$size looks at an array at the end', { 'a.b': { $size: 2 } }, [1]],
  ['null through an empty array matches nothing', { 'a.b.c': null }, [0, 1, 2, 3, 7]],
]);

const POSITIONS = [
  { a: [1, 2, 3] },
  { a: [3, 1] },
  { a: { '0': 1 } },
  { a: { '1': 1 } },
  { a: [{ '0': 1 }] },
  { a: [[1, 2], [3]] },
  { a: [{ b: 1 }, { b: 2 }] },
  { a: [] },
  { a: 1 },
  { a: [[{ b: 5 }], { b: 6 }] },
  { a: [{ b: [7, 8] }] },
];

const positions = cases('positions in paths', POSITIONS, [
  ['a number is a position in an array and a name in an object', { 'a.0': 1 }, [0, 2, 4]],
  ['positions count from 0', { 'a.1': 1 }, [1, 3]],
  ['a position beyond the array reaches nothing', { 'a.2': 3 }, [0]],
  ['two positions step into arrays of arrays', { 'a.0.1': 2 }, [5]],
  ['a path goes on from a position', { 'a.1.b': 2 }, [6]],
  ['a path goes on through an array at a position', { 'a.0.b': 5 }, [9]],
  ['positions may stand after a field', { 'a.0.b.1': 8 }, [10]],
  ['a number with a leading zero is no position', { 'a.00': 1 }, []],
  ['a negative number is no position', { 'a.-1': 3 }, []],
  ['$exists asks whether the array is that long', { 'a.2': { $exists: true } }, [0]],
  ['null at a position beyond the array matches nothing there', { 'a.5': null }, [2, 3, 4, 6, 8, 9, 10]],
]);

const STRANGE = [
  JSON.parse('{"__proto__":{"x":1}}'),
  { constructor: { name: 'x' } },
  { hasOwnProperty: 1 },
  { toString: 'x' },
  {},
  { length: 3 },
  { a: [1, 2, 3] },
  { 'a b': 1 },
  { ü: { ß: 1 } },
];

const strange = cases('strange names of fields', STRANGE, [
  ['__proto__ is a field like others', JSON.parse('{"__proto__":{"x":1}}'), [0]],
  ['a path may step into __proto__', { '__proto__.x': 1 }, [0]],
  ['__proto__ is missing where it is not stored', JSON.parse('{"__proto__":null}'), [1, 2, 3, 4, 5, 6, 7, 8]],
  ['$exists sees only stored fields', JSON.parse('{"__proto__":{"$exists":true}}'), [0]],
  ['constructor is a field like others', { constructor: { name: 'x' } }, [1]],
  [
    'constructor is missing where it is not stored',
    { constructor: { $exists: false } },
    [0, 2, 3, 4, 5, 6, 7, 8],
  ],
  ['a path may step into constructor', { 'constructor.name': 'x' }, [1]],
  ['nothing is inherited by constructor.name', { 'constructor.name': { $exists: true } }, [1]],
  ['hasOwnProperty is a field like others', { hasOwnProperty: 1 }, [2]],
  ['toString is a field like others', { toString: { $exists: true } }, [3]],
  ['length is a field like others', { length: 3 }, [5]],
  ['an array has no length field', { 'a.length': 3 }, []],
  ['an array has no length field, so it is not there', { 'a.length': { $exists: true } }, []],
  ['names may hold spaces', { 'a b': 1 }, [7]],
  ['names may hold letters of all alphabets', { 'ü.ß': 1 }, [8]],
  ['filter[__proto__] is a filter on a field', new Parameters(['__proto__', { $exists: true }]), [0]],
]);

const faults = cases(
  'faults of paths',
  [],
  [
    ['a name that starts with $ is an operator', { $a: 1 }, '/$a'],
    ['a step that starts with $ is no field', { 'a.$b': 1 }, '/a.$b'],
    ['a step must not be empty', { 'a..b': 1 }, '/a..b'],
    ['a path must not end with a dot', { 'a.': 1 }, '/a.'],
    ['a name must not be empty', { '': 1 }, '/'],
    ['filter[FIELD] needs a field', new Parameters(['', 1]), ''],
    ['filter[FIELD] takes no operator for a field', new Parameters(['$or', [{ a: 1 }]]), ''],
    ['filter[FIELD] takes no empty step', new Parameters(['a..b', 1]), ''],
    ['a slash in a name is escaped in the pointer', { 'a/b': { $gt: { $oid: 1 } } }, '/a~1b/$gt'],
  ],
);

export const PATH_CASES: readonly FilterCase[] = [...objects, ...arrays, ...positions, ...strange, ...faults];
