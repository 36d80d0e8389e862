/** Cases of the stages that let documents through: filter, sort, skip, limit, sample. */
import { cases, decimal, list, long, raw, refused, type PipelineCase } from './pipeline-case.ts';

/** Documents that other cases use too. */
export const PEOPLE = [
  { name: 'Ada', age: 36, city: 'London', tags: ['math', 'code'] },
  { name: 'Bob', age: 25, city: 'Paris', tags: [] },
  { name: 'Cyd', age: 25, city: 'London' },
  { name: 'Dee', age: null, city: 'Rome', tags: 'solo' },
];

export const names = (...list: string[]) => list.map((name) => ({ name }));
export const ONLY_NAME = { output: { attributes: ['name'] } };

const filter = cases('filter', PEOPLE, [
  ['keeps what it holds of', [{ filter: { age: 25 } }, ONLY_NAME], names('Bob', 'Cyd')],
  ['takes operators', [{ filter: { age: { $gt: 25 } } }, ONLY_NAME], names('Ada')],
  ['takes $or', [{ filter: { $or: [{ city: 'Rome' }, { name: 'Ada' }] } }, ONLY_NAME], names('Ada', 'Dee')],
  [
    'takes $regex',
    [{ filter: { name: { $regex: '^[ab]', $options: 'i' } } }, ONLY_NAME],
    names('Ada', 'Bob'),
  ],
  ['takes $exists', [{ filter: { tags: { $exists: false } } }, ONLY_NAME], names('Cyd')],
  ['an empty one keeps everything', [{ filter: {} }, ONLY_NAME], names('Ada', 'Bob', 'Cyd', 'Dee')],
  [
    'several must all hold',
    [{ filter: { age: 25 } }, { filter: { city: 'London' } }, ONLY_NAME],
    names('Cyd'),
  ],
  ['stands behind other stages', [{ limit: 3 }, { filter: { age: 25 } }, ONLY_NAME], names('Bob', 'Cyd')],
  [
    'holds of what a group made',
    [{ group: { id: '$city', n: { $sum: 1 } } }, { filter: { n: { $gte: 2 } } }],
    [{ id: 'London', n: 2 }],
  ],
  ['takes full text in front', [{ filter: { $text: { $search: 'rome' } } }, ONLY_NAME], names('Dee')],
  ['refuses what is no object', [{ filter: 'age' }], refused('/pipeline/0/filter')],
  ['refuses unknown operators', [{ filter: { age: { $like: 1 } } }], refused('/pipeline/0/filter/age/$like')],
  ['refuses $where', [{ filter: { $where: 'true' } }], refused('/pipeline/0/filter/$where')],
  ['refuses $expr', [{ filter: { $expr: { $gt: ['$a', 1] } } }], refused('/pipeline/0/filter/$expr')],
  [
    'refuses patterns that mean nothing',
    [{ filter: { name: { $regex: '(a)\\2' } } }],
    refused('/pipeline/0/filter/name/$regex'),
  ],
  [
    'refuses wrong operands behind other stages',
    [{ limit: 1 }, { filter: { a: { $in: 1 } } }],
    refused('/pipeline/1/filter/a/$in'),
  ],
]);

const NUMBERS = [
  { n: 3, k: 'c' },
  { n: raw('1.0'), k: 'a' },
  { n: decimal('2.5'), k: 'b' },
  { n: long('1'), k: 'd' },
  { k: 'e' },
  { n: 'x', k: 'f' },
  { n: null, k: 'g' },
];
const keys = (text: string) => Array.from(text, (k) => ({ k }));
const ONLY_K = { output: { attributes: ['k'] } };

const sort = cases('sort', NUMBERS, [
  ['orders by value across kinds, equal ones as they came', [{ sort: 'n' }, ONLY_K], keys('egadbcf')],
  ['orders downwards', [{ sort: '-n' }, ONLY_K], keys('fcbadeg')],
  ['orders by several fields', [{ sort: 'n,-k' }, ONLY_K], keys('gedabcf')],
  ['with a limit gives the first ones', [{ sort: '-k' }, { limit: 2 }, ONLY_K], keys('gf')],
  ['with skip and limit gives those between', [{ sort: 'k' }, { skip: 2 }, { limit: 2 }, ONLY_K], keys('cd')],
  ['a later one decides', [{ sort: 'k' }, { sort: '-k' }, { limit: 1 }, ONLY_K], keys('g')],
  ['refuses an object', [{ sort: { n: 1 } }], refused('/pipeline/0/sort')],
  ['refuses an empty field', [{ sort: 'n,,k' }], refused('/pipeline/0/sort')],
  ['refuses a field twice', [{ sort: 'n,-n' }], refused('/pipeline/0/sort')],
]);

