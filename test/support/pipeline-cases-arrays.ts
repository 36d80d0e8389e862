/** Cases of the operators on arrays. */
import {
  decimal,
  expressions,
  fails,
  list,
  long,
  MISSING,
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
  ...expressions('$arrayElemAt', A, [
    ['from the front', { $arrayElemAt: ['$v', 0] }, 1],
    ['from the back', { $arrayElemAt: ['$v', -1] }, 3],
    ['beyond is missing', { $arrayElemAt: ['$v', 9] }, MISSING],
    ['takes integral doubles', { $arrayElemAt: ['$v', raw('1.0')] }, 2],
    ['refuses fractions', { $arrayElemAt: ['$v', 1.5] }, fails()],
    ['of null is null', { $arrayElemAt: ['$n', 0] }, null],
    ['refuses what is no array', { $arrayElemAt: ['$s', 0] }, fails()],
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
  ...expressions('$indexOfArray', A, [
    ['finds the first', { $indexOfArray: ['$w', 'a'] }, 1],
    ['finds nothing', { $indexOfArray: ['$w', 'z'] }, -1],
    ['from a start', { $indexOfArray: [[1, 2, 1], 1, 1] }, 2],
    ['up to an end', { $indexOfArray: [[1, 2, 1], 1, 1, 2] }, -1],
    ['of null is null', { $indexOfArray: ['$n', 1] }, null],
    ['refuses negative bounds', { $indexOfArray: ['$v', 1, -1] }, fails()],
    ['refuses a missing start', { $indexOfArray: [[1, 2], 2, '$none'] }, fails()],
  ]),
  ...expressions('$isArray', A, [
    ['tells', [{ $isArray: '$v' }, { $isArray: '$s' }, { $isArray: ['$e'] }], [true, false, true]],
    ['missing is none', { $isArray: '$none' }, false],
  ]),
  ...expressions('$size', A, [
    ['counts', { $size: '$v' }, 3],
    ['of nothing is zero', { $size: '$e' }, 0],
    ['refuses null', { $size: '$n' }, fails()],
    ['refuses missing', { $size: '$none' }, fails()],
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
  ...expressions('$concatArrays', A, [
    ['joins', { $concatArrays: ['$v', ['x'], '$e'] }, [1, 2, 3, 'x']],
    ['keeps arrays in arrays', { $concatArrays: ['$nested', [[4]]] }, [[1], [2, 3], [4]]],
    ['of nothing is empty', { $concatArrays: [] }, []],
    ['null makes null', { $concatArrays: ['$v', '$n'] }, null],
    ['refuses what is no array', { $concatArrays: ['$v', '$s'] }, fails()],
  ]),
  ...expressions('$range', A, [
    ['counts', { $range: [0, 5] }, [0, 1, 2, 3, 4]],
    ['by steps', { $range: [0, 10, 4] }, [0, 4, 8]],
    ['downwards', { $range: [3, 0, -1] }, [3, 2, 1]],
    ['the wrong way is empty', { $range: [0, 3, -1] }, []],
    ['refuses a step of zero', { $range: [0, 3, 0] }, refused('/$range')],
    ['refuses fractions', { $range: [0.5, 3] }, refused('/$range')],
    ['refuses null', { $range: [0, '$n'] }, fails()],
    ['refuses a missing step', { $range: [0, 5, '$none'] }, fails()],
    ['refuses what does not fit 32 bits', { $range: [0, long('9999999999')] }, refused('/$range')],
  ]),
  ...expressions('$reverseArray', A, [
    ['reverses', { $reverseArray: '$v' }, [3, 2, 1]],
    ['does not go into arrays', { $reverseArray: '$nested' }, [[2, 3], [1]]],
    ['of null is null', { $reverseArray: '$n' }, null],
    ['refuses strings', { $reverseArray: '$s' }, fails()],
  ]),
  ...expressions('$slice', A, [
    ['the first', { $slice: ['$v', 2] }, [1, 2]],
    ['the last', { $slice: ['$v', -2] }, [2, 3]],
    ['from a position', { $slice: ['$v', 1, 1] }, [2]],
    ['from a position counted from the end', { $slice: ['$v', -2, 1] }, [2]],
    ['from before the front', { $slice: ['$v', -9, 2] }, [1, 2]],
    ['from beyond the end', { $slice: ['$v', 9, 2] }, []],
    ['of zero items is empty', { $slice: ['$v', 0] }, []],
    ['refuses a count of zero after a position', { $slice: ['$v', 1, 0] }, fails()],
    ['of null is null', { $slice: ['$n', 1] }, null],
  ]),
  ...expressions('$zip', A, [
    ['pairs up to the shortest', { $zip: { inputs: ['$v', ['x', 'y']] } }, list([1, 'x'], [2, 'y'])],
    [
      'pairs up to the longest',
      { $zip: { inputs: ['$v', ['x']], useLongestLength: true } },
      list([1, 'x'], [2, null], [3, null]),
    ],
    [
      'fills with defaults',
      { $zip: { inputs: [['p'], ['x', 'y']], useLongestLength: true, defaults: [0, 1] } },
      list(['p', 'x'], [0, 'y']),
    ],
    [
      'a default stands for what is beyond the end, not for null',
      {
        $zip: {
          inputs: list(['p', null], [null, 'x', '$none'], [1, 2, 3, 4]),
          useLongestLength: true,
          defaults: [0, 'd', 9],
        },
      },
      list(['p', null, 1], [null, 'x', 2], [0, null, 3], [0, 'd', 4]),
    ],
    ['null among the arrays makes null', { $zip: { inputs: ['$v', '$n'] } }, null],
    [
      'refuses defaults without the longest',
      { $zip: { inputs: ['$v'], defaults: [0] } },
      refused('/$zip/defaults'),
    ],
    [
      'refuses another number of defaults',
      { $zip: { inputs: ['$v'], useLongestLength: true, defaults: [0, 1] } },
      refused('/$zip/defaults'),
    ],
    ['refuses what is no array', { $zip: { inputs: ['$s'] } }, fails()],
  ]),
  ...expressions('$sortArray', A, [
    ['upwards', { $sortArray: { input: '$w', sortBy: 1 } }, ['a', 'b', 'c']],
    ['downwards', { $sortArray: { input: '$v', sortBy: -1 } }, [3, 2, 1]],
    ['across kinds', { $sortArray: { input: '$mixed', sortBy: 1 } }, [null, raw('1.0'), raw('2'), 3, 'x']],
    [
      'by fields',
      { $sortArray: { input: '$objects', sortBy: { k: 1 } } },
      [{ n: 3 }, { k: 'a', n: 2 }, { k: 'b', n: 1 }],
    ],
    [
      'by fields with an array, which counts as a whole',
      { $sortArray: { input: [{ a: [3, 1] }, { a: [2] }], sortBy: { a: 1 } } },
      [{ a: [2] }, { a: [3, 1] }],
    ],
    [
      'by a path through an array as by null',
      { $sortArray: { input: [{ a: { b: -1 } }, { a: { b: 5 } }, { a: [{ b: 1 }] }], sortBy: { 'a.b': 1 } } },
      [{ a: [{ b: 1 }] }, { a: { b: -1 } }, { a: { b: 5 } }],
    ],
    [
      'by a string of fields',
      { $sortArray: { input: '$objects', sortBy: '-n' } },
      [{ n: 3 }, { k: 'a', n: 2 }, { k: 'b', n: 1 }],
    ],
    ['of null is null', { $sortArray: { input: '$n', sortBy: 1 } }, null],
    [
      'refuses another direction',
      { $sortArray: { input: '$v', sortBy: { a: 2 } } },
      refused('/$sortArray/sortBy/a'),
    ],
    ['refuses what is no array', { $sortArray: { input: '$s', sortBy: 1 } }, fails()],
  ]),
];

export const ARRAY_CASES: readonly PipelineCase[] = [...looking, ...making];
