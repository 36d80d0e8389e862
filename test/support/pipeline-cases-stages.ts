/** Cases of the stages, one group for each. */
import { cases, date, decimal, fails, long, oid, raw, refused, type PipelineCase } from './pipeline-case.ts';

const PEOPLE = [
  { name: 'Ada', age: 36, city: 'London', tags: ['math', 'code'] },
  { name: 'Bob', age: 25, city: 'Paris', tags: [] },
  { name: 'Cyd', age: 25, city: 'London' },
  { name: 'Dee', age: null, city: 'Rome', tags: 'solo' },
];

const names = (...list: string[]) => list.map((name) => ({ name }));
const ONLY_NAME = { output: { attributes: ['name'] } };

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
    'refuses patterns that cannot run in linear time',
    [{ filter: { name: { $regex: '(a)\\1' } } }],
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
  [
    { a: [{ b: 3 }, { b: 9 }], k: 'a' },
    { a: [{ b: 5 }], k: 'b' },
    { a: [], k: 'c' },
  ],
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
    ['refuses a negative number', [{ skip: -1 }], refused('/pipeline/0/skip')],
    ['refuses a fraction', [{ skip: 1.5 }], refused('/pipeline/0/skip')],
    ['refuses a string', [{ skip: '1' }], refused('/pipeline/0/skip')],
  ]),
  ...cases('limit', PEOPLE, [
    ['gives the first ones', [{ limit: 2 }, ONLY_NAME], names('Ada', 'Bob')],
    ['larger than the input gives all', [{ limit: 1000000 }, ONLY_NAME], names('Ada', 'Bob', 'Cyd', 'Dee')],
    ['takes longs', [{ limit: long('1') }, ONLY_NAME], names('Ada')],
    ['twice takes the smaller', [{ limit: 3 }, { limit: 1 }, ONLY_NAME], names('Ada')],
    ['refuses zero', [{ limit: 0 }], refused('/pipeline/0/limit')],
    ['refuses null', [{ limit: null }], refused('/pipeline/0/limit')],
  ]),
  ...cases('sample', PEOPLE, [
    ['gives so many', [{ sample: 2 }, { group: { n: { $sum: 1 } } }], [{ n: 2 }]],
    ['takes an object with size', [{ sample: { size: 3 } }, { group: { n: { $sum: 1 } } }], [{ n: 3 }]],
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

const LISTS = [
  { k: 'a', v: [10, 20] },
  { k: 'b', v: [] },
  { k: 'c' },
  { k: 'd', v: null },
  { k: 'e', v: 'one' },
  { k: 'f', v: [[1, 2], null] },
];
const KV = {
  project: { id: { $concat: ['$k', '-', { $toString: { $ifNull: ['$i', 'x'] } }] }, k: 1, v: 1, i: 1 },
};

const unwind = cases('unwind', LISTS, [
  [
    'gives a document for each item',
    [{ unwind: { path: '$v', includeArrayIndex: 'i' } }, KV],
    [
      { id: 'a-0', k: 'a', v: 10, i: 0 },
      { id: 'a-1', k: 'a', v: 20, i: 1 },
      { id: 'e-x', k: 'e', v: 'one', i: null },
      { id: 'f-0', k: 'f', v: [1, 2], i: 0 },
      { id: 'f-1', k: 'f', v: null, i: 1 },
    ],
  ],
  [
    'keeps documents without items when told to',
    [
      { unwind: { path: '$v', preserveNullAndEmptyArrays: true } },
      { filter: { k: { $in: ['b', 'c', 'd'] } } },
      { output: { attributes: ['k', 'v'] } },
    ],
    [{ k: 'b' }, { k: 'c' }, { k: 'd', v: null }],
  ],
  [
    'gives a null position to what is no item',
    [
      { unwind: { path: '$v', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true } },
      { filter: { k: 'b' } },
      { output: { attributes: ['k', 'i'] } },
    ],
    [{ k: 'b', i: null }],
  ],
  [
    'gives positions that are longs',
    [
      { limit: 1 },
      { unwind: { path: '$v', includeArrayIndex: 'i' } },
      { limit: 1 },
      { project: { t: { $type: '$i' } } },
    ],
    [{ t: 'long' }],
  ],
  [
    'twice goes into arrays of arrays',
    [{ filter: { k: 'f' } }, { unwind: '$v' }, { unwind: '$v' }, { group: { v: { $push: '$v' } } }],
    [{ v: [1, 2] }],
  ],
  [
    'stops early behind a limit',
    [{ unwind: '$v' }, { limit: 1 }, { output: { attributes: ['v'] } }],
    [{ v: 10 }],
  ],
  ['refuses a path without the sign', [{ unwind: 'v' }], refused('/pipeline/0/unwind')],
  ['refuses a variable', [{ unwind: '$$ROOT' }], refused('/pipeline/0/unwind')],
  [
    'refuses an object without path',
    [{ unwind: { includeArrayIndex: 'i' } }],
    refused('/pipeline/0/unwind/path'),
  ],
  ['refuses unknown members', [{ unwind: { path: '$v', into: 'w' } }], refused('/pipeline/0/unwind/into')],
  [
    'refuses a position with the sign',
    [{ unwind: { path: '$v', includeArrayIndex: '$i' } }],
    refused('/pipeline/0/unwind/includeArrayIndex'),
  ],
  [
    'refuses a switch that is no boolean',
    [{ unwind: { path: '$v', preserveNullAndEmptyArrays: 1 } }],
    refused('/pipeline/0/unwind/preserveNullAndEmptyArrays'),
  ],
]);

const unwindDeep = cases(
  'unwind',
  [{ a: { b: [1, 2], c: 3 }, d: 4 }, { a: [{ b: [5] }] }],
  [
    [
      'goes into objects and keeps what is beside',
      [{ unwind: '$a.b' }, { group: { all: { $push: { a: '$a', d: '$d' } } } }],
      [
        {
          all: [
            { a: { b: 1, c: 3 }, d: 4 },
            { a: { b: 2, c: 3 }, d: 4 },
          ],
        },
      ],
    ],
    [
      'puts the position where it is told to',
      [
        { unwind: { path: '$a.b', includeArrayIndex: 'a.i' } },
        { skip: 1 },
        { output: { attributes: ['a'] } },
      ],
      [{ a: { b: 2, c: 3, i: 1 } }],
    ],
  ],
);

const SALES = [
  { item: 'abc', price: 10, quantity: 2, day: date('2014-03-01T08:00:00Z') },
  { item: 'jkl', price: 20, quantity: 1, day: date('2014-03-01T09:00:00Z') },
  { item: 'xyz', price: 5, quantity: 10, day: date('2014-03-15T09:00:00Z') },
  { item: 'xyz', price: 5, quantity: 20, day: date('2014-04-04T11:21:39.736Z') },
  { item: 'abc', price: 10, quantity: 10, day: date('2014-04-04T21:23:13.331Z') },
];

const group = cases('group', SALES, [
  ['counts', [{ group: { n: { $sum: 1 } } }], [{ id: 'null', n: 5 }]],
  ['takes null for an id', [{ group: { id: null, n: { $count: {} } } }], [{ id: 'null', n: 5 }]],
  [
    'gathers by a field, in the order of first coming',
    [{ group: { id: '$item', total: { $sum: { $multiply: ['$price', '$quantity'] } } } }],
    [
      { id: 'abc', total: 120 },
      { id: 'jkl', total: 20 },
      { id: 'xyz', total: 150 },
    ],
  ],
  [
    'gathers by an expression',
    [{ group: { id: { $dateToString: { date: '$day', format: '%Y-%m' } }, n: { $sum: 1 } } }],
    [
      { id: '2014-03', n: 3 },
      { id: '2014-04', n: 2 },
    ],
  ],
  [
    'gathers by several values',
    [
      { group: { id: { item: '$item', month: { $month: '$day' } }, n: { $sum: 1 } } },
      { sort: '-n' },
      { limit: 1 },
    ],
    [{ id: '{"item":"abc","month":3}', n: 1 }],
  ],
  [
    'lets the sign of accumulators be left out',
    [{ group: { n: { sum: '$quantity' }, items: { addToSet: '$item' } } }],
    [{ n: 43, items: ['abc', 'jkl', 'xyz'] }],
  ],
  [
    'without accumulators gives the values',
    [{ group: { id: '$item' } }],
    [{ id: 'abc' }, { id: 'jkl' }, { id: 'xyz' }],
  ],
  ['gives nothing of nothing', [{ filter: { item: 'none' } }, { group: { n: { $sum: 1 } } }], []],
  ['feeds another group', [{ group: { id: '$item' } }, { group: { n: { $sum: 1 } } }], [{ n: 3 }]],
  [
    'takes the first and last in the order that it is given',
    [{ sort: '-quantity' }, { group: { top: { $first: '$item' }, low: { $last: '$item' } } }],
    [{ top: 'xyz', low: 'jkl' }],
  ],
  ['refuses what is no object', [{ group: '$item' }], refused('/pipeline/0/group')],
  ['refuses _id', [{ group: { _id: '$item' } }], refused('/pipeline/0/group/_id')],
  ['refuses a field without accumulator', [{ group: { n: '$price' } }], refused('/pipeline/0/group/n')],
  ['refuses two accumulators', [{ group: { n: { $sum: 1, $avg: 1 } } }], refused('/pipeline/0/group/n')],
  ['refuses unknown accumulators', [{ group: { n: { $total: 1 } } }], refused('/pipeline/0/group/n/$total')],
  ['refuses operators as accumulators', [{ group: { n: { $add: 1 } } }], refused('/pipeline/0/group/n/$add')],
  [
    'refuses $accumulator',
    [{ group: { n: { $accumulator: {} } } }],
    refused('/pipeline/0/group/n/$accumulator'),
  ],
  ['refuses dotted names', [{ group: { 'a.b': { $sum: 1 } } }], refused('/pipeline/0/group/a.b')],
]);

const MIXED_KEYS = [
  { k: 1 },
  { k: raw('1.0') },
  { k: decimal('1.00') },
  { k: long('1') },
  { k: '1' },
  { k: null },
  {},
  { k: [1] },
  { k: { a: 1, b: 2 } },
  { k: { b: 2, a: 1 } },
  { k: { a: raw('1.0'), b: 2 } },
];
const groupKeys = cases('group', MIXED_KEYS, [
  [
    'takes equal values of all kinds together, and missing with null',
    [{ group: { id: '$k', n: { $sum: 1 } } }],
    [
      { id: '1', n: 4 },
      { id: '1', n: 1 },
      { id: 'null', n: 2 },
      { id: '[1]', n: 1 },
      { id: '{"a":1,"b":2}', n: 2 },
      { id: '{"b":2,"a":1}', n: 1 },
    ].map(({ n }) => ({ n })),
  ],
]).map((each) => ({
  ...each,
  // Ids of two outputs are alike as strings, so others are made.
  pipeline: JSON.stringify([
    ...(JSON.parse(each.pipeline) as unknown[]),
    { group: { all: { $push: '$n' } } },
    { unwind: { path: '$all', includeArrayIndex: 'i' } },
    { project: { id: '$i', n: '$all' } },
  ]),
}));

const DOCUMENT = [{ a: 1, b: { c: 2, d: [{ e: 3, f: 4 }, 5, { e: 6 }] }, g: 'text' }];
const project = cases('project', DOCUMENT, [
  ['takes fields', [{ project: { a: 1, g: true } }], [{ a: 1, g: 'text' }]],
  ['takes fields in the order of the document', [{ project: { g: 1, a: 1 } }], [{ a: 1, g: 'text' }]],
  [
    'leaves fields out',
    [{ project: { b: 0, g: false } }, { output: { attributes: ['a', 'b', 'g'] } }],
    [{ a: 1 }],
  ],
  ['takes a path', [{ project: { 'b.c': 1 } }], [{ b: { c: 2 } }]],
  ['takes nested fields', [{ project: { b: { c: 1 } } }], [{ b: { c: 2 } }]],
  ['goes through arrays', [{ project: { 'b.d.e': 1 } }], [{ b: { d: [{ e: 3 }, { e: 6 }] } }]],
  [
    'leaves out through arrays',
    [{ project: { 'b.d.e': 0, a: 0, g: 0, type: 0 } }],
    [{ b: { c: 2, d: [{ f: 4 }, 5, {}] } }],
  ],
  ['renames', [{ project: { z: '$b.c' } }], [{ z: 2 }]],
  ['takes strings without the sign as they are', [{ project: { z: 'b.c' } }], [{ z: 'b.c' }]],
  ['takes null as it is', [{ project: { z: null } }], [{ z: null }]],
  ['makes arrays', [{ project: { z: ['$a', '$none', 'x'] } }], [{ z: [1, null, 'x'] }]],
  [
    'makes objects of expressions',
    [{ project: { z: { y: '$a', x: { $add: ['$a', 1] } } } }],
    [{ z: { y: 1, x: 2 } }],
  ],
  [
    'numbers inside of objects take fields over',
    [{ project: { b: { c: 1, z: '$a' } } }],
    [{ b: { c: 2, z: 1 } }],
  ],
  ['takes a number as it is with $literal', [{ project: { z: { $literal: 1 } } }], [{ z: 1 }]],
  ['leaves out what is missing', [{ project: { z: '$none', a: 1 } }], [{ a: 1 }]],
  ['removes by $$REMOVE', [{ project: { a: { $cond: [true, '$$REMOVE', 1] }, g: 1 } }], [{ g: 'text' }]],
  ['adds new fields behind those taken', [{ project: { z: '$a', g: 1 } }], [{ g: 'text', z: 1 }]],
  [
    'puts new fields into each object of an array',
    [{ project: { 'b.d.z': '$a' } }],
    [{ b: { d: [{ z: 1 }, { z: 1 }, { z: 1 }] } }],
  ],
  ['sees the document as it was', [{ project: { a: '$g', g: '$a' } }], [{ a: 'text', g: 1 }]],
  [
    'makes the id',
    [{ project: { id: { $concat: ['x-', { $toString: '$a' }] }, a: 1 } }],
    [{ id: 'x-1', a: 1 }],
  ],
  [
    'takes dates as ids',
    [{ project: { id: date('2020-01-02T03:04:05Z'), a: 1 } }],
    [{ id: '2020-01-02T03:04:05.000Z', a: 1 }],
  ],
  ['takes numbers as ids', [{ project: { id: decimal('1.50'), a: 1 } }], [{ id: '1.50', a: 1 }]],
  [
    'takes object ids as ids',
    [{ project: { id: oid('5f0000000000000000000001'), a: 1 } }],
    [{ id: '5f0000000000000000000001', a: 1 }],
  ],
  ['refuses an empty object', [{ project: {} }], refused('/pipeline/0/project')],
  ['refuses empty objects inside', [{ project: { b: {} } }], refused('/pipeline/0/project/b')],
  [
    'refuses taking and leaving out together',
    [{ project: { a: 1, b: 0 } }],
    refused('/pipeline/0/project/b'),
  ],
  [
    'refuses expressions beside leaving out',
    [{ project: { a: 0, z: '$b' } }],
    refused('/pipeline/0/project/z'),
  ],
  ['refuses a field and a part of it', [{ project: { b: 1, 'b.c': 1 } }], refused('/pipeline/0/project/b.c')],
  [
    'refuses a part of a field and the field',
    [{ project: { 'b.c': 1, b: 1 } }],
    refused('/pipeline/0/project/b'),
  ],
  ['refuses operators as names', [{ project: { $add: [1, 2] } }], refused('/pipeline/0/project/$add')],
  ['refuses unknown operators', [{ project: { z: { $plus: [1] } } }], refused('/pipeline/0/project/z/$plus')],
  ['refuses $function', [{ project: { z: { $function: {} } } }], refused('/pipeline/0/project/z/$function')],
  ['refuses $lookup', [{ lookup: {} }], refused('/pipeline/0/lookup')],
  ['an output without id fails', [{ project: { id: 0, a: 1 } }], fails(0)],
]);

const LINKS = [{ a: 1, l: { type: 'article', id: oid('5f0000000000000000000001') }, s: 'text' }];
const output = cases('output', LINKS, [
  ['says which fields are attributes', [{ output: { attributes: ['a'] } }], [{ a: 1 }]],
  [
    'says which fields are relationships',
    [{ output: { attributes: ['a'], relationships: ['l'] } }],
    [{ a: 1 }],
  ],
  [
    'passes over fields that are missing',
    [{ output: { attributes: ['a', 'none'], relationships: ['no'] } }],
    [{ a: 1 }],
  ],
  ['may name nothing', [{ output: {} }], [{}]],
  ['fails on what is no link', [{ output: { relationships: ['s'] } }], fails(0)],
  ['stands at the end only', [{ output: {} }, { limit: 1 }], refused('/pipeline/0/output')],
  ['refuses an array', [{ output: ['a'] }], refused('/pipeline/0/output')],
  [
    'refuses attributes that are no array',
    [{ output: { attributes: 'a' } }],
    refused('/pipeline/0/output/attributes'),
  ],
  [
    'refuses id and type',
    [{ output: { attributes: ['a', 'id'] } }],
    refused('/pipeline/0/output/attributes/1'),
  ],
  [
    'refuses one name in both',
    [{ output: { attributes: ['a'], relationships: ['a'] } }],
    refused('/pipeline/0/output'),
  ],
  ['refuses unknown members', [{ output: { links: ['a'] } }], refused('/pipeline/0/output/links')],
]);

const whole = cases('pipeline', PEOPLE, [
  ['an empty one gives the documents', [], PEOPLE],
  ['refuses a stage of two keys', [{ skip: 1, limit: 1 }], refused('/pipeline/0')],
  ['refuses an empty stage', [{}], refused('/pipeline/0')],
  ['refuses a stage that is no object', ['limit'], refused('/pipeline/0')],
  ['refuses unknown stages', [{ limit: 1 }, { shuffle: 1 }], refused('/pipeline/1/shuffle')],
  ["refuses MongoDB's names", [{ $match: { a: 1 } }], refused('/pipeline/0/$match')],
  ['refuses match', [{ match: {} }], refused('/pipeline/0/match')],
  ['refuses out', [{ out: 'x' }], refused('/pipeline/0/out')],
  ['refuses 65 stages', Array.from({ length: 65 }, () => ({ skip: 0 })), refused('/pipeline')],
  [
    'takes 64 stages',
    [...Array.from({ length: 63 }, () => ({ skip: 0 })), { group: { n: { $sum: 1 } } }],
    [{ n: 4 }],
  ],
  ['two outputs of one id fail', [{ project: { id: '$city', name: 1 } }], fails(0)],
]);

const parameters = cases('parameters', PEOPLE, [
  [
    'stand in expressions',
    [{ limit: 1 }, { project: { z: { $add: ['$age', '$$parameters.more'] } } }],
    [{ z: 40 }],
    { more: 4 },
  ],
  [
    'stand in filters',
    [{ filter: { age: { $gte: '$$parameters.least' } } }, ONLY_NAME],
    names('Ada'),
    { least: 30 },
  ],
  ['stand in limits', [{ limit: '$$parameters.n' }, ONLY_NAME], names('Ada', 'Bob'), { n: 2 }],
  [
    'stand in orders',
    [{ sort: '$$parameters.order' }, { limit: 1 }, ONLY_NAME],
    names('Dee'),
    { order: '-name' },
  ],
  [
    'stand in outputs',
    [{ limit: 1 }, { output: { attributes: '$$parameters.show' } }],
    [{ city: 'London' }],
    { show: ['city'] },
  ],
  [
    'stand in unwind',
    [{ limit: 1 }, { unwind: '$$parameters.by' }, { group: { t: { $push: '$tags' } } }],
    [{ t: ['math', 'code'] }],
    { by: '$tags' },
  ],
  ['stand in group', [{ group: { n: { $sum: '$$parameters.one' } } }], [{ n: 8 }], { one: 2 }],
  [
    'are whole values, never operators',
    [{ filter: { name: '$$parameters.who' } }],
    refused('/parameters/who'),
    { who: { $ne: 1 } },
  ],
  [
    'may be paths into objects',
    [{ limit: 1 }, { project: { z: '$$parameters.a.b' } }],
    [{ z: 7 }],
    { a: { b: 7 } },
  ],
  [
    'hold wrappers',
    [{ limit: 1 }, { project: { z: { $year: '$$parameters.day' } } }],
    [{ z: 2020 }],
    { day: date('2020-05-05') },
  ],
  [
    'need a default',
    [{ limit: 1 }, { project: { z: '$$parameters.none' } }],
    refused('/pipeline/1/project/z'),
  ],
  [
    'need a default in filters too',
    [{ filter: { a: '$$parameters.none' } }],
    refused('/pipeline/0/filter/a'),
  ],
  [
    'must have what the stage takes',
    [{ limit: '$$parameters.n' }],
    refused('/pipeline/0/limit'),
    { n: 'many' },
  ],
  ['are an object', [{ limit: 1 }], refused('/parameters'), [1]],
]);

export const STAGE_CASES: readonly PipelineCase[] = [
  ...filter,
  ...sort,
  ...sortPaths,
  ...slices,
  ...unwind,
  ...unwindDeep,
  ...group,
  ...groupKeys,
  ...project,
  ...output,
  ...whole,
  ...parameters,
];
