/** Cases of `$percentile` and `$median`, in groups and over arrays. The first scores are those of MongoDB's manual. */
import {
  accumulator,
  accumulators,
  cases,
  decimal,
  fails,
  long,
  operator,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';

const method = 'approximate';

const SCORES = [
  { name: '2345', test01: 62, test02: 81, test03: 80 },
  { name: '2356', test01: 60, test02: 83, test03: 79 },
  { name: '2358', test01: 67, test02: 82, test03: 78 },
  { name: '2367', test01: 64, test02: 72, test03: 77 },
  { name: '2345', test01: 60, test02: 53, test03: 72 },
];

const THOUSANDS = { input: '$test01', p: Array.from({ length: 5_000 }, () => 0.5), method };

const manual = [
  ...accumulator('$percentile', SCORES, [
    ['one of a group', { input: '$test01', p: [0.95], method }, [raw('67.0')]],
    [
      'several, in the order asked for',
      { input: '$test02', p: [0.9, 0.5, 0.75, 0.95], method },
      [raw('83.0'), raw('81.0'), raw('82.0'), raw('83.0')],
    ],
    [
      'the ends of the range are the least and the greatest',
      { input: '$test02', p: [0, 1], method },
      [raw('53.0'), raw('83.0')],
    ],
    [
      'p may be computed, and a parameter',
      { input: '$test01', p: [{ $divide: [1, 2] }], method },
      [raw('62.0')],
    ],
  ]),
  ...accumulator('$median', SCORES, [
    ['is a value of the group', { input: '$test01', method }, raw('62.0')],
    ['takes expressions', { input: { $add: ['$test01', 1] }, method }, raw('63.0')],
    ['of nothing is null', { input: '$none', method }, null],
  ]),
  ...cases('$percentile', SCORES, [
    [
      'by a parameter',
      [{ group: { v: { $percentile: { input: '$test01', p: '$$parameters.ps', method } } } }],
      [{ v: [raw('60.0'), raw('67.0')] }],
      { ps: [0.1, 1] },
    ],
    [
      'at thousands of places, twice',
      [
        { group: { a: { $percentile: THOUSANDS }, b: { $percentile: THOUSANDS } } },
        { project: { a: { $size: '$a' }, b: { $size: '$b' } } },
      ],
      [{ a: 5000, b: 5000 }],
    ],
    [
      'over the tests of each student',
      [
        { limit: 1 },
        {
          project: {
            median: { $median: { input: ['$test01', '$test02', '$test03'], method } },
            ends: { $percentile: { input: ['$test01', '$test02', '$test03'], p: [0, 1], method } },
          },
        },
      ],
      [{ median: raw('80.0'), ends: [raw('62.0'), raw('81.0')] }],
    ],
  ]),
];

const MIXED = [
  { v: long('9007199254740993') },
  { v: decimal('0.5') },
  { v: -0.5 },
  { v: raw('-0.0') },
  { v: 'text' },
  { v: null },
  { v: [7] },
  {},
];

const kinds = [
  ...accumulator('$percentile', MIXED, [
    [
      'of all kinds of numbers are doubles, and what is no number does not count',
      { input: '$v', p: [0.25, 0.5, 0.75, 1], method },
      [-0.5, raw('0.0'), 0.5, raw('9007199254740992.0')],
    ],
    ['of nothing are null each', { input: '$none', p: [0, 1], method }, [null, null]],
    ['needs input', { p: [0.5], method }, refused('')],
    ['needs a method', { input: '$v', p: [0.5] }, refused('')],
    ['knows no other method', { input: '$v', p: [0.5], method: 'exact' }, refused('/method')],
    ['knows no other argument', { input: '$v', p: [0.5], method, q: 1 }, refused('/q')],
    ['needs one p at least', { input: '$v', p: [], method }, refused('/p')],
    ['p is an array', { input: '$v', p: 0.5, method }, refused('/p')],
    ['p is at most 1', { input: '$v', p: [0.5, 1.01], method }, refused('/p')],
    ['p is at least 0', { input: '$v', p: [-0.01], method }, refused('/p')],
    ['p are numbers', { input: '$v', p: ['0.5'], method }, refused('/p')],
    ['p does not depend on documents', { input: '$v', p: ['$v'], method }, refused('/p')],
    ['takes an object', '$v', refused('')],
  ]),
  ...accumulators('$median', MIXED, [
    ['takes no p', { $median: { input: '$v', p: [0.5], method } }, refused('/$median/p')],
  ]),
  ...operator(
    '$median',
    { list: [3, 'x', 1, null, 2, 4], one: 5, text: 'x', nothing: null, empty: [], nan: 'NaN' },
    [
      ['of an even number is the lower one', { input: '$list', method }, raw('2.0')],
      ['of a number is the number', { input: '$one', method }, raw('5.0')],
      ['of a text is null', { input: '$text', method }, null],
      ['of an empty array is null', { input: '$empty', method }, null],
      ['of null is null', { input: '$nothing', method }, null],
      ['of a constant', { input: [1, 5, 9], method }, raw('5.0')],
      ['NaN does not count', { input: [{ $toDouble: '$nan' }, 1, 2, 3], method }, raw('2.0')],
      ['faults inside are told', { input: { $nothing: 1 }, method }, refused('/input/$nothing')],
      ['what fails inside fails', { input: { $add: ['$text', 1] }, method }, fails()],
    ],
  ),
  ...operator('$percentile', { list: [10, 20, 30, 40], one: 5, text: 'x' }, [
    [
      'of a number are that number',
      { input: '$one', p: [0, 0.5, 1], method },
      [raw('5.0'), raw('5.0'), raw('5.0')],
    ],
    ['of a text are null', { input: '$text', p: [0.5], method }, [null]],
    [
      'stand at the rank that is rounded up',
      { input: '$list', p: [0.25, 0.26, 0.5, 0.51, 0.75, 0.76], method },
      [10, 20, 20, 30, 30, 40].map((each) => raw(`${each}.0`)),
    ],
  ]),
];

export const QUANTILE_CASES: readonly PipelineCase[] = [...manual, ...kinds];
