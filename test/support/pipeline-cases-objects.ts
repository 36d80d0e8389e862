/** Cases of sets, objects and of expressions with variables. */
import {
  decimal,
  expressions,
  fails,
  list,
  MISSING,
  operator,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';
import { A } from './pipeline-cases-arrays.ts';

const iterating = [
  ...operator('$map', A, [
    ['maps', { input: '$v', in: { $multiply: ['$$this', 2] } }, [2, 4, 6]],
    ['names the item', { input: '$v', as: 'x', in: { $add: ['$$x', '$i'] } }, [3, 4, 5]],
    ['missing becomes null', { input: '$objects', as: 'o', in: '$$o.k' }, ['b', 'a', null]],
    [
      'nests',
      {
        input: '$nested',
        as: 'x',
        in: { $map: { input: '$$x', as: 'y', in: { $add: ['$$y', { $size: '$$x' }] } } },
      },
      [[2], [4, 5]],
    ],
    ['of null is null', { input: '$n', in: 1 }, null],
    ['refuses what is no array', { input: '$s', in: 1 }, fails()],
    ['refuses names with a capital', { input: '$v', as: 'X', in: 1 }, refused('')],
    ['the name is not known outside', { input: '$$x', as: 'x', in: 1 }, refused('/input')],
  ]),
  ...operator('$filter', A, [
    ['filters', { input: '$v', cond: { $gt: ['$$this', 1] } }, [2, 3]],
    ['names the item', { input: '$v', as: 'x', cond: { $eq: ['$$x', 2] } }, [2]],
    ['limits', { input: '$v', cond: true, limit: 2 }, [1, 2]],
    ['refuses a limit of zero', { input: '$v', cond: true, limit: 0 }, fails()],
    ['of null is null', { input: '$n', cond: true }, null],
    ['needs a condition', { input: '$v' }, refused('')],
  ]),
  ...operator('$reduce', A, [
    ['sums', { input: '$v', initialValue: 0, in: { $add: ['$$value', '$$this'] } }, 6],
    ['goes from the left', { input: '$w', initialValue: '', in: { $concat: ['$$value', '$$this'] } }, 'bac'],
    [
      'flattens',
      { input: '$nested', initialValue: [], in: { $concatArrays: ['$$value', '$$this'] } },
      [1, 2, 3],
    ],
    ['of nothing is the initial value', { input: '$e', initialValue: 'i', in: 1 }, 'i'],
    ['of null is null', { input: '$n', initialValue: 0, in: 1 }, null],
    ['refuses what is no array', { input: '$s', initialValue: 0, in: 1 }, fails()],
  ]),
  ...operator('$let', A, [
    ['binds', { vars: { x: '$i', y: 3 }, in: { $multiply: ['$$x', '$$y'] } }, 6],
    ['variables do not see one another', { vars: { x: 1, y: '$$x' }, in: '$$y' }, refused('/vars/y')],
    [
      'the inner one hides the outer',
      { vars: { x: 1 }, in: { $let: { vars: { x: { $add: ['$$x', 1] } }, in: '$$x' } } },
      2,
    ],
    ['takes paths into variables', { vars: { x: '$o' }, in: '$$x.b.c' }, 2],
    ['may change what paths start from', { vars: { CURRENT: '$o' }, in: '$b.c' }, 2],
    ['refuses names of the system', { vars: { ROOT: 1 }, in: 1 }, refused('')],
  ]),
  ...expressions('variables', A, [
    ['$$ROOT is the document', '$$ROOT.i', 2],
    ['$$CURRENT is where paths start', '$$CURRENT.o.a', 1],
    ['$$NOW is a date', { $type: '$$NOW' }, 'date'],
    ['$$REMOVE is missing', '$$REMOVE', MISSING],
    ['unknown ones are refused', '$$x', refused('')],
    ['$$this is not known outside', { $add: ['$$this', 1] }, refused('/$add/0')],
  ]),
];

const sets = [
  ...operator('$setUnion', A, [
    ['joins without repetition', ['$v', [3, 4]], [1, 2, 3, 4]],
    ['takes numbers by value', [[1], [raw('1.0'), decimal('1')]], [1]],
    ['null makes null', ['$v', '$n'], null],
    ['refuses what is no array', ['$v', '$s'], fails()],
  ]),
  ...operator('$setIntersection', A, [
    ['what is in all', ['$v', [3, 2, 9]], [2, 3]],
    ['nothing in common', ['$v', '$w'], []],
    ['missing makes null', ['$v', '$none'], null],
  ]),
  ...operator('$setDifference', A, [
    ['what is not in the second', ['$v', [2]], [1, 3]],
    ['without repetition', [[1, 1, 2], [2]], [1]],
    ['null makes null', ['$n', '$v'], null],
  ]),
  ...operator('$setEquals', A, [
    ['order and repetition do not count', ['$v', [3, 2, 1, 1]], true],
    ['different ones', ['$v', [1, 2]], false],
    ['arrays inside are items', [[[1, 2]], [[2, 1]]], false],
    ['refuses null', ['$v', '$n'], fails()],
    ['takes two at least', [['x']], refused('')],
  ]),
  ...expressions('$setIsSubset', A, [
    ['tells', [{ $setIsSubset: [[1], '$v'] }, { $setIsSubset: ['$v', [1]] }], [true, false]],
    ['nothing is part of all', { $setIsSubset: ['$e', '$v'] }, true],
    ['refuses null', { $setIsSubset: ['$n', '$v'] }, fails()],
  ]),
  ...expressions('$anyElementTrue and $allElementsTrue', A, [
    ['any', [{ $anyElementTrue: [[0, null, 1]] }, { $anyElementTrue: [[0, false]] }], [true, false]],
    ['all', [{ $allElementsTrue: [[1, 'x']] }, { $allElementsTrue: [[1, 0]] }], [true, false]],
    ['of nothing', [{ $anyElementTrue: '$e' }, { $allElementsTrue: '$e' }], [false, true]],
    ['refuse null', { $allElementsTrue: '$n' }, fails()],
  ]),
];

const objects = [
  ...expressions('$mergeObjects of operands', A, [
    ['later fields win', { $mergeObjects: ['$o', { a: 9, z: 1 }] }, { a: 9, b: { c: 2 }, z: 1 }],
    ['passes over null', { $mergeObjects: ['$n', '$o'] }, { a: 1, b: { c: 2 } }],
    ['merges the objects of an array', { $mergeObjects: '$objects' }, { k: 'a', n: 3 }],
    ['of nothing is empty', { $mergeObjects: '$n' }, {}],
    ['refuses numbers', { $mergeObjects: ['$i'] }, fails()],
  ]),
  ...operator('$objectToArray', A, [
    ['gives names and values', '$o', list({ k: 'a', v: 1 }, { k: 'b', v: { c: 2 } })],
    ['of null is null', '$n', null],
    ['refuses arrays', '$v', fails()],
  ]),
  ...operator('$arrayToObject', A, [
    ['takes pairs', [list(['a', 1], ['b', 2])], { a: 1, b: 2 }],
    ['takes names and values', { $literal: [{ k: 'a', v: 1 }] }, { a: 1 }],
    [
      'later ones win',
      {
        $literal: list(['a', 1], ['a', 2]),
      },
      { a: 2 },
    ],
    ['undoes $objectToArray', { $objectToArray: '$o' }, { a: 1, b: { c: 2 } }],
    ['of null is null', '$n', null],
    ['refuses names that no field may have', { $literal: [['$oid', 'x']] }, refused('')],
    ['refuses both forms together', { $literal: [['a', 1], { k: 'b', v: 2 }] }, refused('')],
    ['refuses a NUL in a name', [[['a\0b', 1]]], refused('')],
    ['refuses other arrays', '$v', fails()],
  ]),
  ...operator('$getField', A, [
    ['from the document', 'i', 2],
    ['from an object', { field: 'a', input: '$o' }, 1],
    ['by a name that is made', { field: { $concat: ['', 'b'] }, input: '$o' }, { c: 2 }],
    ['missing is missing', { field: 'z', input: '$o' }, MISSING],
    ['of null is null', { field: 'z', input: '$n' }, null],
  ]),
  ...expressions('$setField and $unsetField', A, [
    ['set', { $setField: { field: 'z', input: '$o', value: 1 } }, { a: 1, b: { c: 2 }, z: 1 }],
    ['set in place', { $setField: { field: 'a', input: '$o', value: 9 } }, { a: 9, b: { c: 2 } }],
    ['removes', { $setField: { field: 'a', input: '$o', value: '$$REMOVE' } }, { b: { c: 2 } }],
    ['unset', { $unsetField: { field: 'b', input: '$o' } }, { a: 1 }],
    ['of null is null', { $unsetField: { field: 'b', input: '$n' } }, null],
    [
      'refuses names that no field may have',
      { $setField: { field: 'a.b', input: '$o', value: 1 } },
      refused('/$setField/field'),
    ],
    [
      'refuse a NUL in a name',
      { $setField: { field: 'a\0', input: '$o', value: 1 } },
      refused('/$setField/field'),
    ],
    ['refuses what is no object', { $setField: { field: 'a', input: '$i', value: 1 } }, fails()],
  ]),
  ...operator('$literal', A, [
    ['takes signs as they are', '$i', '$i'],
    ['takes objects as they are', { a: '$i' }, { a: '$i' }],
    ['reads wrappers', decimal('1.0'), raw('1.0')],
    ['refuses operators inside', { $add: [1] }, refused('')],
  ]),
  ...expressions('objects and arrays', A, [
    ['leave out what is missing from objects', { $mergeObjects: [{ a: '$none', b: 1 }] }, { b: 1 }],
    ['put null for what is missing into arrays', ['$none', 1], [null, 1]],
    [
      'refuse an operator beside a field',
      { $mergeObjects: [{ $add: [1], a: 1 }] },
      refused('/$mergeObjects/0'),
    ],
    [
      'a field named __proto__ is only a field',
      { $arrayToObject: { $literal: [['__proto__', 1]] } },
      Object.fromEntries([['__proto__', 1]]),
    ],
  ]),
];

export const OBJECT_CASES: readonly PipelineCase[] = [...iterating, ...sets, ...objects];
