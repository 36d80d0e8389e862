/** Cases of the operators on strings, with characters of one to four bytes. */
import {
  cases,
  date,
  decimal,
  expressions,
  fails,
  MISSING,
  operator,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';

const S = {
  a: 'abc',
  b: 'Hello, World',
  e: '',
  u: 'cafétéria',
  m: 'a😀b',
  n: null,
  i: 5,
  sp: '  x y \t\n',
  day: date('2020-01-02T03:04:05.678Z'),
  list: ['x'],
};

const building = [
  ...operator('$concat', S, [
    ['joins', ['$a', '-', '$b'], 'abc-Hello, World'],
    ['of nothing is empty', [], ''],
    ['null makes null', ['$a', '$n'], null],
    ['missing makes null', ['$a', '$none'], null],
    ['refuses numbers', ['$a', '$i'], fails()],
  ]),
  ...operator('$toLower', S, [
    ['lowers', '$b', 'hello, world'],
    ['null is empty', '$n', ''],
    ['takes numbers', '$i', '5'],
    ['refuses arrays', '$list', fails()],
  ]),
  ...operator('$toUpper', S, [
    ['raises', '$a', 'ABC'],
    ['takes dates', '$day', '2020-01-02T03:04:05.678Z'],
    ['missing is empty', '$none', ''],
  ]),
  ...operator('$trim', S, [
    ['takes white space from both ends', { input: '$sp' }, 'x y'],
    ['takes given characters', { input: 'xxabcxy', chars: 'xy' }, 'abc'],
    ['takes whole characters', { input: '😀a😀', chars: '😀' }, 'a'],
    ['of null is null', { input: '$n' }, null],
    ['null characters make null', { input: '$a', chars: null }, null],
    ['refuses numbers', { input: '$i' }, fails()],
    ['needs input', { chars: 'x' }, refused('')],
    ['refuses unknown arguments', { input: 'x', both: 1 }, refused('/both')],
  ]),
  ...expressions('$ltrim and $rtrim', S, [
    ['from the left', { $ltrim: { input: '$sp' } }, 'x y \t\n'],
    ['from the right', { $rtrim: { input: '$sp' } }, '  x y'],
    [
      'given characters',
      [{ $ltrim: { input: '$a', chars: 'a' } }, { $rtrim: { input: '$a', chars: 'c' } }],
      ['bc', 'ab'],
    ],
  ]),
  ...operator('$replaceOne', S, [
    ['replaces the first', { input: 'a-a', find: 'a', replacement: 'b' }, 'b-a'],
    ['leaves the rest where nothing is found', { input: '$a', find: 'x', replacement: 'y' }, 'abc'],
    [
      'takes the replacement as it is',
      { input: '$a', find: 'b', replacement: '$$ROOT$&' },
      refused('/replacement'),
    ],
    [
      'takes signs in literals as they are',
      { input: '$a', find: 'b', replacement: { $literal: '$&$1' } },
      'a$&$1c',
    ],
    ['null anywhere makes null', { input: '$a', find: null, replacement: 'x' }, null],
    ['refuses numbers', { input: '$i', find: 'x', replacement: 'y' }, fails()],
  ]),
  ...operator('$replaceAll', S, [
    ['replaces each', { input: 'a-a-a', find: 'a', replacement: 'bb' }, 'bb-bb-bb'],
    ['does not replace in what it put there', { input: 'aa', find: 'a', replacement: 'aa' }, 'aaaa'],
    ['finds nothing between all characters', { input: 'ab', find: '', replacement: '-' }, '-a-b-'],
    ['missing makes null', { input: '$none', find: 'a', replacement: 'b' }, null],
  ]),
  ...operator('$split', S, [
    ['parts', ['a-b-c', '-'], ['a', 'b', 'c']],
    ['keeps empty parts', ['-a--', '-'], ['', 'a', '', '']],
    ['gives the whole where nothing is found', ['$a', 'x'], ['abc']],
    ['of null is null', ['$n', '-'], null],
    ['refuses an empty separator', ['$a', '$e'], fails()],
    ['refuses numbers', ['$i', '-'], fails()],
  ]),
];

const measuring = [
  ...expressions('$strLenCP', S, [
    ['counts characters', [{ $strLenCP: '$u' }, { $strLenCP: '$m' }], [9, 3]],
    ['of nothing is zero', { $strLenCP: '' }, 0],
    ['of null fails', { $strLenCP: '$n' }, fails()],
  ]),
  ...expressions('$strLenBytes', S, [
    ['counts bytes', [{ $strLenBytes: '$u' }, { $strLenBytes: '$m' }], [11, 6]],
    ['of missing fails', { $strLenBytes: '$none' }, fails()],
  ]),
  ...expressions('$strcasecmp', S, [
    ['does not tell cases apart', { $strcasecmp: ['ABC', '$a'] }, 0],
    ['orders', [{ $strcasecmp: ['a', 'B'] }, { $strcasecmp: ['b', 'A'] }], [-1, 1]],
    ['null is empty', { $strcasecmp: ['$n', ''] }, 0],
    ['takes numbers', { $strcasecmp: [12, '12'] }, 0],
  ]),
  ...operator('$substrCP', S, [
    ['by characters', ['$u', 3, 3], 'été'],
    ['keeps characters whole', ['$m', 1, 1], '😀'],
    ['beyond the end is empty', ['$a', 5, 2], ''],
    ['to beyond the end is the rest', ['$a', 1, 9], 'bc'],
    ['of null is empty', ['$n', 0, 2], ''],
    ['refuses a negative length', ['$a', 0, -1], fails()],
    ['refuses a negative start', ['$a', -1, 1], fails()],
  ]),
  ...expressions('$substrBytes', S, [
    ['by bytes', { $substrBytes: ['$u', 0, 3] }, 'caf'],
    ['takes numbers', { $substrBytes: [12345, 1, 2] }, '23'],
    ['a negative length is the rest', { $substrBytes: ['$a', 1, -1] }, 'bc'],
    ['would cut a character: fails', { $substrBytes: ['$u', 0, 4] }, fails()],
    ['starts inside a character: fails', { $substrBytes: ['$u', 4, 2] }, fails()],
    ['$substr is the same', { $substr: ['$b', 7, 5] }, 'World'],
  ]),
  ...operator('$indexOfCP', S, [
    ['finds', ['$u', 't'], 4],
    ['counts characters', ['$m', 'b'], 2],
    ['from a start', ['abcabc', 'a', 1], 3],
    ['up to an end', ['abcabc', 'c', 0, 2], -1],
    ['an end before the start finds nothing', ['abc', 'a', 2, 1], -1],
    ['the empty string is found at once', ['$a', ''], 0],
    ['of null is null', ['$n', 'a'], null],
    ['null is not to be found', ['$a', '$n'], fails()],
    ['refuses a negative start', ['$a', 'a', -1], fails()],
  ]),
  ...operator('$indexOfBytes', S, [
    ['counts bytes', ['$u', 't'], 5],
    ['finds nothing', ['$a', 'z'], -1],
    ['beyond the end finds nothing', ['$a', 'a', 9], -1],
  ]),
];

const found = (match: string, idx: number, ...captures: (string | null)[]) => ({ match, idx, captures });
const patterns = [
  ...operator('$regexMatch', S, [
    ['matches anywhere', { input: '$b', regex: 'wor' }, false],
    ['takes options', { input: '$b', regex: 'wor', options: 'i' }, true],
    ['of null is false', { input: '$n', regex: 'x' }, false],
    ['refuses a NUL in the pattern', { input: '$a', regex: 'a\0' }, refused('/regex')],
    ['null as pattern is false', { input: '$a', regex: null }, false],
    ['refuses numbers', { input: '$i', regex: 'x' }, fails()],
    ['refuses broken patterns', { input: 'x', regex: '(' }, refused('')],
    ['refuses them for any text', { input: '$n', regex: '(' }, refused('/regex')],
    [
      'refuses unknown options for any pattern',
      { input: '$a', regex: '$b', options: 'q' },
      refused('/options'),
    ],
    ['refuses unknown options', { input: 'x', regex: 'x', options: 'q' }, refused('')],
  ]),
  ...operator('$regexFind', S, [
    [
      'gives match, position and groups',
      { input: '$b', regex: '(W)(o)?(x)?' },
      found('Wo', 7, 'W', 'o', null),
    ],
    ['counts characters', { input: '$m', regex: 'b' }, found('b', 2)],
    ['nothing found is null', { input: '$a', regex: 'z' }, null],
    ['of missing is null', { input: '$none', regex: 'z' }, null],
  ]),
  ...operator('$regexFindAll', S, [
    ['gives each', { input: 'a1b22', regex: '[0-9]+' }, [found('1', 1), found('22', 3)]],
    ['goes on behind empty matches', { input: 'ab', regex: 'x*' }, [found('', 0), found('', 1)]],
    ['goes on by whole characters', { input: '😀b', regex: 'x?' }, [found('', 0), found('', 1)]],
    ['finds nothing in nothing once', { input: '', regex: '' }, [found('', 0)]],
    ['nothing found is empty', { input: '$a', regex: 'z' }, []],
    ['of null is empty', { input: '$n', regex: 'z' }, []],
  ]),
];

const converting = expressions('$toString', S, [
  ['of ints', { $toString: 5 }, '5'],
  ['of doubles', [{ $toString: 2.5 }, { $toString: raw('2.0') }], ['2.5', '2']],
  [
    'of large and of small doubles has an exponent of two digits',
    ['1e15', '1e16', '1.2345678901234568e20', '0.0001', '1.5e-5', '-1e-7', '1e-100'].map((text) => ({
      $toString: raw(text),
    })),
    ['1000000000000000', '1e+16', '1.2345678901234568e+20', '0.0001', '1.5e-05', '-1e-07', '1e-100'],
  ],
  ['of large doubles in other operators', { $toUpper: raw('1e16') }, '1E+16'],
  ['of decimals keeps the digits', { $toString: decimal('1.10') }, '1.10'],
  ['of booleans', { $toString: true }, 'true'],
  ['of dates', { $toString: '$day' }, '2020-01-02T03:04:05.678Z'],
  ['of ids', { $toString: '$id' }, '000000000000000000000001'],
  ['of null is null', { $toString: '$n' }, null],
  ['of arrays fails', { $toString: '$list' }, fails()],
]).map((each) => (each.behaviour === 'of ids' ? lengthOfId(each) : each));

/** Which id the service gives is not known: its length is. */
function lengthOfId(each: PipelineCase): PipelineCase {
  const pipeline = JSON.stringify([{ project: { value: { $strLenCP: { $toString: '$id' } } } }]);
  return { ...each, pipeline, expect: { outputs: ['{"value":24}'] } };
}

export const STRING_CASES: readonly PipelineCase[] = [
  ...building,
  ...measuring,
  ...patterns,
  ...converting,
  ...cases(
    'project',
    [{ a: 1 }],
    [
      [
        'takes large doubles as ids with all digits',
        [{ project: { id: { $toDouble: 1e16 }, a: 1 } }],
        [{ id: '10000000000000000', a: 1 }],
      ],
    ],
  ),
  ...expressions('missing strings', S, [['a part of a string is missing', '$a.b', MISSING]]),
];