const sortPaths = cases(
  'sort',
  list({ a: [{ b: 3 }, { b: 9 }], k: 'a' }, { a: [{ b: 5 }], k: 'b' }, { a: [], k: 'c' }),
  [
    ['takes the least of an array upwards', [{ sort: 'a.b' }, ONLY_K], keys('cab')],
    ['takes the greatest of an array downwards', [{ sort: '-a.b' }, ONLY_K], keys('abc')],
  ],
);

const slices = [
  ...cases('skip', PEOPLE, [
    ['passes over the first ones', [{ skip: 3 }, ONLY_NAME], names('Dee')],
    ['of nothing gives all', [{ skip: 0 }, { limit: 1 }, ONLY_NAME], names('Ada')],
    ['beyond the end gives nothing', [{ skip: 9 }, ONLY_NAME], []],
    ['takes integral numbers of any kind', [{ skip: raw('3.0') }, ONLY_NAME], names('Dee')],
    ['takes the largest long', [{ skip: long('9223372036854775807') }, ONLY_NAME], []],
    ['refuses what no long is', [{ skip: raw('1e19') }], refused('/pipeline/0/skip')],
    ['refuses a negative number', [{ skip: -1 }], refused('/pipeline/0/skip')],
    ['refuses a fraction', [{ skip: 1.5 }], refused('/pipeline/0/skip')],
    ['refuses a string', [{ skip: '1' }], refused('/pipeline/0/skip')],
  ]),
  ...cases('limit', PEOPLE, [
    ['gives the first ones', [{ limit: 2 }, ONLY_NAME], names('Ada', 'Bob')],
    ['larger than the input gives all', [{ limit: 1000000 }, ONLY_NAME], names('Ada', 'Bob', 'Cyd', 'Dee')],
    ['takes longs', [{ limit: long('1') }, ONLY_NAME], names('Ada')],
    [
      'refuses the least fraction of a decimal',
      [{ limit: { $numberDecimal: '1.00000000000000000001' } }],
      refused('/pipeline/0/limit'),
    ],
    [
      'takes the largest long',
      [{ limit: long('9223372036854775807') }, ONLY_NAME],
      names('Ada', 'Bob', 'Cyd', 'Dee'),
    ],
    ['twice takes the smaller', [{ limit: 3 }, { limit: 1 }, ONLY_NAME], names('Ada')],
    ['refuses zero', [{ limit: 0 }], refused('/pipeline/0/limit')],
    ['refuses null', [{ limit: null }], refused('/pipeline/0/limit')],
  ]),
  ...cases('sample', PEOPLE, [
    ['gives so many', [{ sample: 2 }, { group: { n: { $sum: 1 } } }], [{ n: 2 }]],
    ['takes an object with size', [{ sample: { size: 3 } }, { group: { n: { $sum: 1 } } }], [{ n: 3 }]],
    ['takes longs', [{ sample: long('3') }, { group: { n: { $sum: 1 } } }], [{ n: 3 }]],
    [
      'larger than the input gives all',
      [{ sample: 1000000000 }, { sort: 'name' }, ONLY_NAME],
      names('Ada', 'Bob', 'Cyd', 'Dee'),
    ],
    [
      'gives different documents',
      [{ sample: 4 }, { group: { id: '$name' } }, { group: { n: { $sum: 1 } } }],
      [{ n: 4 }],
    ],
    ['refuses zero', [{ sample: 0 }], refused('/pipeline/0/sample')],
    ['refuses an object without size', [{ sample: {} }], refused('/pipeline/0/sample')],
    ['refuses a negative size', [{ sample: { size: -1 } }], refused('/pipeline/0/sample/size')],
    ['refuses unknown members', [{ sample: { size: 1, seed: 2 } }], refused('/pipeline/0/sample')],
  ]),
];

export const STREAM_CASES: readonly PipelineCase[] = [...filter, ...sort, ...sortPaths, ...slices];
