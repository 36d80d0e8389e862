/**
 * What MongoDB's update operators make of a document: facts of its manual and its published tests, and our own choices
 * where it has kinds or paths that are not here. Values are written as requests have them.
 */
import type { Parsed } from '../../src/domain/values/json.ts';
import { Double } from '../../src/domain/values/values.ts';

type Json = { readonly [name: string]: Parsed };

/** A name, the attributes before, the update, and the attributes after or a part of the refusal. */
export type UpdateCase = readonly [name: string, before: Json, update: Json, after: Json | string];

const long = (digits: string): Json => ({ $numberLong: digits });
const decimal = (text: string): Json => ({ $numberDecimal: text });
const each = (items: readonly Parsed[], modifiers: Json = {}): Json => ({ $each: items, ...modifiers });

const NUMBERS: readonly UpdateCase[] = [
  ['$inc adds', { a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
  ['$inc subtracts', { a: 1 }, { $inc: { a: -2 } }, { a: -1 }],
  ['$inc sets what is missing', {}, { $inc: { 'a.b': 2 } }, { a: { b: 2 } }],
  ['$inc of an int beyond 32 bits gives a long', { a: 2147483647 }, { $inc: { a: 1 } }, { a: 2147483648 }],
  ['$inc keeps a long a long', { a: long('5') }, { $inc: { a: 1 } }, { a: long('6') }],
  ['$inc by a long gives a long', { a: 5 }, { $inc: { a: long('1') } }, { a: long('6') }],
  [
    '$inc is exact beyond 2^53',
    { a: long('9007199254740993') },
    { $inc: { a: 2 } },
    { a: long('9007199254740995') },
  ],
  ['$inc refuses a long beyond 64 bits', { a: long('9223372036854775807') }, { $inc: { a: 1 } }, '64 bits'],
  ['$inc of an int by a double gives a double', { a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }],
  ['$inc by a decimal gives a decimal', { a: 1 }, { $inc: { a: decimal('0.10') } }, { a: decimal('1.10') }],
  [
    '$inc of decimals keeps every digit',
    { a: decimal('0.1') },
    { $inc: { a: decimal('0.2') } },
    { a: decimal('0.3') },
  ],
  ['$inc of a string is refused', { a: 'x' }, { $inc: { a: 1 } }, 'Only a number can be incremented'],
  ['$inc of null is refused', { a: null }, { $inc: { a: 1 } }, 'of the kind null'],
  ['$inc by a string is refused', { a: 1 }, { $inc: { a: '1' } }, '$inc takes a number'],
  [
    '$inc beyond doubles is refused',
    { a: new Double(1.5e308) },
    { $inc: { a: new Double(1.5e308) } },
    'beyond what its kind',
  ],
  ['$inc reaches an item', { a: [1, 2] }, { $inc: { 'a.1': 5 } }, { a: [1, 7] }],
  ['$inc reaches into an item', { a: [{ b: 1 }] }, { $inc: { 'a.0.b': 5 } }, { a: [{ b: 6 }] }],
  ['$inc behind the end fills up with nulls', { a: [1] }, { $inc: { 'a.3': 5 } }, { a: [1, null, null, 5] }],
  ['numbers name fields of objects', { a: { 0: 1 } }, { $inc: { 'a.0': 5 } }, { a: { 0: 6 } }],
  ['numbers make fields where nothing is', {}, { $inc: { 'a.0': 5 } }, { a: { 0: 5 } }],
  [
    'positions are taken in their order',
    { a: [] },
    { $inc: { 'a.1': 1, 'a.0': 1, 'a.10': 1, 'a.2': 1 } },
    { a: [1, 1, 1, null, null, null, null, null, null, null, 1] },
  ],
  ['$mul multiplies', { a: 3 }, { $mul: { a: 2.5 } }, { a: 7.5 }],
  ['$mul of ints beyond 32 bits gives a long', { a: 100000 }, { $mul: { a: 100000 } }, { a: 10000000000 }],
  ['$mul refuses beyond 64 bits', { a: long('4611686018427387904') }, { $mul: { a: 2 } }, '64 bits'],
  ['$mul of what is missing is a zero of the kind', {}, { $mul: { a: long('5') } }, { a: long('0') }],
  ['$mul of decimals', { a: decimal('1.10') }, { $mul: { a: 2 } }, { a: decimal('2.20') }],
  ['$min takes the less', { a: 5 }, { $min: { a: 3 } }, { a: 3 }],
  ['$min keeps the less', { a: 5 }, { $min: { a: 7 } }, { a: 5 }],
  ['$min keeps the kind of an equal one', { a: long('5') }, { $min: { a: 5 } }, { a: long('5') }],
  ['$min orders kinds as MongoDB: null is below', { a: 1 }, { $min: { a: null } }, { a: null }],
  ['$max orders kinds as MongoDB: strings are above', { a: 100 }, { $max: { a: 'x' } }, { a: 'x' }],
  ['$max sets what is missing', {}, { $max: { a: { $date: 0 } } }, { a: { $date: 0 } }],
  ['$max of dates', { a: { $date: 5 } }, { $max: { a: { $date: 9 } } }, { a: { $date: 9 } }],
];

const ARRAYS: readonly UpdateCase[] = [
  ['$push adds one item', { a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
  ['$push makes an array', {}, { $push: { a: 2 } }, { a: [2] }],
  ['$push adds an array as one item', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  ['$push refuses what is no array', { a: 1 }, { $push: { a: 2 } }, 'takes an array'],
  ['$push refuses null', { a: null }, { $push: { a: 2 } }, 'of the kind null'],
  ['$each adds several', { a: [1] }, { $push: { a: each([2, 3]) } }, { a: [1, 2, 3] }],
  ['$each of none makes an empty array', {}, { $push: { a: each([]) } }, { a: [] }],
  [
    '$position from the start',
    { a: [100] },
    { $push: { a: each([50, 60], { $position: 0 }) } },
    { a: [50, 60, 100] },
  ],
  [
    '$position from the end',
    { a: [50, 60, 70, 100] },
    { $push: { a: each([90, 80], { $position: -2 }) } },
    { a: [50, 60, 90, 80, 70, 100] },
  ],
  ['$position before the start', { a: [1] }, { $push: { a: each([2], { $position: -9 }) } }, { a: [2, 1] }],
  ['$position behind the end', { a: [1] }, { $push: { a: each([2], { $position: 9 }) } }, { a: [1, 2] }],
  [
    '$slice keeps the last',
    { a: [40, 50, 60] },
    { $push: { a: each([80, 78], { $slice: -3 }) } },
    { a: [60, 80, 78] },
  ],
  [
    '$slice keeps the first',
    { a: [89, 90] },
    { $push: { a: each([100, 20], { $slice: 3 }) } },
    { a: [89, 90, 100] },
  ],
  ['$slice of 0 leaves nothing', { a: [1] }, { $push: { a: each([2], { $slice: 0 }) } }, { a: [] }],
  [
    '$sort of items',
    { a: [89, 70] },
    { $push: { a: each([40, 60], { $sort: 1 }) } },
    { a: [40, 60, 70, 89] },
  ],
  [
    '$sort downwards',
    { a: [89, 70, 100, 20] },
    { $push: { a: each([], { $sort: -1 }) } },
    { a: [100, 89, 70, 20] },
  ],
  [
    '$sort, then $slice',
    {
      a: [
        { w: 1, s: 10 },
        { w: 2, s: 8 },
        { w: 3, s: 5 },
        { w: 4, s: 6 },
      ],
    },
    {
      $push: {
        a: each(
          [
            { w: 5, s: 8 },
            { w: 6, s: 7 },
            { w: 7, s: 6 },
          ],
          { $sort: { s: -1 }, $slice: 3 },
        ),
      },
    },
    {
      a: [
        { w: 1, s: 10 },
        { w: 2, s: 8 },
        { w: 5, s: 8 },
      ],
    },
  ],
  [
    '$sort by a dotted path, what lacks it first',
    { a: [{ x: { y: 2 } }, 7, { x: { y: 1 } }] },
    { $push: { a: each([], { $sort: { 'x.y': 1 } }) } },
    { a: [7, { x: { y: 1 } }, { x: { y: 2 } }] },
  ],
  [
    '$sort takes an array as a whole',
    { a: [{ x: [5] }, { x: [1, 9] }] },
    { $push: { a: each([], { $sort: { x: 1 } }) } },
    { a: [{ x: [1, 9] }, { x: [5] }] },
  ],
  ['$slice without $each is refused', { a: [] }, { $push: { a: { $slice: 1 } } }, '$each takes an array'],
  ['an unknown modifier is refused', { a: [] }, { $push: { a: each([], { $top: 1 }) } }, 'no modifier $top'],
  [
    'a $slice that is no integer is refused',
    { a: [] },
    { $push: { a: each([], { $slice: 1.5 }) } },
    'an integer',
  ],
  ['a $sort that is none is refused', { a: [] }, { $push: { a: each([], { $sort: 2 }) } }, '$sort takes'],
  [
    'a direction that is none is refused',
    { a: [] },
    { $push: { a: each([], { $sort: { x: 0 } }) } },
    '1 or -1',
  ],
  ['$addToSet adds what is not there', { a: ['x'] }, { $addToSet: { a: 'y' } }, { a: ['x', 'y'] }],
  ['$addToSet leaves what is there', { a: ['x'] }, { $addToSet: { a: 'x' } }, { a: ['x'] }],
  ['$addToSet compares numbers by value', { a: [long('1')] }, { $addToSet: { a: 1 } }, { a: [long('1')] }],
  ['$addToSet leaves what was there twice', { a: [1, 1] }, { $addToSet: { a: 2 } }, { a: [1, 1, 2] }],
  ['$addToSet of several, each once', { a: [1] }, { $addToSet: { a: each([1, 2, 2, 3]) } }, { a: [1, 2, 3] }],
  [
    '$addToSet looks at the order of fields',
    { a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
  ['$addToSet adds an array as one item', { a: ['x'] }, { $addToSet: { a: ['y'] } }, { a: ['x', ['y']] }],
  ['$addToSet makes a set', {}, { $addToSet: { a: each([2, 2]) } }, { a: [2] }],
  ['$addToSet refuses what is no array', { a: 'x' }, { $addToSet: { a: 1 } }, 'takes an array'],
  ['$pop takes the last', { a: [8, 9, 10] }, { $pop: { a: 1 } }, { a: [8, 9] }],
  ['$pop takes the first', { a: [8, 9, 10] }, { $pop: { a: -1 } }, { a: [9, 10] }],
  ['$pop of nothing leaves nothing', {}, { $pop: { a: 1, 'b.c': 1 } }, {}],
  ['$pop of an empty array leaves it', { a: [] }, { $pop: { a: 1 } }, { a: [] }],
  ['$pop refuses what is no array', { a: 1 }, { $pop: { a: 1 } }, 'takes an array'],
  ['$pop takes 1 or -1', { a: [1] }, { $pop: { a: 2 } }, '$pop takes 1'],
  ['$pop refuses a way through a scalar', { a: 'x' }, { $pop: { 'a.b': 1 } }, 'leads through a'],
];

const PULLS: readonly UpdateCase[] = [
  ['$pull of a value', { a: [1, 2, 1, 3] }, { $pull: { a: 1 } }, { a: [2, 3] }],
  ['$pull compares numbers by value', { a: [1, long('1'), 2] }, { $pull: { a: decimal('1.0') } }, { a: [2] }],
  ['$pull of null takes null alone', { a: [null, 1, {}] }, { $pull: { a: null } }, { a: [1, {}] }],
  [
    '$pull of an array takes what equals it',
    { a: [[1, 2], [2, 1], 1] },
    { $pull: { a: [1, 2] } },
    { a: [[2, 1], 1] },
  ],
  ['$pull by a condition on items', { a: [1, 5, 8] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['$pull by $in', { a: ['x', 'y', 'z'] }, { $pull: { a: { $in: ['x', 'z'] } } }, { a: ['y'] }],
  [
    '$pull by fields, with others beside',
    {
      a: [
        { item: 'A', score: 5 },
        { item: 'B', score: 8, more: 1 },
      ],
    },
    { $pull: { a: { score: 8, item: 'B' } } },
    { a: [{ item: 'A', score: 5 }] },
  ],
  [
    '$pull by $elemMatch in a field',
    { a: [{ r: [{ q: 1, x: 4 }] }, { r: [{ q: 2, x: 9 }] }] },
    { $pull: { a: { r: { $elemMatch: { q: 2, x: { $gte: 8 } } } } } },
    { a: [{ r: [{ q: 1, x: 4 }] }] },
  ],
  [
    '$pull by $or',
    { a: [{ x: 1 }, { y: 2 }, { z: 3 }] },
    { $pull: { a: { $or: [{ x: 1 }, { y: 2 }] } } },
    { a: [{ z: 3 }] },
  ],
  [
    '$pull by fields passes over what is no object',
    { a: [1, { x: 1 }] },
    { $pull: { a: { x: 1 } } },
    { a: [1] },
  ],
  ['$pull of an empty object takes all objects', { a: [1, {}, { x: 1 }] }, { $pull: { a: {} } }, { a: [1] }],
  ['$pull by a condition looks into arrays', { a: [[1, 5], 2] }, { $pull: { a: { $gte: 5 } } }, { a: [2] }],
  ['$pull by a pattern', { a: ['abc', 'xyz', 1] }, { $pull: { a: { $regex: '^a' } } }, { a: ['xyz', 1] }],
  ['$pull by $not', { a: [1, 9] }, { $pull: { a: { $not: { $gt: 5 } } } }, { a: [9] }],
  ['$pull of a date', { a: [{ $date: 1 }, 1] }, { $pull: { a: { $date: 1 } } }, { a: [1] }],
  ['$pull of what is missing leaves it', {}, { $pull: { a: 1, 'b.c': 1 } }, {}],
  ['$pull refuses what is no array', { a: 1 }, { $pull: { a: 1 } }, 'takes an array'],
  ['$pull refuses an unknown operator', { a: [1] }, { $pull: { a: { $foo: 1 } } }, '$foo'],
  [
    '$pull has no $near',
    { a: [1] },
    { $pull: { a: { $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } } } },
    '$near',
  ],
  ['$pull has no $text', { a: [1] }, { $pull: { a: { $text: { $search: 'x' } } } }, '$text'],
];

const FIELDS: readonly UpdateCase[] = [
  ['$unset takes a field away', { a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
  ['$unset reaches inside', { a: { b: 1, c: 2 } }, { $unset: { 'a.b': '' } }, { a: { c: 2 } }],
  ['$unset leaves null in an array', { a: [1, 2] }, { $unset: { 'a.0': '' } }, { a: [null, 2] }],
  ['$unset behind the end does nothing', { a: [1] }, { $unset: { 'a.7': '' } }, { a: [1] }],
  ['$unset of nothing does nothing', { a: 1 }, { $unset: { 'b.c': '', 'a.x': '' } }, { a: 1 }],
  ['$rename moves a value', { a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
  ['$rename replaces what is there', { a: 1, c: 2 }, { $rename: { a: 'c' } }, { c: 1 }],
  [
    '$rename moves into an object',
    { a: { x: 1 } },
    { $rename: { 'a.x': 'b.c.d' } },
    { a: {}, b: { c: { d: 1 } } },
  ],
  ['$rename of nothing does nothing', { b: 1 }, { $rename: { a: 'b' } }, { b: 1 }],
  ['$rename keeps kinds', { a: long('5') }, { $rename: { a: 'b' } }, { b: long('5') }],
  ['$rename from an array is refused', { a: [{ x: 1 }] }, { $rename: { 'a.0.x': 'b' } }, 'through no array'],
  ['$rename into an array is refused', { a: 1, b: [1] }, { $rename: { a: 'b.0' } }, 'through no array'],
  ['$rename through a scalar is refused', { a: 1, b: 1 }, { $rename: { a: 'b.c' } }, 'leads through b'],
  ['$rename to itself is refused', { a: 1 }, { $rename: { a: 'a' } }, 'renamed to itself'],
  ['$rename into itself is refused', { a: {} }, { $rename: { a: 'a.b' } }, 'into itself'],
  ['$rename takes a path', { a: 1 }, { $rename: { a: 5 } }, 'as a string'],
  ['$rename to a name that no field may have', { a: 1 }, { $rename: { a: 'id' } }, 'must not be named id'],
  [
    '$currentDate takes the time',
    { a: 1 },
    { $currentDate: { b: true, 'c.d': { $type: 'date' } } },
    { a: 1, b: { $date: 1000 }, c: { d: { $date: 1000 } } },
  ],
  ['$currentDate has no timestamps', {}, { $currentDate: { b: { $type: 'timestamp' } } }, '"date"'],
];

const PATHS: readonly UpdateCase[] = [
  [
    'several operators at once',
    { a: 1, b: [1], c: 2 },
    { $inc: { a: 1 }, $push: { b: 2 }, $unset: { c: '' } },
    { a: 2, b: [1, 2] },
  ],
  [
    '__proto__ is a field like others',
    {},
    { $inc: { '__proto__.x': 1 } },
    JSON.parse('{"__proto__":{"x":1}}') as Json,
  ],
  [
    'constructor is a field like others',
    { a: {} },
    { $inc: { 'a.constructor.x': 1 } },
    { a: { constructor: { x: 1 } } },
  ],
  [
    'a way through a scalar is refused',
    { a: 1 },
    { $inc: { 'a.b': 1 } },
    'leads through a, which is of the kind int',
  ],
  ['a way through null is refused', { a: null }, { $push: { 'a.b': 1 } }, 'of the kind null'],
  [
    'a name is no way through an array',
    { a: [{ b: 1 }] },
    { $inc: { 'a.b': 1 } },
    'leads through a, which is of the kind array',
  ],
  ['a position too far is refused', { a: [] }, { $inc: { 'a.999999': 1 } }, 'larger than a document'],
  ['the same path twice', { a: 1 }, { $inc: { a: 1 }, $mul: { a: 2 } }, '$mul on a and $inc on a'],
  [
    'a path in front of another',
    { a: {} },
    { $inc: { 'a.b': 1 }, $unset: { a: '' } },
    '$unset on a and $inc on a.b',
  ],
  [
    'a path behind another',
    { a: {} },
    { $unset: { a: '' }, $inc: { 'a.b': 1 } },
    '$inc on a.b and $unset on a',
  ],
  [
    'a new name in front of another path',
    { a: 1, b: {} },
    { $inc: { 'b.x': 1 }, $rename: { a: 'b' } },
    '$rename on a and $inc on b.x',
  ],
  ['names that begin alike do not meet', { a: 1, ab: 1 }, { $inc: { a: 1, ab: 1 } }, { a: 2, ab: 2 }],
  ['$set is what attributes are for', {}, { $set: { a: 1 } }, 'attributes'],
  ['$setOnInsert is refused', {}, { $setOnInsert: { a: 1 } }, '$setOnInsert'],
  ['an unknown operator is refused, and which there are is told', {}, { $bit: { a: 1 } }, '$currentDate'],
  ['no operator at all is refused', {}, {}, 'at least one'],
  ['an operator takes an object', {}, { $inc: 5 }, '$inc takes an object'],
  ['an empty path is refused', {}, { $inc: { '': 1 } }, 'must not be empty'],
  ['an empty step is refused', {}, { $inc: { 'a..b': 1 } }, 'must not be empty'],
  ['the id can not be changed', {}, { $inc: { id: 1 } }, 'must not be named id'],
  ['nor the type', {}, { $unset: { 'type.x': 1 } }, 'must not be named type'],
  ['a name that could not be asked for', {}, { $inc: { 'a,b': 1 } }, 'comma'],
  ['there are no positional operators', { a: [1] }, { $inc: { 'a.$[]': 1 } }, 'no $[]'],
  ['a wrapper that is wrong', {}, { $push: { a: { $numberLong: 'x' } } }, '$numberLong takes'],
  ['a value with names that begin with $', {}, { $push: { a: { $foo: 1 } } }, '$foo'],
];

export const UPDATE_CASES: readonly UpdateCase[] = [...NUMBERS, ...ARRAYS, ...PULLS, ...FIELDS, ...PATHS];
