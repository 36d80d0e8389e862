/** Cases of the operators on arrays. */
import {
  decimal,
  expressions,
  fails,
  list,
  long,
  MISSING,
  operator,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';

/** The document that cases of arrays, sets and objects share. */
export const A = {
  v: [1, 2, 3],
  w: ['b', 'a', 'c'],
  e: [],
  n: null,
  i: 2,
  s: 'text',
  mixed: [3, raw('1.0'), null, 'x', decimal('2')],
  nested: [[1], [2, 3]],
  objects: [{ k: 'b', n: 1 }, { k: 'a', n: 2 }, { n: 3 }],
  o: { a: 1, b: { c: 2 } },
};

const looking = [
  ...operator('$arrayElemAt', A, [
    ['from the front', ['$v', 0], 1],
    ['from the back', ['$v', -1], 3],
    ['beyond is missing', ['$v', 9], MISSING],
    ['takes integral doubles', ['$v', raw('1.0')], 2],
    ['refuses fractions', ['$v', 1.5], fails()],
    ['refuses the least fraction', ['$v', decimal('1.00000000000000000001')], fails()],
    ['of null is null', ['$n', 0], null],
    ['refuses what is no array', ['$s', 0], fails()],
  ]),
  ...expressions('$first and $last of an array', A, [
    ['ends', [{ $first: '$v' }, { $last: '$v' }], [1, 3]],
    ['of nothing are missing', { $first: '$e' }, MISSING],
    ['of null are null', { $last: '$n' }, null],
    ['refuse what is no array', { $first: '$s' }, fails()],
  ]),
  ...expressions('$firstN and $lastN of an array', A, [
    ['the first', { $firstN: { input: '$v', n: 2 } }, [1, 2]],
    ['the last', { $lastN: { input: '$v', n: 2 } }, [2, 3]],
    ['more than there are', { $firstN: { input: '$v', n: 9 } }, [1, 2, 3]],
    ['as many as the largest long', { $lastN: { input: '$v', n: long('9223372036854775807') } }, [1, 2, 3]],
    ['refuse zero', { $firstN: { input: '$v', n: 0 } }, refused('/$firstN/n')],
    ['refuse null', { $lastN: { input: '$n', n: 1 } }, fails()],
  ]),
  ...expressions('$minN and $maxN of an array', A, [
    ['the least', { $minN: { input: '$v', n: 2 } }, [1, 2]],
    ['the greatest, greatest first', { $maxN: { input: '$v', n: 2 } }, [3, 2]],
    ['pass over null', { $minN: { input: '$mixed', n: 9 } }, [raw('1.0'), raw('2'), 3, 'x']],
  ]),
  ...expressions('$in', A, [
    ['finds', [{ $in: [2, '$v'] }, { $in: [9, '$v'] }], [true, false]],
    ['by value across kinds', { $in: [decimal('1.00'), '$mixed'] }, true],
    ['an array as an item', { $in: [[1], '$nested'] }, true],
    ['refuses what is no array', { $in: [1, '$s'] }, fails()],
    ['refuses missing', { $in: [1, '$none'] }, fails()],
  ]),
  ...operator('$indexOfArray', A, [
    ['finds the first', ['$w', 'a'], 1],
    ['finds nothing', ['$w', 'z'], -1],
    ['from a start', [[1, 2, 1], 1, 1], 2],
    ['up to an end', [[1, 2, 1], 1, 1, 2], -1],
    ['of null is null', ['$n', 1], null],
    ['refuses negative bounds', ['$v', 1, -1], fails()],
    ['refuses a missing start', [[1, 2], 2, '$none'], fails()],
  ]),
  ...expressions('$isArray', A, [
    ['tells', [{ $isArray: '$v' }, { $isArray: '$s' }, { $isArray: ['$e'] }], [true, false, true]],
    ['missing is none', { $isArray: '$none' }, false],
  ]),
  ...operator('$size', A, [
    ['counts', '$v', 3],
    ['of nothing is zero', '$e', 0],
    ['refuses null', '$n', fails()],
    ['refuses missing', '$none', fails()],
  ]),
  ...expressions('field paths', A, [
    ['go through objects', '$o.b.c', 2],
    ['go through arrays of objects', '$objects.k', ['b', 'a']],
    ['do not go into arrays of arrays', '$nested.k', []],
    ['a number is no position', '$v.0', []],
    ['refuse empty parts', '$o..b', refused('')],
    ['refuse an empty path', '$', refused('')],
  ]),
];

const making = [
  ...operator('$concatArrays', A, [
    ['joins', ['$v', ['x'], '$e'], [1, 2, 3, 'x']],
    ['keeps arrays in arrays', ['$nested', [[4]]], [[1], [2, 3], [4]]],
    ['of nothing is empty', [], []],
    ['null makes null', ['$v', '$n'], null],
    ['refuses what is no array', ['$v', '$s'], fails()],
  ]),
  ...operator('$range', A, [
    ['counts', [0, 5], [0, 1, 2, 3, 4]],
    ['by steps', [0, 10, 4], [0, 4, 8]],
    ['downwards', [3, 0, -1], [3, 2, 1]],
    ['the wrong way is empty', [0, 3, -1], []],
    ['refuses a step of zero', [0, 3, 0], refused('')],
    ['refuses fractions', [0.5, 3], refused('')],
    ['refuses null', [0, '$n'], fails()],
    ['refuses a missing step', [0, 5, '$none'], fails()],
    ['refuses what does not fit 32 bits', [0, long('9999999999')], refused('')],
  ]),
  ...operator('$reverseArray', A, [
    ['reverses', '$v', [3, 2, 1]],
    ['does not go into arrays', '$nested', [[2, 3], [1]]],
    ['of null is null', '$n', null],
    ['refuses strings', '$s', fails()],
  ]),
  ...operator('$slice', A, [
    ['the first', ['$v', 2], [1, 2]],
    ['the last', ['$v', -2], [2, 3]],
    ['from a position', ['$v', 1, 1], [2]],
    ['from a position counted from the end', ['$v', -2, 1], [2]],
    ['from before the front', ['$v', -9, 2], [1, 2]],
    ['from beyond the end', ['$v', 9, 2], []],
    ['of zero items is empty', ['$v', 0], []],
    ['refuses a count of zero after a position', ['$v', 1, 0], fails()],
    ['of null is null', ['$n', 1], null],
  ]),
  ...operator('$zip', A, [
    ['pairs up to the shortest', { inputs: ['$v', ['x', 'y']] }, list([1, 'x'], [2, 'y'])],
    [
      'pairs up to the longest',
      { inputs: ['$v', ['x']], useLongestLength: true },
      list([1, 'x'], [2, null], [3, null]),
    ],
    [
      'fills with defaults',
      { inputs: [['p'], ['x', 'y']], useLongestLength: true, defaults: [0, 1] },
      list(['p', 'x'], [0, 'y']),
    ],
    [
      'a default stands for what is beyond the end, not for null',
      {
        inputs: list(['p', null], [null, 'x', '$none'], [1, 2, 3, 4]),
        useLongestLength: true,
        defaults: [0, 'd', 9],
      },
      list(['p', null, 1], [null, 'x', 2], [0, null, 3], [0, 'd', 4]),
    ],
    ['null among the arrays makes null', { inputs: ['$v', '$n'] }, null],
    ['refuses defaults without the longest', { inputs: ['$v'], defaults: [0] }, refused('/defaults')],
    [
      'refuses another number of defaults',
      { inputs: ['$v'], useLongestLength: true, defaults: [0, 1] },
      refused('/defaults'),
    ],
    ['refuses what is no array', { inputs: ['$s'] }, fails()],
  ]),
  ...operator('$sortArray', A, [
    ['upwards', { input: '$w', sortBy: 1 }, ['a', 'b', 'c']],
    ['downwards', { input: '$v', sortBy: -1 }, [3, 2, 1]],
    ['across kinds', { input: '$mixed', sortBy: 1 }, [null, raw('1.0'), raw('2'), 3, 'x']],
    ['by fields', { input: '$objects', sortBy: { k: 1 } }, [{ n: 3 }, { k: 'a', n: 2 }, { k: 'b', n: 1 }]],
    [
      'by fields with an array, which counts as a whole',
      { input: [{ a: [3, 1] }, { a: [2] }], sortBy: { a: 1 } },
      [{ a: [2] }, { a: [3, 1] }],
    ],
    [
      'by a path through an array as by null',
      { input: [{ a: { b: -1 } }, { a: { b: 5 } }, { a: [{ b: 1 }] }], sortBy: { 'a.b': 1 } },
      [{ a: [{ b: 1 }] }, { a: { b: -1 } }, { a: { b: 5 } }],
    ],
    [
      'by a string of fields',
      { input: '$objects', sortBy: '-n' },
      [{ n: 3 }, { k: 'a', n: 2 }, { k: 'b', n: 1 }],
    ],
    ['of null is null', { input: '$n', sortBy: 1 }, null],
    ['refuses another direction', { input: '$v', sortBy: { a: 2 } }, refused('/sortBy/a')],
    ['refuses what is no array', { input: '$s', sortBy: 1 }, fails()],
  ]),
];

export const ARRAY_CASES: readonly PipelineCase[] = [...looking, ...making];
