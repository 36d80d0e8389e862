/** Cases of comparison, boolean and conditional operators, and of conversions. */
import {
  date,
  decimal,
  expressions,
  fails,
  list,
  long,
  MISSING,
  oid,
  operator,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';

const L = {
  i: 5,
  l: long('5'),
  f: raw('5.0'),
  d: decimal('5.00'),
  s: '5',
  t: true,
  no: false,
  zero: raw('0.0'),
  n: null,
  e: '',
  list: [1],
  o: { a: 1 },
  day: date('2018-03-27T05:04:47.890Z'),
  oid: oid('5ab9c3da31c2ab715d421285'),
};

const comparing = [
  ...expressions('$cmp', L, [
    ['below, equal, above', [{ $cmp: [1, 2] }, { $cmp: ['$i', '$d'] }, { $cmp: ['b', 'a'] }], [-1, 0, 1]],
    [
      'kinds have an order',
      [{ $cmp: ['$n', '$i'] }, { $cmp: ['$s', '$i'] }, { $cmp: ['$o', '$list'] }, { $cmp: ['$day', '$t'] }],
      [-1, 1, -1, 1],
    ],
    ['missing is below null', { $cmp: ['$none', '$n'] }, -1],
    [
      'arrays item by item',
      {
        $cmp: list([1, 2], [1, 3]),
      },
      -1,
    ],
    ['objects field by field', { $cmp: [{ a: 1 }, { a: 1, b: 1 }] }, -1],
    ['takes two operands', { $cmp: [1] }, refused('/$cmp')],
  ]),
  ...expressions('$eq and $ne', L, [
    [
      'numbers by value',
      [{ $eq: ['$i', '$l'] }, { $eq: ['$f', '$d'] }, { $ne: ['$i', '$d'] }],
      [true, true, false],
    ],
    ['kinds apart', { $eq: ['$i', '$s'] }, false],
    ['missing is not null', { $eq: ['$none', '$n'] }, false],
    ['missing is missing', { $eq: ['$none', '$other'] }, true],
    ['a double and a decimal that are not exactly equal', { $eq: [0.1, decimal('0.1')] }, false],
    [
      'the order of fields counts',
      {
        $eq: list({ a: 1, b: 2 }, { b: 2, a: 1 }),
      },
      false,
    ],
  ]),
  ...expressions('$gt, $gte, $lt and $lte', L, [
    [
      'numbers',
      [{ $gt: [2, 1] }, { $gte: [2, 2] }, { $lt: [2, 2] }, { $lte: [2, 2] }],
      [true, true, false, true],
    ],
    ['across kinds', [{ $gt: ['$s', '$i'] }, { $lt: ['$none', '$n'] }], [true, true]],
    ['dates', { $gt: ['$day', date('2018-01-01')] }, true],
    ['longs beyond doubles', { $gt: [long('9007199254740993'), long('9007199254740992')] }, true],
  ]),
];

const deciding = [
  ...expressions('$and', L, [
    ['all', [{ $and: [true, 1, 'x'] }, { $and: [true, 0] }], [true, false]],
    ['of nothing is true', { $and: [] }, true],
    ['null and missing are false', [{ $and: ['$n'] }, { $and: ['$none'] }], [false, false]],
    ['an empty string, array or object is true', { $and: ['$e', [], {}] }, true],
    ['stops at what decides', { $and: ['$no', { $divide: ['$i', '$zero'] }] }, false],
    ['takes one operand without a list', { $and: '$t' }, true],
  ]),
  ...expressions('$or', L, [
    ['any', [{ $or: [false, 1] }, { $or: [false, 0, null] }], [true, false]],
    ['of nothing is false', { $or: [] }, false],
    ['stops at what decides', { $or: ['$t', { $divide: ['$i', '$zero'] }] }, true],
  ]),
  ...expressions('$not', L, [
    [
      'negates',
      [{ $not: true }, { $not: [0] }, { $not: ['$none'] }, { $not: [[false]] }],
      [false, true, true, false],
    ],
    ['takes one operand', { $not: [1, 2] }, refused('/$not')],
  ]),
  ...operator('$cond', L, [
    ['with names', { if: '$t', then: 1, else: 2 }, 1],
    ['in a list', ['$no', 1, 2], 2],
    ['evaluates one branch alone', ['$t', 1, { $divide: ['$i', '$zero'] }], 1],
    ['may give nothing', ['$t', '$none', 1], MISSING],
    ['needs three', [true, 1], refused('')],
    ['needs all names', { if: true, then: 1 }, refused('')],
  ]),
  ...expressions('$ifNull', L, [
    ['gives the first that is there', [{ $ifNull: ['$none', '$n', '$i'] }, { $ifNull: ['$i', 1] }], [5, 5]],
    ['false is there', { $ifNull: ['$no', 1] }, false],
    ['gives the last when none is', { $ifNull: ['$none', '$n'] }, null],
    ['takes two at least', { $ifNull: ['$i'] }, refused('/$ifNull')],
  ]),
  ...operator('$switch', L, [
    [
      'the first branch that holds',
      {
        branches: list({ case: '$no', then: 1 }, { case: '$t', then: 2 }, { case: true, then: 3 }),
      },
      2,
    ],
    ['the default', { branches: [{ case: '$no', then: 1 }], default: 'd' }, 'd'],
    ['without a default fails', { branches: [{ case: '$no', then: 1 }] }, fails()],
    ['refuses no branches', { branches: [], default: 1 }, refused('/branches')],
    ['refuses a branch without then', { branches: [{ case: true }] }, refused('/branches/0')],
  ]),
];

const kinds = expressions('$type', L, [
  [
    'of numbers',
    [{ $type: '$i' }, { $type: '$l' }, { $type: '$f' }, { $type: '$d' }],
    ['int', 'long', 'double', 'decimal'],
  ],
  [
    'of scalars',
    [{ $type: '$s' }, { $type: '$t' }, { $type: '$n' }, { $type: '$day' }, { $type: '$oid' }],
    ['string', 'bool', 'null', 'date', 'objectId'],
  ],
  ['of the rest', [{ $type: '$list' }, { $type: '$o' }, { $type: '$none' }], ['array', 'object', 'missing']],
  ['of a list of one is that of the item', { $type: ['$s'] }, 'string'],
  ['of the id', { $type: '$id' }, 'objectId'],
]);

const isNumber = expressions('$isNumber', L, [
  ['tells', [{ $isNumber: '$d' }, { $isNumber: '$s' }, { $isNumber: '$none' }], [true, false, false]],
]);

const converting = [
  ...expressions('$toInt', L, [
    ['cuts fractions', [{ $toInt: 5.9 }, { $toInt: decimal('-5.9') }], [5, -5]],
    ['reads strings', { $toInt: '-5' }, -5],
    ['takes booleans', { $toInt: true }, 1],
    ['takes longs that fit', { $type: { $toInt: '$l' } }, 'int'],
    ['refuses what does not fit', { $toInt: long('5000000000') }, refused('/$toInt')],
    ['of a double beyond ints no fraction is cut off', { $toInt: 2147483647.5 }, refused('/$toInt')],
    ['of a decimal it is', { $toInt: decimal('2147483647.5') }, 2147483647],
    ['refuses fractions in strings', { $toInt: '2.5' }, refused('/$toInt')],
    ['refuses dates', { $toInt: '$day' }, fails()],
    ['of null is null', { $toInt: '$n' }, null],
  ]),
  ...expressions('$toLong', L, [
    ['makes longs', { $type: { $toLong: '$i' } }, 'long'],
    ['reads strings exactly', { $toLong: '9223372036854775807' }, raw('9223372036854775807')],
    ['of dates is milliseconds', { $toLong: '$day' }, 1522127087890],
    ['refuses what does not fit', { $toLong: decimal('9223372036854775808') }, refused('/$toLong')],
  ]),
  ...expressions('$toDouble', L, [
    ['makes doubles', { $toDouble: '$i' }, raw('5.0')],
    ['reads strings', [{ $toDouble: '-5.5' }, { $toDouble: '1e3' }], [-5.5, raw('1000.0')]],
    ['of dates is milliseconds', { $toDouble: '$day' }, raw('1522127087890.0')],
    ['of booleans', { $toDouble: false }, raw('0.0')],
    ['refuses other strings', [{ $toDouble: '$e' }], fails()],
    ['refuses blanks around', { $toDouble: ' 1' }, refused('/$toDouble')],
    ['refuses what is beyond doubles', { $toDouble: decimal('1E+400') }, refused('/$toDouble')],
    [
      'refuses what is nearer to zero than doubles are',
      [{ $convert: { input: '-1E-1000', to: 'double', onError: 'none' } }, { $toDouble: '0E-1000' }],
      ['none', raw('0.0')],
    ],
    ['so with decimals', { $toDouble: decimal('1E-1000') }, refused('/$toDouble')],
  ]),
  ...expressions('$toDecimal', L, [
    ['of ints', { $toDecimal: '$i' }, raw('5')],
    ['of doubles with 15 digits', { $toDecimal: 2.5 }, raw('2.50000000000000')],
    ['of strings keeps the digits', { $toDecimal: '1.10' }, raw('1.10')],
    [
      'of strings of more digits rounds to 34',
      [
        { $toDecimal: '1.0000000000000000000000000000000005' },
        { $toDecimal: '-0.12345678901234567890123456789012345678' },
      ],
      [raw('1.000000000000000000000000000000000'), raw('-0.1234567890123456789012345678901235')],
    ],
    [
      'refuses what is beyond decimals',
      ['1E+7000', '-1E-7000', '12345678901234567890123456789012345E+6111'].map((input) => ({
        $convert: { input, to: 'decimal', onError: 'none' },
      })),
      ['none', 'none', 'none'],
    ],
    ['of booleans', { $toDecimal: true }, raw('1')],
    ['refuses other strings', { $toDecimal: 'x' }, refused('/$toDecimal')],
  ]),
  ...expressions('$toBool', L, [
    [
      'of numbers',
      [{ $toBool: 0 }, { $toBool: '$zero' }, { $toBool: decimal('0.00') }, { $toBool: -1 }],
      [false, false, false, true],
    ],
    ['of strings is true', [{ $toBool: 'false' }, { $toBool: '$e' }], [true, true]],
    ['of dates and ids is true', [{ $toBool: '$day' }, { $toBool: '$oid' }], [true, true]],
    ['of null is null', { $toBool: '$n' }, null],
  ]),
  ...operator('$toObjectId', L, [
    ['reads strings', '5AB9C3DA31C2AB715D421285', '5ab9c3da31c2ab715d421285'],
    ['refuses shorter ones', '5ab9', refused('')],
    ['refuses numbers', '$i', fails()],
  ]),
  ...operator('$toDate', L, [
    ['of longs', long('120000000000'), '1973-10-20T21:20:00.000Z'],
    ['of doubles', raw('120000000000.5'), '1973-10-20T21:20:00.000Z'],
    ['of ids', '$oid', '2018-03-27T04:08:58.000Z'],
    ['of strings', '2018-03-03', '2018-03-03T00:00:00.000Z'],
    ['of strings with an offset', '2018-03-20 11:00:06 +0500', '2018-03-20T06:00:06.000Z'],
    ['refuses other strings', 'Friday', refused('')],
    ['refuses booleans', '$t', fails()],
    ['of null is null', '$n', null],
  ]),
  ...operator('$convert', L, [
    ['to a kind by name', { input: '$s', to: 'int' }, 5],
    ['to a kind by number', { input: '$s', to: 16 }, 5],
    ['onError stands in', { input: 'x', to: 'int', onError: 'bad' }, 'bad'],
    ['onError may be null', { input: 'x', to: 'int', onError: null }, null],
    ['onError stands in for kinds that nothing leads to', { input: 1, to: 'array', onError: 'no' }, 'no'],
    ['onNull stands in', { input: '$none', to: 'int', onNull: 'none' }, 'none'],
    ['null without onNull is null', { input: '$n', to: 'int' }, null],
    ['to null is null', { input: '$s', to: '$n' }, null],
    ['refuses unknown kinds', { input: 1, to: 'number' }, refused('')],
    ['refuses unknown kinds for null', { input: null, to: 'nope' }, refused('')],
    ['refuses fractions of kinds for null', { input: '$n', to: 1.5 }, refused('/to')],
    ['refuses unknown arguments', { input: 1, to: 'int', or: 2 }, refused('/or')],
    ['fails without onError', { input: '$e', to: 'int' }, fails()],
  ]),
];

export const LOGIC_CASES: readonly PipelineCase[] = [
  ...comparing,
  ...deciding,
  ...kinds,
  ...isNumber,
  ...converting,
];
