/** What update operators make of arrays. */
import { Double } from '../../src/domain/values/values.ts';
import { decimal, each, long, type UpdateCase } from './update-case.ts';

export const ARRAYS: readonly UpdateCase[] = [
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
  ['$sort takes doubles', { a: [2, 1] }, { $push: { a: each([], { $sort: new Double(1) }) } }, { a: [1, 2] }],
  [
    '$sort takes decimals for fields',
    { a: [{ x: 1 }, { x: 2 }] },
    { $push: { a: each([], { $sort: { x: decimal('-1.0') } }) } },
    { a: [{ x: 2 }, { x: 1 }] },
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
  ['$pop takes doubles', { a: [8, 9] }, { $pop: { a: new Double(1) } }, { a: [8] }],
  ['$pop takes longs', { a: [8, 9] }, { $pop: { a: long('-1') } }, { a: [9] }],
  ['$pop of nothing leaves nothing', {}, { $pop: { a: 1, 'b.c': 1 } }, {}],
  ['$pop of an empty array leaves it', { a: [] }, { $pop: { a: 1 } }, { a: [] }],
  ['$pop refuses what is no array', { a: 1 }, { $pop: { a: 1 } }, 'takes an array'],
  ['$pop takes 1 or -1', { a: [1] }, { $pop: { a: 2 } }, '$pop takes 1'],
  ['$pop refuses a way through a scalar', { a: 'x' }, { $pop: { 'a.b': 1 } }, 'leads through a'],
];

export const PULLS: readonly UpdateCase[] = [
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
